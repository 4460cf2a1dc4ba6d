// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/commandline.h"

#include <QByteArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <sstream>
#include <string>
#include <vector>

namespace diskwright::test {

/// What came of a line.
struct LineOutcome {
    int code = 0;
    QByteArray out;
    QByteArray err;
    QJsonObject json; ///< of out; empty if that is no document
};

/// Runs a line of diskwrightctl on the tree below \p root; empty: on this machine.
inline LineOutcome runLine(std::vector<std::string> arguments, const std::string &root = {})
{
    if (!root.empty())
        arguments.insert(arguments.begin(), {"--root", root});
    std::ostringstream out;
    std::ostringstream err;
    LineOutcome outcome;
    outcome.code = runCommandLine(arguments, out, err);
    outcome.out = QByteArray::fromStdString(out.str());
    outcome.err = QByteArray::fromStdString(err.str());
    outcome.json = QJsonDocument::fromJson(outcome.out).object();
    return outcome;
}

} // namespace diskwright::test
