// SPDX-License-Identifier: GPL-3.0-or-later
// THE table of ready comparisons: a list of settings in one click.
#pragma once

#include "engine/compare/setting_list.h"

#include <QString>

#include <span>
#include <string_view>

namespace ui
{

struct Preset {
    const char* id;
    std::string_view option; // all of whose choices it compares; empty where it is of several or a few
    const char* label;       // of the menu
    const char* summary;     // for its tooltip
    // From the chosen setting and the axis that it used. Settings that the scan or the device can't do are left out.
    engine::SettingList (*make)(const engine::Request& chosen, double axisBins);

    QString text() const; // its label, translated
};

std::span<const Preset> presets();

} // namespace ui
