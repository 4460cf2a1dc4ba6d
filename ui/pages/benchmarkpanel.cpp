// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "benchmarkpanel.h"

#include "app/apply/describe.h"
#include "app/bench/database.h"
#include "ui/charts/livechart.h"
#include "ui/models/historymodel.h"
#include "ui/pages/comparisoncard.h"
#include "ui/text/format.h"

#include <QButtonGroup>
#include <QComboBox>
#include <QCoreApplication>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QJsonObject>
#include <QLocale>
#include <QPushButton>
#include <QRadioButton>
#include <QStorageInfo>
#include <QTextDocument>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace diskwright::ui {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

static QString amountText(bench::Metric metric, double value)
{
    if (metric == bench::Metric::BytesPerSecond)
        return throughputText(value);
    return QCoreApplication::translate("BenchmarkPanel", "%1 reads/s")
        .arg(numberText(static_cast<std::int64_t>(value)));
}

// What a test file takes: half of the free space at most, so that a small or full disk can be measured too.
static bench::RunOptions optionsFor(const bench::Target &target)
{
    bench::RunOptions options;
    static constexpr quint64 step = quint64{16} << 20;
    const qint64 available = QStorageInfo(target.path).bytesAvailable();
    if (target.isFolder && available > 0) {
        const quint64 half = static_cast<quint64>(available) / 2 / step * step;
        options.sizeBytes = std::clamp(half, step, options.sizeBytes);
    }
    return options;
}

BenchmarkPanel::BenchmarkPanel(const Context &context, std::string disk, QWidget *parent)
    : QWidget(parent)
    , m_context(context)
    , m_disk(std::move(disk))
    , m_layout(new QVBoxLayout(this))
{
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(space::unit);
    auto *top = new QHBoxLayout;
    top->setSpacing(space::card);
    top->addWidget(buildChoice(), 2);
    top->addWidget(buildPicture(), 3);
    m_layout->addLayout(top);
    m_layout->addSpacing(space::unit);
    m_layout->addWidget(new Label(Label::Role::Heading, tr("Results"), this));
    m_noResults = new Label(Label::Role::Muted, tr("Results will be listed here and kept."), this);
    m_noResults->setWordWrap(true);
    m_layout->addWidget(m_noResults);
    m_results = new QTreeWidget(this);
    m_results->setAccessibleName(tr("Results, newest first"));
    m_results->setRootIsDecorated(false);
    m_results->setUniformRowHeights(true);
    m_results->setColumnCount(4);
    m_results->setHeaderLabels({tr("When"), tr("Test"), tr("Where"), tr("Result")});
    m_results->header()->setStretchLastSection(false);
    m_results->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_results->header()->setSectionResizeMode(1, QHeaderView::Stretch);
    m_results->setTextElideMode(Qt::ElideMiddle);
    m_results->setMinimumHeight(144);
    m_results->hide();
    m_layout->addWidget(m_results, 1);
    // 20 frames a second are enough for an eye and leave the processors to the measurement.
    m_frame.setInterval(50ms);
    connect(&m_frame, &QTimer::timeout, this, &BenchmarkPanel::drawFrame);
}

BenchmarkPanel::~BenchmarkPanel() = default;

