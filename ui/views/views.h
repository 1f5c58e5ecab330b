// SPDX-License-Identifier: GPL-3.0-or-later
// The one table of views of a comparison: which of its images are side by side, or how they are composed. The menu,
// its keys, the buttons, saved sessions and the panel loop over it.
#pragma once

#include "ui/views/composition.h"

#include <QKeySequence>
#include <QString>

#include <memory>
#include <span>
#include <vector>

namespace ui
{

// Content of a column: an image of a comparison, A and B composed, all images, or what the scan recorded.
enum class Content { a, b, difference, composed, every, recorded };

struct View {
    const char* id; // identifies the view in saved sessions
    const char* label;
    const char* summary;           // for tooltips
    const char* sketch;            // icon of its button: an SVG path of lines on 20 × 16
    std::vector<Content> contents; // from left to right
    std::unique_ptr<Composition> (*compose)() = nullptr;

    bool shows(Content content) const;
    QString text() const;        // label, translated
    QString description() const; // summary, translated
    QKeySequence keys() const;   // 1 to 9 in the order of the table, but R for recorded data
};

// Returns the table. A new window shows its first view.
std::span<const View> views();
const View* findView(const QString& id); // null if unknown

} // namespace ui
