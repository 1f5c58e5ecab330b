// Under the axis of the settings: where each way to find it puts it, two opposite views over each other, and what other
// programs call it.
#pragma once

#include "engine/axis/find_axis.h"
#include "engine/axis/tilt.h"
#include "engine/reconstruct/reconstruction.h"
#include "ui/background/background_task.h"

#include <QWidget>

#include <optional>

class QGridLayout;
class QLabel;
class QToolButton;

namespace ui
{

class FoldOut;
class OppositeView;

class AxisPanel : public QWidget
{
    Q_OBJECT
  public:
    explicit AxisPanel(QWidget* parent = nullptr);
    ~AxisPanel() override;

    void setRequest(const engine::Request& request);   // the chosen setting's; searched while it is unfolded
    void showUsed(const engine::Reconstruction& made); // the axis that is shown
    void setAxis(double bins);                         // while it is dragged
    void clear();

    const std::optional<engine::AxisCandidates>& candidates() const { return m_found; }
    const std::optional<engine::AxisTilt>& tilt() const { return m_tilt; }
    bool busy() const { return m_task.busy() || m_tiltTask.busy(); }

  signals: // by the user
    void chosen(double bins);
    void chosenWithTilt(double bins, double tiltDeg);
    void moved(double bins); // by so much, as part of a drag
    void released();
    void trialsWanted();

  private:
    void makePrograms();
    void search();
    void searchTilt(); // in several rows, when it is asked for
    void showTilt(const QString& instead = {});
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
    std::optional<double> m_axis; // in use, as the tilt
    double m_tiltDeg = 0;
    bool m_isDoubtful = false, m_isUnfolded = false;

    FoldOut* m_fold;
    QWidget* m_table = nullptr;
    QLabel* m_together;
    OppositeView* m_opposite;
    QToolButton *m_findTilt, *m_useTogether, *m_takeTilt;
    QLabel* m_tiltText;
    QLabel* m_programsOf; // which axis they have other numbers for
    QGridLayout* m_programs;
    std::vector<QLabel*> m_numbers; // of other programs, in the order of their table
    std::vector<QToolButton*> m_copies;
    std::optional<engine::AxisTilt> m_tilt;
    BackgroundTask m_task, m_tiltTask; // last: cancel and wait
};

} // namespace ui
