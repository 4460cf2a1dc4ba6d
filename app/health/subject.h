// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "health.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace diskwright::health {

/// Where the kernel hangs a device: "sys/devices/pci0000:00/0000:00:17.0/ata1/…/block/sda" by segments.
class DevicePath final
{
public:
    /// The place of the block device \p name, by the link in sys/class/block or sys/block; without a link the
    /// folder itself.
    [[nodiscard]] static DevicePath of(const SystemRoot &root, const std::string &name);
    /// The place that the link \p relative leads to; empty if it is no link.
    [[nodiscard]] static DevicePath ofLink(const SystemRoot &root, const std::string &relative);

    [[nodiscard]] bool isEmpty() const noexcept { return m_segments.empty(); }
    [[nodiscard]] const std::vector<std::string> &segments() const noexcept { return m_segments; }
    /// The first \p count segments as a path below the root.
    [[nodiscard]] std::string upTo(std::size_t count) const;
    [[nodiscard]] std::string text() const { return upTo(m_segments.size()); }
    /// Number of segments up to and with the last one that \p fits; 0 if none does.
    [[nodiscard]] std::size_t last(const std::function<bool(std::string_view)> &fits,
                                   std::size_t before = SIZE_MAX) const;

private:
    std::vector<std::string> m_segments;
};

/// What stands behind a whole disk, as far as the checks differ.
enum class Nature : std::uint8_t {
    Drive,   ///< a drive of its own, rotating or solid state
    Card,    ///< an SD card: has a lock, reports no temperature
    Chip,    ///< an eMMC chip, or one of its areas: soldered, reports no temperature
    Optical, ///< a reader of discs
    Virtual, ///< offered by a host or a server, which alone knows what is behind it
    Layer,   ///< made by this machine of files or other devices: loop, device mapper, md, ZFS volume, nbd
    Memory,  ///< zram, ram disk
};
[[nodiscard]] Nature natureOf(const SystemRoot &root, const BlockNode &disk, const DevicePath &path);

/// One whole disk under examination: what the checks read through and write to.
class Subject final
{
public:
    Subject(const SystemRoot &root, const DiskList &disks, const BlockNode &disk, const Options &options,
            Health &health);

    const SystemRoot &root;
    const DiskList &disks;
    const BlockNode &disk;
    const Options &options;
    const DevicePath path;
    const Nature nature;
    DriveHealth drive;

    /// The disk and everything that stands on it: partitions, layers, theirs. Each once.
    [[nodiscard]] const std::vector<const BlockNode *> &tower() const noexcept { return m_tower; }
    [[nodiscard]] bool isSolidState() const { return disk.rotational && !*disk.rotational; }
    /// Whether something turns in it. Hosts say so of virtual disks too, whatever is behind them.
    [[nodiscard]] bool isRotating() const
    {
        return disk.rotational.value_or(false) && (nature == Nature::Drive || nature == Nature::Optical);
    }
    /// Whether the kernel has switched the device off to save power.
    [[nodiscard]] bool isAsleep() const noexcept { return m_asleep; }

    /// A short text file, cleaned; null if absent, unreadable or empty.
    [[nodiscard]] std::optional<std::string> word(const std::string &file) const;
    [[nodiscard]] std::optional<std::int64_t> number(const std::string &file) const;
    [[nodiscard]] std::string bytes(const std::string &file,
                                    std::size_t limit = std::size_t{128} * 1024) const;
    /// Base name of what a link points to ("uas"); empty if there is none.
    [[nodiscard]] std::string linkName(const std::string &link) const;
    [[nodiscard]] std::vector<std::string> entries(const std::string &folder) const;
    /// Places that lead to the controllers of an NVMe disk: its own, or each of its subsystem's.
    [[nodiscard]] std::vector<DevicePath> controllers() const;

    void fact(std::string_view id, std::string value, std::string source, const BlockNode *about = nullptr);
    void finding(std::string_view id, Severity severity, Message text, Message help, std::string fact,
                 std::string source, const BlockNode *about = nullptr);
    /// The same of what is no single device's.
    void factOfAll(std::string_view id, std::string value, std::string source);
    void findingOfAll(std::string_view id, Severity severity, Message text, Message help, std::string fact,
                      std::string source);
    void unknown(std::string_view id, Message text);
    /// The place %1 of \p text is filled with \p file, which is absent or holds nothing usable.
    void nothingIn(std::string_view id, const char *text, const std::string &file);

private:
    void climb(const BlockNode &node);
    std::vector<const BlockNode *> m_tower;
    Health &m_health;
    bool m_asleep = false;
};

/// Runs \p work in a thread of its own and waits for it; null if it takes longer. Whatever hangs there hangs
/// alone.
template <class Value>
[[nodiscard]] std::optional<Value> within(std::chrono::milliseconds time, std::function<Value()> work);

/// "0x12" or "18". Null for anything else, and for what does not fit.
[[nodiscard]] std::optional<std::int64_t> parseInteger(std::string_view text) noexcept;
[[nodiscard]] bool isUsbDevice(std::string_view segment);
[[nodiscard]] bool isPciFunction(std::string_view segment);
[[nodiscard]] bool isNumbered(std::string_view segment, std::string_view prefix);
/// The words of an IDENTIFY DEVICE page as libata's "id" attribute shows them; empty if it has another shape.
[[nodiscard]] std::vector<std::uint16_t> parseIdentify(std::string_view text);

// The checks, each looking at one side.
void checkState(Subject &subject);
void checkAtaLink(Subject &subject);
void checkUsbLink(Subject &subject);
void checkPcieLink(Subject &subject);
void checkQueue(Subject &subject);
void checkDrive(Subject &subject);
void checkTemperature(Subject &subject);
void checkAlignment(Subject &subject);
void checkDiscard(Subject &subject);
void checkUse(Subject &subject);
void checkSwap(Subject &subject);
void checkRaid(Subject &subject);
void checkLoad(Subject &subject);

} // namespace diskwright::health

#include "within.h"
