// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "promptparent.h"

#include "part.h"

#include <QGuiApplication>
#include <QWindow>

namespace diskwright::ui {

using namespace Qt::StringLiterals;

WindowSystem windowSystem()
{
    return {QGuiApplication::platformName(),
            [] { return qobject_cast<WaylandNames *>(loadPart(u"diskwright-wayland.so"_s)); }};
}

HelperClient::FindParent promptParent(std::function<QWindow *()> asking, std::function<WindowSystem()> system)
{
    return [asking = std::move(asking), system = std::move(system)](const HelperClient::TellAgent &agent) {
        QWindow *window = asking();
        if (!window)
            return;
        const WindowSystem here = system();
        if (here.platform == "xcb"_L1) {
            agent({QString::number(window->winId()), {}});
        } else if (here.platform.startsWith("wayland"_L1)) {
            if (WaylandNames *names = here.names())
                names->tell(window, agent);
        }
    };
}

} // namespace diskwright::ui
