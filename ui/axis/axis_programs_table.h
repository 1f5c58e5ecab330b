// SPDX-License-Identifier: GPL-3.0-or-later
// A table of the current axis in the conventions of other programs, one row per program, below a heading that
// describes the axis.
#pragma once

#include "engine/axis/tilt.h"
#include "engine/scan/scan.h"

#include <QObject>

#include <optional>
#include <vector>

class QGridLayout;
class QLabel;
class QToolButton;

namespace ui
{

class AxisProgramsTable : public QObject
{
    Q_OBJECT
  public:
    AxisProgramsTable();

    QLabel* heading() const { return m_heading; } // both belong to the layout that they are added to
    QGridLayout* rows() const { return m_rows; }

    void setAxis(const std::optional<double>& bins) { m_axis = bins; } // of the current image
    void setTilt(double degrees) { m_tiltDeg = degrees; }
    // found: the result of the search in several rows, which may differ from the current axis. scan: may be null.
    void show(const std::optional<engine::AxisTilt>& found, const engine::Scan* scan);

  private:
    QString headingText(const std::optional<engine::AxisTilt>& found) const;

    QLabel* m_heading;
    QGridLayout* m_rows;
    std::vector<QLabel*> m_numbers; // in the order of engine::axisPrograms()
    std::vector<QToolButton*> m_copies;
    std::optional<double> m_axis;
    double m_tiltDeg = 0;
};

} // namespace ui
