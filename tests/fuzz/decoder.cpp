// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Whatever bytes come: they are refused, or are the one spelling of what they decode to.
#include "helper/executor/journal.h"
#include "helper/wire/reportcodec.h"
#include "helper/wire/requestcodec.h"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    using namespace diskwright;
    const QByteArray bytes(reinterpret_cast<const char *>(data), static_cast<qsizetype>(size));
    if (const auto request = decodeRequest(bytes); request && encode(*request) != bytes)
        std::abort();
    if (const auto report = decodeReport(bytes); report && encode(*report) != bytes)
        std::abort();
    if (const auto journal = decodeJournal(bytes.toStdString())) {
        if (encodeJournal(*journal) != bytes.toStdString())
            std::abort();
        static_cast<void>(historyText(*journal));
    }
    return 0;
}
