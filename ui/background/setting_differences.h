// SPDX-License-Identifier: GPL-3.0-or-later
// Names of settings by what differs between them.
#pragma once

#include "engine/compare/setting_list.h"

#include <QString>

#include <utility>
#include <vector>

namespace ui
{

// Returns one line per setting, such as "half · hann", with the options of the engine's table that differ between the
// settings. Values that most settings have are left out where others remain. A copy of an earlier setting gets "as A";
// a single setting shows its kernel options.
std::vector<QString> differences(const engine::SettingList& list);

// Returns the options that all settings have in common and that aren't at their defaults: "half · rings sorting"; empty
// for a single setting without such options of preparation, filter and axis, as differences() shows those of its
// kernel.
QString sharedText(const engine::SettingList& list);

// Returns what a user has changed: "filter", "order of the settings", "settings" if several things.
QString changeText(const engine::SettingList& before, const engine::SettingList& after);

// Returns a unique name for each setting, for titles, legends and tables. A letter is followed by what differs:
// "A · half". A name that was given stays as it is, unless another setting has it, too.
std::vector<QString> namesByDifferences(const engine::SettingList& list);

// Returns the options of `one` that differ from `other`: "filter hann, ring removal sorting"; empty if there are
// none.
enum class Parts { all, butKernel };
QString unlikeText(const engine::Setting& one, const engine::Setting& other, Parts parts);

// Describes which options of settings were replaced, each with the setting before and after: "oversampled ×2,
// oversampled ×4 (linear instead)"; empty if there are none.
QString replacementsText(const std::vector<std::pair<engine::Setting, engine::Setting>>& replaced);

} // namespace ui
