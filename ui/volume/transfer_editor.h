// SPDX-License-Identifier: GPL-3.0-or-later
// Histogram of a stack with the opacity drawn over it, or with the value of an isosurface. Both are edited by mouse and
// keyboard.
#pragma once

#include "ui/image/colour_map.h"
#include "ui/volume/opacity_curve.h"

#include <QWidget>

#include <optional>

namespace ui
{

class TransferEditor : public QWidget
{
    Q_OBJECT
  public:
    explicit TransferEditor(QWidget* parent = nullptr);

    // These functions emit no signals.
    void setRange(const StackValues& range);
    void setColours(const ColourTable& colours);
    void setCurve(const OpacityCurve& curve);        // chooses its first point if the chosen one doesn't exist
    void setIsosurface(std::optional<double> value); // set: shown instead of the curve
    const OpacityCurve& curve() const { return m_curve; }
    std::optional<double> isosurface() const { return m_isosurface; }
    std::size_t chosen() const { return m_chosen; } // point of the curve

    QPointF positionOf(const OpacityPoint& point) const; // in the widget
    OpacityPoint pointAt(const QPointF& position) const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

  signals:
    void curveEdited();
    void isosurfaceEdited();
    void pointChosen();
    void dragged(bool isDragged); // begins or ends

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override; // keys of the editor come before those of the menus

  private:
    QRectF area() const; // of the histogram
    std::optional<std::size_t> pointNear(const QPointF& position) const;
    void choose(std::size_t point);
    void edit(const OpacityCurve& curve, std::size_t chosen);
    void moveIsosurface(double value);
    bool handleKey(int key, Qt::KeyboardModifiers modifiers);
    void drawCurve(QPainter& painter) const;
    void drawIsosurface(QPainter& painter) const;

    StackValues m_range;
    ColourTable m_colours{};
    OpacityCurve m_curve = {{0, 0}, {1, 1}};
    std::optional<double> m_isosurface;
    std::size_t m_chosen = 0;
    bool m_isDragged = false;
};

} // namespace ui
