// Saving what is shown: names, dialogs, and the work itself for a background task.
#pragma once

#include "engine/io/files/inputs.h"
#include "engine/io/files/output_format.h"
#include "ui/background/background_task.h"
#include "ui/background/comparison.h"
#include "ui/window/actions.h"

#include <QImage>

class QWidget;

namespace ui
{

// "<scan>", as files can be called
QString nameOf(const engine::Scan& scan);

// "<scan>_slice_00012"
QString defaultName(const engine::Scan& scan, int slice);

// Asks where, and before replacing a file; not for a volume, which has a dialog of its own. Empty: not wanted.
QString askForFile(QWidget* parent, Actions::Save what, const QString& name, const QString& folder);

// .tif, .tiff: 32-bit values; .png: `rendered`. The work throws engine::Error(output), also for one of the inputs.
// unit, facts: what the TIFF says of a slice.
BackgroundTask::Work imageWriter(const QString& path, const Plane& plane, const QImage& rendered,
                                 const engine::Inputs& inputs, const std::string& unit,
                                 const engine::SliceFacts& facts);
BackgroundTask::Work differenceWriter(const QString& path, const Plane& a, const Plane& b, const QImage& rendered,
                                      const engine::Inputs& inputs);

} // namespace ui
