// SPDX-License-Identifier: GPL-3.0-or-later
// What settings differ in, in a line each.
#pragma once

#include "engine/compare/setting_list.h"

#include <QString>

#include <vector>

namespace ui
{

// In the order of the list: "half · hann", from the table of options; what all share isn't said. One that is like
// another says so: "as A"; one alone says its kernel.
std::vector<QString> differences(const engine::SettingList& list);

// The options in which the one differs from the other: "filter hann, ring removal sorting"; empty where there is none.
enum class Parts { all, butKernel };
QString unlikeText(const engine::Setting& one, const engine::Setting& other, Parts parts);

} // namespace ui
