// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pulse.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace diskwright::ui {

// "   8       0 sda 1 2 3 4 5 6 7 …": reads, merged, sectors read, ms, writes, merged, sectors written …
std::map<std::string, DiskCounters> parseDiskStats(std::string_view text)
{
    constexpr std::uint64_t sectorBytes = 512; // whatever the disk's own sectors are
    constexpr std::size_t nameField = 2;
    constexpr std::size_t readField = 5;
    constexpr std::size_t writtenField = 9;
    std::map<std::string, DiskCounters> disks;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        std::array<std::string_view, writtenField + 1> fields;
        std::size_t count = 0;
        while (count < fields.size()) {
            const std::size_t begin = line.find_first_not_of(' ');
            if (begin == std::string_view::npos)
                break;
            const std::size_t stop = std::min(line.find(' ', begin), line.size());
            fields[count++] = line.substr(begin, stop - begin);
            line.remove_prefix(stop);
        }
        const auto sectors = [&](std::size_t field) {
            std::uint64_t value = 0;
            const std::string_view digits = fields[field];
            return std::from_chars(digits.data(), digits.data() + digits.size(), value).ec == std::errc()
                       ? value * sectorBytes
                       : 0;
        };
        if (count == fields.size()) {
            // The kernel prints a slash where sysfs and the rest of this program have a "!".
            std::string name(fields[nameField]);
            std::ranges::replace(name, '/', '!');
            disks[std::move(name)] = {sectors(readField), sectors(writtenField)};
        }
    }
    return disks;
}

bool isCounted(const std::vector<Observation> &settings)
{
    const auto counters = std::ranges::find(settings, "queue/iostats", &Observation::settingId);
    return counters == settings.end() || counters->value != Value(std::int64_t{0});
}

Pulse readPulse(const SystemRoot &root)
{
    Pulse pulse;
    pulse.writeback = readWriteback(root);
    if (const auto text = root.readFile("proc/diskstats"))
        pulse.disks = parseDiskStats(*text);
    pulse.time = std::chrono::steady_clock::now();
    return pulse;
}

PulseReader::PulseReader(QString root, std::chrono::milliseconds interval, QObject *parent)
    : QObject(parent)
    , m_root(std::move(root))
{
    m_pool.setMaxThreadCount(1);
    m_timer.setInterval(interval);
    connect(&m_timer, &QTimer::timeout, this, &PulseReader::read);
}

PulseReader::~PulseReader()
{
    // These files of procfs belong to no disk: nothing here waits for one.
    m_pool.waitForDone();
}

void PulseReader::start()
{
    read();
    if (m_root == QStringLiteral("/"))
        m_timer.start();
}

void PulseReader::stop()
{
    m_timer.stop();
}

void PulseReader::read()
{
    if (m_reading.exchange(true))
        return;
    m_pool.start([this] {
        const auto root =
            m_root == QStringLiteral("/") ? SystemRoot::live() : SystemRoot::at(m_root.toStdString());
        auto pulse = std::make_shared<Pulse>(root ? readPulse(*root) : Pulse());
        m_reading = false;
        QMetaObject::invokeMethod(this, [this, pulse] { Q_EMIT beat(*pulse); }, Qt::QueuedConnection);
    });
}

void Throughput::add(const DiskCounters &counters, std::chrono::steady_clock::time_point time)
{
    const double seconds = std::chrono::duration<double>(time - m_time).count();
    if (m_last && seconds > 0) {
        // A counter that went back belongs to another disk of the same name.
        const auto grown = [](std::uint64_t now, std::uint64_t before) {
            return now >= before ? static_cast<double>(now - before) : 0.0;
        };
        m_rates.push_back((grown(counters.readBytes, m_last->readBytes) +
                           grown(counters.writtenBytes, m_last->writtenBytes)) /
                          seconds);
        if (m_rates.size() > length)
            m_rates.pop_front();
    }
    m_last = counters;
    m_time = time;
}

} // namespace diskwright::ui
