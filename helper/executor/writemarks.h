// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "../access/systemroot.h"

#include <cstdint>
#include <memory>

namespace diskwright {

/// Tells all root programs which disks are being written to. Who writes to a disk that does not answer can't
/// be ended, and its value may arrive hours later: until then nothing about the disk is settled. A mark is a
/// lock on a byte of one file, so it goes when the write is over, whatever became of the program.
class WriteMarks final
{
public:
    explicit WriteMarks(const SystemRoot &root);

    /// Whether a mark is set for the disk with this sequence number.
    [[nodiscard]] bool isSet(std::uint64_t diskseq) const;
    /// Sets the mark for as long as the result lives. Errors: Kernel with ETIMEDOUT (it is set), or errno.
    [[nodiscard]] Result<std::shared_ptr<const void>> set(std::uint64_t diskseq) const;

private:
    [[nodiscard]] Result<Descriptor> open() const;

    Result<Directory> m_folder;
    Result<Descriptor> m_file;
};

} // namespace diskwright
