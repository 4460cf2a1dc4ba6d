// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

namespace diskwright::ui {

using namespace Qt::StringLiterals;

/// A copy of a recorded machine in which things happen.
class MachineCopy
{
public:
    explicit MachineCopy(const QString &name = QStringLiteral("desktop-sata-ssd-hdd"))
    {
        const QString source =
            QStringLiteral(DISKWRIGHT_SOURCE_DIR "/tests/fixtures/machines/") + name + u"/.";
        if (QProcess::execute(QStringLiteral("cp"), {QStringLiteral("-a"), source, m_folder.path()}) != 0)
            qFatal("the recorded machine can't be copied");
    }

    [[nodiscard]] QString root() const { return m_folder.path(); }

    /// The device folder of a disk.
    [[nodiscard]] QString folder(const QString &disk) const
    {
        return QFileInfo(root() + u"/sys/block/"_s + disk).canonicalFilePath();
    }
    void write(const QString &disk, const QString &attribute, const QByteArray &text) const
    {
        QFile file(folder(disk) + u'/' + attribute);
        QVERIFY2(file.open(QFile::WriteOnly | QFile::Truncate), qPrintable(file.fileName()));
        file.write(text);
    }
    /// The kernel lists the disk no longer.
    void pull(const QString &disk)
    {
        const QString link = root() + u"/sys/block/"_s + disk;
        m_targets[disk] = QFileInfo(link).readSymLink();
        QVERIFY(QFile::remove(link));
    }
    /// It lists a disk that was pulled again, by this name.
    void plug(const QString &disk, const QString &as) const
    {
        QVERIFY(QFile::link(m_targets[disk], root() + u"/sys/block/"_s + as));
    }
    void changeUevent(const QString &disk, const QByteArray &from, const QByteArray &to) const
    {
        QFile file(folder(disk) + u"/uevent"_s);
        QVERIFY(file.open(QFile::ReadOnly));
        QByteArray text = file.readAll();
        file.close();
        QVERIFY2(text.contains(from), text.constData());
        QVERIFY(file.open(QFile::WriteOnly | QFile::Truncate));
        file.write(text.replace(from, to));
    }

private:
    QTemporaryDir m_folder;
    QHash<QString, QString> m_targets;
};

} // namespace diskwright::ui
