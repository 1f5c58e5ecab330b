// SPDX-License-Identifier: GPL-3.0-or-later
// Lists of the window's views and keys, generated from the table of views and from the menus.
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

// Returns the keys of the menus and of the labels. format: how keys are written. NativeText: for the user's platform;
// PortableText: the same everywhere.
std::vector<KeyRow> keyRows(const QMainWindow& window, QKeySequence::SequenceFormat format);

// Returns the manual's page of views and keys, in Markdown.
QString windowReference(const QMainWindow& window);

} // namespace ui
