// One image on screen: exact pixels, an overlay, and the mouse. Several are linked by a shared viewpoint.
#pragma once

#include "ui/image/overlay.h"
#include "ui/image/shading.h"

#include <QGraphicsView>

#include <memory>

namespace ui
{

// What part of the slice is seen: the same in all linked views.
struct Viewpoint {
    QPointF centre;   // pixel of the slice in the middle of the view
    double scale = 1; // device-independent pixels per pixel of the slice
    bool fitted = true;
    bool operator==(const Viewpoint&) const = default;
};

// Keeps no state that is shared: it asks for changes by signals, and is told the outcome.
class ImageView : public QGraphicsView
{
    Q_OBJECT
  public:
    explicit ImageView(QWidget* parent = nullptr);

    void setSliceSize(int size); // pixels along each side; 0: nothing to see
    void setPixels(const Pixels& pixels);
    void setColouring(const GreyWindow& window, const ColourTable& colours);
    // Dimmed: an image that is kept only until the next one is there. The message lies over the image.
    void setDimmed(bool dimmed);
    void setMessage(const QString& message);
    void setViewpoint(const Viewpoint& viewpoint);
    void setOverlay(const Overlay& overlay); // its marker is not drawn under the pointer itself

    const Pixels& pixels() const { return m_pixels; }
    const QString& message() const { return m_message; }
    QImage rendered() const; // one pixel a pixel
    double fittingScale() const;
    double devicePixel() const; // in device-independent pixels
    QPointF toSlice(const QPointF& viewportPosition) const;
    QPointF toViewport(const QPointF& slicePosition) const;

  public slots:
    void zoomBy(double factor, const QPointF& viewportPosition); // keeps that position where it is
    void zoomBy(double factor);                                  // about the middle

  signals:
    void viewpointRequested(const ui::Viewpoint& viewpoint);
    void fitRequested();
    void lineDragged(const engine::Line& line);
    void regionDrawn(const std::optional<engine::Region>& region);
    void pointerAt(const QPointF& slicePosition);
    void pointerLeft();
    void resized();

  protected:
    void drawBackground(QPainter* painter, const QRectF& rectangle) override;
    void drawForeground(QPainter* painter, const QRectF& rectangle) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    bool viewportEvent(QEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    enum class Drag { none, pan, line, region };

    void placeViewpoint();
    void panBy(const QPointF& viewportOffset);
    LinePart linePartAt(const QPointF& viewportPosition) const;
    void showCursorFor(const QPointF& viewportPosition);
    void drawMessage(QPainter& painter) const;
    void forgetFrame();

    int m_size = 0;
    Pixels m_pixels;
    GreyWindow m_window;
    ColourTable m_colours{};
    bool m_dimmed = false;
    QString m_message;
    Viewpoint m_viewpoint;
    Overlay m_overlay;

    // What is on screen: values are resampled when the view moves, colours follow the window.
    Frame m_frame;
    QImage m_image;
    bool m_frameValid = false, m_imageValid = false;

    bool m_focusShown = false; // reached by the keyboard, as opposed to a click
    Drag m_drag = Drag::none;
    LinePart m_part = LinePart::none; // dragged, or under the pointer
    engine::Line m_lineAtPress;
    QPointF m_pressed, m_previous; // in the viewport
};

} // namespace ui
