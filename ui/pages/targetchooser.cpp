// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "targetchooser.h"

#include "ui/models/aside.h"
#include "ui/models/measurewords.h"
#include "ui/text/format.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace diskwright::ui {

using namespace Qt::StringLiterals;

TargetChooser::TargetChooser(const Context &context, std::string disk, QWidget *parent)
    : QWidget(parent)
    , m_context(context)
    , m_disk(std::move(disk))
    , m_targets(new QComboBox(this))
    , m_other(new QPushButton(tr("Other…"), this))
    , m_stack(new Label(Label::Role::Muted, this))
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(space::unit);
    auto *row = new QHBoxLayout;
    m_targets->setAccessibleName(tr("Folder to measure in"));
    m_targets->setAccessibleDescription(tr("A nameless file is made there and gone afterwards."));
    m_targets->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    m_other->setAccessibleName(tr("Choose another folder"));
    row->addWidget(m_targets, 1);
    row->addWidget(m_other);
    layout->addLayout(row);
    m_stack->setWordWrap(true);
    layout->addWidget(m_stack);
    connect(m_targets, &QComboBox::currentIndexChanged, this, &TargetChooser::look);
    connect(m_other, &QPushButton::clicked, this, &TargetChooser::askForFolder);
    connect(&context.machine, &Machine::disksChanged, this, &TargetChooser::disksChanged);
}

static DiskList answeringDisks(const Machine &machine)
{
    std::vector<BlockNode> disks = machine.disks().disks();
    std::erase_if(disks,
                  [&](const BlockNode &disk) { return machine.presence(disk.name) != Presence::Here; });
    return DiskList(std::move(disks), machine.disks().mountsKnown());
}

// A folder on each mounted filesystem that the user can write, and those that he has named.
void TargetChooser::refresh()
{
    // Apart from the list, which waits for every mount.
    look();
    m_listsAgain = m_isListing;
    if (m_isListing)
        return;
    m_isListing = true;
    runAside<QStringList>(
        this,
        [disks = disksToLookAt(), folders = m_chosen, answering = answeringDisks(m_context.machine),
         ground = ground()] { return placesOn(disks, folders, answering, ground); },
        [this](const QStringList &places) {
            m_isListing = false;
            if (m_measuring)
                return; // refreshed when it has ended
            if (m_listsAgain)
                refresh();
            else
                offer(places);
        });
    if (m_isListing)
        showState();
}

// What was found out before is of other disks.
void TargetChooser::disksChanged()
{
    if (m_measuring)
        return; // refreshed when it has ended
    if (!isVisible()) {
        m_where.reset();
        m_looksAgain = m_isLooking;
    } else if (m_targets->view()->isVisible()) {
        look();
    } else {
        refresh();
    }
}

std::optional<bench::Target> TargetChooser::target() const
{
    const bool isKnown = m_where && *m_where && m_lookedAt == m_targets->currentData().toString();
    return isKnown ? std::optional(**m_where) : std::nullopt;
}

void TargetChooser::setMeasuring(bool measuring)
{
    m_measuring = measuring;
    showState();
}

void TargetChooser::setAway(const QString &why)
{
    m_away = why;
    showState();
}

TargetChooser::Ground TargetChooser::ground() const
{
    return {m_context.machine.disks(), m_disk, m_beforeLook};
}

// Where a folder lies. One on another disk is a conflict, whose reason names that.
Result<bench::Target> TargetChooser::lookAt(const QString &folder, const Ground &ground)
{
    if (ground.beforeLook)
        ground.beforeLook(folder);
    auto where = bench::resolveTarget(folder, ground.disks);
    if (where && !ground.disk.empty() && !where->liesOn(toQString(ground.disk))) {
        const QString elsewhere = where->disks.isEmpty() ? where->fileSystem : where->disks.join(u", "_s);
        return fail(Errc::Conflict, folder.toStdString(), elsewhere.toStdString(), "a folder on this disk");
    }
    return where;
}

static QString placeProblem(const Error &error)
{
    return error.code == Errc::Conflict ? TargetChooser::tr("%1 does not lie on this disk. It lies on %2.")
                                              .arg(toQString(error.input), toQString(error.reason))
                                        : measuringProblem(error);
}

