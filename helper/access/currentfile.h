// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "descriptor.h"

#include <expected>
#include <string>
#include <sys/stat.h>

namespace diskwright {

/// A file that was opened for reading, and what it is.
struct CurrentFile {
    Descriptor file;
    struct stat information = {};
};

/// Opens what has the name in \p directory now; no link is followed and nothing is waited for. Whoever holds
/// the lock may put another file in its place at any moment: one that lost its name between being opened and
/// being looked at is opened again, since its count of names says nothing about tampering. The error is
/// errno: ENOENT for no file, ELOOP for a symbolic link, ENXIO for a socket …
[[nodiscard]] std::expected<CurrentFile, int> openCurrent(int directory, const std::string &name);

} // namespace diskwright
