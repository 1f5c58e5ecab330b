// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/geometry_sketch.h"

#include "ui/settings/option_field.h"
#include "ui/widgets/curve_colours.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ui
{

namespace
{

using Real = std::optional<double> engine::ConeOptions::*;
using Count = std::optional<int> engine::ConeOptions::*;

constexpr double linesHigh = 7.5;   // height of the sketch in lines of text
constexpr double shareOfSide = 0.6; // of the width, for the view from the side
constexpr double leastDegrees = 8;  // a smaller angle would not be seen
constexpr double leastShift = 0.3;  // of the detector's half side

int signOf(double value)
{
    return value > 0 ? 1 : value < 0 ? -1 : 0;
}

// Returns the angle to draw: at least visible, and larger for larger angles.
double drawnDegrees(double rad)
{
    return signOf(rad) * (leastDegrees + 0.7 * std::abs(rad) * 180 / std::numbers::pi);
}

// Returns the shift to draw for an offset of the detector, as a fraction of its half side.
double drawnShift(double offsetMm, double sideMm)
{
    const double share = sideMm > 0 ? std::abs(offsetMm) / (sideMm / 2) : 0.3;
    return signOf(offsetMm) * (leastShift + 0.4 * std::min(1.0, share));
}

// Draws one of the two views in the colours of the theme; what belongs to the emphasised number is drawn in the accent.
class SketchPainter
{
  public:
    SketchPainter(QPainter& painter, const QPalette& palette, const SketchedGeometry& geometry,
                  const engine::ConeNumber* emphasised)
        : m_painter(painter), m_ink(palette.color(QPalette::WindowText)), m_quiet(curveColours(palette).quietText),
          m_accent(palette.color(QPalette::Highlight)), m_geometry(geometry), m_emphasised(emphasised)
    {
    }

    void fromSide(const QRectF& room);
    void fromSource(const QRectF& room);

  private:
    bool isOn(Real member) const { return m_emphasised && m_emphasised->real == member; }
    bool isOn(Count member) const { return m_emphasised && m_emphasised->count && m_emphasised->count == member; }
    void pen(bool isOn, Qt::PenStyle style = Qt::SolidLine, bool isQuiet = false)
    {
        m_painter.setPen(QPen(isOn ? m_accent : isQuiet ? m_quiet : m_ink, isOn ? 1.8 : 1, style, Qt::FlatCap));
        m_painter.setBrush(Qt::NoBrush);
    }
    double letter() const { return m_painter.fontMetrics().height(); }
    void arrow(const QPointF& from, const QPointF& to, bool both = false);
    void write(const QString& text, const QPointF& middle);
    void beams(const QPointF& source, const QPointF& first, const QPointF& last, bool isCentralOn);
    void axis(const QPointF& middle, double half, double degrees, bool isOn);
    void angle(const QPointF& middle, double radius, double degrees);
    void object(const QPointF& middle, double half);
    void distances(double source, double axis, double detector, double y);

    QPainter& m_painter;
    QColor m_ink, m_quiet, m_accent;
    const SketchedGeometry& m_geometry;
    const engine::ConeNumber* m_emphasised;
};

void SketchPainter::arrow(const QPointF& from, const QPointF& to, bool both)
{
    const double head = std::min(0.3 * letter(), 0.5 * QLineF(from, to).length());
    m_painter.drawLine(from, to);
    const auto tip = [&](const QPointF& at, const QPointF& other) {
        const QLineF shaft(at, other);
        if (shaft.length() < 1)
            return;
        for (const double turn : {25.0, -25.0}) {
            QLineF side(at, other);
            side.setLength(head);
            side.setAngle(shaft.angle() + turn);
            m_painter.drawLine(side);
        }
    };
    tip(to, from);
    if (both)
        tip(from, to);
}

void SketchPainter::write(const QString& text, const QPointF& middle)
{
    const QSizeF size(m_painter.fontMetrics().horizontalAdvance(text) + 2, letter());
    m_painter.drawText(QRectF(middle - QPointF(size.width(), size.height()) / 2, size), Qt::AlignCenter, text);
}

// Draws the rays to both ends of the detector, or parallel ones if there is no source.
void SketchPainter::beams(const QPointF& source, const QPointF& first, const QPointF& last, bool isCentralOn)
{
    pen(false, Qt::SolidLine, true);
    if (!m_geometry.isCone) {
        for (const double part : {0.15, 0.5, 0.85}) {
            const QPointF end = first + part * (last - first);
            arrow(QPointF(source.x(), end.y()), end);
        }
        return;
    }
    m_painter.drawLine(source, first);
    m_painter.drawLine(source, last);
    pen(isCentralOn, Qt::DashLine, true);
    m_painter.drawLine(source, QPointF(first.x(), source.y())); // the central ray
    pen(false);
    m_painter.setBrush(m_ink);
    m_painter.drawEllipse(source, 0.18 * letter(), 0.18 * letter());
    m_painter.setBrush(Qt::NoBrush);
}

// Draws the axis; positive degrees lean its top to the right.
void SketchPainter::axis(const QPointF& middle, double half, double degrees, bool isOn)
{
    const double rad = degrees * std::numbers::pi / 180;
    const QPointF top(half * std::sin(rad), -half * std::cos(rad));
    if (isOn) {
        pen(false, Qt::DotLine, true);
        m_painter.drawLine(middle - QPointF(0, half), middle + QPointF(0, half)); // without the angle
    }
    pen(isOn, Qt::DashDotLine);
    m_painter.drawLine(middle - top, middle + top);
    if (isOn)
        angle(middle, 0.85 * half, degrees);
}

// Draws the arc from the upright to the leaning axis.
void SketchPainter::angle(const QPointF& middle, double radius, double degrees)
{
    if (degrees == 0)
        return;
    pen(true);
    QPainterPath arc;
    const QRectF circle(middle - QPointF(radius, radius), QSizeF(2 * radius, 2 * radius));
    arc.arcMoveTo(circle, 90);
    arc.arcTo(circle, 90, -degrees);
    m_painter.drawPath(arc);
}

// Draws the object, and the volume around it if one of its numbers is emphasised.
void SketchPainter::object(const QPointF& middle, double half)
{
    pen(false);
    m_painter.setBrush(QColor(m_quiet.red(), m_quiet.green(), m_quiet.blue(), 60));
    m_painter.drawEllipse(middle, 0.8 * half, m_geometry.hasRows ? half : 0.8 * half);
    const bool isSize = isOn(&engine::ConeOptions::size), isSlices = isOn(&engine::ConeOptions::slices);
    const bool isVoxel = isOn(&engine::ConeOptions::voxelMm);
    if (!isSize && !isSlices && !isVoxel)
        return;
    pen(isVoxel, Qt::SolidLine, !isVoxel);
    const QRectF volume(middle - QPointF(half, half), QSizeF(2 * half, 2 * half));
    m_painter.drawRect(volume);
    pen(true);
    if (isVoxel)
        for (const double part : {0.25, 0.5, 0.75}) {
            const double along = part * volume.width();
            m_painter.drawLine(volume.topLeft() + QPointF(along, 0), volume.bottomLeft() + QPointF(along, 0));
            m_painter.drawLine(volume.topLeft() + QPointF(0, along), volume.topRight() + QPointF(0, along));
        }
    if (isSize)
        arrow(QPointF(volume.left(), middle.y()), QPointF(volume.right(), middle.y()), true);
    if (isSlices)
        arrow(QPointF(middle.x(), volume.top()), QPointF(middle.x(), volume.bottom()), true);
}

void SketchPainter::distances(double source, double axis, double detector, double y)
{
    const bool toAxis = isOn(&engine::ConeOptions::sourceAxisMm);
    const bool toDetector = isOn(&engine::ConeOptions::sourceDetectorMm);
    if (!m_geometry.isCone)
        return;
    pen(toAxis, Qt::SolidLine, true);
    arrow(QPointF(source, y), QPointF(axis, y), true);
    pen(toDetector, Qt::SolidLine, true);
    arrow(QPointF(source, y + 0.45 * letter()), QPointF(detector, y + 0.45 * letter()), true);
}

// The source on the left, the detector on the right: the axis is upright, and rows count down. A fan beam is seen from
// above, where bins count down.
void SketchPainter::fromSide(const QRectF& room)
{
    const double left = room.left() + 0.4 * letter(), right = room.right() - 1.3 * letter();
    const double middle = room.top() + 0.5 * (room.height() - letter()), half = 0.42 * (room.height() - letter());
    const double part = m_geometry.axisPart > 0 ? std::clamp(m_geometry.axisPart, 0.3, 0.75) : 0.5;
    const double at = left + part * (right - left);
    const double side = m_geometry.hasRows ? m_geometry.heightMm : m_geometry.widthMm;
    const double offset = m_geometry.hasRows ? m_geometry.offsetVMm : m_geometry.offsetUMm;
    const Real offsetMember = m_geometry.hasRows ? &engine::ConeOptions::offsetVMm : &engine::ConeOptions::offsetUMm;
    const double shift = half * drawnShift(offset, side) * 0.6;
    const QPointF source(left, middle), top(right, middle - 0.8 * half + shift),
        bottom(right, middle + 0.8 * half + shift);
    beams(source, top, bottom, isOn(offsetMember));
    const double body = std::min({0.5 * half, 0.16 * (right - left), 0.8 * half * part});
    object(QPointF(at, middle), body);
    if (m_geometry.hasRows) {
        axis(QPointF(at, middle), half, drawnDegrees(m_geometry.tiltRad), isOn(&engine::ConeOptions::tiltRad));
    } else {
        pen(false);
        m_painter.setBrush(m_ink);
        m_painter.drawEllipse(QPointF(at, middle), 0.12 * letter(), 0.12 * letter());
    }
    const Real pixel = m_geometry.hasRows ? &engine::ConeOptions::pixelVMm : &engine::ConeOptions::pixelUMm;
    pen(false);
    m_painter.setPen(QPen(m_ink, 2.5));
    m_painter.drawLine(top, bottom);
    if (isOn(offsetMember) && shift != 0) {
        pen(true);
        const double x = right - 0.4 * letter();
        arrow(QPointF(x, middle), QPointF(x, middle + shift));
    }
    pen(isOn(pixel));
    const double x = right + 0.45 * letter();
    arrow(QPointF(x, top.y()), QPointF(x, bottom.y()));
    write(m_geometry.hasRows ? QStringLiteral("v") : QStringLiteral("u"),
          QPointF(x + 0.45 * letter(), (top.y() + bottom.y()) / 2));
    distances(left, at, right, room.bottom() - 0.75 * letter());
}

// The detector as the source sees it: bins count to the right, rows down. The cross is the central ray.
void SketchPainter::fromSource(const QRectF& room)
{
    const QPointF ray(room.center().x() - 0.3 * letter(),
                      room.top() + 0.5 * (room.height() - letter()) + 0.4 * letter());
    double halfV = 0.38 * (room.height() - 2 * letter());
    const double ratio =
        m_geometry.widthMm > 0 && m_geometry.heightMm > 0 ? m_geometry.widthMm / m_geometry.heightMm : 1;
    double halfU = halfV * std::clamp(ratio, 0.6, 3.0);
    const double most = 0.5 * room.width() - 1.5 * letter();
    halfV *= std::min(1.0, most / halfU);
    halfU = std::min(halfU, most);
    if (!m_geometry.hasRows)
        halfV = 0.25 * letter();
    const double shiftU = halfU * drawnShift(m_geometry.offsetUMm, m_geometry.widthMm);
    const double shiftV = m_geometry.hasRows ? halfV * drawnShift(m_geometry.offsetVMm, m_geometry.heightMm) : 0;
    const QPointF middle = ray + QPointF(shiftU, shiftV);
    const QRectF detector(middle - QPointF(halfU, halfV), QSizeF(2 * halfU, 2 * halfV));
    pen(false);
    m_painter.drawRect(detector);
    const bool isU = isOn(&engine::ConeOptions::pixelUMm), isV = isOn(&engine::ConeOptions::pixelVMm);
    if (isU || isV) { // a pixel in the first corner
        const double pixel = std::min(0.7 * letter(), halfV);
        m_painter.fillRect(QRectF(detector.topLeft(), QSizeF(pixel, pixel)), m_accent);
    }
    if (m_geometry.hasRows)
        axis(ray, halfV + 0.5 * letter(), drawnDegrees(m_geometry.rollRad), isOn(&engine::ConeOptions::rollRad));
    const bool isOffU = isOn(&engine::ConeOptions::offsetUMm), isOffV = isOn(&engine::ConeOptions::offsetVMm);
    pen(isOffU || isOffV);
    const double cross = 0.25 * letter();
    m_painter.drawLine(ray - QPointF(cross, 0), ray + QPointF(cross, 0));
    m_painter.drawLine(ray - QPointF(0, cross), ray + QPointF(0, cross));
    if (isOffU && shiftU != 0)
        arrow(ray, ray + QPointF(shiftU, 0));
    if (isOffV && shiftV != 0)
        arrow(ray, ray + QPointF(0, shiftV));
    pen(isU);
    const double below = detector.bottom() + 0.4 * letter();
    arrow(QPointF(detector.left(), below), QPointF(detector.right(), below));
    write(QStringLiteral("u"), QPointF(detector.right() - 0.25 * detector.width(), below + 0.5 * letter()));
    if (!m_geometry.hasRows)
        return;
    pen(isV);
    const double beside = detector.right() + 0.4 * letter();
    arrow(QPointF(beside, detector.top()), QPointF(beside, detector.bottom()));
    write(QStringLiteral("v"), QPointF(beside + 0.5 * letter(), detector.center().y()));
}

} // namespace

SketchedGeometry sketchedGeometry(const engine::ConeOptions& options, const engine::ConeBeam& beam, bool isCone)
{
    SketchedGeometry made{.isCone = isCone, .hasRows = beam.rows > 1};
    if (!isCone)
        return made;
    const double toAxis = options.sourceAxisMm.value_or(0), toDetector = options.sourceDetectorMm.value_or(0);
    if (toAxis > 0 && toDetector > 0)
        made.axisPart = toAxis / toDetector;
    const double pixelU = options.pixelUMm.value_or(0), pixelV = options.pixelVMm.value_or(pixelU);
    made.widthMm = beam.bins * pixelU;
    made.heightMm = beam.rows * pixelV;
    made.offsetUMm = options.offsetUMm.value_or(0);
    made.offsetVMm = options.offsetVMm.value_or(0);
    made.tiltRad = options.tiltRad.value_or(0);
    made.rollRad = options.rollRad.value_or(0);
    return made;
}

GeometrySketch::GeometrySketch(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("geometrySketch"));
    setAccessibleName(tr("Sketch of the geometry"));
    setToolTip(
        tr("Left: from the side. Right: the detector as the source sees it.\nNot to scale: angles and offsets are "
           "exaggerated."));
    QSizePolicy policy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    setSizePolicy(policy);
    describe();
}

