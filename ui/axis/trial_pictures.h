// SPDX-License-Identifier: GPL-3.0-or-later
// A row of trial slices, above curves of their sharpness. The one pointed at is also shown large.
#pragma once

#include "engine/axis/trial_slices.h"

#include <QImage>
#include <QPointer>
#include <QWidget>

#include <optional>
#include <vector>

class QLabel;
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
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void hideEvent(QHideEvent* event) override;

  private:
    QRectF cell(std::size_t k) const;
    std::optional<std::size_t> at(const QPointF& position) const;
    void showLarge(std::optional<std::size_t> k);
    void drawCurve(QPainter& painter, double engine::Sharpness::*measure, const QColor& colour,
                   const QRectF& place) const;

    std::vector<TrialSlice> m_trials;
    std::size_t m_focused = count / 2;
    std::optional<std::size_t> m_large; // the slice that is also shown large
    QPointer<QLabel> m_label;           // shows it; a child of the window
};

} // namespace ui
