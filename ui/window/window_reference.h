// SPDX-License-Identifier: GPL-3.0-or-later
// The views of the window and its keys, read from the table of views and from the menus.
#pragma once

#include <QKeySequence>
#include <QString>

#include <vector>

class QMainWindow;

namespace ui
{

struct KeyRow {
    QString menu; // empty: no menu
    QString action;
    QString keys;
};

// How a sequence of keys is written. NativeText: for the user's platform; PortableText: the same everywhere.
std::vector<KeyRow> keyRows(const QMainWindow& window, QKeySequence::SequenceFormat format);

// The page of the manual, in Markdown.
QString windowReference(const QMainWindow& window);

} // namespace ui
