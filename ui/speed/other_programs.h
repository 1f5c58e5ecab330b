// SPDX-License-Identifier: GPL-3.0-or-later
// A window about the speed of other programs: measured here, in a Python environment of the user's, and elsewhere.
#pragma once

#include "engine/measure/others.h"
#include "engine/measure/published_speeds.h"
#include "ui/speed/bar_rows.h"
#include "ui/speed/speed_rows.h"

#include <QDialog>

#include <memory>

namespace ui
{

// Return a row for each program; the fastest has the longest bar.
std::vector<BarRow> otherProgramRows(const std::vector<engine::OtherProgram>& programs);
std::vector<BarRow> publishedRows(const engine::PublishedGroup& group);

// Returns the slowest program but Sinoscope whose image agrees; timesAsLong 0 if there is none.
OtherSpeed slowestOther(const std::vector<engine::OtherProgram>& programs);

class OtherPrograms : public QDialog
{
    Q_OBJECT
  public:
    explicit OtherPrograms(QWidget* parent = nullptr);
    ~OtherPrograms() override; // cancels a measurement

  signals:
    void measured(const std::vector<engine::OtherProgram>& programs);

  private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace ui
