// SPDX-License-Identifier: GPL-3.0-or-later
// Histogram of an image (log scale) over its colours, with a handle for each end of the grey window.
#pragma once

#include "ui/image/shading.h"

#include <QPainterPath>
#include <QWidget>

namespace ui
{

// Returns the outline of a histogram (log scale), closed along the lower edge of the area; empty without counts.
QPainterPath histogramPath(const std::vector<int>& counts, const QRectF& area);
QImage colourStrip(const ColourTable& colours); // from the low end to the high one

class HistogramBar : public QWidget
{
    Q_OBJECT
  public:
    static constexpr int bins = 256;

    explicit HistogramBar(QWidget* parent = nullptr);

    void setHistogram(const std::vector<int>& counts, const GreyWindow& domain); // domain: values at both ends
    void setWindow(const GreyWindow& window);
    void setColours(const ColourTable& colours);

    double positionOf(double value) const; // x of a value in the widget
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

  signals:
    void windowDragged(const ui::GreyWindow& window); // while a handle, or the middle, is dragged

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

  private:
    enum class Grip { none, low, high, both };

    Grip gripAt(double x) const;
    double valueAt(double x) const;
    void drawCounts(QPainter& painter, const QRectF& area) const;
    void drawColours(QPainter& painter, const QRectF& area) const;
    void drawHandle(QPainter& painter, double x) const;

    std::vector<int> m_counts;
    GreyWindow m_domain, m_window, m_windowAtPress;
    ColourTable m_colours{};
    Grip m_grip = Grip::none;
    double m_pressedValue = 0;
};

// Strip with the colours of the difference.
class DifferenceBar : public QWidget
{
    Q_OBJECT
  public:
    explicit DifferenceBar(QWidget* parent = nullptr);
    void setColours(const ColourTable& colours);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    ColourTable m_colours{};
};

} // namespace ui
