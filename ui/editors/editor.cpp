// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor.h"

#include "numberbox.h"
#include "ui/text/format.h"

#include <QCheckBox>
#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>

#include <algorithm>

namespace diskwright::ui {

using namespace Qt::StringLiterals;

namespace {

QHBoxLayout *tightLayout(QWidget *owner)
{
    auto *layout = new QHBoxLayout(owner);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    return layout;
}

// Room beside an editor for the longest unit that is common.
int unitWidth(const QWidget *widget)
{
    return widget->fontMetrics().horizontalAdvance(u"MiB "_s);
}

class ToggleEditor final : public Editor
{
public:
    explicit ToggleEditor(QWidget *parent)
        : Editor(parent)
        , m_box(new QCheckBox(this))
    {
        tightLayout(this)->addWidget(m_box);
        setFocusProxy(m_box);
        connect(m_box, &QCheckBox::toggled, this, [this] { showWord(); });
        connect(m_box, &QCheckBox::clicked, this, [this] { Q_EMIT edited(value()); });
        showWord();
    }
    Value value() const override { return number(m_box->isChecked() ? 1 : 0); }
    void setValue(const Value &value) override
    {
        const auto *integer = std::get_if<std::int64_t>(&value);
        m_box->setChecked(integer && *integer != 0);
    }
    void describe(const QString &name, const QString &description) override
    {
        m_box->setAccessibleName(name);
        m_box->setAccessibleDescription(description);
    }

private:
    void showWord() { m_box->setText(m_box->isChecked() ? tr("on") : tr("off")); }
    QCheckBox *m_box;
};

class RangeEditor final : public Editor
{
public:
    RangeEditor(const Range &range, QWidget *parent)
        : Editor(parent)
        , m_box(new NumberBox(range, this))
        , m_unit(new QLabel(m_box->unitText(), this))
    {
        auto *layout = tightLayout(this);
        layout->addWidget(m_box, 1);
        layout->addWidget(m_unit);
        // Also without a unit: numbers stand below each other.
        m_unit->setMinimumWidth(unitWidth(m_unit));
        setFocusProxy(m_box);
        connect(m_box, &NumberBox::edited, this, [this](qint64 value) { Q_EMIT edited(number(value)); });
        connect(m_box, &NumberBox::unitChanged, m_unit, &QLabel::setText);
    }
    Value value() const override { return number(m_box->value()); }
    void setValue(const Value &value) override
    {
        if (const auto *integer = std::get_if<std::int64_t>(&value))
            m_box->setValue(*integer);
    }
    void describe(const QString &name, const QString &description) override
    {
        m_box->setAccessibleName(name);
        m_box->setAccessibleDescription(description);
    }

    void setUnitShown(bool shown) override { m_unit->setVisible(shown); }

private:
    NumberBox *m_box;
    QLabel *m_unit;
};

class ChoiceEditor final : public Editor
{
public:
    ChoiceEditor(const Choice &choice, const std::vector<std::string> &offered, QWidget *parent)
        : Editor(parent)
        , m_box(new QComboBox(this))
    {
        auto *layout = tightLayout(this);
        layout->addWidget(m_box, 1);
        layout->addSpacing(unitWidth(m_box));
        for (const std::string_view word : choice.words) {
            if (std::ranges::find(offered, word) != offered.end())
                m_box->addItem(toQString(word));
        }
        setFocusProxy(m_box);
        // A wheel that scrolls the page must not change a value that happens to lie under the pointer.
        m_box->setFocusPolicy(Qt::StrongFocus);
        m_box->installEventFilter(this);
        connect(m_box, &QComboBox::activated, this, [this] { Q_EMIT edited(value()); });
    }
    Value value() const override { return word(m_box->currentText().toStdString()); }
    void setValue(const Value &value) override
    {
        const auto *text = std::get_if<std::string>(&value);
        if (!text)
            return;
        const QString shown = QString::fromStdString(*text);
        // A current value that is not in the catalogue (a scheduler of an out-of-tree kernel) is shown as it
        // is.
        if (m_box->findText(shown) < 0)
            m_box->addItem(shown);
        m_box->setCurrentText(shown);
    }
    void describe(const QString &name, const QString &description) override
    {
        m_box->setAccessibleName(name);
        m_box->setAccessibleDescription(description);
    }
    bool eventFilter(QObject *watched, QEvent *event) override
    {
        if (watched == m_box && event->type() == QEvent::Wheel && !m_box->hasFocus()) {
            event->ignore();
            return true;
        }
        return Editor::eventFilter(watched, event);
    }

private:
    QComboBox *m_box;
};

} // namespace

Editor *createEditor(const SettingSpec &spec, const std::vector<std::string> &offered, QWidget *parent)
{
    struct Visitor {
        const std::vector<std::string> &offered;
        QWidget *parent;
        Editor *operator()(const Toggle &) const { return new ToggleEditor(parent); }
        Editor *operator()(const Range &range) const { return new RangeEditor(range, parent); }
        Editor *operator()(const Choice &choice) const { return new ChoiceEditor(choice, offered, parent); }
    };
    return std::visit(Visitor{offered, parent}, spec.accepts);
}

} // namespace diskwright::ui