QStringList TargetChooser::placesOn(const QStringList &disks, const QStringList &folders,
                                    const DiskList &answering, const Ground &ground)
{
    QStringList places;
    const auto add = [&places](const Result<bench::Target> &place) {
        if (place && !places.contains(place->path))
            places << place->path;
    };
    for (const QString &disk : disks) {
        if (ground.beforeLook)
            ground.beforeLook(disk);
        add(bench::targetOnDisk(disk, answering));
    }
    for (const QString &folder : folders)
        add(lookAt(folder, ground));
    return places;
}

QStringList TargetChooser::disksToLookAt() const
{
    QStringList names;
    if (!m_context.machine.isLive())
        return names;
    for (const BlockNode &disk : m_context.machine.disks().disks()) {
        const bool wanted = m_disk.empty() ? m_context.machine.lists(disk) : disk.name == m_disk;
        if (wanted && m_context.machine.presence(disk.name) == Presence::Here)
            names << toQString(disk.name);
    }
    return names;
}

void TargetChooser::offer(const QStringList &places)
{
    // Not under the hand of who chooses.
    if (m_targets->view()->isVisible())
        return;
    const QString chosen = m_targets->currentData().toString();
    {
        const QSignalBlocker quiet(m_targets);
        m_targets->clear();
        for (const QString &place : places)
            m_targets->addItem(place, place);
        m_targets->setCurrentIndex(std::max(m_targets->findData(chosen), 0));
    }
    if (m_targets->currentData().toString() == chosen)
        showState();
    else
        look();
}

// Asks where the chosen folder lies. Until the answer comes nothing can be started.
void TargetChooser::look()
{
    const QString folder = m_targets->currentData().toString();
    m_where.reset();
    m_looksAgain = m_isLooking && folder == m_lookedAt;
    if (m_looksAgain)
        return;
    m_lookedAt = folder;
    m_isLooking = !folder.isEmpty();
    const int question = ++m_looks;
    if (m_isLooking) {
        runAside<Result<bench::Target>>(
            this, [folder, ground = ground()] { return lookAt(folder, ground); },
            [this, question](const Result<bench::Target> &where) {
                if (question == m_looks)
                    found(where);
            });
    }
    if (!m_where)
        showState();
}

void TargetChooser::found(const Result<bench::Target> &where)
{
    m_isLooking = false;
    if (m_looksAgain) {
        look();
        return;
    }
    m_where = where;
    showState();
}

void TargetChooser::askForFolder()
{
    auto *dialog = new QFileDialog(this, tr("Folder to measure in"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    connect(dialog, &QFileDialog::fileSelected, this, &TargetChooser::choose);
    dialog->open();
}

void TargetChooser::choose(const QString &folder)
{
    const int question = ++m_choices;
    runAside<Result<bench::Target>>(
        this, [folder, ground = ground()] { return lookAt(folder, ground); },
        [this, question](const Result<bench::Target> &chosen) {
            if (question == m_choices)
                takeFolder(chosen);
        });
}

void TargetChooser::takeFolder(const Result<bench::Target> &chosen)
{
    // The dialog may have been open for long.
    if (m_measuring)
        return;
    if (!chosen) {
        Q_EMIT message(placeProblem(chosen.error()), true);
        return;
    }
    if (!m_chosen.contains(chosen->path))
        m_chosen << chosen->path;
    // A list that is being made lacks it.
    m_listsAgain = m_isListing;
    {
        const QSignalBlocker quiet(m_targets);
        if (m_targets->findData(chosen->path) < 0)
            m_targets->addItem(chosen->path, chosen->path);
        m_targets->setCurrentIndex(m_targets->findData(chosen->path));
    }
    // The disks may be others by now.
    look();
}

void TargetChooser::showState()
{
    const bool isFree = m_away.isEmpty() && !m_measuring;
    m_targets->setEnabled(isFree && m_targets->count() > 0);
    m_other->setEnabled(isFree);
    m_stack->setText(stackText());
    Q_EMIT changed();
}

QString TargetChooser::stackText() const
{
    if (!m_away.isEmpty())
        return m_away;
    if (m_where)
        return *m_where ? (*m_where)->stackText() : placeProblem(m_where->error());
    if (m_isLooking)
        return tr("This folder has not answered yet.");
    if (m_isListing)
        return {};
    return m_disk.empty()
               ? tr("No mounted disk has a folder that you can write. Choose one yourself.")
               : tr("No folder on this disk is yours to write. Mount it, or choose a folder of yours on it.");
}

} // namespace diskwright::ui
