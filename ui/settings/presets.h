// SPDX-License-Identifier: GPL-3.0-or-later
// The table of presets: ready comparisons that replace the list of settings with one click.
#pragma once

#include "engine/compare/setting_list.h"

#include <QString>
#include <QStringList>

#include <functional>
#include <span>
#include <string_view>

namespace ui
{

struct Preset {
    const char* id;
    const char* label;   // in the menu
    const char* summary; // for the tooltip
    // Creates the list from the chosen setting and the axis that it used. Leaves out settings that the scan or the
    // device doesn't support.
    std::function<engine::SettingList(const engine::Request& chosen, double axisBins)> make;
    // Returns what it leaves out, and why. Empty: nothing that is worth telling.
    std::function<QStringList(const engine::Request& chosen)> lacking = {};
    bool ofSpeeds = false; // compares speeds, which the window then shows as a chart

    QString text() const; // translated label
};

std::span<const Preset> presets();

struct PresetOffer {
    bool isPossible; // the preset compares something with this scan and device
    QString tip;     // its summary and what it leaves out, or why it isn't possible
};
PresetOffer offerOf(const Preset& preset, const engine::Request& chosen, double axisBins);

} // namespace ui
