// SPDX-License-Identifier: GPL-3.0-or-later
// Saving what was measured: as a picture, or the figures as JSON.
#pragma once

#include "ui/widgets/drawing.h"

#include <QString>

#include <string>

class QWidget;

namespace ui
{

// Writes .png, .svg or .pdf, or the figures as .json, depending on the suffix; replaces the file. Throws
// engine::Error(output), or Error(badRequest) for another suffix.
void writeMeasured(const QString& path, const Drawing& drawing, const std::string& json);

// Asks for a file and writes it. Returns a sentence about what happened; empty if the user cancelled.
QString saveMeasured(QWidget* parent, const QString& title, const QString& name, const Drawing& drawing,
                     const std::string& json);

} // namespace ui