QWidget *BenchmarkPanel::buildChoice()
{
    auto *card = new Card(this);
    auto *inside = new QWidget(card);
    auto *layout = new QVBoxLayout(inside);
    layout->setContentsMargins(space::card, space::card, space::card, space::card);
    layout->setSpacing(space::unit);
    layout->addWidget(new Label(Label::Role::Heading, tr("What to measure"), inside));
    m_tests = new QButtonGroup(this);
    int number = 0;
    for (const bench::TestSpec &spec : bench::allTests()) {
        auto *choice = new QRadioButton(bench::displayName(spec), inside);
        choice->setChecked(number == 0);
        choice->setAccessibleDescription(bench::displayPurpose(spec));
        m_tests->addButton(choice, number++);
        auto *purpose = new Label(Label::Role::Muted, bench::displayPurpose(spec), inside);
        purpose->setWordWrap(true);
        purpose->setContentsMargins(space::page, 0, 0, space::half);
        layout->addWidget(choice);
        layout->addWidget(purpose);
    }
    auto *where = new Label(Label::Role::Heading, tr("Where"), inside);
    layout->addWidget(where);
    auto *row = new QHBoxLayout;
    m_targets = new QComboBox(inside);
    m_targets->setAccessibleName(tr("Folder to measure in"));
    m_targets->setAccessibleDescription(tr("A nameless file is made there and gone afterwards."));
    m_targets->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    m_other = new QPushButton(tr("Other…"), inside);
    m_other->setAccessibleName(tr("Choose another folder"));
    row->addWidget(m_targets, 1);
    row->addWidget(m_other);
    layout->addLayout(row);
    m_stack = new Label(Label::Role::Muted, inside);
    m_stack->setWordWrap(true);
    layout->addWidget(m_stack);
    m_cost = new Label(Label::Role::Muted, inside);
    m_cost->setWordWrap(true);
    layout->addWidget(m_cost);
    m_start = new QPushButton(tr("&Start"), inside);
    layout->addWidget(m_start, 0, Qt::AlignLeft);
    layout->addStretch(1);
    card->addRow(inside);
    connect(m_tests, &QButtonGroup::idToggled, this, &BenchmarkPanel::showCost);
    connect(m_targets, &QComboBox::currentIndexChanged, this, &BenchmarkPanel::showCost);
    connect(m_other, &QPushButton::clicked, this, &BenchmarkPanel::chooseFolder);
    connect(m_start, &QPushButton::clicked, this, [this] { m_runner ? stop() : start(); });
    return card;
}

QWidget *BenchmarkPanel::buildPicture()
{
    auto *card = new Card(this);
    auto *inside = new QWidget(card);
    m_chartPlace = new QVBoxLayout(inside);
    m_chartPlace->setContentsMargins(space::card, space::card, space::card, space::unit);
    m_chartPlace->setSpacing(0);
    m_figure = new Label(Label::Role::Figure, inside);
    m_figure->hide();
    m_detail = new Label(Label::Role::Muted, tr("The speed will appear here while it is measured."), inside);
    m_detail->setWordWrap(true);
    m_chartPlace->addWidget(m_figure);
    m_chartPlace->addWidget(m_detail);
    m_chartPlace->addStretch(1);
    card->addRow(inside);
    card->setMinimumHeight(304);
    return card;
}

void BenchmarkPanel::enter()
{
    if (m_entered)
        return;
    m_entered = true;
    fillTargets();
    fillResults();
}

void BenchmarkPanel::leave()
{
    m_frame.stop();
}

// A folder on each mounted filesystem that the user can write.
void BenchmarkPanel::fillTargets()
{
    m_targets->clear();
    std::vector<std::string> disks;
    if (!m_disk.empty()) {
        disks.push_back(m_disk);
    } else {
        for (const BlockNode &disk : m_context.machine.disks().disks()) {
            if (!disk.hiddenByDefault || m_context.machine.listsAll())
                disks.push_back(disk.name);
        }
    }
    QString why;
    for (const std::string &disk : disks) {
        if (!m_context.machine.isLive())
            break;
        const auto found = bench::targetOnDisk(toQString(disk), m_context.machine.disks());
        if (found && m_targets->findData(found->path) < 0)
            m_targets->addItem(found->path, found->path);
    }
    if (m_targets->count() == 0) {
        why = m_disk.empty()
                  ? tr("No mounted disk has a folder that you can write. Choose one yourself.")
                  : tr("No folder on this disk is yours to write. Mount it, or choose a folder of yours "
                       "on it.");
    }
    m_stack->setText(why);
    showCost();
}

void BenchmarkPanel::chooseFolder()
{
    auto *dialog = new QFileDialog(this, tr("Folder to measure in"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString &folder) {
        const auto chosen = bench::resolveTarget(folder, m_context.machine.disks());
        if (!chosen) {
            Q_EMIT message(u"%1: %2"_s.arg(folder, describe(chosen.error().code, chosen.error().sysErrno)),
                           true);
            return;
        }
        if (!m_disk.empty() && !chosen->disks.contains(toQString(m_disk))) {
            Q_EMIT message(
                tr("%1 does not lie on this disk. It lies on %2.")
                    .arg(folder, chosen->disks.isEmpty() ? chosen->fileSystem : chosen->disks.join(u", "_s)),
                true);
            return;
        }
        if (m_targets->findData(chosen->path) < 0)
            m_targets->addItem(chosen->path, chosen->path);
        m_targets->setEnabled(true);
        m_targets->setCurrentIndex(m_targets->findData(chosen->path));
    });
    dialog->open();
}

