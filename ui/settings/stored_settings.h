// SPDX-License-Identifier: GPL-3.0-or-later
// The list of settings, and what is the same for all of them, as they are stored from one start to the next.
#pragma once

#include "ui/background/comparison.h"

#include <optional>

class QSettings;

namespace ui
{

struct StoredSettings {
    SettingList list;
    engine::Resources resources;
};

// comparison: of the list. An axis that was given, and a file to compare with, belong to their scan: they are not
// stored.
void storeSettings(QSettings& settings, const Comparison& comparison, const SettingList& list,
                   const engine::Request& shared);
// Nothing where none are stored; throws engine::Error where another version stored them.
std::optional<StoredSettings> storedSettings(const QSettings& settings, int threads);

} // namespace ui
