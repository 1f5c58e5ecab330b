// The two stacked plots: curves above, absolute differences below, one x axis. On screen, in
// exported figures and in reports.
#pragma once

#include "ui/profile/profile_curves.h"
#include "ui/profile/stable_range.h"
#include "ui/widgets/plot_style.h"

#include <QVariantAnimation>

#include <array>
#include <optional>

namespace ui
{

class ProfilePlot : public Plot
{
    Q_OBJECT
  public:
    // `figure`: for a file, black on white, whole titles in the legend, nothing animated.
    explicit ProfilePlot(bool figure, QWidget* parent = nullptr);

    void setCurves(const ProfileCurves& curves);
    void setLogarithmic(bool logarithmic);                     // the differences
    void setNotes(const QString& upper, const QString& lower); // quiet words where there are no curves
    void forgetRanges();                                       // the next curves are another scan's: fit at once
    const ProfileCurves& curves() const { return m_curves; }
    double cursor() const { return m_cursor; } // NaN: nowhere
    void showAll();                            // not zoomed any more
    void pointAt(double position);             // along the line; NaN: nowhere

    QPixmap figure(int width, int height, double scale);

  signals:
    void pointed(double position);     // along the line, by the user; NaN when the pointer left
    void cursorMoved(double position); // by whomever

  protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    void build();
    void makeGraphs();
    void colourGraphs();
    void fillGraphs();
    void followRanges();
    void showRanges(double fraction);
    void updateLabels();
    void applyColours();
    void zoomPositions(double factor, double about);
    void setPositions(const QCPRange& range);
    void point(double position);

    bool m_figure;
    bool m_logarithmic = false;
    CurveColours m_colours;
    ProfileCurves m_curves;
    QCPAxisRect* m_upper = nullptr;
    QCPAxisRect* m_lower = nullptr;
    QCPLegend* m_upperLegend = nullptr;
    QCPLegend* m_lowerLegend = nullptr;
    QVector<QCPGraph*> m_valueGraphs; // one per curve
    QVector<QCPGraph*> m_errorGraphs; // one per curve, null without differences
    QCPItemText* m_upperNote = nullptr;
    QCPItemText* m_lowerNote = nullptr;
    QCPItemStraightLine* m_upperCursor = nullptr;
    QCPItemStraightLine* m_lowerCursor = nullptr;
    double m_cursor;
    std::optional<QCPRange> m_positions; // zoomed to, within the line
    std::array<bool, 2> m_zoomed{};      // whether the values and the differences are, by the user
    QPointF m_dragged;                   // where the pointer was
    bool m_isDragging = false;

    StableRange m_valueRange, m_errorRange, m_logErrorRange; // the last in powers of ten
    QCPRange m_fromValue, m_fromError;
    QVariantAnimation m_animation;
};

// Name by the suffix: .pdf (vectors) or .png (twice the pixels). Under a temporary name, renamed
// when complete. Throws engine::Error(output).
void writeProfileImage(const QString& path, const ProfileCurves& curves, bool logarithmic, int width = 900,
                       int height = 560);

} // namespace ui
