// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/volume/scale_layout.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace ui
{

namespace
{

constexpr double tickLength = 5, labelGap = 3; // pixels

struct ScaleEdge {
    QLineF line;     // from the low end to the high one
    QPointF outward; // unit vector across the edge, away from the box
};

QPointF middleOf(const SeenBox& box)
{
    QPointF sum;
    for (const QPointF& corner : box.corners)
        sum += corner / 8;
    return sum;
}

// Returns the edge of the outline that is lowest, or farthest to the left if it is steep.
std::optional<ScaleEdge> scaleEdge(const SeenBox& box, int axis)
{
    const int i = (axis + 1) % 3, j = (axis + 2) % 3;
    std::optional<ScaleEdge> best;
    double bestRank = 0;
    for (int side = 0; side < 4; ++side) {
        const int iSide = side & 1, jSide = side >> 1;
        if (box.faceIsSeen[2 * i + iSide] == box.faceIsSeen[2 * j + jSide])
            continue; // inside the outline, or on the far side
        const int from = iSide << i | jSide << j;
        const QLineF line(box.corners[from], box.corners[from | 1 << axis]);
        if (line.length() < 1)
            continue;
        QPointF outward(-line.dy() / line.length(), line.dx() / line.length());
        if (QPointF::dotProduct(outward, line.center() - middleOf(box)) < 0)
            outward = -outward;
        const double rank = std::abs(line.dx()) > 0.3 * line.length() ? outward.y() : -outward.x();
        if (!best || rank > bestRank) {
            best = ScaleEdge{line, outward};
            bestRank = rank;
        }
    }
    return best;
}

// Returns a rectangle of the given size beside the point `at`, in the direction of the unit vector `outward`.
QRectF placeBeside(const QPointF& at, const QPointF& outward, const QSizeF& size)
{
    const double half = (std::abs(outward.x()) * size.width() + std::abs(outward.y()) * size.height()) / 2;
    QRectF place(QPointF(), size);
    place.moveCenter(at + outward * (half + labelGap));
    return place;
}

// Returns 1, 2 or 5 times a power of ten that is not less than `least`.
double roundStep(double least)
{
    const double decade = std::pow(10, std::floor(std::log10(least)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * decade >= least * (1 - 1e-9))
            return factor * decade;
    return 10 * decade;
}

class Placing
{
  public:
    Placing(const QRectF& view, const QRectF& taken, const QFontMetricsF& font)
        : m_view(view), m_taken(taken), m_font(font)
    {
    }

    bool add(const QRectF& place, const QString& text)
    {
        const QRectF room = place.adjusted(-labelGap, 0, labelGap, 0);
        const auto meets = [&room](const ScaleLayout::Label& label) { return label.place.intersects(room); };
        if (!m_view.contains(place) || room.intersects(m_taken) || std::ranges::any_of(layout.labels, meets))
            return false;
        layout.labels.push_back({place, text});
        return true;
    }
    void addNumbers(const ScaleEdge& edge, double low, double high);
    void addName(const ScaleEdge& edge, const QString& name);
    QSizeF sizeOf(const QString& text) const { return {m_font.horizontalAdvance(text), m_font.height()}; }

    ScaleLayout layout;

  private:
    QRectF m_view, m_taken;
    QFontMetricsF m_font;
    QSizeF m_largest; // of the numbers of the present edge
};

void Placing::addNumbers(const ScaleEdge& edge, double low, double high)
{
    const double length = edge.line.length();
    const auto textAt = [](double value, double step) {
        const int decimals = std::max(0, -static_cast<int>(std::floor(std::log10(step) + 1e-9)));
        return QString::number(value, 'f', decimals).replace('-', QChar(0x2212));
    };
    const double widest =
        std::max(sizeOf(textAt(low, (high - low) / 10)).width(), sizeOf(textAt(high, (high - low) / 10)).width());
    const double apart = std::abs(edge.line.dx()) / length * (widest + 1.5 * m_font.height()) +
                         std::abs(edge.line.dy()) / length * 2.2 * m_font.height();
    const double step = roundStep((high - low) * std::max(apart / length, 0.1));
    m_largest = {};
    for (double k = std::ceil(low / step - 1e-6); k * step <= high + 1e-6 * step; ++k) {
        const double value = k * step + 0.0; // not −0
        const QPointF at = edge.line.pointAt((value - low) / (high - low));
        const QLineF tick(at, at + edge.outward * tickLength);
        const QString text = textAt(k == 0 ? 0 : value, step);
        if (!add(placeBeside(tick.p2(), edge.outward, sizeOf(text)), text))
            continue;
        layout.ticks.push_back(tick);
        m_largest = m_largest.expandedTo(sizeOf(text));
    }
}

// Places the name of the axis beside the middle of the numbers, or a little to one side if there is no room, or beyond
// an end of the edge.
void Placing::addName(const ScaleEdge& edge, const QString& name)
{
    const double beyond = tickLength + labelGap + std::abs(edge.outward.x()) * m_largest.width() +
                          std::abs(edge.outward.y()) * m_largest.height();
    for (const double farther : {0.0, 0.5, 1.0, 1.5})
        for (const double part : {0.5, 0.4, 0.6, 0.25, 0.75}) {
            const QPointF at = edge.line.pointAt(part) + edge.outward * (beyond + farther * m_font.height());
            if (add(placeBeside(at, edge.outward, sizeOf(name)), name))
                return;
        }
    const QPointF along = (edge.line.p2() - edge.line.p1()) / edge.line.length();
    if (!add(placeBeside(edge.line.p2() + along * m_font.height() / 2, along, sizeOf(name)), name))
        add(placeBeside(edge.line.p1() - along * m_font.height() / 2, -along, sizeOf(name)), name);
}

} // namespace

ScaleLayout layOutScale(const SeenBox& box, const QRectF& view, const QRectF& taken, const QFontMetricsF& font)
{
    Placing placing(view, taken, font);
    std::array<std::optional<ScaleEdge>, 3> edges;
    for (int k = 0; k < 3; ++k)
        if (box.bounds[2 * k + 1] > box.bounds[2 * k])
            edges[k] = scaleEdge(box, k);
    for (int k = 0; k < 3; ++k)
        if (edges[k]) {
            placing.addNumbers(*edges[k], box.bounds[2 * k], box.bounds[2 * k + 1]);
            placing.addName(*edges[k], QStringLiteral("%1 (%2)").arg(QChar(u'x' + k)).arg(box.unit));
        }
    return std::move(placing.layout);
}

} // namespace ui