void GeometrySketch::show(const SketchedGeometry& geometry)
{
    if (m_geometry == geometry)
        return;
    m_geometry = geometry;
    describe();
    update();
}

void GeometrySketch::emphasise(const engine::ConeNumber* number)
{
    if (m_emphasised == number)
        return;
    m_emphasised = number;
    describe();
    update();
}

QSize GeometrySketch::sizeHint() const
{
    return {static_cast<int>(20 * fontMetrics().height()), static_cast<int>(linesHigh * fontMetrics().height())};
}

QSize GeometrySketch::minimumSizeHint() const
{
    return {0, sizeHint().height()};
}

// Puts into words what the sketch shows, for those who don't see it.
void GeometrySketch::describe()
{
    QStringList sentences;
    sentences << (!m_geometry.isCone   ? tr("A parallel beam: all rays meet the detector at right angles.")
                  : m_geometry.hasRows ? tr("A cone beam: source, object with its rotation axis, and detector.")
                                       : tr("A fan beam: source, object with its rotation axis, and one row."));
    if (m_geometry.tiltRad != 0)
        sentences << (m_geometry.tiltRad > 0 ? tr("The top of the axis leans towards the detector.")
                                             : tr("The top of the axis leans towards the source."));
    if (m_geometry.rollRad != 0)
        sentences << (m_geometry.rollRad > 0 ? tr("The top of the axis leans towards higher bins.")
                                             : tr("The top of the axis leans towards lower bins."));
    if (m_geometry.offsetUMm != 0)
        sentences << (m_geometry.offsetUMm > 0
                          ? tr("The middle of the detector lies towards higher bins from the central ray.")
                          : tr("The middle of the detector lies towards lower bins from the central ray."));
    if (m_geometry.offsetVMm != 0)
        sentences << (m_geometry.offsetVMm > 0 ? tr("The middle of the detector lies below the central ray.")
                                               : tr("The middle of the detector lies above the central ray."));
    if (m_emphasised)
        sentences << tr("Emphasised: %1.").arg(translated(m_emphasised->summary).section(u'\n', 0, 0));
    setAccessibleDescription(sentences.join(QLatin1Char(' ')));
}

void GeometrySketch::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QFont small = font();
    small.setPointSizeF(0.9 * small.pointSizeF());
    painter.setFont(small);
    SketchPainter sketch(painter, palette(), m_geometry, m_emphasised);
    const double split = shareOfSide * width();
    sketch.fromSide(QRectF(0, 0, split, height()));
    sketch.fromSource(QRectF(split, 0, width() - split, height()));
}

} // namespace ui
