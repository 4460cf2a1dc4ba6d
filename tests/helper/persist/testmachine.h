// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "helper/contract/request.h"

#include <QByteArray>
#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include <memory>

/// A folder that looks like a machine to the code under test: sys, proc, run/udev, etc.
class TestMachine final
{
public:
    /// In a folder that goes away with it.
    TestMachine()
        : m_folder(std::make_unique<QTemporaryDir>())
        , m_path(m_folder->path())
    {
        furnish();
    }

    /// In a folder that stays.
    explicit TestMachine(const std::string &folder)
        : m_path(QString::fromStdString(folder))
    {
        furnish();
    }

    [[nodiscard]] std::string root() const { return m_path.toStdString(); }
    [[nodiscard]] QString path(const QByteArray &relative) const
    {
        return m_path + QLatin1Char('/') + QString::fromLatin1(relative);
    }

    void makeFolder(const QByteArray &relative) const { QDir(m_path).mkpath(QString::fromLatin1(relative)); }

    void write(const QByteArray &relative, const QByteArray &text) const
    {
        makeFolder(relative.left(relative.lastIndexOf('/')));
        QFile file(path(relative));
        if (!file.open(QIODevice::WriteOnly | QIODevice::Truncate) || file.write(text) != text.size())
            qFatal("cannot write %s", relative.constData());
    }

    [[nodiscard]] QByteArray read(const QByteArray &relative) const
    {
        QFile file(path(relative));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    [[nodiscard]] bool has(const QByteArray &relative) const { return QFile::exists(path(relative)); }
    void remove(const QByteArray &relative) const { QFile::remove(path(relative)); }

    /// Another digit, another boot.
    void setBootId(char digit) const { write("proc/sys/kernel/random/boot_id", bootId(digit) + '\n'); }
    [[nodiscard]] static QByteArray bootId(char digit)
    {
        return QByteArray(8, digit) + "-2222-3333-4444-555555555555";
    }

    struct Disk {
        QByteArray name;
        int minor = 0;
        int diskseq = 0;
        QByteArray wwn = {};
        QByteArray serial = {};
        QByteArray bus = "ata";
        std::uint64_t sizeBytes = 1073741824;
    };

    /// Adds the disk, or lets it take over the name. It reads mq-deadline, 32 requests, 128 KiB.
    void addDisk(const Disk &disk) const
    {
        const QByteArray folder = "sys/block/" + disk.name;
        write(folder + "/dev", "8:" + QByteArray::number(disk.minor) + '\n');
        write(folder + "/diskseq", QByteArray::number(disk.diskseq) + '\n');
        write(folder + "/size", QByteArray::number(qulonglong(disk.sizeBytes / 512)) + '\n');
        write(folder + "/removable", disk.bus == "usb" ? "1\n" : "0\n");
        write(folder + "/queue/rotational", "0\n");
        write(folder + "/queue/scheduler", "none [mq-deadline] bfq\n");
        write(folder + "/queue/nr_requests", "32\n");
        write(folder + "/queue/read_ahead_kb", "128\n");
        write(folder + "/queue/iosched/read_expire", "500\n");
        write(folder + "/bdi/strict_limit", "0\n");
        write(folder + "/bdi/max_ratio_fine", "1000000\n");
        write(folder + "/bdi/max_bytes", "1073741824\n");
        QByteArray entry;
        if (!disk.wwn.isEmpty())
            entry += "S:disk/by-id/wwn-" + disk.wwn + "\nE:ID_WWN_WITH_EXTENSION=" + disk.wwn + '\n';
        if (!disk.serial.isEmpty())
            entry += "S:disk/by-id/" + disk.bus + '-' + disk.serial + "\nE:ID_SERIAL=" + disk.serial + '\n';
        entry += "E:ID_BUS=" + disk.bus + '\n';
        write("run/udev/data/b8:" + QByteArray::number(disk.minor), entry);
    }

    void removeDisk(const Disk &disk) const
    {
        QDir(path("sys/block/" + disk.name)).removeRecursively();
        remove("run/udev/data/b8:" + QByteArray::number(disk.minor));
    }

    [[nodiscard]] static diskwright::DeviceIdentity identityOf(const Disk &disk)
    {
        return {.name = disk.name.toStdString(),
                .major = 8,
                .minor = static_cast<std::uint32_t>(disk.minor),
                .diskseq = static_cast<std::uint64_t>(disk.diskseq),
                .sizeBytes = disk.sizeBytes};
    }

    [[nodiscard]] static Disk ata()
    {
        return {.name = "sda",
                .minor = 0,
                .diskseq = 9,
                .wwn = "0x5000c50015ea71ac",
                .serial = "QEMU_SSD_A_ATA0001"};
    }
    [[nodiscard]] static Disk usb()
    {
        return {.name = "sdb",
                .minor = 16,
                .diskseq = 12,
                .serial = "QEMU_QEMU_HARDDISK_USB01-0:0",
                .bus = "usb",
                .sizeBytes = 67108864};
    }

private:
    void furnish() const
    {
        for (const char *folder : {"etc/udev/rules.d", "etc/sysctl.d", "run/udev/data", "run/systemd/system",
                                   "sys/block", "sys/class/block", "var/lib"})
            makeFolder(folder);
        setBootId('1');
        write("proc/cmdline", "BOOT_IMAGE=/vmlinuz root=/dev/vda quiet\n");
        write("proc/self/mountinfo", "");
        write("proc/swaps", "");
        for (const auto &[name, value] :
             {std::pair{"dirty_bytes", "0"}, std::pair{"dirty_ratio", "20"},
              std::pair{"dirty_background_bytes", "0"}, std::pair{"dirty_background_ratio", "10"}})
            write(QByteArray("proc/sys/vm/") + name, QByteArray(value) + '\n');
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_path;
};
