// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "comparisoncard.h"

#include "app/apply/describe.h"
#include "app/bench/database.h"
#include "app/settings/texts.h"
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
    , m_stay(new QCheckBox(tr("If it is &faster, stay with it until restart"), this))
    , m_start(new QPushButton(tr("&Compare"), this))
    , m_progress(new QProgressBar(this))
    , m_state(new Label(Label::Role::Body, this))
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
    const Observation *observation = context.machine.setting(address);
    if (observation)
        m_now = observation->value;
    auto *row = new QHBoxLayout;
    row->setSpacing(space::unit);
    row->addWidget(new Label(Label::Role::Body,
                             m_now ? tr("%1 (now) against").arg(valueText(*m_spec, *m_now)) : tr("not known"),
                             inside));
    if (observation && m_now) {
        m_editor = createEditor(*m_spec, observation->offered, inside);
        m_editor->describe(tr("Other value of %1").arg(settingTitle(*m_spec)),
                           tr("It is compared with the value of now."));
        const StagedEdit *staged = context.staged.set().find(address);
        m_editor->setValue(staged ? staged->wanted : *m_now);
        row->addWidget(m_editor);
        setFocusProxy(m_editor);
    }
    row->addStretch(1);
    row->addWidget(m_start);
    layout->addLayout(row);
    layout->addWidget(m_stay);
    m_progress->setTextVisible(false);
    m_progress->setAccessibleName(tr("Progress of the comparison"));
    m_progress->hide();
    layout->addWidget(m_progress);
    m_state->setWordWrap(true);
    m_state->setRole(Label::Role::Muted);
    m_state->setText(
        tr("Six pairs of rounds, in random order. Nothing else changes meanwhile; afterwards the value "
           "of now is put back. You will be asked for your password once."));
    layout->addWidget(m_state);
    card->addRow(inside);
    connect(m_start, &QPushButton::clicked, this, [this] {
        if (m_measurement)
            m_measurement->cancel();
        else
            start();
    });
    refreshStart();
    if (!context.applier.whyNot().isEmpty())
        m_state->setText(context.applier.whyNot());
}

ComparisonCard::~ComparisonCard() = default;

void ComparisonCard::setAway(bool away)
{
    m_away = away;
    refreshStart();
}

void ComparisonCard::refreshStart()
{
    m_start->setEnabled(m_measurement || (m_editor && !m_away && m_context.applier.whyNot().isEmpty()));
}

bench::TestSpec ComparisonCard::test() const
{
    // The test follows the setting: what the page cache does is seen through the page cache only.
    const SettingText *text = findText(m_spec->id);
    if (text) {
        if (const auto named = bench::findTest(toQString(text->benchmark)))
            return *named;
    }
    const bool cached = text && text->benchmark == "read-ahead";
    for (const bench::TestSpec &spec : bench::allTests()) {
        if (spec.direct != cached)
            return spec;
    }
    return bench::allTests().front();
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
    m_lease = m_context.applier.createLease(
        [machine = &m_context.machine](const std::string &name) -> Result<DeviceIdentity> {
            const BlockNode *disk = machine->disks().find(name);
            return disk ? Result<DeviceIdentity>(identityOf(*disk)) : fail(Errc::UnknownTarget, name);
        });
    m_measurement = new bench::Measurement(*m_lease, m_context.makeRoundSource(), this);
    bench::MeasureOptions options;
    options.now = {{m_address, *m_now}};
    options.wanted = {{m_address, wanted}};
    options.test = test();
    options.target = *target;
    options.stay = m_stay->isChecked();
    options.seed = QRandomGenerator::global()->generate();
    if (std::holds_alternative<Choice>(m_spec->accepts))
        options.settleMilliseconds = 1000;
    connect(m_measurement, &bench::Measurement::preparing, this, [this](quint64 written, quint64 size) {
        m_state->setText(
            tr("Writing the test file: %1 of %2").arg(diskSizeText(written), diskSizeText(size)));
    });
    connect(m_measurement, &bench::Measurement::progress, this, [this](int done, int all) {
        m_progress->setRange(0, all);
        m_progress->setValue(done);
        m_state->setText(tr("Round %1 of %2").arg(done + 1).arg(all));
    });
    connect(m_measurement, &bench::Measurement::finished, this, &ComparisonCard::finish);
    connect(m_measurement, &bench::Measurement::refused, this, [this](const Error &error) {
        end();
        m_state->setText(
            tr("Nothing was changed and nothing measured. %1").arg(describe(error.code, error.sysErrno)));
    });
    m_editor->setEnabled(false);
    m_stay->setEnabled(false);
    m_start->setText(tr("&Stop"));
    m_progress->setRange(0, 0);
    m_progress->show();
    m_state->setRole(Label::Role::Body);
    m_state->setText(tr("Waiting for authorization…"));
    m_measurement->start(options);
}

void ComparisonCard::finish(const bench::MeasureResult &result)
{
    end();
    m_state->setRole(Label::Role::Heading);
    m_state->setText(bench::sentence(result));
    auto database = bench::Database::open();
    const auto saved = database ? (*database)->save(result) : Result<>(std::unexpected(database.error()));
    if (!saved)
        Q_EMIT message(tr("The result could not be kept. %1").arg(describe(saved.error().code)), true);
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
    refreshStart();
}

} // namespace diskwright::ui
