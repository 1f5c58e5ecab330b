// SPDX-License-Identifier: GPL-3.0-or-later
// The page of planes without a window around it.
#pragma once

#include "ui/planes/planes_panel.h"
#include "ui/settings/settings_panel.h"
#include "ui/window/message_bar.h"
#include "ui/window/planes_controller.h"

#include <QWidget>

// Not shown at first.
struct PlanesPage {
    ui::SettingsPanel settings;
    QWidget under;
    ui::MessageBar messages{&under, 0};
    ui::PlanesPanel panel;
    ui::PlanesController controller{settings, panel, messages};

    explicit PlanesPage(const std::shared_ptr<const engine::Scan>& scan) { setScan(scan); }
    void setScan(const std::shared_ptr<const engine::Scan>& scan)
    {
        settings.setScan(scan);
        controller.setScan(scan);
    }
};
