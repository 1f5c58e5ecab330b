// Which data sets were a scan's in files before: a beamline's next file has the same.
#pragma once

#include "engine/io/open_scan.h"

#include <QSettings>

#include <vector>

namespace ui
{

std::vector<engine::DataSets> knownDataSets(const QSettings* settings); // the last first; nullptr: none
void rememberDataSets(QSettings* settings, const engine::DataSets& sets);

} // namespace ui
