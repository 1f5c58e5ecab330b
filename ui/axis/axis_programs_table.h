// SPDX-License-Identifier: GPL-3.0-or-later
// The axis in use, in the numbers of other programs: a row for each, under a line that says which axis it is.
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

    QLabel* heading() const { return m_heading; } // both belong to the layout that they are put into
    QGridLayout* rows() const { return m_rows; }

    void setAxis(const std::optional<double>& bins) { m_axis = bins; } // in use
    void setTilt(double degrees) { m_tiltDeg = degrees; }
    // found: from several rows, which may be another one; scan: null where there is none.
    void show(const std::optional<engine::AxisTilt>& found, const engine::Scan* scan);

  private:
    QString headingText(const std::optional<engine::AxisTilt>& found) const;

    QLabel* m_heading;
    QGridLayout* m_rows;
    std::vector<QLabel*> m_numbers; // in the order of the table of programs
    std::vector<QToolButton*> m_copies;
    std::optional<double> m_axis;
    double m_tiltDeg = 0;
};

} // namespace ui
