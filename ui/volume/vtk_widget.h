// SPDX-License-Identifier: GPL-3.0-or-later
// VTK inside Qt 6: a widget that shows what a vtkGenericOpenGLRenderWindow draws, and its interactor.
#pragma once

#include <QImage>
#include <QWidget>

#include <vtkSmartPointer.h>

#include <functional>
#include <memory>

class vtkCallbackCommand;
class vtkGenericOpenGLRenderWindow;
class vtkGenericRenderWindowInteractor;
class vtkObject;

class QOffscreenSurface;
class QOpenGLContext;
class QPainter;

namespace ui
{

// Returns the reason why this machine can't show OpenGL 3.2, as a sentence; empty if it can. Creates and drops a
// context, which takes some milliseconds.
QString openGlProblem();

// Widget that paints VTK's pictures. VTK draws into a context of its own, off the screen, and the widget paints the
// picture that it reads back. A QOpenGLWidget would recreate the whole window when it is added to a visible one
// (black for seconds, no longer maximised), and from then on OpenGL would compose each repaint of the two-dimensional
// images: 17 ms instead of 4 for a step of the zoom in a window of 1280×800 (Mesa's software renderer, two cores, Qt
// 6.4).
class VtkWidget : public QWidget
{
    Q_OBJECT
    // Time that a picture may take without a graphics card; set it before the first picture. A picture that would
    // take longer becomes a little coarser.
    Q_PROPERTY(double pictureSeconds MEMBER m_pictureSeconds)
  public:
    explicit VtkWidget(QWidget* parent = nullptr);
    ~VtkWidget() override;

    vtkGenericOpenGLRenderWindow* renderWindow() const;
    vtkGenericRenderWindowInteractor* interactor() const;
    QPoint devicePosition(const QPointF& position) const; // in pixels of the window, y upwards, as VTK counts

    void render();    // requests a new picture; update() alone shows the last one again
    void drawIfDue(); // the picture that was requested, without waiting for the event loop
    // While something is dragged, pictures are as coarse as they must be to follow; then a full one comes.
    void setHurried(bool isHurried);

    // Draws over each picture, in device-independent pixels.
    using Overlay = std::function<void(QPainter& painter, const QRectF& view)>;
    void setOverlay(Overlay overlay);

    // Draws a picture of any size in pixels, without the overlay and at full resolution however long it takes. Null if
    // OpenGL fails, or has no room for it.
    QImage picture(const QSize& pixels);

  signals:
    void softwareRendered();            // the context works, but no graphics card is behind it
    void failed(const QString& reason); // VTK could not take over the context, or lost it

  protected:
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

  private:
    void observe();
    bool makeContext(); // for the first picture; false if it failed, which is reported once
    bool makeCurrent();
    void releaseContext();
    bool makeReady(); // false if there is no context
    void draw();
    QImage drawn(const QSize& pixels);
    QSize sizeInPixels() const;
    void setPixels(const QSize& pixels);
    void tellInteractor(const QPointF& position, Qt::KeyboardModifiers modifiers, int repeats = 0);
    static void onEvent(vtkObject* caller, unsigned long event, void* client, void* data);

    vtkSmartPointer<vtkGenericOpenGLRenderWindow> m_window;
    vtkSmartPointer<vtkGenericRenderWindowInteractor> m_interactor;
    vtkSmartPointer<vtkCallbackCommand> m_observer;
    std::unique_ptr<QOffscreenSurface> m_surface;
    std::unique_ptr<QOpenGLContext> m_context;
    QString m_error; // the first error that VTK reported
    bool m_failed = false;
    double m_pictureSeconds = 1; // a picture blocks the window for no longer than this
    bool m_drawing = false;
    bool m_stale = true; // the picture doesn't show VTK's present state
    QImage m_picture;
    Overlay m_overlay;
    bool m_isFocusShown = false;
};

} // namespace ui
