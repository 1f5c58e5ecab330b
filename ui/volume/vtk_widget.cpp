// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/volume/vtk_widget.h"

#include "ui/volume/surface_format.h"
#include "ui/widgets/saved_painter.h"

#include <vtkCallbackCommand.h>
#include <vtkCommand.h>
#include <vtkGenericOpenGLRenderWindow.h>
#include <vtkGenericRenderWindowInteractor.h>
#include <vtkInteractorStyleTrackballCamera.h>
#include <vtkNew.h>
#include <vtkOpenGLFramebufferObject.h>
#include <vtkOpenGLState.h>

#include <QFocusEvent>
#include <QGuiApplication>
#include <QMouseEvent>
#include <QOffscreenSurface>
#include <QOpenGLContext>
#include <QOpenGLFunctions>
#include <QPainter>
#include <QScopedValueRollback>
#include <QWheelEvent>

#include <cmath>

namespace ui
{

QString openGlProblem()
{
    const QString platform = QGuiApplication::platformName();
    if (platform == QLatin1String("offscreen") || platform == QLatin1String("minimal"))
        return VtkWidget::tr("There is no OpenGL without a display (Qt platform “%1”).").arg(platform);
    QOpenGLContext context;
    context.setFormat(openGlFormat());
    QOffscreenSurface surface;
    surface.setFormat(openGlFormat());
    surface.create();
    if (!context.create() || !context.makeCurrent(&surface))
        return VtkWidget::tr("This display offers no OpenGL 3.2.");
    const QSurfaceFormat actual = context.format();
    context.doneCurrent();
    if (actual.version() < qMakePair(3, 2))
        return VtkWidget::tr("This display offers OpenGL %1.%2, and 3.2 is needed.")
            .arg(actual.majorVersion())
            .arg(actual.minorVersion());
    return {};
}

VtkWidget::VtkWidget(QWidget* parent)
    : QWidget(parent), m_window(vtkSmartPointer<vtkGenericOpenGLRenderWindow>::New()),
      m_interactor(vtkSmartPointer<vtkGenericRenderWindowInteractor>::New()),
      m_observer(vtkSmartPointer<vtkCallbackCommand>::New())
{
    setAttribute(Qt::WA_OpaquePaintEvent);
    setFocusPolicy(Qt::StrongFocus);
    m_window->SetReadyForRendering(false); // not before there is a context
    m_window->SetMultiSamples(0);
    m_window->SetFrameBlitModeToNoBlit(); // the picture is read from VTK's own framebuffer
    m_interactor->SetRenderWindow(m_window);
    m_interactor->EnableRenderOff(); // VTK only requests pictures; paintEvent draws them
    vtkNew<vtkInteractorStyleTrackballCamera> style;
    m_interactor->SetInteractorStyle(style);
    observe();
}

VtkWidget::~VtkWidget()
{
    releaseContext();
    m_window->RemoveObserver(m_observer);
    m_interactor->RemoveObserver(m_observer);
    m_interactor->SetRenderWindow(nullptr);
}

vtkGenericOpenGLRenderWindow* VtkWidget::renderWindow() const
{
    return m_window;
}
vtkGenericRenderWindowInteractor* VtkWidget::interactor() const
{
    return m_interactor;
}

void VtkWidget::observe()
{
    m_observer->SetClientData(this);
    m_observer->SetCallback(&VtkWidget::onEvent);
    for (const unsigned long event :
         {vtkCommand::WindowMakeCurrentEvent, vtkCommand::WindowIsCurrentEvent, vtkCommand::WindowFrameEvent,
          vtkCommand::CursorChangedEvent, vtkCommand::ErrorEvent})
        m_window->AddObserver(event, m_observer);
    m_interactor->AddObserver(vtkCommand::RenderEvent, m_observer);
}

void VtkWidget::onEvent(vtkObject*, unsigned long event, void* client, void* data)
{
    auto* const widget = static_cast<VtkWidget*>(client);
    switch (event) {
    case vtkCommand::WindowMakeCurrentEvent:
        widget->makeCurrent();
        break;
    case vtkCommand::WindowIsCurrentEvent: // VTK doesn't draw into a context that it believes to be another's
        *static_cast<bool*>(data) = widget->m_context && QOpenGLContext::currentContext() == widget->m_context.get();
        break;
    case vtkCommand::RenderEvent:
    case vtkCommand::WindowFrameEvent: // drawn outside draw(): not read back yet
        if (!widget->m_drawing)
            widget->render();
        break;
    case vtkCommand::CursorChangedEvent: // the trackball has no cursors of its own
        break;
    case vtkCommand::ErrorEvent:
        if (widget->m_error.isEmpty())
            widget->m_error =
                QString::fromUtf8(static_cast<const char*>(data)).section(QLatin1String("): "), 1).trimmed();
        break;
    default:
        break;
    }
}

bool VtkWidget::makeContext()
{
    if (m_context || m_failed)
        return !m_failed;
    m_surface = std::make_unique<QOffscreenSurface>();
    m_surface->setFormat(openGlFormat());
    m_surface->create();
    m_context = std::make_unique<QOpenGLContext>();
    m_context->setFormat(openGlFormat());
    m_error.clear();
    if (!m_context->create() || !makeCurrent())
        m_error = tr("the context can't be made");
    else {
        m_window->SetOwnContext(0);
        m_window->OpenGLInitContext();
    }
    if (!m_error.isEmpty()) { // usually, GLEW was built for another window system
        m_failed = true;
        emit failed(tr("VTK can't use this display's OpenGL: %1").arg(m_error));
        return false;
    }
    const QByteArray renderer(reinterpret_cast<const char*>(m_context->functions()->glGetString(GL_RENDERER)));
    if (renderer.contains("llvmpipe") || renderer.contains("softpipe") || renderer.contains("SWR")) {
        m_interactor->SetStillUpdateRate(1 / m_pictureSeconds);
        m_window->SetDesiredUpdateRate(1 / m_pictureSeconds);
        emit softwareRendered();
    }
    m_window->SetMapped(1);
    m_window->SetReadyForRendering(true);
    m_window->OpenGLInit();
    return true;
}

bool VtkWidget::makeCurrent()
{
    return m_context &&
           (QOpenGLContext::currentContext() == m_context.get() || m_context->makeCurrent(m_surface.get()));
}

// Releases VTK's textures and shaders before the context.
void VtkWidget::releaseContext()
{
    if (!m_context)
        return;
    if (m_window->GetReadyForRendering() && makeCurrent()) {
        m_window->Finalize();
        m_window->SetReadyForRendering(false);
    }
    m_context->doneCurrent();
    m_context.reset();
    m_surface.reset();
}

QSize VtkWidget::sizeInPixels() const
{
    return {static_cast<int>(std::lround(width() * devicePixelRatioF())),
            static_cast<int>(std::lround(height() * devicePixelRatioF()))};
}

void VtkWidget::setPixels(const QSize& pixels)
{
    m_window->SetSize(pixels.width(), pixels.height());
    m_window->SetScreenSize(pixels.width(), pixels.height());
    m_window->SetDPI(static_cast<int>(std::lround(logicalDpiY() * devicePixelRatioF())));
    m_interactor->SetSize(pixels.width(), pixels.height());
}

void VtkWidget::render()
{
    m_stale = true;
    update();
}

void VtkWidget::drawIfDue()
{
    if (m_stale)
        draw();
}

void VtkWidget::setHurried(bool isHurried)
{
    m_window->SetDesiredUpdateRate(isHurried ? m_interactor->GetDesiredUpdateRate()
                                             : m_interactor->GetStillUpdateRate());
    if (!isHurried)
        render();
}

void VtkWidget::setOverlay(Overlay overlay)
{
    m_overlay = std::move(overlay);
    update();
}

bool VtkWidget::makeReady()
{
    if (!makeContext())
        return false;
    if (makeCurrent())
        return true;
    m_failed = true;
    emit failed(tr("The OpenGL context was lost."));
    return false;
}

void VtkWidget::draw()
{
    if (!makeReady())
        return;
    m_stale = false;
    m_picture = drawn(sizeInPixels()); // the widget may be on another screen now
    m_picture.setDevicePixelRatio(devicePixelRatioF());
}

QImage VtkWidget::picture(const QSize& pixels)
{
    if (!makeReady())
        return {};
    const double rate = m_window->GetDesiredUpdateRate();
    m_window->SetDesiredUpdateRate(1e-4);
    QImage picture = drawn(pixels);
    m_window->SetDesiredUpdateRate(rate);
    setPixels(sizeInPixels());
    return picture;
}

// Renders into VTK's framebuffer and reads it back.
QImage VtkWidget::drawn(const QSize& pixels)
{
    const QScopedValueRollback drawing(m_drawing, true);
    setPixels(pixels);
    m_window->Render();
    makeCurrent();

    QImage picture(pixels, QImage::Format_RGB32);
    if (picture.isNull())
        return picture;
    vtkOpenGLState* const state = m_window->GetState();
    state->PushReadFramebufferBinding();
    m_window->GetDisplayFramebuffer()->Bind(GL_READ_FRAMEBUFFER);
    m_window->GetDisplayFramebuffer()->ActivateReadBuffer(0);
    // Reads in the format of QImage: 0xffRRGGBB in the byte order of this machine.
    QOpenGLFunctions* const gl = m_context->functions();
    gl->glPixelStorei(GL_PACK_ALIGNMENT, 4);
    gl->glReadPixels(0, 0, pixels.width(), pixels.height(), GL_BGRA, GL_UNSIGNED_INT_8_8_8_8_REV, picture.bits());
    state->PopReadFramebufferBinding();
    m_context->doneCurrent();
    return std::move(picture).mirrored(); // OpenGL's rows go upwards
}

void VtkWidget::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    m_stale = true;
}

