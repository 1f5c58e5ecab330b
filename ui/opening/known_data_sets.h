// SPDX-License-Identifier: GPL-3.0-or-later
// Data sets that the user chose for earlier HDF5 files, stored because a beamline's next file usually has the same
// ones.
#pragma once

#include "engine/io/formats/hdf5_data_sets.h"

#include <QSettings>

#include <optional>
#include <vector>

namespace ui
{

std::vector<engine::DataSets> knownDataSets(const QSettings* settings); // newest first; nullptr: none
// Returns the first of the known choices whose data sets are all in the list, or nothing.
std::optional<engine::DataSets> knownIn(const std::vector<engine::DataSets>& known, const engine::DataSetList& list);
void rememberDataSets(QSettings* settings, const engine::DataSets& sets);

} // namespace ui