bench::TestSpec BenchmarkPanel::test() const
{
    return bench::allTests()[static_cast<std::size_t>(std::max(m_tests->checkedId(), 0))];
}

std::optional<bench::Target> BenchmarkPanel::target() const
{
    if (m_targets->count() == 0)
        return std::nullopt;
    auto found = bench::resolveTarget(m_targets->currentData().toString(), m_context.machine.disks());
    return found ? std::optional(std::move(*found)) : std::nullopt;
}

void BenchmarkPanel::setAway(const QString &why)
{
    if (why == m_away)
        return;
    const bool wasAway = !m_away.isEmpty();
    m_away = why;
    m_other->setEnabled(why.isEmpty());
    if (m_comparison)
        m_comparison->setAway(!why.isEmpty());
    // Its folders may lie elsewhere, or be gone, when it comes back.
    if (wasAway && why.isEmpty() && m_entered)
        fillTargets();
    else
        showCost();
}

void BenchmarkPanel::showCost()
{
    const auto where = m_away.isEmpty() ? target() : std::nullopt;
    // A measurement that runs can be stopped, whatever became of its disk.
    m_start->setEnabled(m_runner || where.has_value());
    m_targets->setEnabled(m_away.isEmpty() && m_targets->count() > 0);
    if (!m_away.isEmpty())
        m_stack->setText(m_away);
    if (!where) {
        m_cost->clear();
        return;
    }
    m_stack->setText(where->stackText());
    const bench::RunOptions options = optionsFor(*where);
    m_cost->setText(tr("Costs: %1")
                        .arg(bench::displayCost(bench::costOf(test(), where->isFolder, options.sizeBytes,
                                                              options.rounds, options.milliseconds))));
}

void BenchmarkPanel::start()
{
    const auto where = target();
    if (!where)
        return;
    if (!m_chart) {
        QString problem;
        m_chart = createLiveChart(this, problem);
        if (m_chart) {
            m_chart->setAccessibleName(tr("Speed over time"));
            delete m_chartPlace->takeAt(2);
            m_chartPlace->addWidget(m_chart, 1);
        } else {
            m_detail->setText(problem);
        }
    }
    m_points.clear();
    m_figure->hide();
    m_detail->setText(tr("Starting…"));
    const bench::RunOptions options = optionsFor(*where);
    if (m_chart) {
        m_chart->begin(test().metric == bench::Metric::BytesPerSecond ? tr("MB/s") : tr("1,000 reads/s"),
                       tr("seconds"), options.rounds * options.milliseconds / 1000);
    }
    m_runner = new bench::Runner(m_context.makeRoundSource(), this);
    connect(m_runner, &bench::Runner::preparing, this, [this](quint64 written, quint64 size) {
        m_detail->setText(
            tr("Writing the test file: %1 of %2").arg(diskSizeText(written), diskSizeText(size)));
    });
    connect(m_runner, &bench::Runner::slotDone, this, &BenchmarkPanel::take);
    connect(m_runner, &bench::Runner::finished, this, [this](const bench::RunResult &result) {
        ended();
        showResult(result);
    });
    connect(m_runner, &bench::Runner::failed, this, [this](const Error &error) {
        ended();
        m_figure->hide();
        m_detail->setText(tr("Nothing was measured."));
        Q_EMIT message(error.code == Errc::OutOfRange
                           ? tr("Nothing was measured: too little space is free there for the test file.")
                           : tr("Nothing was measured. %1").arg(describe(error.code, error.sysErrno)),
                       true);
    });
    connect(m_runner, &bench::Runner::cancelled, this, [this] {
        ended();
        // What was measured so far is no result.
        m_figure->hide();
        m_detail->setText(tr("Stopped. Nothing is left behind."));
    });
    m_start->setText(tr("&Stop"));
    m_frame.start();
    m_runner->start(test(), *where, options);
}

void BenchmarkPanel::stop()
{
    m_start->setEnabled(false);
    m_runner->cancel();
}

void BenchmarkPanel::ended()
{
    drawFrame();
    m_frame.stop();
    m_runner->deleteLater();
    m_runner = nullptr;
    m_start->setText(tr("&Start"));
    showCost();
}

