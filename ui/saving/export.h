// SPDX-License-Identifier: GPL-3.0-or-later
// Dialogs and background tasks to save images, profiles, sessions and other results.
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

enum class Save { image, difference, figure, plot, profile, volume, session, recipe, report };

// Asks for a file name, and for permission before a file is replaced. Returns an empty text if the user cancels, and
// for a recipe and a volume, which have their own dialogs.
QString askForFile(QWidget* parent, Save what, const QString& name, const QString& folder);

struct RecipeFile {
    QString path;          // empty: the user cancels
    bool hasPlane = false; // the plane is to be in it
};

// The same for a recipe. plane: title of the plane that it can hold; empty: none.
RecipeFile askForRecipe(QWidget* parent, const QString& name, const QString& folder, const QString& plane);

// Returns work that writes a .tif or .tiff file with 32-bit values, or a .png file of `rendered`. The work throws
// engine::Error(output), also if the file is one of the inputs. unit, facts: metadata of the slice for the TIFF.
BackgroundTask::Work imageWriter(const QString& path, const GridSlice& plane, const QImage& rendered,
                                 const engine::ProtectedInputs& inputs, const std::string& unit,
                                 const engine::SliceFacts& facts);
BackgroundTask::Work differenceWriter(const QString& path, const GridSlice& a, const GridSlice& b,
                                      const QImage& rendered, const engine::ProtectedInputs& inputs);

} // namespace ui
