// SPDX-License-Identifier: GPL-3.0-or-later
// The two plots of a profile: curves above, absolute differences below, or side by side if there is little height. They
// are used on screen, in exported figures and in reports.
#pragma once

#include "ui/profile/profile_curves.h"
#include "ui/profile/profile_pane.h"
#include "ui/profile/profile_ranges.h"
#include "ui/widgets/drawing.h"

#include <memory>
#include <optional>

namespace ui
{

class ProfilePlot : public Plot
{
    Q_OBJECT
  public:
    // figure: for a file, black on white, no animation; a single setting has its whole title in the legend.
    explicit ProfilePlot(bool figure, QWidget* parent = nullptr);

    void setCurves(const ProfileCurves& curves);
    void setLogarithmic(bool logarithmic);                     // scale of the differences
    void showDifferences(bool shown);                          // from the next curves on
    void setNotes(const QString& upper, const QString& lower); // shown where there are no curves
    void forgetRanges();                                       // fits the next curves anew, for another scan
    const ProfileCurves& curves() const { return m_curves; }
    double cursor() const { return m_cursor; } // NaN: none
    void showAll();                            // undoes the zoom
    void pointAt(double position);             // along the line; NaN: none

  signals:
    void pointed(double position);     // along the line; NaN when the pointer left
    void cursorMoved(double position); // by the user or by pointAt(), or the curves changed

  protected:
    void restyle() override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    void makePanes();
    void placeLower();
    void makeGraphs();
    void fillLegend();
    void fitLegend();
    void colourGraphs();
    void markLine(QCPGraph* graph, const Curve& curve) const;
    void fillGraphs();
    bool updateLabels(); // returns whether a label changed
    void applyColours();
    void zoomPositions(double factor, double about);
    void setPositions(const QCPRange& range);
    void point(double position);
    QCPRange positions() const; // visible range
    ProfileRanges::Pane paneAt(const QPointF& place) const;
    const ProfilePane& paneUnder(const QPointF& place) const;

    bool m_figure;
    const QPalette m_paper = paperPalette();
    CurveLegend* m_legend = nullptr;
    QCPLayoutGrid* m_panes = nullptr; // below the legend
    CurveColours m_colours;
    ProfileCurves m_curves;
    std::optional<ProfilePane> m_upper, m_lower; // values, differences
    std::unique_ptr<ProfileRanges> m_ranges;
    double m_cursor;
    std::optional<QCPRange> m_positions; // zoomed range, within the line
    QPointF m_dragged;                   // previous position of the pointer
    bool m_isDragging = false;
    bool m_isSlim = false; // the panes are side by side
    bool m_hasLower = true;
};

// Draws both panes for a figure; empty without curves.
Drawing drawingOf(const ProfileCurves& curves, bool logarithmic);

} // namespace ui
