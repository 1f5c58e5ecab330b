// SPDX-License-Identifier: GPL-3.0-or-later
// Saving what is shown: names, dialogs, and the work itself for a background task.
#pragma once

#include "engine/io/files/output_format.h"
#include "engine/io/files/protected_inputs.h"
#include "ui/background/background_task.h"
#include "ui/background/comparison.h"

#include <QImage>
#include <QString>

class QWidget;

namespace ui
{

enum class Save { image, difference, profile, volume, session, recipe, report };

// Asks where, and before replacing a file; not for a volume, which has a dialog of its own. Empty: not wanted.
QString askForFile(QWidget* parent, Save what, const QString& name, const QString& folder);

// .tif, .tiff: 32-bit values; .png: `rendered`. The work throws engine::Error(output), also for one of the inputs.
// unit, facts: what the TIFF says of a slice.
BackgroundTask::Work imageWriter(const QString& path, const Plane& plane, const QImage& rendered,
                                 const engine::ProtectedInputs& inputs, const std::string& unit,
                                 const engine::SliceFacts& facts);
BackgroundTask::Work differenceWriter(const QString& path, const Plane& a, const Plane& b, const QImage& rendered,
                                      const engine::ProtectedInputs& inputs);

} // namespace ui
