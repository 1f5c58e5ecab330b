// SPDX-License-Identifier: GPL-3.0-or-later
// THE table of views of a comparison: which of its images stand beside each other, or how they are put together. The
// menu, its keys, the buttons, saved sessions and the panel loop over it.
#pragma once

#include "ui/views/composition.h"

#include <QKeySequence>
#include <QString>

#include <memory>
#include <span>
#include <vector>

namespace ui
{

// An image of a comparison, several in one, all of them, or what the scan recorded.
enum class Content { a, b, difference, composed, every, recorded };

struct View {
    const char* id; // in saved sessions
    const char* label;
    const char* summary;           // for tooltips
    const char* sketch;            // its button's icon: an SVG path of lines on 20 × 16
    std::vector<Content> contents; // from left to right
    std::unique_ptr<Composition> (*compose)() = nullptr;

    bool shows(Content content) const;
    QString text() const;        // its label, translated
    QString description() const; // its summary
    QKeySequence keys() const;   // 1 to 9 in the order of the table, but for the scan's: R
};

// THE table. The first is what a new window shows.
std::span<const View> views();
const View* findView(const QString& id); // nullptr when unknown

} // namespace ui
