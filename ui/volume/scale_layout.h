// SPDX-License-Identifier: GPL-3.0-or-later
// Where the numbers and the names of the axes stand around a box that is seen in perspective. They don't overlap.
#pragma once

#include <QFontMetricsF>
#include <QLineF>
#include <QRectF>
#include <QString>

#include <array>
#include <vector>

namespace ui
{

// A box as it is seen. Positions are in pixels of the view, y downwards. Bit k of a corner's number is set if it lies
// at the high end of axis k; face 2k is at the low end of axis k, face 2k + 1 at the high end.
struct SeenBox {
    std::array<double, 6> bounds{};
    std::array<QPointF, 8> corners;
    std::array<bool, 6> faceIsSeen{};
    QString unit;
};

struct ScaleLayout {
    struct Label {
        QRectF place;
        QString text;
    };
    std::vector<QLineF> ticks;
    std::vector<Label> labels; // inside the view
};

// Each axis has its scale along an edge at the outline of the box, or none if the view shows no such edge. taken: what
// the labels leave free.
ScaleLayout layOutScale(const SeenBox& box, const QRectF& view, const QRectF& taken, const QFontMetricsF& font);

} // namespace ui
