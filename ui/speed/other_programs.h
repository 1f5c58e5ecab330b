// SPDX-License-Identifier: GPL-3.0-or-later
// A window about the speed of other programs: measured here, in a Python environment of the user's, and elsewhere.
#pragma once

#include "engine/measure/others.h"
#include "engine/measure/published_speeds.h"
#include "ui/speed/bar_rows.h"
#include "ui/speed/measuring_dialog.h"
#include "ui/speed/speed_rows.h"

class QLineEdit;

namespace ui
{

// Return a row for each program; the fastest has the longest bar.
std::vector<BarRow> otherProgramRows(const std::vector<engine::OtherProgram>& programs);
std::vector<BarRow> publishedRows(const engine::PublishedGroup& group);

// Returns the slowest program but Sinoscope whose image agrees; timesAsLong 0 if there is none.
OtherSpeed slowestOther(const std::vector<engine::OtherProgram>& programs);

class OtherPrograms : public MeasuringDialog
{
    Q_OBJECT
  public:
    explicit OtherPrograms(QWidget* parent = nullptr);

  signals:
    void measured(const std::vector<engine::OtherProgram>& programs);

  private:
    QWidget* measuredHere();
    void begin();
    void take(const std::vector<engine::OtherProgram>& programs);

    QLineEdit* m_python;
    QPushButton* m_measure;
    BarRows* m_here;
};

} // namespace ui
