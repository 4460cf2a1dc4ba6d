// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "../access/systemroot.h"
#include "../contract/codec.h"

#include <memory>

namespace diskwright {

/// What the kernel says. A scheduler's tunable is absent while another one is active. Errors: Absent, Kernel
/// with errno (ETIMEDOUT: the disk does not answer), Malformed.
[[nodiscard]] Result<Parsed> readAttribute(const Directory &anchor, const SettingSpec &spec);

/// Sends the value in one write(2): canonical decimal or the word, nothing else. A short write is a failure.
/// Errors: Absent, ReadOnly, Kernel with errno. After ETIMEDOUT the value may still arrive.
/// \p held is kept until the write is over, which may be after the return.
[[nodiscard]] Result<> writeAttribute(const Directory &anchor, const SettingSpec &spec, const Value &value,
                                      const std::shared_ptr<const void> &held = {});

} // namespace diskwright
