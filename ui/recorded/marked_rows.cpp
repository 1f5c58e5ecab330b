// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/recorded/marked_rows.h"

#include "ui/image/image_view.h"

#include <algorithm>

namespace ui
{

MarkedRows::MarkedRows(ImageView& view) : m_view(view)
{
    connect(&view, &ImageView::shapeDrawn, this, &MarkedRows::take);
    connect(&view, &ImageView::shapeChanged, this, [this](int, const engine::Shape& shape) { take(shape); });
    connect(&view, &ImageView::areaReset, this, &MarkedRows::clear);
}

void MarkedRows::setDetector(const QSize& detector)
{
    m_detector = detector;
    m_rows.reset();
    show();
}

void MarkedRows::take(const engine::Shape& shape)
{
    const auto* area = std::get_if<engine::Area>(&shape);
    const auto* drawn = area ? std::get_if<engine::Region>(area) : nullptr;
    if (!drawn)
        return;
    const int first = std::clamp(drawn->row, 0, m_detector.height() - 1);
    const int last = std::clamp(drawn->row + drawn->height - 1, first, m_detector.height() - 1);
    m_rows = engine::RowRange{first, last - first + 1};
    show();
    emit changed();
}

void MarkedRows::clear()
{
    m_rows.reset();
    show();
    emit changed();
}

void MarkedRows::show()
{
    Overlay overlay = m_view.overlay();
    overlay.marks = {};
    if (m_rows)
        overlay.marks.add(engine::Area(engine::Region{0, m_rows->first, m_detector.width(), m_rows->count}), "slices");
    m_view.setOverlay(overlay);
}

} // namespace ui
