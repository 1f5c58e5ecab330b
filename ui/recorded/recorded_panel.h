// SPDX-License-Identifier: GPL-3.0-or-later
// What the scan recorded, beside a slice of it: the sinogram of its row and a projection, as recorded, prepared, or
// before and after a step of preparation; a film of the projections. What is pointed at in one is shown in the others.
#pragma once

#include "engine/reconstruct/recorded_images.h"
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
    ~RecordedPanel() override; // cancels and waits

    // Another scan, or the same rows with another geometry; null: none. The projection stays where there is one.
    void setScan(const std::shared_ptr<const engine::Scan>& scan);
    // What is asked for; nothing is read until show() or release(): an image comes first.
    void hold(const Comparison& asked);
    void release();
    void show(const Comparison& comparison); // its A: slice, preparation, axis
    using QWidget::show;

    void setShown(const engine::Look& look);
    // Its difference, or as a step was looked at last; what comes out of one that has no difference.
    void lookAt(const QString& step);
    bool isAtStep() const; // before it, after it or at its difference
    void setProjection(int projection);
    void step(int by); // from the last one on to the first
    void play(bool on);
    int projection() const;
    bool isPlaying() const;
    bool busy() const; // reading

    void setColourMap(const QString& name); // one of colourMaps()
    void saveState(QSettings& settings) const;
    void restoreState(const QSettings& settings);

  public slots:
    void pointAt(const std::optional<QPointF>& position); // on the slice; the last one stays

  signals:
    void sliceWanted(int slice);
    void guidesChanged(const std::vector<Guide>& guides);   // to lie over the slice
    void pointKept(const std::optional<QPointF>& position); // on the slice, without the pointer
    void pointerMoved(const QString& text);                 // as ImagePanel's
    void playingChanged(bool playing);
    void settled(); // everything that was asked for is shown, or can't be

  protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

  private:
    void makeParts();
    void arrange();
    void connectParts();
    void hold();
    void refresh(); // reads what is to be shown and isn't
    RecordedRequest requestOf(int number) const;
    void showTitles();
    void showColours();
    void showSlow(); // what is still being read
    void reportIfSettled();

    std::shared_ptr<const engine::Scan> m_scan;
    std::optional<engine::Request> m_request; // of the image that is shown
    bool m_held = true;
    int m_colourMap = 0;
    QTimer m_slow;
    std::shared_ptr<ProjectionReading> m_reading; // kept from one projection to the next
    std::unique_ptr<LookChooser> m_looks;
    ProjectionBar* m_bar;
    std::unique_ptr<RecordedImage> m_sinogram, m_projection;
    std::unique_ptr<RecordedLinks> m_links;
};

} // namespace ui
