// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "benchmarkpanel.h"

#include "app/apply/describe.h"
#include "app/bench/database.h"
#include "ui/charts/livechart.h"
#include "ui/models/historymodel.h"
#include "ui/models/measurewords.h"
#include "ui/pages/comparisoncard.h"
#include "ui/pages/targetchooser.h"
#include "ui/text/format.h"

#include <QButtonGroup>
#include <QCoreApplication>
#include <QFileInfo>
#include <QHash>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QJsonObject>
#include <QLocale>
#include <QPushButton>
#include <QRadioButton>
#include <QShowEvent>
#include <QTextDocument>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

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

static double perSecond(const bench::TestSpec &test, const bench::Slot &slot)
{
    static constexpr double slotsPerSecond = 10;
    return static_cast<double>(test.metric == bench::Metric::BytesPerSecond ? slot.bytes : slot.ios) *
           slotsPerSecond;
}

static bench::RunOptions optionsFor(const bench::Target &target)
{
    bench::RunOptions options;
    options.sizeBytes = testFileBytes(target, options.sizeBytes);
    return options;
}

// Where one read is under way at a time, a slot comes only when a read ends, on a slow disk seldom: so much
// at least, and a multiple of the longest that was waited for one.
static constexpr std::chrono::milliseconds stallPatience{300};
static constexpr int stallMultiple = 3;
// Between rounds the cache is dropped and the file opened again.
static constexpr std::chrono::milliseconds roundPatience{1500};

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
    m_layout->addWidget(buildResults(), 1);
    // 20 frames a second are enough for an eye and leave the processors to the measurement.
    m_frame.setInterval(50ms);
    connect(&m_frame, &QTimer::timeout, this, &BenchmarkPanel::drawFrame);
    connect(context.measuring.get(), &Measuring::changed, this, &BenchmarkPanel::showChoice);
}

BenchmarkPanel::~BenchmarkPanel()
{
    // That it ends is news for the others only.
    m_context.measuring->disconnect(this);
    m_context.measuring->end(this);
}

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
    m_where = new TargetChooser(m_context, m_disk, inside);
    layout->addWidget(m_where);
    m_cost = new Label(Label::Role::Muted, inside);
    m_cost->setWordWrap(true);
    layout->addWidget(m_cost);
    m_start = new QPushButton(tr("&Start"), inside);
    layout->addWidget(m_start, 0, Qt::AlignLeft);
    m_busy = new Label(Label::Role::Muted, inside);
    m_busy->setWordWrap(true);
    m_busy->hide();
    layout->addWidget(m_busy);
    layout->addStretch(1);
    card->addRow(inside);
    connect(m_tests, &QButtonGroup::idToggled, this, &BenchmarkPanel::showChoice);
    connect(m_where, &TargetChooser::changed, this, &BenchmarkPanel::showChoice);
    connect(m_where, &TargetChooser::message, this, &BenchmarkPanel::message);
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

QWidget *BenchmarkPanel::buildResults()
{
    auto *results = new QWidget(this);
    auto *layout = new QVBoxLayout(results);
    layout->setContentsMargins(0, space::unit, 0, 0);
    layout->setSpacing(space::unit);
    layout->addWidget(new Label(Label::Role::Heading, tr("Results"), results));
    m_noResults = new Label(Label::Role::Muted, tr("Results will be listed here and kept."), results);
    m_noResults->setWordWrap(true);
    layout->addWidget(m_noResults);
    m_results = new QTreeWidget(results);
    m_results->setAccessibleName(tr("Results, newest first"));
    m_results->setUniformRowHeights(true);
    m_results->setHeaderLabels({tr("When"), tr("What"), tr("Where"), tr("Result")});
    m_results->header()->setStretchLastSection(false);
    m_results->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_results->header()->setSectionResizeMode(1, QHeaderView::Stretch);
    m_results->setTextElideMode(Qt::ElideMiddle);
    m_results->setMinimumHeight(144);
    m_results->hide();
    layout->addWidget(m_results, 1);
    // Takes the room while the list is hidden.
    layout->addStretch(0);
    return results;
}

