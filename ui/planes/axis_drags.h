// SPDX-License-Identifier: GPL-3.0-or-later
// The rotation axis and its tilt on the page Planes: dragged while the planes follow.
#pragma once

#include <QWidget>

#include <optional>

namespace ui
{

class DragField;

class AxisDrags : public QWidget
{
    Q_OBJECT
  public:
    explicit AxisDrags(QWidget* parent = nullptr);

    void setAxis(std::optional<double> bins); // nothing: not known yet
    void setTilt(std::optional<double> deg);  // nothing: the projections of this scan aren't turned back

  signals:
    void axisMoved(double bins); // changes, in one step of a drag
    void tiltMoved(double deg);
    void released();

  private:
    DragField *m_axis, *m_tilt;
};

} // namespace ui
