// SPDX-License-Identifier: GPL-3.0-or-later
// A row of trial slices, above curves of their sharpness.
#pragma once

#include "engine/axis/trial_slices.h"

#include <QImage>
#include <QWidget>

#include <optional>
#include <vector>

class QPainter;

namespace ui
{

// A trial slice. The measures of sharpness are smallest for the sharpest slice.
struct TrialSlice {
    double axisBins = 0;
    QImage image;
    std::optional<engine::Sharpness> sharpness;
};

class TrialPictures : public QWidget
{
    Q_OBJECT
  public:
    static constexpr int count = 7; // the middle one has the current axis

    explicit TrialPictures(QWidget* parent);

    const std::vector<TrialSlice>& trials() const { return m_trials; }
    void setTrials(std::vector<TrialSlice> trials); // none, or `count`
    void setTrial(std::size_t k, TrialSlice trial);

  signals:
    void taken(std::size_t k); // by the user

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    QRectF cell(std::size_t k) const;
    void drawCurve(QPainter& painter, double engine::Sharpness::*measure, const QColor& colour,
                   const QRectF& place) const;

    std::vector<TrialSlice> m_trials;
    std::size_t m_focused = count / 2;
};

} // namespace ui
