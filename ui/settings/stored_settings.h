// SPDX-License-Identifier: GPL-3.0-or-later
// The list of settings and the options shared by all of them, stored for the next start of the program.
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

// comparison: of the list. A given axis and a reference file belong to their scan and are not stored.
void storeSettings(QSettings& settings, const Comparison& comparison, const SettingList& list,
                   const engine::Request& shared);
// Returns nothing if no settings are stored. Throws engine::Error if an incompatible version stored them.
std::optional<StoredSettings> storedSettings(const QSettings& settings, int threads);

} // namespace ui
