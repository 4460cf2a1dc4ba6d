// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/frame/promptparent.h"

#include <QPluginLoader>
#include <QRegularExpression>
#include <QTest>
#include <QWindow>

using namespace Qt::StringLiterals;
using namespace diskwright;
using namespace diskwright::ui;

namespace {

/// A compositor that answers when it is told to.
class Compositor final : public WaylandNames
{
public:
    QWindow *asked = nullptr;
    HelperClient::TellAgent agent;
    void tell(QWindow *window, const HelperClient::TellAgent &told) override
    {
        asked = window;
        agent = told;
    }
};

} // namespace

class PromptParentTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { m_told.clear(); }

    void givesTheNumberOfAWindowOnX11()
    {
        bool loaded = false;
        find(&m_window, u"xcb"_s, [&]() -> WaylandNames * {
            loaded = true;
            return nullptr;
        });
        QCOMPARE(m_told, QStringList{QString::number(m_window.winId()) + u'|'});
        QVERIFY(!loaded);
    }

    void asksTheCompositorOnWayland_data()
    {
        QTest::addColumn<QString>("platform");
        QTest::newRow("wayland") << u"wayland"_s;
        QTest::newRow("wayland-egl") << u"wayland-egl"_s;
    }
    void asksTheCompositorOnWayland()
    {
        QFETCH(QString, platform);
        Compositor compositor;
        find(&m_window, platform, [&] { return &compositor; });
        QCOMPARE(compositor.asked, &m_window);
        QVERIFY(m_told.isEmpty());
        compositor.agent({u"handle"_s, {}});
        compositor.agent({{}, u"token"_s});
        QCOMPARE(m_told, (QStringList{u"handle|"_s, u"|token"_s}));
    }

    void saysNothingWhereNothingIsKnown()
    {
        find(&m_window, u"wayland"_s, [] { return static_cast<WaylandNames *>(nullptr); });
        find(&m_window, u"offscreen"_s, [] { return static_cast<WaylandNames *>(nullptr); });
        find(nullptr, u"xcb"_s, [] { return static_cast<WaylandNames *>(nullptr); });
        QVERIFY(m_told.isEmpty());
    }

    // The real library: it loads, is what it says, and invents no name. On Wayland (promptparent_on_wayland)
    // it has to find one.
    void theLibraryLoads()
    {
        QPluginLoader loader(QStringLiteral(DISKWRIGHT_WAYLAND_PART));
        auto *names = qobject_cast<WaylandNames *>(loader.instance());
        QVERIFY2(names, qPrintable(loader.errorString()));
        m_window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&m_window));
        for (int question = 0; question < 2; ++question)
            names->tell(&m_window, [this](const PromptParent &parent) { note(parent); });
        const bool isWayland = QGuiApplication::platformName().startsWith(u"wayland"_s);
        const auto isNamed = [this] { return !m_told.filter(QRegularExpression(u"^[^|]"_s)).isEmpty(); };
        QCOMPARE(QTest::qWaitFor(isNamed, isWayland ? 3000 : 100), isWayland);
        qInfo("told: %s", qPrintable(m_told.join(u' ')));
    }

private:
    void note(const PromptParent &parent) { m_told << parent.handle + u'|' + parent.activation; }
    void find(QWindow *window, const QString &platform, const std::function<WaylandNames *()> &names)
    {
        promptParent([window] { return window; }, [&] { return WindowSystem{platform, names}; })(
            [this](const PromptParent &parent) { note(parent); });
    }

    QWindow m_window;
    QStringList m_told;
};

QTEST_MAIN(PromptParentTest)
#include "tst_promptparent.moc"
