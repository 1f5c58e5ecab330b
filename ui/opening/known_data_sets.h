// SPDX-License-Identifier: GPL-3.0-or-later
// Which data sets were a scan's in files before: a beamline's next file has the same.
#pragma once

#include "engine/io/formats/hdf5_data_sets.h"

#include <QSettings>

#include <optional>
#include <vector>

namespace ui
{

std::vector<engine::DataSets> knownDataSets(const QSettings* settings); // the last first; nullptr: none
// The first of them that is in a file; nothing: none.
std::optional<engine::DataSets> knownIn(const std::vector<engine::DataSets>& known, const engine::DataSetList& list);
void rememberDataSets(QSettings* settings, const engine::DataSets& sets);

} // namespace ui
