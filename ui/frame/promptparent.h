// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/apply/helperclient.h"

#include <QtPlugin>

#include <functional>

class QWindow;

namespace diskwright::ui {

/// Names a window to other programs on Wayland; a library of its own, since nothing else needs what it links.
class WaylandNames
{
public:
    virtual ~WaylandNames() = default;
    /// Asks the compositor, and tells each name when it comes; of what the compositor does not know, nothing.
    virtual void tell(QWindow *window, const HelperClient::TellAgent &agent) = 0;
};

/// The window system, as far as it decides how a window is named.
struct WindowSystem {
    QString platform;                      ///< QGuiApplication::platformName()
    std::function<WaylandNames *()> names; ///< null: there are none
};

/// This program's: WaylandNames are loaded when they are first asked for.
[[nodiscard]] WindowSystem windowSystem();

/// How the agent learns of the window that \p asking gives when a password may be asked for. Tells nothing
/// where there is no window, or none that another program could find.
[[nodiscard]] HelperClient::FindParent promptParent(std::function<QWindow *()> asking,
                                                    std::function<WindowSystem()> system = windowSystem);

} // namespace diskwright::ui

Q_DECLARE_INTERFACE(diskwright::ui::WaylandNames, "org.diskwright.WaylandNames/1")
