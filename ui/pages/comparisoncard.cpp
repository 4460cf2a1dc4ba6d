// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "comparisoncard.h"

#include "app/bench/database.h"
#include "ui/models/measurewords.h"
#include "ui/models/settinglistmodel.h"
#include "ui/text/format.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QProgressBar>
#include <QPushButton>
#include <QRandomGenerator>
#include <QVBoxLayout>

namespace diskwright::ui {

using namespace Qt::StringLiterals;

ComparisonCard::ComparisonCard(const Context &context, const Address &address, QWidget *parent)
    : QWidget(parent)
    , m_context(context)
    , m_address(address)
    , m_spec(findSetting(address.domain, address.key))
    , m_fitting(bench::fittingTest(address))
    , m_stay(new QCheckBox(tr("If it is &faster, stay with it until restart"), this))
    , m_start(new QPushButton(tr("&Compare"), this))
    , m_progress(new QProgressBar(this))
    , m_state(new Label(Label::Role::Muted, this))
    , m_note(new Label(Label::Role::Muted, this))
{
    auto *outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, space::unit);
    auto *card = new Card(this);
    outer->addWidget(card);
    auto *inside = new QWidget(card);
    auto *layout = new QVBoxLayout(inside);
    layout->setContentsMargins(space::card, space::card, space::card, space::card);
    layout->setSpacing(space::unit);
    layout->addWidget(new Label(Label::Role::Heading, tr("Measure: %1").arg(settingTitle(*m_spec)), inside));
    layout->addWidget(buildChoice(inside));
    layout->addWidget(m_stay);
    m_progress->setTextVisible(false);
    m_progress->setAccessibleName(tr("Progress of the comparison"));
    m_progress->hide();
    layout->addWidget(m_progress);
    m_state->setWordWrap(true);
    m_state->setText(
        tr("Six pairs of rounds, in random order. Nothing else changes meanwhile; afterwards the value "
           "of now is put back. You will be asked for your password once."));
    layout->addWidget(m_state);
    m_note->setWordWrap(true);
    layout->addWidget(m_note);
    card->addRow(inside);
    connect(m_start, &QPushButton::clicked, this, [this] {
        if (m_measurement)
            m_measurement->cancel();
        else
            start();
    });
    connect(context.measuring.get(), &Measuring::changed, this, &ComparisonCard::refreshStart);
    refreshStart();
    if (const QString why = whyNot(); !why.isEmpty())
        m_state->setText(why);
}

ComparisonCard::~ComparisonCard()
{
    // That it ends is news for the others only.
    m_context.measuring->disconnect(this);
    m_context.measuring->end(this);
}

QWidget *ComparisonCard::buildChoice(QWidget *parent)
{
    auto *choice = new QWidget(parent);
    auto *row = new QHBoxLayout(choice);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(space::unit);
    const Observation *observation = m_context.machine.setting(m_address);
    if (observation)
        m_now = observation->value;
    row->addWidget(new Label(Label::Role::Body,
                             m_now ? tr("%1 (now) against").arg(valueText(*m_spec, *m_now)) : tr("not known"),
                             choice));
    if (observation && m_now) {
        m_editor = createEditor(*m_spec, observation->offered, choice);
        m_editor->describe(tr("Other value of %1").arg(settingTitle(*m_spec)),
                           tr("It is compared with the value of now."));
        const StagedEdit *staged = m_context.staged.set().find(m_address);
        m_editor->setValue(staged ? staged->wanted : *m_now);
        row->addWidget(m_editor);
        setFocusProxy(m_editor);
    }
    row->addStretch(1);
    row->addWidget(m_start);
    return choice;
}

// Why it can't be compared here at all.
QString ComparisonCard::whyNot() const
{
    return m_fitting ? m_context.applier.whyNot()
                     : tr("No test shows what this setting does: the tests read, and it acts on something "
                          "else.");
}

void ComparisonCard::setAway(bool away)
{
    m_away = away;
    refreshStart();
}

void ComparisonCard::refreshStart()
{
    const QString busy = m_context.measuring->whyNot(this);
    m_start->setEnabled(m_measurement || (m_editor && !m_away && busy.isEmpty() && whyNot().isEmpty()));
    m_start->setAccessibleDescription(busy);
    const QString &note = busy.isEmpty() ? m_disturbed : busy;
    m_note->setText(note);
    m_note->setVisible(!note.isEmpty());
}

