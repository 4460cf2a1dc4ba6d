// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "editeddialog.h"

#include "app/apply/describe.h"
#include "app/apply/editedfiles.h"

#include <QFontDatabase>
#include <QHBoxLayout>
#include <QPlainTextEdit>
#include <QPointer>
#include <QPushButton>
#include <QVBoxLayout>

namespace diskwright::ui {

EditedFiles::EditedFiles(QWidget *parent)
    : QWidget(parent)
    , m_difference(new QPlainTextEdit(this))
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(space::half);
    auto *head = new QHBoxLayout;
    auto *says =
        new Label(Label::Role::Muted,
                  tr("Somebody edited what is set at every start. Leave it, or replace it: a copy goes to "
                     "/var/lib/diskwright/backup."),
                  this);
    says->setWordWrap(true);
    auto *replace = new QPushButton(tr("&Replace the edited file"), this);
    replace->setAutoDefault(false);
    head->addWidget(says, 1);
    head->addWidget(replace, 0, Qt::AlignVCenter);
    m_difference->setReadOnly(true);
    m_difference->setTabChangesFocus(true);
    m_difference->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_difference->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_difference->setAccessibleName(tr("What was edited"));
    m_difference->setFixedHeight(7 * m_difference->fontMetrics().lineSpacing() + space::page);
    layout->addLayout(head);
    layout->addWidget(m_difference);
    connect(replace, &QPushButton::clicked, this, &EditedFiles::replaceWanted);
}

void EditedFiles::read(const QString &root)
{
    QStringList lines;
    for (const EditedFile &file : readEditedFiles(root)) {
        lines << file.path + u':';
        for (const QString &line : file.difference)
            lines << line;
    }
    m_difference->setPlainText(lines.join(u'\n'));
}

EditedDialog::EditedDialog(const QString &root, const ApplyReport &report, Replace replace, QWidget *parent)
    : QDialog(parent)
    , m_replace(std::move(replace))
    , m_heading(new Label(Label::Role::Heading, describe(report), this))
    , m_files(new EditedFiles(this))
    , m_close(new QPushButton(tr("&Close"), this))
{
    setWindowTitle(tr("Set at every start"));
    setModal(true);
    setMinimumWidth(640);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(space::page, space::page, space::page, space::card);
    layout->setSpacing(space::card);
    m_heading->setWordWrap(true);
    m_files->read(root);
    m_close->setDefault(true);
    auto *buttons = new QHBoxLayout;
    buttons->addStretch(1);
    buttons->addWidget(m_close);
    layout->addWidget(m_heading);
    layout->addWidget(m_files);
    layout->addStretch(1);
    layout->addLayout(buttons);
    connect(m_files, &EditedFiles::replaceWanted, this, &EditedDialog::replace);
    connect(m_close, &QPushButton::clicked, this, &QDialog::accept);
    m_close->setFocus();
}

// What became of it is told here, so it stays until then.
void EditedDialog::reject()
{
    if (!m_running)
        QDialog::reject();
}

void EditedDialog::replace()
{
    m_running = true;
    m_files->setEnabled(false);
    m_close->setEnabled(false);
    m_replace([self = QPointer(this)](const ApplyReport &report) {
        if (!self)
            return;
        self->m_running = false;
        self->m_files->setEnabled(true);
        self->m_close->setEnabled(true);
        self->m_heading->setText(describe(report));
        self->m_files->setVisible(exitCode(report) != 0);
        Q_EMIT self->replaced(report);
    });
}

} // namespace diskwright::ui
