// SPDX-License-Identifier: GPL-3.0-or-later
// What the user has dropped on the window: one scan, session or recipe, or something that can't be opened.
#pragma once

#include <QString>

class QMimeData;

namespace ui
{

struct Dropped {
    enum class Kind { nothing, scan, session, recipe };
    Kind kind = Kind::nothing;
    QString path;
    QString refusal; // for nothing: one sentence
};

// Tells files apart by their names only: whether a scan can be read is known when it is opened.
Dropped droppedOf(const QMimeData& data);

} // namespace ui