void VtkWidget::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        render();
}

void VtkWidget::paintEvent(QPaintEvent*)
{
    if (m_stale || m_picture.devicePixelRatio() != devicePixelRatioF())
        draw();
    QPainter painter(this);
    if (m_picture.isNull())
        painter.fillRect(rect(), palette().color(QPalette::Window));
    else
        painter.drawImage(QPointF(0, 0), m_picture);
    if (m_overlay && !m_picture.isNull()) {
        const SavedPainter saved(painter);
        m_overlay(painter, rect());
    }
    if (m_isFocusShown) {
        painter.setPen(QPen(palette().color(QPalette::Highlight), 2));
        painter.drawRect(QRectF(rect()).adjusted(1, 1, -1, -1));
    }
}

void VtkWidget::focusInEvent(QFocusEvent* event)
{
    m_isFocusShown = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason;
    update();
}

void VtkWidget::focusOutEvent(QFocusEvent*)
{
    m_isFocusShown = false;
    update();
}

QPoint VtkWidget::devicePosition(const QPointF& position) const
{
    const double ratio = devicePixelRatioF();
    return {static_cast<int>(std::lround(position.x() * ratio)),
            static_cast<int>(std::lround((height() - 1 - position.y()) * ratio))};
}

void VtkWidget::tellInteractor(const QPointF& position, Qt::KeyboardModifiers modifiers, int repeats)
{
    const QPoint device = devicePosition(position);
    m_interactor->SetEventInformation(device.x(), device.y(), modifiers.testFlag(Qt::ControlModifier),
                                      modifiers.testFlag(Qt::ShiftModifier), 0, repeats);
}

