#include "ui/volume/vtk_widget.h"

#include "ui/surface_format.h"

#include <vtkCallbackCommand.h>
#include <vtkCommand.h>
#include <vtkGenericOpenGLRenderWindow.h>
#include <vtkGenericRenderWindowInteractor.h>
#include <vtkInteractorStyleTrackballCamera.h>
#include <vtkNew.h>
#include <vtkOpenGLState.h>

#include <QGuiApplication>
#include <QMouseEvent>
#include <QOffscreenSurface>
#include <QOpenGLContext>
#include <QOpenGLFunctions>
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
    : QOpenGLWidget(parent), m_window(vtkSmartPointer<vtkGenericOpenGLRenderWindow>::New()),
      m_interactor(vtkSmartPointer<vtkGenericRenderWindowInteractor>::New()),
      m_observer(vtkSmartPointer<vtkCallbackCommand>::New())
{
    setFormat(openGlFormat());
    setUpdateBehavior(QOpenGLWidget::NoPartialUpdate);
    m_window->SetReadyForRendering(false); // nothing before initializeGL
    m_window->SetMultiSamples(0);
    m_window->SetFrameBlitModeToNoBlit(); // paintGL copies into Qt's framebuffer
    m_interactor->SetRenderWindow(m_window);
    m_interactor->EnableRenderOff(); // it asks, paintGL draws
    vtkNew<vtkInteractorStyleTrackballCamera> style;
    m_interactor->SetInteractorStyle(style);
    observe();
}

VtkWidget::~VtkWidget()
{
    disconnect(m_contextGone);
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
        // VTK asks in the middle of drawing, and QOpenGLWidget would bind its own framebuffer.
        if (widget->isValid() && QOpenGLContext::currentContext() != widget->context())
            widget->makeCurrent();
        break;
    case vtkCommand::WindowIsCurrentEvent: // VTK draws nothing into a context that it takes for another's
        *static_cast<bool*>(data) =
            widget->context() != nullptr && QOpenGLContext::currentContext() == widget->context();
        break;
    case vtkCommand::RenderEvent:
    case vtkCommand::WindowFrameEvent: // drawn outside paintGL: not on screen yet
        if (!widget->m_painting)
            widget->update();
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

void VtkWidget::initializeGL()
{
    disconnect(m_contextGone);
    m_contextGone = connect(context(), &QOpenGLContext::aboutToBeDestroyed, this, &VtkWidget::releaseContext);
    m_error.clear();
    m_window->SetOwnContext(0);
    m_window->OpenGLInitContext();
    if (!m_error.isEmpty()) { // GLEW was built for another window system, usually
        emit failed(tr("VTK can't use this display's OpenGL: %1").arg(m_error));
        return;
    }
    const QByteArray renderer(reinterpret_cast<const char*>(context()->functions()->glGetString(GL_RENDERER)));
    if (renderer.contains("llvmpipe") || renderer.contains("softpipe") || renderer.contains("SWR")) {
        // Pictures a second that VTK aims at: the last one may be a little coarse, and never holds up the window.
        m_interactor->SetStillUpdateRate(1);
        m_window->SetDesiredUpdateRate(1);
        emit softwareRendered();
    }
    m_window->SetMapped(1);
    m_window->SetReadyForRendering(true);
    m_window->OpenGLInit();
    applySize();
}

// The context goes (the widget too, or its window was remade): VTK's textures and shaders go first.
void VtkWidget::releaseContext()
{
    disconnect(m_contextGone);
    if (!m_window->GetReadyForRendering())
        return;
    makeCurrent();
    m_window->Finalize();
    m_window->SetReadyForRendering(false);
    doneCurrent();
}

void VtkWidget::applySize()
{
    const QSize pixels(static_cast<int>(std::lround(width() * devicePixelRatioF())),
                       static_cast<int>(std::lround(height() * devicePixelRatioF())));
    m_window->SetSize(pixels.width(), pixels.height());
    m_window->SetScreenSize(pixels.width(), pixels.height());
    m_window->SetDPI(static_cast<int>(std::lround(logicalDpiY() * devicePixelRatioF())));
    m_interactor->SetSize(pixels.width(), pixels.height());
}

void VtkWidget::resizeGL(int, int)
{
    applySize();
}

void VtkWidget::paintGL()
{
    QOpenGLFunctions* const gl = context()->functions();
    if (!m_window->GetReadyForRendering()) {
        const QColor colour = palette().color(QPalette::Window);
        gl->glClearColor(colour.redF(), colour.greenF(), colour.blueF(), 1);
        gl->glClear(GL_COLOR_BUFFER_BIT);
        return;
    }
    const QScopedValueRollback painting(m_painting, true);
    vtkOpenGLState* const state = m_window->GetState();
    state->Reset(); // Qt has changed it since the last time
    state->Push();
    m_window->Render();
    makeCurrent();

    const int* const size = m_window->GetSize();
    state->ResetFramebufferBindings();
    state->vtkglBindFramebuffer(GL_DRAW_FRAMEBUFFER, defaultFramebufferObject());
    state->vtkglDrawBuffer(GL_COLOR_ATTACHMENT0);
    state->vtkglDisable(GL_SCISSOR_TEST);
    m_window->BlitDisplayFramebuffer(0, 0, 0, size[0], size[1], 0, 0, size[0], size[1], GL_COLOR_BUFFER_BIT,
                                     GL_NEAREST);
    // The volume leaves holes in the alpha channel, through which Qt would show what lies behind.
    state->vtkglColorMask(false, false, false, true);
    state->vtkglClearColor(0, 0, 0, 1);
    state->vtkglClear(GL_COLOR_BUFFER_BIT);
    state->vtkglColorMask(true, true, true, true);
    state->Pop();
    gl->glBindFramebuffer(GL_FRAMEBUFFER, defaultFramebufferObject());
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

// The second click is a press like any other.
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
