// SPDX-License-Identifier: GPL-3.0-or-later
// Slices with the axis a little to the left and right of the present one, and a curve of how sharp they are: a click
// takes one, and the step halves.
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

class TrialStrip : public QWidget
{
    Q_OBJECT
  public:
    static constexpr int count = TrialPictures::count; // the present axis is the one in the middle

    explicit TrialStrip(QWidget* parent = nullptr);
    ~TrialStrip() override;

    // What the slices are of; they are made while this is on screen, and not again for the same.
    void setRequest(const engine::Request& request);
    void showUsed(const engine::Reconstruction& made); // the present axis
    void clear();

    double stepBins() const;
    void setStep(double bins);
    const std::vector<TrialSlice>& trials() const { return m_pictures->trials(); }
    bool busy() const { return m_task.busy(); }

  signals:
    void chosen(double axisBins); // the step is still the one that it was chosen from

  protected:
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    struct Maker;

    void make();
    void showLegend();
    void take(std::size_t k);

    std::optional<engine::Request> m_request;
    std::optional<double> m_axis; // present
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
    QLabel* m_said;
    BackgroundTask m_task; // last: cancels and waits
};

} // namespace ui
