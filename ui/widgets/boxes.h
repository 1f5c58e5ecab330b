// SPDX-License-Identifier: GPL-3.0-or-later
// Rows and columns of widgets, filled in one expression.
#pragma once

#include <QBoxLayout>

#include <initializer_list>
#include <optional>

namespace ui
{

// A widget, a layout or free room in a row or column.
struct BoxItem {
    BoxItem(QWidget* item, int factor = 0) : widget(item), stretchFactor(factor) {}
    BoxItem(QLayout* item, int factor = 0) : layout(item), stretchFactor(factor) {}
    static BoxItem stretch(int factor = 0) { return {static_cast<QWidget*>(nullptr), factor}; }
    static BoxItem space(int pixels)
    {
        BoxItem item = stretch();
        item.pixels = pixels;
        return item;
    }

    QWidget* widget = nullptr;
    QLayout* layout = nullptr;
    int stretchFactor = 0, pixels = 0;
};

struct BoxLook {
    std::optional<QMargins> margins = {}; // nothing: those of the style
    int spacing = -1;                     // pixels; -1: that of the style
};
inline constexpr BoxLook flush{QMargins(), 0};

// Adds the items to the row or column, and returns it.
template <typename Box>
Box* filled(Box* box, std::initializer_list<BoxItem> items, const BoxLook& look = {})
{
    if (look.margins)
        box->setContentsMargins(*look.margins);
    box->setSpacing(look.spacing);
    for (const BoxItem& item : items)
        if (item.widget)
            box->addWidget(item.widget, item.stretchFactor);
        else if (item.layout)
            box->addLayout(item.layout, item.stretchFactor);
        else if (item.pixels > 0)
            box->addSpacing(item.pixels);
        else
            box->addStretch(item.stretchFactor);
    return box;
}

} // namespace ui
