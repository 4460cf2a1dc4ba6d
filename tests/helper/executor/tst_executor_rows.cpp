// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "machine.h"

#include "helper/access/bounds.h"
#include "helper/contract/codec.h"

#include <QTest>

using namespace diskwright;
using namespace diskwright::test;

namespace {

// Each row of the catalogue on a machine that has it, and little else.
class RowMachine : public Machine
{
public:
    explicit RowMachine(const SettingSpec &row)
        : spec(row)
        , file((isPerDisk(row.domain) ? "sys/block/sda/" : "proc/sys/vm/") + std::string(row.attribute))
    {
        if (!row.scheduler.empty())
            write("sys/block/sda/queue/scheduler",
                  "none [" + QByteArray::fromStdString(std::string(row.scheduler)) + "]\n");
        write("sys/block/sda/queue/discard_max_hw_bytes", "1073741824\n");
        write("sys/block/sda/queue/discard_granularity", "4096\n");
    }

    void set(const Value &value) { write(file.c_str(), QByteArray::fromStdString(toText(value)) + "\n"); }
    [[nodiscard]] QByteArray now() const { return read(file.c_str()); }

    /// The row as this machine takes it.
    [[nodiscard]] SettingSpec here() const
    {
        const auto anchor = isPerDisk(spec.domain) ? root->blockDevice("sda") : root->vm();
        return narrowed(*root, anchor.value(), spec, "none").value();
    }

    Report change(const Value &from, const Value &to)
    {
        ApplyRequest request;
        if (isPerDisk(spec.domain))
            request.devices = {disk("sda")};
        request.changes = {{isPerDisk(spec.domain) ? std::optional<std::uint16_t>(0) : std::nullopt,
                            std::string(spec.id), from, to}};
        request.token = token();
        return run(request, tune());
    }

    const SettingSpec &spec;
    const std::string file;
};

// Two values that the row takes, both as far out as it goes.
std::pair<Value, Value> edges(const SettingSpec &row)
{
    if (const auto *range = std::get_if<Range>(&row.accepts)) {
        const auto least = (range->min + range->step - 1) / range->step * range->step;
        return {number(least), number(range->max / range->step * range->step)};
    }
    return {number(0), number(1)};
}

} // namespace

class TestRows : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void eachRow_data()
    {
        QTest::addColumn<QByteArray>("id");
        for (const SettingSpec &row : catalogue()) {
            const auto id = QByteArray::fromStdString(std::string(row.id));
            // The scheduler and the dirty limits hang together; tst_executor_apply has them.
            if (!std::holds_alternative<Choice>(row.accepts) && row.pair.empty())
                QTest::newRow(id.constData()) << id;
        }
    }
    void eachRow()
    {
        QFETCH(QByteArray, id);
        RowMachine machine(*findSetting(id.toStdString()));
        machine.set(number(8192));
        const auto [first, last] = edges(machine.here());
        machine.set(first);
        const Report report = machine.change(first, last);
        QCOMPARE(report.outcome, Outcome::Applied);
        QCOMPARE(machine.now(), QByteArray::fromStdString(toText(last)));
        const TransactionId done = machine.lastId;
        QCOMPARE(machine.run(UndoRequest{done, false}, Machine::tune()).outcome, Outcome::Undone);
        QCOMPARE(machine.now(), QByteArray::fromStdString(toText(first)));
    }

    void eachRowRefuses_data() { eachRow_data(); }
    void eachRowRefuses()
    {
        QFETCH(QByteArray, id);
        RowMachine machine(*findSetting(id.toStdString()));
        machine.set(number(8192));
        const SettingSpec here = machine.here();
        const auto [first, last] = edges(here);
        machine.set(first);
        const auto *range = std::get_if<Range>(&here.accepts);
        const std::int64_t step = range ? range->step : 1;
        const auto refuses = [&](std::int64_t value, Errc why) {
            const Report report = machine.change(first, number(value));
            QCOMPARE(report.outcome, Outcome::Refused);
            QCOMPARE(report.why, why);
            QCOMPARE(report.culprit, std::optional<std::uint16_t>(0));
            QCOMPARE(machine.now(), QByteArray::fromStdString(toText(first)));
        };
        refuses(std::get<std::int64_t>(first) - step, Errc::OutOfRange);
        refuses(std::get<std::int64_t>(last) + step, Errc::OutOfRange);
        refuses(std::numeric_limits<std::int64_t>::max(), Errc::OutOfRange);
        if (step > 1)
            refuses(std::get<std::int64_t>(last) - 1, Errc::NotAMultiple);
        QCOMPARE(machine.change(first, word("1")).why, Errc::Malformed);
        if (!here.drifts)
            QCOMPARE(machine.change(last, first == last ? number(7) : first).why,
                     first == last ? Errc::OutOfRange : Errc::Stale);
    }

    // A kernel or device without the file: nothing is made, nothing is written.
    void eachRowWhereItIsAbsent_data() { eachRow_data(); }
    void eachRowWhereItIsAbsent()
    {
        QFETCH(QByteArray, id);
        RowMachine machine(*findSetting(id.toStdString()));
        QFile::remove(machine.path(machine.file.c_str()));
        const Report report = machine.change(number(1), number(2));
        QCOMPARE(report.outcome, Outcome::Refused);
        QCOMPARE(report.why, Errc::Absent);
        QCOMPARE(machine.now(), "(absent)");
    }

    // Some other scheduler's file of the same name is not this row's.
    void tunablesOfAnotherScheduler()
    {
        for (const SettingSpec &row : catalogue()) {
            if (row.scheduler.empty())
                continue;
            RowMachine machine(row);
            machine.set(number(1));
            machine.write("sys/block/sda/queue/scheduler",
                          row.scheduler == "bfq" ? "none [mq-deadline] bfq\n" : "none [bfq] mq-deadline\n");
            QCOMPARE(machine.change(number(1), number(2)).why, Errc::Absent);
            QCOMPARE(machine.now(), "1");
        }
    }

    void oneNumberUnderTwoNamesIsAConflict()
    {
        RowMachine machine(*findSetting("bdi/max_ratio"));
        machine.set(number(100));
        machine.write("sys/block/sda/bdi/max_ratio_fine", "1000000\n");
        ApplyRequest request;
        request.devices = {Machine::disk("sda")};
        request.changes = {{0, "bdi/max_ratio", number(100), number(50)},
                           {0, "bdi/max_ratio_fine", number(1000000), number(250000)}};
        const Report report = machine.run(request, Machine::tune());
        QCOMPARE(report.why, Errc::Conflict);
        QCOMPARE(report.culprit, std::optional<std::uint16_t>(1));
    }
};

QTEST_APPLESS_MAIN(TestRows)

#include "tst_executor_rows.moc"