void ComparisonCard::start()
{
    const auto target = m_target ? m_target() : std::nullopt;
    if (!target) {
        m_state->setText(tr("First choose a folder on this disk below."));
        return;
    }
    const Value wanted = m_editor->value();
    if (wanted == m_now) {
        m_state->setText(tr("Choose a value that differs from the one of now."));
        return;
    }
    if (!m_context.measuring->begin(
            this, u"%1, %2"_s.arg(settingTitle(*m_spec), m_context.machine.diskTitle(m_address.target))))
        return;
    m_lease = m_context.applier.createLease(
        [machine = &m_context.machine](const std::string &name) -> Result<DeviceIdentity> {
            const BlockNode *disk = machine->disks().find(name);
            return disk ? Result<DeviceIdentity>(identityOf(*disk)) : fail(Errc::UnknownTarget, name);
        });
    m_measurement = new bench::Measurement(*m_lease, m_context.makeRoundSource(), this);
    follow(*m_measurement);
    m_disturbed.clear();
    refreshStart();
    m_editor->setEnabled(false);
    m_stay->setEnabled(false);
    m_start->setText(tr("&Stop"));
    m_progress->setRange(0, 0);
    m_progress->show();
    m_state->setRole(Label::Role::Body);
    m_state->setText(tr("Waiting for authorization…"));
    m_measurement->start(options(*target, wanted));
}

bench::MeasureOptions ComparisonCard::options(const bench::Target &target, const Value &wanted) const
{
    bench::MeasureOptions options;
    options.now = {{m_address, *m_now}};
    options.wanted = {{m_address, wanted}};
    options.test = m_fitting->test;
    options.target = target;
    options.sizeBytes = testFileBytes(target, options.sizeBytes);
    options.settleMilliseconds = m_fitting->settleMilliseconds;
    options.stay = m_stay->isChecked();
    options.seed = QRandomGenerator::global()->generate();
    return options;
}

void ComparisonCard::follow(bench::Measurement &measurement)
{
    connect(&measurement, &bench::Measurement::preparing, this, [this](quint64 written, quint64 size) {
        m_state->setText(
            tr("Writing the test file: %1 of %2").arg(diskSizeText(written), diskSizeText(size)));
    });
    connect(&measurement, &bench::Measurement::progress, this, [this](int done, int all) {
        m_progress->setRange(0, all);
        m_progress->setValue(done);
        m_state->setText(tr("Round %1 of %2").arg(done + 1).arg(all));
    });
    connect(&measurement, &bench::Measurement::finished, this, &ComparisonCard::finish);
    connect(&measurement, &bench::Measurement::refused, this, [this](const Error &error) {
        end();
        m_state->setText(tr("Nothing was changed and nothing measured. %1").arg(measuringProblem(error)));
    });
}

void ComparisonCard::finish(const bench::MeasureResult &result)
{
    QStringList disturbed;
    for (const bench::StateRound &made : result.rounds) {
        if (made.counts())
            disturbed << made.round.disturbed;
    }
    m_disturbed = disturbanceText(disturbed);
    end();
    m_state->setRole(Label::Role::Heading);
    m_state->setText(bench::sentence(result));
    auto database = bench::Database::open();
    const auto saved = database ? (*database)->save(result) : Result<>(std::unexpected(database.error()));
    if (!saved)
        Q_EMIT message(tr("The result could not be kept. %1").arg(measuringProblem(saved.error())), true);
    m_context.machine.readAgain(m_address.target);
    Q_EMIT measured();
}

void ComparisonCard::end()
{
    m_measurement->deleteLater();
    m_measurement = nullptr;
    // The measurement may still be on the stack of one of the lease's signals.
    if (m_lease)
        m_lease.release()->deleteLater();
    m_editor->setEnabled(true);
    m_stay->setEnabled(true);
    m_start->setText(tr("&Compare"));
    m_progress->hide();
    m_context.measuring->end(this);
    refreshStart();
}

} // namespace diskwright::ui
