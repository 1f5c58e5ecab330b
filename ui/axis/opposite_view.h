// SPDX-License-Identifier: GPL-3.0-or-later
// Lines of two opposite views, one of them mirrored about the axis: they coincide if the axis is right. Dragging
// sideways moves the axis.
#pragma once

#include "engine/axis/axis.h"

#include <QWidget>

#include <optional>

namespace ui
{

class OppositeView : public QWidget
{
    Q_OBJECT
  public:
    explicit OppositeView(QWidget* parent = nullptr);

    void setLines(std::optional<engine::OppositeLines> lines);
    void setAxis(double bins);
    // Returns by how many bins a drag by one pixel moves the axis. The mirrored view then moves by one pixel.
    double axisPerPixel() const;

    QSize sizeHint() const override;

  signals:
    void moved(double bins); // change of the axis during a drag
    void released();

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    QPolygonF curve(const std::vector<double>& values, bool isMirrored) const;

    std::optional<engine::OppositeLines> m_lines;
    double m_least = 0, m_most = 1;
    double m_axis = 0;
    std::optional<double> m_previous; // position of the pointer during a drag
};

} // namespace ui