namespace
{

unsigned long pressEvent(Qt::MouseButton button)
{
    return button == Qt::LeftButton     ? vtkCommand::LeftButtonPressEvent
           : button == Qt::MiddleButton ? vtkCommand::MiddleButtonPressEvent
           : button == Qt::RightButton  ? vtkCommand::RightButtonPressEvent
                                        : vtkCommand::NoEvent;
}

unsigned long releaseEvent(Qt::MouseButton button)
{
    return button == Qt::LeftButton     ? vtkCommand::LeftButtonReleaseEvent
           : button == Qt::MiddleButton ? vtkCommand::MiddleButtonReleaseEvent
           : button == Qt::RightButton  ? vtkCommand::RightButtonReleaseEvent
                                        : vtkCommand::NoEvent;
}

} // namespace

void VtkWidget::mousePressEvent(QMouseEvent* event)
{
    tellInteractor(event->position(), event->modifiers());
    m_interactor->InvokeEvent(pressEvent(event->button()));
}

void VtkWidget::mouseMoveEvent(QMouseEvent* event)
{
    tellInteractor(event->position(), event->modifiers());
    m_interactor->InvokeEvent(vtkCommand::MouseMoveEvent);
}

void VtkWidget::mouseReleaseEvent(QMouseEvent* event)
{
    tellInteractor(event->position(), event->modifiers());
    m_interactor->InvokeEvent(releaseEvent(event->button()));
}

// Handles the second click as a press like any other.
void VtkWidget::mouseDoubleClickEvent(QMouseEvent* event)
{
    mousePressEvent(event);
}

void VtkWidget::wheelEvent(QWheelEvent* event)
{
    if (event->angleDelta().y() == 0)
        return;
    tellInteractor(event->position(), event->modifiers());
    m_interactor->InvokeEvent(event->angleDelta().y() > 0 ? vtkCommand::MouseWheelForwardEvent
                                                          : vtkCommand::MouseWheelBackwardEvent);
    event->accept();
}

} // namespace ui
