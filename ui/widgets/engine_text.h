// SPDX-License-Identifier: GPL-3.0-or-later
// Texts of the engine as shown in the window: options are named by the labels of their fields, and passages for the
// command line are left out.
#pragma once

#include "engine/base/note.h"

#include <QString>
#include <QStringList>

#include <vector>

namespace ui
{

QString inWindow(const engine::Text& text);
QString sentenceOf(QString reason); // the engine's reason, with a capital and a full stop
QStringList inWindow(const std::vector<engine::Note>& notes);

} // namespace ui
