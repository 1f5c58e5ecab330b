// SPDX-License-Identifier: GPL-3.0-or-later
// Trial slices in a row, and the curves of how sharp they are below.
#pragma once

#include "engine/axis/trial_slices.h"

#include <QImage>
#include <QWidget>

#include <optional>
#include <vector>

class QPainter;

namespace ui
{

// One of them. Sharpness: least is sharpest.
struct TrialSlice {
    double axisBins = 0;
    QImage image;
    std::optional<engine::Sharpness> sharpness;
};

class TrialPictures : public QWidget
{
    Q_OBJECT
  public:
    static constexpr int count = 7; // the present axis is the one in the middle

    explicit TrialPictures(QWidget* parent);

    const std::vector<TrialSlice>& trials() const { return m_trials; }
    void setTrials(std::vector<TrialSlice> trials); // none, or as many as there are
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
