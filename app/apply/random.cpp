// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/apply/random.h"

#include <cstdlib>

#include <sys/random.h>

namespace diskwright {

namespace {

template <class Bytes>
Bytes random()
{
    Bytes bytes{};
    // Up to 256 bytes are never interrupted and never short once the generator is ready (getrandom(2)).
    if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
        std::abort();
    return bytes;
}

} // namespace

TransactionId randomId()
{
    return random<TransactionId>();
}

Token randomToken()
{
    return random<Token>();
}

} // namespace diskwright
