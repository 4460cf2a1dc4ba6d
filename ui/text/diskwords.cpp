// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "diskwords.h"

#include "app/disks/stack.h"
#include "ui/text/format.h"

#include <QCoreApplication>

#include <algorithm>

namespace diskwright::ui {

using namespace Qt::StringLiterals;

static QString say(const char *text)
{
    return QCoreApplication::translate("DiskWords", text);
}

static QString transportText(const std::string &transport)
{
    // As the makers print it on the box.
    if (transport == "sata" || transport == "ata" || transport == "usb" || transport == "scsi" ||
        transport == "sas" || transport == "mmc")
        return toQString(transport).toUpper();
    if (transport == "nvme")
        return u"NVMe"_s;
    return toQString(transport);
}

QString diskFacts(const BlockNode &disk)
{
    QStringList facts;
    if (disk.transport)
        facts << transportText(*disk.transport);
    else if (disk.type != "disk")
        facts << toQString(disk.type);
    if (std::ranges::find(disk.notes, "no-medium") != disk.notes.end())
        facts << say(QT_TRANSLATE_NOOP("DiskWords", "no medium in it"));
    else if (disk.sizeBytes)
        facts << diskSizeText(*disk.sizeBytes);
    if (disk.removable.value_or(false))
        facts << say(QT_TRANSLATE_NOOP("DiskWords", "removable"));
    if (disk.rotational && disk.type == "disk" && disk.transport != "virtio") {
        facts << (*disk.rotational ? say(QT_TRANSLATE_NOOP("DiskWords", "hard disk"))
                                   : say(QT_TRANSLATE_NOOP("DiskWords", "solid state")));
    }
    return facts.join(u" · "_s);
}

QStringList mountTargets(const BlockNode &disk, const DiskList &all)
{
    QStringList targets;
    for (const MountedOn &mounted : mountsAbove(all, disk))
        targets << toQString(mounted.mount->target);
    targets.removeDuplicates();
    std::ranges::sort(targets);
    return targets;
}

QString mountWords(const BlockNode &disk, const DiskList &all, int most)
{
    const QStringList targets = mountTargets(disk, all);
    if (targets.isEmpty()) {
        if (!all.mountsKnown() && !disk.system)
            return say(QT_TRANSLATE_NOOP("DiskWords", "What on it is mounted is not known."));
        return disk.system ? say(QT_TRANSLATE_NOOP("DiskWords", "Holds this system."))
                           : say(QT_TRANSLATE_NOOP("DiskWords", "Nothing on it is mounted."));
    }
    QStringList shown = targets.mid(0, most);
    for (QString &target : shown)
        target = shortened(target);
    const QString list = shown.join(u"  "_s) + (targets.size() > most ? u" …"_s : QString());
    return (disk.system ? say(QT_TRANSLATE_NOOP("DiskWords", "Holds this system: %1"))
                        : say(QT_TRANSLATE_NOOP("DiskWords", "Mounted: %1")))
        .arg(list);
}

QString messageText(const health::Message &message)
{
    struct Words {
        std::string operator()(const std::string &value) const { return value; }
        std::string operator()(std::int64_t value) const { return numberText(value).toStdString(); }
        std::string operator()(health::Bytes value) const { return diskSizeText(value.count).toStdString(); }
        std::string operator()(health::MemoryBytes value) const
        {
            return memoryText(static_cast<double>(value.count)).toStdString();
        }
    };
    std::vector<std::string> arguments;
    arguments.reserve(message.arguments.size());
    for (const health::Argument &argument : message.arguments)
        arguments.push_back(std::visit(Words{}, argument));
    const QString source = QCoreApplication::translate(health::messageContext, message.text);
    return toQString(health::fill(source.toStdString(), arguments));
}

} // namespace diskwright::ui
