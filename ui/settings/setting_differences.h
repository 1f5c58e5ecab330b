// SPDX-License-Identifier: GPL-3.0-or-later
// Short texts about the differences between settings.
#pragma once

#include "engine/compare/setting_list.h"

#include <QString>

#include <vector>

namespace ui
{

// Returns one line per setting, such as "half · hann", with the options of the engine's table that differ between the
// settings. A copy of an earlier setting gets "as A"; a single setting shows its kernel options.
std::vector<QString> differences(const engine::SettingList& list);

// Returns what a user has changed: "filter", "order of the settings", "settings" if several things.
QString changeText(const engine::SettingList& before, const engine::SettingList& after);

// Returns the options of `one` that differ from `other`: "filter hann, ring removal sorting"; empty if there are
// none.
enum class Parts { all, butKernel };
QString unlikeText(const engine::Setting& one, const engine::Setting& other, Parts parts);

} // namespace ui
