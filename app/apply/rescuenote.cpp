// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/apply/rescuenote.h"

#include "app/apply/history.h"
#include "helper/contract/address.h"
#include "helper/contract/catalogue.h"

#include <QCoreApplication>
#include <QDate>
#include <QLocale>

namespace diskwright {

using namespace Qt::StringLiterals;

namespace {

QString lineOf(const KeptItem &item)
{
    const SettingSpec *spec = findSetting(item.settingId);
    const Address address{spec->domain, item.kernelName.empty() ? item.target : item.kernelName,
                          std::string(spec->key)};
    QString line = u"   "_s + QString::fromStdString(toText(address) + " = " + toText(item.value));
    if (item.original)
        line += u"   "_s + QCoreApplication::translate("RescueNote", "(before: %1)")
                               .arg(QString::fromStdString(toText(*item.original)));
    return line + u'\n';
}

} // namespace

Result<QString> rescueNote(const QString &root)
{
    const auto kept = readKeptSet(root);
    if (!kept)
        return std::unexpected(kept.error());
    QString note =
        QCoreApplication::translate("RescueNote", "If this computer does not start any more") + u"\n\n"_s;
    //: %1 is a date
    note +=
        (kept->items.empty()
             ? QCoreApplication::translate("RescueNote",
                                           "Diskwright sets nothing at the start of this computer (%1).")
             : QCoreApplication::translate(
                   "RescueNote", "Diskwright sets %n value(s) at every start of this computer (%1):", nullptr,
                   static_cast<int>(kept->items.size())))
            .arg(QLocale().toString(QDate::currentDate(), QLocale::ShortFormat)) +
        u'\n';
    for (const KeptItem &item : kept->items)
        note += lineOf(item);
    note +=
        u'\n' + QCoreApplication::translate(
                    "RescueNote",
                    "0. Wait. After a start that does not finish, the next one leaves these values out by\n"
                    "   itself.");
    note += u"\n\n"_s +
            QCoreApplication::translate(
                "RescueNote",
                "1. Start once without them: when the boot menu shows, press e, go to the line that\n"
                "   begins with \"linux\", add a space and this word to its end, then press Ctrl+X or F10:");
    note += u"\n\n      diskwright.off\n\n"_s;
    note += QCoreApplication::translate(
        "RescueNote",
        "2. Put everything back: start as in 1, but add this word too. It opens a rescue shell:");
    note += u"\n\n      systemd.unit=rescue.target\n\n"_s;
    note += QCoreApplication::translate("RescueNote", "   There, as root:");
    note += u"\n\n      /usr/libexec/diskwright/diskwright-boot restore --yes\n\n"_s;
    note += QCoreApplication::translate(
        "RescueNote", "   It says what it put back. It ends with 6 and names what it could not put back.");
    note += u"\n\n"_s +
            QCoreApplication::translate(
                "RescueNote",
                "3. By hand, from any rescue system: delete these files of this computer and restart.");
    note += u"\n\n      /etc/udev/rules.d/80-diskwright.rules\n"
            "      /etc/sysctl.d/80-diskwright.conf\n"
            "      /etc/diskwright/boot-set.json\n"
            "      /etc/diskwright/boot/\n\n"_s;
    note += QCoreApplication::translate("RescueNote",
                                        "Values that are not set at every start are gone after a restart.") +
            u'\n';
    return note;
}

} // namespace diskwright
