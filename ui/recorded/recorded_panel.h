// SPDX-License-Identifier: GPL-3.0-or-later
// Recorded data beside a slice: the sinogram of its row and a projection, as recorded, prepared, or before and after
// a step of preparation; and a film of the projections. What is pointed at in one is shown in the others.
#pragma once

#include "engine/stages/recorded_images.h"
#include "ui/background/comparison.h"
#include "ui/image/overlay.h"

#include <QTimer>
#include <QWidget>

#include <memory>
#include <optional>
#include <vector>

class QSettings;

namespace ui
{

class LookChooser;
class MarkedRows;
class ProjectionBar;
class RecordedImage;
class RecordedLinks;
struct ProjectionReading;
struct RecordedRequest;

class RecordedPanel : public QWidget
{
    Q_OBJECT
  public:
    explicit RecordedPanel(QWidget* parent = nullptr);
    ~RecordedPanel() override; // cancels reading and waits

    // Sets another scan, or the same rows with another geometry; null: none. The projection number stays if the
    // number of projections does.
    void setScan(const std::shared_ptr<const engine::Scan>& scan);
    // Takes the request. Nothing is read until show() or release(), as the reconstructed image comes first.
    void hold(const Comparison& asked);
    void release();
    void show(const Comparison& comparison); // takes slice, preparation and axis from its A
    using QWidget::show;

    void setShown(const engine::Look& look);
    // Shows a step of preparation: its difference or, if the panel shows a step already, the same view (before, after
    // or difference) of the new one. Shows the output of a step that has no difference.
    void lookAt(const QString& step);
    bool isAtStep() const; // before a step, after it, or at its difference
    void setProjection(int projection);
    void step(int by); // wraps around at both ends
    void play(bool on);
    int projection() const;
    bool isPlaying() const;
    bool busy() const;                                    // whether it is reading
    std::optional<engine::RowRange> markedSlices() const; // of the band that the user drew on the projection

    void setColourMap(const QString& name); // name in colourMaps()
    void saveState(QSettings& settings) const;
    void restoreState(const QSettings& settings);

  public slots:
    void pointAt(const std::optional<QPointF>& position); // on the slice; null keeps the last point

  signals:
    void sliceWanted(int slice);
    void guidesChanged(const std::vector<Guide>& guides);   // lines to draw over the slice
    void pointKept(const std::optional<QPointF>& position); // point on the slice, shown while the pointer is elsewhere
    void pointerMoved(const QString& text);                 // see ImagePanel::pointerMoved()
    void playingChanged(bool playing);
    void settled(); // all requested images are shown or have failed

  protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

  private:
    void makeParts();
    void arrange();
    void connectParts();
    void hold();
    void refresh(); // reads images that should be shown and aren't
    RecordedRequest requestOf(int number) const;
    void showTitles();
    void showColours();
    void showSlow(); // marks images that are still being read
    void reportIfSettled();

    std::shared_ptr<const engine::Scan> m_scan;
    std::optional<engine::Request> m_request; // of the image that is shown
    bool m_held = true;
    int m_colourMap = 0;
    QTimer m_slow;
    std::shared_ptr<ProjectionReading> m_reading; // reused from one projection to the next
    std::unique_ptr<LookChooser> m_looks;
    ProjectionBar* m_bar;
    std::unique_ptr<RecordedImage> m_sinogram, m_projection;
    std::unique_ptr<RecordedLinks> m_links;
    std::unique_ptr<MarkedRows> m_marked;
};

} // namespace ui
