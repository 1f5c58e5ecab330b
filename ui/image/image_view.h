// SPDX-License-Identifier: GPL-3.0-or-later
// One image on screen, or two of them composed: exact pixels, an overlay, and the mouse. Several are linked by a shared
// viewpoint.
#pragma once

#include "ui/image/drawing_tool.h"
#include "ui/image/image_labels.h"
#include "ui/image/image_layers.h"
#include "ui/image/image_placement.h"
#include "ui/image/overlay.h"

#include <QGraphicsView>

#include <optional>

namespace ui
{

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

    const Pixels& pixels() const { return m_layers.pixels(); }
    const Overlay& overlay() const { return m_overlay; }
    const QString& message() const { return m_labels.message(); }
    const QString& caption() const { return m_labels.caption(); }
    QString said() const;    // figures beside what is composed
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

    void setExtent(const QSize& extent, bool filling);
    void stretch();
    void placeViewpoint();
    void forgetSeen();
    Stage stage() const; // without images
    Composition* composition() const { return m_layers.composition(); }
    void drawMarksOver(QPainter& painter) const;

    void panBy(const QPointF& viewportOffset);
    Grip gripUnder(const QPointF& viewportPosition) const;
    void pressTool(const QPointF& viewportPosition);
    void dragMark(const QPointF& viewportPosition, bool constrained);
    void drawTo(const QPointF& viewportPosition, bool constrained);
    bool viewKey(int key); // pans or zooms
    void showCursorFor(const QPointF& viewportPosition);

    ImagePlacement m_placement;
    ImageLayers m_layers;
    ImageLabels m_labels;
    Overlay m_overlay;
    bool m_dimmed = false;
    bool m_focusShown = false; // reached by the keyboard, as opposed to a click

    DrawingTool m_tool;
    Drag m_drag = Drag::none;
    Grip m_grip; // dragged, or under the pointer
    engine::Shape m_shapeAtPress;
    QPointF m_pressed, m_previous; // in the viewport
};

} // namespace ui