void BenchmarkPanel::enter()
{
    m_entered = true;
    if (isVisible())
        refresh();
}

void BenchmarkPanel::leave()
{
    m_entered = false;
    m_frame.stop();
}

void BenchmarkPanel::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    // A page that is just being entered says so afterwards.
    if (m_entered && !event->spontaneous())
        refresh();
}

// Disks came and went, and others have measured, while nobody looked.
void BenchmarkPanel::refresh()
{
    if (m_runner)
        m_frame.start();
    else
        m_where->refresh();
    fillResults();
}

bench::TestSpec BenchmarkPanel::test() const
{
    return bench::allTests()[static_cast<std::size_t>(std::max(m_tests->checkedId(), 0))];
}

void BenchmarkPanel::setAway(const QString &why)
{
    if (why == m_away)
        return;
    const bool wasAway = !m_away.isEmpty();
    m_away = why;
    m_where->setAway(why);
    if (m_comparison)
        m_comparison->setAway(!why.isEmpty());
    // Its folders may lie elsewhere, or be gone, when it comes back.
    if (wasAway && why.isEmpty() && m_entered && !m_runner)
        m_where->refresh();
    else
        showChoice();
}

void BenchmarkPanel::choose(const QString &folder)
{
    m_where->choose(folder);
}

void BenchmarkPanel::setBeforeLook(std::function<void(const QString &)> before)
{
    m_where->setBeforeLook(std::move(before));
}

// What can be chosen and started, what lies below, and what it costs.
void BenchmarkPanel::showChoice()
{
    const bool isHere = m_away.isEmpty();
    const bool isIdle = m_runner == nullptr;
    const auto where = m_where->target();
    const QString busy = m_context.measuring->whyNot(this);
    // A measurement that runs can be stopped, whatever became of its disk.
    m_start->setEnabled(!isIdle || (isHere && where && busy.isEmpty()));
    m_start->setAccessibleDescription(busy);
    m_busy->setText(busy);
    m_busy->setVisible(!busy.isEmpty());
    // What is chosen stays what is measured.
    for (QAbstractButton *choice : m_tests->buttons())
        choice->setEnabled(isIdle);
    m_cost->clear();
    if (isHere && where)
        showCost(*where);
}

void BenchmarkPanel::showCost(const bench::Target &where)
{
    const bench::RunOptions options = optionsFor(where);
    const bench::Cost cost =
        bench::costOf(test(), where.isFolder, options.sizeBytes, options.rounds, options.milliseconds);
    m_cost->setText(tr("Costs: %1").arg(bench::displayCost(cost)));
}

void BenchmarkPanel::start()
{
    const auto where = m_where->target();
    if (!where)
        return;
    const bench::TestSpec wanted = test();
    if (!m_context.measuring->begin(this,
                                    u"%1, %2"_s.arg(bench::displayName(wanted), shortened(where->path))))
        return;
    const bench::RunOptions options = optionsFor(*where);
    m_running = wanted;
    beginPicture(options);
    m_runner = new bench::Runner(m_context.makeRoundSource(), this);
    follow(*m_runner);
    m_start->setText(tr("&Stop"));
    m_frame.start();
    m_where->setMeasuring(true);
    m_runner->start(m_running, *where, options);
}

void BenchmarkPanel::beginPicture(const bench::RunOptions &options)
{
    m_points.clear();
    m_patience = 0ms;
    m_longest = 0ms;
    m_inRound = false;
    m_figure->hide();
    m_detail->setText(tr("Starting…"));
    if (!m_chart) {
        QString problem;
        m_chart = createLiveChart(this, problem);
        if (!m_chart) {
            m_detail->setText(problem);
            return;
        }
        m_chart->setAccessibleName(tr("Speed over time"));
        delete m_chartPlace->takeAt(2);
        m_chartPlace->addWidget(m_chart, 1);
    }
    const QList<LiveChart::Scale> scales =
        m_running.metric == bench::Metric::BytesPerSecond
            ? QList<LiveChart::Scale>{{1e6, tr("MB/s")}}
            : QList<LiveChart::Scale>{{1, tr("reads/s")}, {1e3, tr("1,000 reads/s")}};
    m_chart->begin(scales, tr("seconds"), options.rounds * options.milliseconds / 1000);
}

