// SPDX-License-Identifier: GPL-3.0-or-later
// The panel under the axis of the settings: the result of each method to find it, two superimposed opposite views,
// and the axis in the conventions of other programs.
#pragma once

#include "engine/axis/find_axis.h"
#include "engine/axis/tilt.h"
#include "engine/reconstruct/reconstruction.h"
#include "ui/background/background_task.h"

#include <QWidget>

#include <memory>
#include <optional>

class QLabel;
class QToolButton;

namespace ui
{

class AxisProgramsTable;
class FoldOut;
class OppositeView;
class TaskRow;
class TiltSearch;

class AxisPanel : public QWidget
{
    Q_OBJECT
  public:
    explicit AxisPanel(QWidget* parent = nullptr);
    ~AxisPanel() override;

    void setRequest(const engine::Request& request);   // of the chosen setting; searches while the panel is unfolded
    void showUsed(const engine::Reconstruction& made); // shows the used axis
    void setAxis(double bins);                         // during a drag
    void clear();

    const std::optional<engine::AxisCandidates>& candidates() const { return m_found; }
    const std::optional<engine::AxisTilt>& tilt() const;
    bool busy() const;

  signals: // emitted after actions of the user
    void chosen(double bins);
    void chosenWithTilt(double bins, double tiltDeg);
    void moved(double bins); // the axis moved by `bins`, in one step of a drag
    void released();
    void trialsWanted();

  private:
    void arrange();
    void connectParts();
    void search();
    void showCandidates();
    void showPrograms();
    void setTitle();

    std::optional<engine::Request> m_request;
    std::optional<engine::AxisCandidates> m_found;
    struct Searched {
        std::shared_ptr<const engine::Scan> scan;
        engine::PreparationSettings preparation;
        bool operator==(const Searched&) const = default;
    };
    std::optional<Searched> m_searched;
    bool m_isDoubtful = false, m_isUnfolded = false, m_isCancelled = false;

    FoldOut* m_fold;
    QWidget* m_table = nullptr;
    QLabel* m_together;
    TaskRow* m_busy = nullptr;
    OppositeView* m_opposite;
    QToolButton* m_useTogether;
    std::unique_ptr<AxisProgramsTable> m_programs;
    std::unique_ptr<TiltSearch> m_tilt;
    BackgroundTask m_task; // declared last: destroyed first, which cancels and waits
};

} // namespace ui
