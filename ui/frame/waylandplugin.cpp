// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "promptparent.h"

#include <KWaylandExtras>

#include <QPointer>
#include <QWindow>

namespace diskwright::ui {

namespace {

/// One question to the compositor, until both answers are there or the window is gone.
class Question final : public QObject
{
    Q_OBJECT

public:
    Question(QWindow *window, HelperClient::TellAgent agent)
        : QObject(window)
        , m_window(window)
        , m_agent(std::move(agent))
        , m_serial(KWaylandExtras::lastInputSerial(window))
    {
        connect(KWaylandExtras::self(), &KWaylandExtras::windowExported, this, &Question::exported);
        connect(KWaylandExtras::self(), &KWaylandExtras::xdgActivationTokenArrived, this,
                &Question::activated);
        KWaylandExtras::exportWindow(window);
        KWaylandExtras::requestXdgActivationToken(window, m_serial, {});
    }

private:
    void exported(const QWindow *window, const QString &handle)
    {
        if (window != m_window || m_hasHandle)
            return;
        m_hasHandle = true;
        m_agent({handle, {}});
        endIfDone();
    }
    void activated(int serial, const QString &token)
    {
        if (static_cast<quint32>(serial) != m_serial || m_hasToken)
            return;
        m_hasToken = true;
        m_agent({{}, token});
        endIfDone();
    }
    void endIfDone()
    {
        if (m_hasHandle && m_hasToken)
            deleteLater();
    }

    QWindow *m_window;
    HelperClient::TellAgent m_agent;
    quint32 m_serial;
    bool m_hasHandle = false;
    bool m_hasToken = false;
};

} // namespace

class WaylandPlugin final : public QObject, public WaylandNames
{
    Q_OBJECT
    Q_PLUGIN_METADATA(IID "org.diskwright.WaylandNames/1")
    Q_INTERFACES(diskwright::ui::WaylandNames)

public:
    void tell(QWindow *window, const HelperClient::TellAgent &agent) override
    {
        // One that was never answered gives way to the next.
        delete m_question;
        m_question = new Question(window, agent);
    }

private:
    QPointer<Question> m_question;
};

} // namespace diskwright::ui

#include "waylandplugin.moc"
