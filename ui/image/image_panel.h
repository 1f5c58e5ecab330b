// Linked images: A, B and their difference, beside each other or composed, with a grey window, a colour map and a
// profile line.
#pragma once

#include "ui/comparison.h"
#include "ui/image/difference_kind.h"
#include "ui/views/views.h"

#include <QWidget>

#include <memory>

class QSettings;

namespace ui
{

class ImagePanel : public QWidget
{
    Q_OBJECT
  public:
    explicit ImagePanel(QWidget* parent = nullptr);
    ~ImagePanel() override;

    using QWidget::show;
    // Shows A, B and A − B. Zoom, pan, grey windows and the line stay as they are, unless the slice
    // size changed (another scan): then everything is fitted again. A grey window that was taken from a coarse preview
    // is taken again from the first full image, unless the user has chosen one.
    void show(const Comparison& comparison);
    void clear(const QString& message = {}); // nothing open, or why nothing can be shown
    // What the images that aren't there say, until the next show().
    void showExpected(const QString& timeLeft); // "12 s left", of B
    void showStopped(const QString& why);       // they won't come by themselves
    void showComputing();                       // they are asked for again

    engine::Line line() const;                                   // in pixels of the whole slice
    void setLine(const engine::Line& line);                      // no signal
    std::optional<engine::Region> region() const;                // rectangle drawn for metrics, if any
    void setRegion(const std::optional<engine::Region>& region); // within the slice; with a signal where it is another

    using Content = ui::Content;
    const View& view() const; // which images are there
    bool windowShared() const;
    bool lineVisible() const;
    QString colourMap() const; // one of colourMaps()
    DifferenceKind differenceKind() const;
    int titleHeight() const;
    int heightFor(int width) const; // at which square images fill that width

    QImage rendered(Content content) const; // as coloured on screen, one pixel a pixel
    void saveState(QSettings& settings) const;
    void restoreState(const QSettings& settings);

  public slots:
    void fit();
    void zoomIn();
    void zoomOut();
    void actualPixels();    // one image pixel = one screen pixel
    void autoWindow();      // grey window from the 0.5 and 99.5 percentiles of A
    void windowOfVisible(); // the same of the part of A that is on screen
    void setColourMap(const QString& name);
    void setDifferenceKind(ui::DifferenceKind kind);
    void setWindowShared(bool shared); // A and B share one grey window, or have their own
    void setLineVisible(bool visible);
    void setView(const ui::View& view); // of the table; zoom and pan stay, a fitted slice is fitted again
    QStringList colourMaps() const;

  signals:
    void lineChanged(const engine::Line& line); // while it is dragged
    void regionChanged();
    void viewChanged(const ui::View& view);
    void windowSharedChanged(bool shared); // by the strip, the menu or the session
    void lineVisibleChanged(bool visible);
    void colourMapChanged(const QString& name);
    void differenceKindChanged(ui::DifferenceKind kind);
    void pointerMoved(const QString& text); // "x 120 · y 88 · A 0.0213 · B 0.0212 · A − B 1.0e−4 1/mm", empty outside

  protected:
    void changeEvent(QEvent* event) override;

  private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace ui