void BenchmarkPanel::follow(bench::Runner &runner)
{
    connect(&runner, &bench::Runner::preparing, this, [this](quint64 written, quint64 size) {
        m_detail->setText(
            tr("Writing the test file: %1 of %2").arg(diskSizeText(written), diskSizeText(size)));
    });
    connect(&runner, &bench::Runner::slotDone, this, &BenchmarkPanel::take);
    connect(&runner, &bench::Runner::roundDone, this, [this] {
        m_patience =
            std::max(roundPatience + std::chrono::milliseconds(m_running.warmUpMilliseconds), slotPatience());
        m_quiet.start();
        m_inRound = false;
    });
    connect(&runner, &bench::Runner::finished, this, [this](const bench::RunResult &result) {
        ended();
        showResult(result);
    });
    connect(&runner, &bench::Runner::failed, this, &BenchmarkPanel::failed);
    connect(&runner, &bench::Runner::cancelled, this, [this] {
        ended();
        // What was measured so far is no result.
        m_figure->hide();
        m_detail->setText(tr("Stopped. Nothing is left behind."));
    });
}

void BenchmarkPanel::stop()
{
    m_start->setEnabled(false);
    m_runner->cancel();
}

void BenchmarkPanel::ended()
{
    m_patience = 0ms;
    drawFrame();
    m_frame.stop();
    m_runner->deleteLater();
    m_runner = nullptr;
    m_start->setText(tr("&Start"));
    m_context.measuring->end(this);
    m_where->setMeasuring(false);
    // Disks may have come and gone meanwhile.
    m_where->refresh();
}

void BenchmarkPanel::failed(const Error &error)
{
    ended();
    m_figure->hide();
    m_detail->setText(tr("Nothing was measured."));
    Q_EMIT message(tr("Nothing was measured. %1").arg(measuringProblem(error)), true);
}

std::chrono::milliseconds BenchmarkPanel::slotPatience() const
{
    return std::max(stallPatience, stallMultiple * m_longest);
}

void BenchmarkPanel::take(const bench::Slot &slot)
{
    if (m_inRound)
        m_longest = std::max(m_longest, std::chrono::milliseconds(m_quiet.elapsed()));
    m_inRound = true;
    m_quiet.start();
    m_patience = slotPatience();
    const double speed = perSecond(m_running, slot);
    m_points << QPointF(static_cast<double>(m_points.size()) / 10, speed);
    m_figure->setText(amountText(m_running.metric, speed));
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
    showStall();
    if (!m_chart || !m_dirty || !isVisible() || window()->isMinimized())
        return;
    m_dirty = false;
    m_chart->show(thinned(m_points));
}

// A disk that stands still sends nothing: what was shown last is no longer so.
void BenchmarkPanel::showStall()
{
    if (m_patience == 0ms || !m_quiet.hasExpired(m_patience.count()))
        return;
    m_patience = 0ms;
    m_figure->setText(amountText(m_running.metric, 0));
    m_detail->setText(tr("No read is completed now."));
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
    const auto estimate = kept.estimate();
    if (estimate)
        m_figure->setText(amountText(kept.metric, estimate->value));
    m_figure->setVisible(estimate.has_value());
    QStringList disturbed;
    for (const bench::Round &round : std::as_const(kept.rounds))
        disturbed << round.disturbed;
    QStringList detail{tr("Middle of %n round(s).", nullptr, static_cast<int>(kept.rounds.size())),
                       disturbanceText(disturbed)};
    detail.removeAll(QString());
    m_detail->setText(detail.join(u' '));
    auto database = bench::Database::open();
    const auto saved = database ? (*database)->save(kept) : Result<>(std::unexpected(database.error()));
    if (!saved)
        Q_EMIT message(tr("The result could not be kept. %1").arg(measuringProblem(saved.error())), true);
    fillResults();
}

