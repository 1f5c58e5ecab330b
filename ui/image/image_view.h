// SPDX-License-Identifier: GPL-3.0-or-later
// View of one image or of two composed ones: exact pixels, an overlay, and the mouse. A shared viewpoint links
// several views.
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

// View of an image. It stores no shared state: it requests changes by signals, and setters tell it the outcome.
class ImageView : public QGraphicsView
{
    Q_OBJECT
  public:
    explicit ImageView(QWidget* parent = nullptr);

    static QColor surroundOf(const QPalette& palette); // the colour around images

    void setSliceSize(int size); // pixels along each side; 0: nothing to show
    // For images that aren't slices. filling: the pixels are stretched so that the image fills the view.
    void setImageSize(const QSize& size, bool filling = false);
    void setComposition(Composition* composition); // of two images; null: only the first is shown. Not owned
    void setPixels(const Pixels& a, const Pixels& b = {});
    void setColouring(const Colouring& a, const Colouring& b = {});
    // Dims a previous image until the next one arrives. The message lies over the image.
    void setDimmed(bool dimmed);
    void setMessage(const QString& message);
    void setCaption(const QString& caption); // figures in the lower left corner
    // Shows the magnification and a scale bar if `shown`; in pixels if their size is unknown.
    void setScale(bool shown, const std::optional<double>& pixelSizeMm);
    void setViewpoint(const Viewpoint& viewpoint);
    void setOverlay(const Overlay& overlay);                // its marker is hidden while the pointer is over this view
    void setMarker(const std::optional<QPointF>& position); // replaces the marker of the overlay
    void setGuides(const std::vector<Guide>& guides);       // replaces the guides of the overlay
    void setTool(Tool tool);                                // what the next drag draws

    const Pixels& pixels() const { return m_layers.pixels(); }
    const Overlay& overlay() const { return m_overlay; }
    const QString& message() const { return m_labels.message(); }
    const QString& caption() const { return m_labels.caption(); }
    QString said() const;    // figures of the composition, in words
    QString remark() const;  // "identical" or "identical here" for A and B, else empty
    QImage rendered() const; // one image pixel per pixel
    double fittingScale() const;
    double devicePixel() const; // size of a device pixel, in device-independent pixels
    QPointF toSlice(const QPointF& viewportPosition) const;
    QPointF toViewport(const QPointF& slicePosition) const;

    QRectF visiblePart() const; // in pixels of the slice

  public slots:
    void zoomBy(double factor, const QPointF& viewportPosition); // keeps that position in place
    void zoomBy(double factor);                                  // about the middle

  signals:
    void viewpointRequested(const ui::Viewpoint& viewpoint);
    void fitRequested();
    void shapeDrawn(const engine::Shape& shape);           // a new shape, as soon as it has an extent
    void shapeChanged(int id, const engine::Shape& shape); // a mark was dragged
    void markChosen(int id);                               // a mark was pressed
    void drawingEnded();                                   // the tool is done, or was left with Esc
    void areaReset();                                      // Ctrl and a click: the first area is to be chosen
    void clicked(const QPointF& slicePosition);            // without a drag, and no mark was hit
    void axisMoved(double pixels);                         // screen pixels to the right; a tenth of the drag with Shift
    void axisReleased();
    void menuRequested(const QPoint& globalPosition); // by a click with the right button
    void windowDragged(const QPointF& share);         // with the right button, as shares of the view's size
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
    enum class Drag { none, pan, mark, draw, composition, axis, window };

    void setExtent(const QSize& extent, bool filling);
    void stretch();
    void placeViewpoint();
    void forgetSeen();
    Canvas stage() const; // without layers
    Composition* composition() const { return m_layers.composition(); }
    void drawMarksOver(QPainter& painter) const;

    void panBy(const QPointF& viewportOffset);
    Grip gripUnder(const QPointF& viewportPosition) const;
    void pressTool(const QPointF& viewportPosition);
    void dragMark(const QPointF& viewportPosition, bool constrained);
    void drawTo(const QPointF& viewportPosition, bool constrained);
    bool viewKey(int key); // pans or zooms; false for other keys
    void showCursorFor(const QPointF& viewportPosition);

    ImagePlacement m_placement;
    ImageLayers m_layers;
    ImageLabels m_labels;
    Overlay m_overlay;
    bool m_dimmed = false;
    bool m_focusShown = false; // the focus came by the keyboard, not by a click

    DrawingTool m_tool;
    Drag m_drag = Drag::none;
    Grip m_grip; // mark that is dragged, or under the pointer
    engine::Shape m_shapeAtPress;
    QPointF m_pressed, m_previous; // viewport coordinates
};

} // namespace ui
