// One image on screen, or two of them composed: exact pixels, an overlay, and the mouse. Several are linked by a shared
// viewpoint.
#pragma once

#include "ui/image/layer.h"
#include "ui/image/overlay.h"
#include "ui/image/shading.h"
#include "ui/image/shapes.h"
#include "ui/views/composition.h"

#include <QGraphicsView>
#include <QPointer>

#include <optional>

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
    // Of an image that is no slice. Filling: its pixels are stretched so that all of it fills the view.
    void setImageSize(const QSize& size, bool filling = false);
    void setComposition(Composition* composition); // of two images; nullptr: the first one alone. Not owned
    void setPixels(const Pixels& a, const Pixels& b = {});
    void setColouring(const Colouring& a, const Colouring& b = {});
    // Dimmed: an image that is kept only until the next one is there. The message lies over the image.
    void setDimmed(bool dimmed);
    void setMessage(const QString& message);
    void setCaption(const QString& caption); // figures of what is shown, in its lower left corner
    // Where `shown`, the magnification and a scale bar; in pixels where their size isn't known.
    void setScale(bool shown, const std::optional<double>& pixelSizeMm);
    void setViewpoint(const Viewpoint& viewpoint);
    void setOverlay(const Overlay& overlay);                // its marker is not drawn under the pointer itself
    void setMarker(const std::optional<QPointF>& position); // of the overlay
    void setGuides(const std::vector<Guide>& guides);       // likewise
    void setTool(Tool tool);                                // what the next drag draws

    const Pixels& pixels() const { return m_a.pixels(); }
    const Overlay& overlay() const { return m_overlay; }
    const QString& message() const { return m_message; }
    const QString& caption() const { return m_caption; }
    QString said() const
    {
        return m_composition ? m_composition->said() : QString();
    }                        // figures beside what is composed
    QString remark() const;  // "identical", where what is seen of A and B is
    QImage rendered() const; // one pixel a pixel
    double fittingScale() const;
    double devicePixel() const; // in device-independent pixels
    QPointF toSlice(const QPointF& viewportPosition) const;
    QPointF toViewport(const QPointF& slicePosition) const;

    QRectF visiblePart() const; // of the slice

  public slots:
    void zoomBy(double factor, const QPointF& viewportPosition); // keeps that position where it is
    void zoomBy(double factor);                                  // about the middle

  signals:
    void viewpointRequested(const ui::Viewpoint& viewpoint);
    void fitRequested();
    void shapeDrawn(const engine::Shape& shape);           // a new one, as soon as it has an extent
    void shapeChanged(int id, const engine::Shape& shape); // dragged
    void markChosen(int id);                               // pressed
    void drawingEnded();                                   // with the tool
    void areaReset();                                      // the first one counts again
    void clicked(const QPointF& slicePosition);            // not dragged, and nothing was there to be taken
    void axisMoved(double pixels);                         // of the screen, to the right; fewer when done finely
    void axisReleased();
    void pointerAt(const QPointF& slicePosition);
    void pointerLeft();
    void resized();

  protected:
    void drawBackground(QPainter* painter, const QRectF& rectangle) override;
    void drawForeground(QPainter* painter, const QRectF& rectangle) override;
    void drawImages(QPainter& painter);
    void drawOver(QPainter& painter);
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    bool viewportEvent(QEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    enum class Drag { none, pan, mark, draw, composition, axis };

    void placeViewpoint();
    void panBy(const QPointF& viewportOffset);
    Grip gripUnder(const QPointF& viewportPosition) const;
    void pressTool(const QMouseEvent& event);
    void drawTo(const QPointF& viewportPosition, bool constrained);
    bool toolKey(int key);
    void closePolygon();
    void endDrawing();
    QString toolText() const;
    void showCursorFor(const QPointF& viewportPosition);
    void drawMessage(QPainter& painter) const;
    void drawNear(QPainter& painter) const;
    void forgetSeen();
    Stage stage(); // what the composition gets: its images too
    Stage placeOfStage() const;

    void setExtent(const QSize& extent, bool filling);
    void stretch();
    QPointF scale() const { return {m_viewpoint.scale, m_viewpoint.scale * m_stretch}; } // of each axis

    int m_size = 0; // of a slice; the longer side of another image
    QSize m_extent;
    bool m_filling = false;
    double m_stretch = 1; // height of a pixel over its width
    Layer m_a, m_b;       // b: only where there is a composition
    QPointer<Composition> m_composition;
    Pixels m_difference;                              // of what is seen, plain
    mutable std::optional<bool> m_equal, m_equalHere; // once asked: all of it, and what is seen of it
    bool m_dimmed = false;
    QString m_message, m_caption;
    bool m_scaleShown = false;
    std::optional<double> m_pixelSizeMm;
    Viewpoint m_viewpoint;
    Overlay m_overlay;

    bool m_focusShown = false; // reached by the keyboard, as opposed to a click
    Drag m_drag = Drag::none;
    Grip m_grip; // dragged, or under the pointer
    engine::Shape m_shapeAtPress;
    Tool m_tool = Tool::none;       // chosen
    Tool m_drawing = Tool::none;    // of the drag under way
    int m_drawnId = 0;              // of what it drew; 0: nothing yet
    std::vector<QPointF> m_polygon; // its points so far
    QPointF m_pressed, m_previous;  // in the viewport
};

} // namespace ui