void BenchmarkPanel::take(const bench::Slot &slot)
{
    const bool bytes = test().metric == bench::Metric::BytesPerSecond;
    const double perSecond = static_cast<double>(bytes ? slot.bytes : slot.ios) * 10;
    m_points << QPointF(static_cast<double>(m_points.size()) / 10, perSecond / (bytes ? 1e6 : 1e3));
    m_figure->setText(amountText(test().metric, perSecond));
    m_figure->show();
    if (slot.p99Nanoseconds) {
        m_detail->setText(
            tr("99 of 100 reads within %1").arg(latencyText(static_cast<double>(*slot.p99Nanoseconds))));
    } else {
        m_detail->setText(tr("longest read %1").arg(latencyText(static_cast<double>(slot.maxNanoseconds))));
    }
    m_dirty = true;
}

void BenchmarkPanel::drawFrame()
{
    if (!m_chart || !m_dirty || !isVisible() || window()->isMinimized())
        return;
    m_dirty = false;
    m_chart->show(thinned(m_points));
}

void BenchmarkPanel::showResult(const bench::RunResult &result)
{
    bench::RunResult kept = result;
    QJsonObject settings;
    for (const Observation &observation : m_context.machine.settings(m_disk)) {
        if (observation.value)
            settings.insert(toQString(toText(observation.address())), toQString(toText(*observation.value)));
    }
    kept.settings = settings;
    if (const auto estimate = kept.estimate())
        m_figure->setText(amountText(kept.metric, estimate->value));
    const bool disturbed = std::ranges::any_of(
        kept.rounds, [](const bench::Round &round) { return !round.disturbed.isEmpty(); });
    m_detail->setText(disturbed
                          ? tr("Middle of %n round(s); something else used the disk meanwhile.", nullptr,
                               static_cast<int>(kept.rounds.size()))
                          : tr("Middle of %n round(s).", nullptr, static_cast<int>(kept.rounds.size())));
    auto database = bench::Database::open();
    const auto saved = database ? (*database)->save(kept) : Result<>(std::unexpected(database.error()));
    if (!saved)
        Q_EMIT message(tr("The result could not be kept. %1").arg(describe(saved.error().code)), true);
    fillResults();
}

void BenchmarkPanel::fillResults()
{
    m_results->clear();
    if (!QFileInfo::exists(bench::Database::defaultPath()))
        return;
    auto database = bench::Database::open();
    if (!database) {
        Q_EMIT message(tr("The list of results can't be read. %1").arg(describe(database.error().code)),
                       true);
        return;
    }
    const auto runs = (*database)->list();
    if (!runs)
        return;
    for (const bench::SavedRun &run : *runs) {
        const auto spec = bench::findTest(run.test);
        QString figure = tr("not known");
        if (run.estimate) {
            figure = run.estimate->low < run.estimate->high
                         ? tr("%1  (%2 to %3)")
                               .arg(amountText(run.metric, run.estimate->value),
                                    amountText(run.metric, run.estimate->low),
                                    amountText(run.metric, run.estimate->high))
                         : amountText(run.metric, run.estimate->value);
        }
        auto *item = new QTreeWidgetItem(
            m_results, {whenText(run.time.toSecsSinceEpoch()),
                        run.name.isEmpty() ? (spec ? bench::displayName(*spec) : run.test) : run.name,
                        shortened(run.target), figure});
        item->setToolTip(1, Qt::convertFromPlainText(item->text(1)));
        item->setToolTip(2, Qt::convertFromPlainText(run.target));
        item->setTextAlignment(3, Qt::AlignRight | Qt::AlignVCenter);
    }
    m_results->setVisible(m_results->topLevelItemCount() > 0);
    m_noResults->setVisible(m_results->isHidden());
}

void BenchmarkPanel::compare(const Address &address)
{
    if (m_comparison && m_comparison->isRunning())
        return;
    delete m_comparison;
    m_comparison = new ComparisonCard(m_context, address, this);
    m_layout->insertWidget(0, m_comparison);
    connect(m_comparison, &ComparisonCard::message, this, &BenchmarkPanel::message);
    connect(m_comparison, &ComparisonCard::measured, this, &BenchmarkPanel::fillResults);
    m_comparison->setTargetSource([this] { return target(); });
    m_comparison->setAway(!m_away.isEmpty());
    m_comparison->setFocus();
}

} // namespace diskwright::ui
