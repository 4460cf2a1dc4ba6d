// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later

// decoder-seeds FOLDER: writes one file for each kind of valid request, report and journal.
#include "helper/executor/journal.h"
#include "helper/wire/reportcodec.h"
#include "helper/wire/requestcodec.h"
#include "tests/helper/wire/samples.h"

#include <QDir>
#include <QFile>

using namespace diskwright;

int main(int argc, char **argv)
{
    const QDir folder(QString::fromLocal8Bit(argc == 2 ? argv[1] : "."));
    int files = 0;
    const auto write = [&](const QByteArray &bytes) {
        QFile file(folder.filePath(QString::number(files++)));
        if (!file.open(QFile::WriteOnly) || file.write(bytes) != bytes.size())
            qFatal("can't write the corpus");
    };
    for (const Request &request : samples::requests())
        write(encode(request));
    for (const Report &report : samples::reports())
        write(encode(report));
    Journal journal;
    journal.bootId = "11111111-2222-3333-4444-555555555555";
    journal.devices = {{samples::devices().front(), "ata-DISK_1"}};
    journal.items = {
        {.device = 0,
         .setting = "queue/scheduler",
         .asked = true,
         .before = word("none"),
         .wanted = word("bfq"),
         .after = word("bfq")},
        {.device = {}, .setting = "vm/dirty_ratio", .before = number(20), .wanted = {}, .after = {}}};
    const std::string plan = encodeJournal(journal);
    write(QByteArray::fromStdString(plan));
    journal.kind = TransactionKind::Lease;
    journal.lease = JournalLease{.states = {{word("none")}, {word("bfq")}}, .mostSwitches = 512};
    write(QByteArray::fromStdString(encodeJournal(journal)));
    return 0;
}
