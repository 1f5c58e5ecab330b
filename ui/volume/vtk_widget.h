// VTK inside Qt 6: a QOpenGLWidget around a vtkGenericOpenGLRenderWindow and its interactor.
#pragma once

#include <QOpenGLWidget>

#include <vtkSmartPointer.h>

class vtkCallbackCommand;
class vtkGenericOpenGLRenderWindow;
class vtkGenericRenderWindowInteractor;
class vtkObject;

namespace ui
{

// The reason why this machine can't show OpenGL 3.2, as a sentence; empty where it can. Makes and
// drops a context, which takes some milliseconds.
QString openGlProblem();

class VtkWidget : public QOpenGLWidget
{
    Q_OBJECT
  public:
    explicit VtkWidget(QWidget* parent = nullptr);
    ~VtkWidget() override;

    vtkGenericOpenGLRenderWindow* renderWindow() const;
    vtkGenericRenderWindowInteractor* interactor() const;
    QPoint devicePosition(const QPointF& position) const; // in pixels of the window, y upwards, as VTK counts

  signals:
    void softwareRendered();            // the context is there, and no graphics card behind it
    void failed(const QString& reason); // VTK could not take over the context, or lost it

  protected:
    void initializeGL() override;
    void resizeGL(int width, int height) override;
    void paintGL() override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

  private:
    void observe();
    void releaseContext();
    void applySize();
    void tellInteractor(const QPointF& position, Qt::KeyboardModifiers modifiers, int repeats = 0);
    static void onEvent(vtkObject* caller, unsigned long event, void* client, void* data);

    vtkSmartPointer<vtkGenericOpenGLRenderWindow> m_window;
    vtkSmartPointer<vtkGenericRenderWindowInteractor> m_interactor;
    vtkSmartPointer<vtkCallbackCommand> m_observer;
    QMetaObject::Connection m_contextGone;
    QString m_error; // the first that VTK reported
    bool m_painting = false;
};

} // namespace ui
