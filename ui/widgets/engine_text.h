// SPDX-License-Identifier: GPL-3.0-or-later
// Texts of the engine as the window writes them: options by the labels of their fields, without what is for the
// command line alone.
#pragma once

#include "engine/base/note.h"

#include <QString>
#include <QStringList>

#include <vector>

namespace ui
{

QString inWindow(const engine::Text& text);
QStringList inWindow(const std::vector<engine::Note>& notes);

} // namespace ui