static QString estimateText(const bench::SavedRun &run)
{
    if (!run.estimate)
        return BenchmarkPanel::tr("not known");
    const QString value = amountText(run.metric, run.estimate->value);
    return run.estimate->low < run.estimate->high ? BenchmarkPanel::tr("%1  (%2 to %3)")
                                                        .arg(value, amountText(run.metric, run.estimate->low),
                                                             amountText(run.metric, run.estimate->high))
                                                  : value;
}

static QTreeWidgetItem *resultRow(const QDateTime &time, const QString &what, const QString &where,
                                  const QString &result)
{
    auto *row = new QTreeWidgetItem(
        {time.isValid() ? whenText(time.toSecsSinceEpoch()) : QString(), what, shortened(where), result});
    row->setToolTip(1, Qt::convertFromPlainText(what));
    row->setToolTip(2, Qt::convertFromPlainText(where));
    row->setTextAlignment(3, Qt::AlignRight | Qt::AlignVCenter);
    return row;
}

static QTreeWidgetItem *comparisonRow(const QJsonObject &comparison, const QDateTime &time)
{
    auto *row = resultRow(time, comparisonTitle(comparison), comparison[u"target"].toString(),
                          comparisonVerdict(comparison));
    const QString sentence = comparison[u"sentence"].toString();
    row->setToolTip(3, Qt::convertFromPlainText(sentence));
    row->addChild(resultRow({}, sentence, {}, {}));
    return row;
}

static QTreeWidgetItem *runRow(const bench::SavedRun &run, const QJsonObject *comparison)
{
    const auto spec = bench::findTest(run.test);
    const QString test = spec ? bench::displayName(*spec) : run.test;
    if (!comparison)
        return resultRow(run.time, run.name.isEmpty() ? test : run.name, run.target, estimateText(run));
    // When and where stand a line above.
    return resultRow({}, u"%1 · %2"_s.arg(comparedValues(*comparison, run.settings), test), {},
                     estimateText(run));
}

void BenchmarkPanel::fillResults()
{
    m_results->clear();
    if (!QFileInfo::exists(bench::Database::defaultPath()))
        return;
    const auto database = bench::Database::open();
    const auto runs = database ? (*database)->list() : std::unexpected(database.error());
    const auto comparisons = database ? (*database)->comparisons() : std::unexpected(database.error());
    if (!runs || !comparisons) {
        Q_EMIT message(tr("The list of results can't be read. %1")
                           .arg(measuringProblem(runs ? comparisons.error() : runs.error())),
                       true);
        return;
    }
    QList<std::pair<QDateTime, QTreeWidgetItem *>> rows;
    QHash<QString, std::pair<const QJsonObject *, QTreeWidgetItem *>> folded;
    for (const QJsonObject &comparison : *comparisons) {
        const auto time = QDateTime::fromString(comparison[u"time"].toString(), Qt::ISODate);
        rows.append({time, comparisonRow(comparison, time)});
        folded[comparison[u"comparison"].toString()] = {&comparison, rows.last().second};
    }
    for (const bench::SavedRun &run : *runs) {
        const auto [comparison, parent] = folded.value(run.name);
        if (parent)
            parent->addChild(runRow(run, comparison));
        else
            rows.append({run.time, runRow(run, nullptr)});
    }
    std::ranges::stable_sort(rows, std::ranges::greater{}, &std::pair<QDateTime, QTreeWidgetItem *>::first);
    for (const auto &[time, row] : std::as_const(rows))
        m_results->addTopLevelItem(row);
    m_results->setRootIsDecorated(!folded.isEmpty());
    m_results->setVisible(!rows.isEmpty());
    m_noResults->setVisible(rows.isEmpty());
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
    m_comparison->setTargetSource([this] { return m_where->target(); });
    m_comparison->setAway(!m_away.isEmpty());
    m_comparison->setFocus();
}

} // namespace diskwright::ui
