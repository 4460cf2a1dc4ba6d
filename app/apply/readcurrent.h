// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "helper/contract/address.h"
#include "helper/contract/value.h"

#include <QString>

#include <optional>

namespace diskwright {

/// The current value of a setting, read without privileges; none if it can't be read.
[[nodiscard]] std::optional<Value> readCurrent(const Address &address, const QString &root);

} // namespace diskwright
