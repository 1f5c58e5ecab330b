// SPDX-License-Identifier: GPL-3.0-or-later
// A strip of trial slices with the axis slightly to the left and right of the current one, and a curve of their
// sharpness. A click takes the axis of a slice and halves the step.
#pragma once

#include "engine/reconstruct/reconstruction.h"
#include "ui/axis/trial_pictures.h"
#include "ui/background/background_task.h"

#include <QWidget>

#include <memory>
#include <optional>
#include <vector>

class QDoubleSpinBox;
class QLabel;

namespace ui
{

class TaskRow;

class TrialStrip : public QWidget
{
    Q_OBJECT
  public:
    static constexpr int count = TrialPictures::count; // the middle one has the current axis

    explicit TrialStrip(QWidget* parent = nullptr);
    ~TrialStrip() override;

    // Sets what the slices show. They are reconstructed while the strip is visible, and not again for an equal
    // request.
    void setRequest(const engine::Request& request);
    void showUsed(const engine::Reconstruction& made); // takes its axis as the current one
    void clear();

    double stepBins() const;
    void setStep(double bins);
    const std::vector<TrialSlice>& trials() const { return m_pictures->trials(); }
    bool busy() const { return m_task.busy(); }

  signals:
    void chosen(double axisBins); // emitted before the step is halved

  protected:
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    struct Maker;

    void make();
    QString hint() const;
    void showLegend();
    void take(std::size_t k);

    std::optional<engine::Request> m_request;
    std::optional<double> m_axis; // the current axis
    struct Made {
        engine::Request request;
        double axis = 0, step = 0;
        bool operator==(const Made&) const = default;
    };
    std::optional<Made> m_made;
    std::shared_ptr<Maker> m_maker;
    int m_run = 0;

    TrialPictures* m_pictures;
    QDoubleSpinBox* m_step;
    QWidget* m_steps; // the step and its buttons
    QLabel* m_said;
    TaskRow* m_busy = nullptr;
    BackgroundTask m_task; // declared last: destroyed first, which cancels and waits
};

} // namespace ui
