// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/settings/pastedlines.h"

#include <QString>
#include <QTest>

using namespace diskwright;

namespace {

/// "echo_5_>_x | hdparm": words of a command joined by _, commands by " | ".
QString commandsIn(const char *text)
{
    QString all;
    for (const Command &command : commandsOf(text)) {
        QString one;
        for (const std::string &word : command)
            one += (one.isEmpty() ? QString() : QStringLiteral("_")) + QString::fromStdString(word);
        all += (all.isEmpty() ? QString() : QStringLiteral(" | ")) + one;
    }
    return all;
}

} // namespace

class TestPastedLines : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void findsTheCommands_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("wanted");
        const auto row = [](const char *text, const char *wanted) {
            QTest::newRow(text) << QByteArray(text) << QString::fromLatin1(wanted);
        };
        row("", "");
        row(" \t\n;;&& ", "");
        row("a b", "a_b");
        row("a; b && c || d\ne", "a | b | c | d | e");
        row("a \\\n b", "a_b");
        row("a>b", "a_>_b");
        row("a >> b", "a_>_b");
        row("a <<<b", "a_<<<_b");
        row("a 'b c' \"d\"", "a_b_c_d");
        row("a, b", "a_b");
        // prompts
        row("$ a", "a");
        row("# a", "a");
        row("root@host:~# a b", "a_b");
        row("user@pc:/etc$ a", "a");
        row("[root@host ~]# a", "a");
        row("host:~ # a", "a");
        row("sh-5.2$ a", "a");
        row("user@pc ~ % a", "a");
        row("a 5 # why", "a_5");
        row("a 5%", "a_5%");
        // what runs a command
        row("sudo a", "a");
        row("sudo -n -u root a", "a");
        row("/usr/bin/sudo /bin/sh -c 'a > b'", "a_>_b");
        row("bash -xc 'a; b'", "a | b");
        row("su - root -c 'a'", "a");
        row("sudo", "sudo");
        row("bash script", "bash_script");
        // loops and folders
        row("for i in /a /b; do c $i; done", "c_/a_/b");
        row("for i in a b; do c /dev/$i ${i}; done", "c_/dev/a_/dev/b_${i}");
        row("sh -c 'for i in /a; do c $i; done'", "c_/a");
        row("cd /a/b/ && echo 5 > c", "echo_5_>_/a/b/c");
        row("cd /a; cat c", "cat_/a/c");
        row("cd a; cat c", "cat_c");
    }
    void findsTheCommands()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, wanted);
        QCOMPARE(commandsIn(text.constData()), wanted);
    }
    void knowsTheDiskOfAPartition_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QByteArray>("disk");
        for (const auto &[name, disk] :
             std::initializer_list<std::pair<const char *, const char *>>{{"sda1", "sda"},
                                                                          {"sdaa15", "sdaa"},
                                                                          {"hda1", "hda"},
                                                                          {"vda1", "vda"},
                                                                          {"xvdb2", "xvdb"},
                                                                          {"nvme0n1p2", "nvme0n1"},
                                                                          {"mmcblk0p1", "mmcblk0"},
                                                                          {"loop0p1", "loop0"},
                                                                          {"md127p1", "md127"},
                                                                          {"sda", "sda"},
                                                                          {"nvme0n1", "nvme0n1"},
                                                                          {"mmcblk0", "mmcblk0"},
                                                                          {"mmcblk0boot0", "mmcblk0boot0"},
                                                                          {"sr0", "sr0"},
                                                                          {"md0", "md0"},
                                                                          {"dm-0", "dm-0"},
                                                                          {"loop0", "loop0"},
                                                                          {"zram0", "zram0"},
                                                                          {"", ""},
                                                                          {"1", "1"},
                                                                          {"sd1", "sd1"}})
            QTest::newRow(name) << QByteArray(name) << QByteArray(disk);
    }
    void knowsTheDiskOfAPartition()
    {
        QFETCH(QByteArray, name);
        QFETCH(QByteArray, disk);
        QCOMPARE(wholeDiskName(name.toStdString()), disk.toStdString());
    }
    void knowsToolsByNameAndPath()
    {
        QVERIFY(isTool("hdparm", "hdparm") && isTool("/sbin/hdparm", "hdparm"));
        QVERIFY(!isTool("myhdparm", "hdparm") && !isTool("", "hdparm"));
        QVERIFY(isReader("cat") && isReader("/bin/grep") && !isReader("echo") && !isReader("tee"));
    }
};

QTEST_APPLESS_MAIN(TestPastedLines)
#include "tst_pastedlines.moc"
