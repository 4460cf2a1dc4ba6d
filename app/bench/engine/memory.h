// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <sys/mman.h>
#include <utility>

namespace diskwright::engine {

/// Page-aligned anonymous memory, touched so that no page fault falls into a run.
class Memory final
{
public:
    explicit Memory(std::size_t bytes) noexcept
        : m_bytes(bytes)
    {
        void *at =
            mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
        m_data = at == MAP_FAILED ? nullptr : static_cast<std::byte *>(at);
    }
    Memory(Memory &&other) noexcept
        : m_data(std::exchange(other.m_data, nullptr))
        , m_bytes(other.m_bytes)
    {
    }
    Memory &operator=(Memory &&) = delete;
    ~Memory()
    {
        if (m_data)
            munmap(m_data, m_bytes);
    }

    [[nodiscard]] std::byte *data() const noexcept { return m_data; }
    [[nodiscard]] std::size_t size() const noexcept { return m_bytes; }
    [[nodiscard]] explicit operator bool() const noexcept { return m_data != nullptr; }

private:
    std::byte *m_data = nullptr;
    std::size_t m_bytes = 0;
};

} // namespace diskwright::engine
