// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/volume/scene_view.h"

#include "ui/volume/camera_keys.h"
#include "ui/volume/drawn_planes.h"
#include "ui/volume/volume_controls.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScopeGuard>

#include <vtkGenericOpenGLRenderWindow.h>

#include <cmath>

namespace ui
{

namespace
{

constexpr double snapDeg = 15; // of planes, as on their page

} // namespace

SceneView::SceneView(VolumeControls& controls, QWidget* parent) : m_controls(controls), m_widget(new VtkWidget(parent))
{
    m_widget->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    m_widget->setMinimumSize(160, 120);
    m_widget->setObjectName(QStringLiteral("stackView"));
    m_widget->setAccessibleName(tr("The stack in three dimensions"));
    m_widget->installEventFilter(this);
    m_widget->setMouseTracking(true); // for the pointer's shape over grips
    connect(m_widget, &VtkWidget::softwareRendered, this, [this] { m_scene->setProcessorRendering(true); });
    m_scene = std::make_unique<VolumeScene>(m_widget->renderWindow());
    m_widget->setOverlay([this](QPainter& painter, const QRectF& view) {
        if (m_scene)
            m_scene->drawTexts(painter, view, m_look.text);
    });
}

SceneView::~SceneView()
{
    m_scene.reset();
    delete m_widget;
}

void SceneView::setLook(const VolumeLook& look)
{
    m_look = look;
    m_scene->setLook(look);
    m_widget->render();
}

void SceneView::setPlanes(const LinkedPlanes& planes)
{
    m_planes = planes;
    m_scene->planes().setPlanes(planes);
    m_widget->render();
}

// Lengths of the picture relate to its size as those of the widget do to the widget's: the text has the same share.
QImage SceneView::picture(const PictureLook& look, double turnedDeg)
{
    const QSizeF shown = m_widget->size();
    if (look.size.isEmpty() || shown.isEmpty())
        return {};
    m_widget->drawIfDue(); // also places the camera
    const double ratio = std::min(look.size.width() / shown.width(), look.size.height() / shown.height());
    VolumeLook scaled = m_look;
    scaled.pixelRatio = ratio;
    const QScopeGuard restore([this] {
        m_scene->setLook(m_look);
        m_scene->planes().setGripsVisible(true);
    });
    m_scene->setLook(scaled);
    m_scene->planes().setGripsVisible(false);
    const CameraForPicture camera(m_scene->camera(), look.size, shown, turnedDeg);
    const auto on = [&](const QColor& colour) {
        m_scene->setBackground(colour, colour);
        return m_widget->picture(look.size);
    };
    const bool isTransparent = look.backdrop == Backdrop::transparent;
    QImage picture = look.backdrop == Backdrop::asShown ? m_widget->picture(look.size)
                     : look.backdrop == Backdrop::black ? on(Qt::black)
                                                        : on(Qt::white);
    if (isTransparent && !picture.isNull())
        picture = withoutBackground(on(Qt::black), picture);
    if (picture.isNull() || !look.hasScale)
        return picture;
    QPainter painter(&picture);
    painter.scale(ratio, ratio);
    painter.setFont(m_widget->font());
    m_scene->drawTexts(painter, QRectF(QPointF(), QSizeF(look.size) / ratio),
                       look.backdrop == Backdrop::asShown ? m_look.text
                       : look.backdrop == Backdrop::black ? QColor(230, 230, 230)
                                                          : QColor(30, 30, 30));
    return picture;
}

void SceneView::discard()
{
    m_widget->setOverlay({});
    m_scene.reset();
    m_widget->hide();
    m_widget->deleteLater();
    m_widget = nullptr;
}

// Handles keys of the camera, before those of the menus, and a drag with Ctrl. All other events are for the trackball.
bool SceneView::eventFilter(QObject* watched, QEvent* event)
{
    if (watched != m_widget || !m_scene)
        return false;
    const QEvent::Type type = event->type();
    if (type == QEvent::ShortcutOverride && isCameraKey(*static_cast<QKeyEvent*>(event))) {
        event->accept();
        return true;
    }
    if (type == QEvent::KeyPress && isCameraKey(*static_cast<QKeyEvent*>(event))) {
        moveCamera(*m_scene, *static_cast<QKeyEvent*>(event));
        m_widget->render();
        return true;
    }
    if (type == QEvent::MouseButtonPress)
        return press(*static_cast<QMouseEvent*>(event));
    if (type == QEvent::MouseMove && static_cast<QMouseEvent*>(event)->buttons() == Qt::NoButton) {
        const QPoint at = m_widget->devicePosition(static_cast<QMouseEvent*>(event)->position());
        m_widget->setCursor(m_scene->planes().gripAt(at) ? Qt::PointingHandCursor : Qt::ArrowCursor);
        return true;
    }
    if (type == QEvent::MouseMove && m_planeDrag) {
        dragPlane(*static_cast<QMouseEvent*>(event));
        return true;
    }
    if (type == QEvent::MouseButtonRelease && m_planeDrag) {
        m_planeDrag.reset();
        m_widget->setHurried(false);
        emit planesReleased();
        return true;
    }
    if (type == QEvent::MouseMove && m_dragged) {
        const QPoint to = m_widget->devicePosition(static_cast<QMouseEvent*>(event)->position());
        const double moved = m_scene->slicesMoved(*m_dragged, m_dragFrom, to);
        m_controls.setPosition(*m_dragged, m_dragStart + static_cast<int>(std::lround(moved)));
        return true;
    }
    if (type == QEvent::MouseButtonRelease && m_dragged) {
        m_dragged.reset();
        return true;
    }
    return false;
}

// A grip turns its plane without a key; elsewhere, a drag without Ctrl is for the trackball.
bool SceneView::beginPlane(const QMouseEvent& mouse)
{
    const QPoint from = m_widget->devicePosition(mouse.position());
    std::optional<PlaneGrip> grip = m_scene->planes().gripAt(from);
    if (!grip && mouse.modifiers().testFlag(Qt::ControlModifier))
        grip = m_scene->planes().faceAt(from);
    if (!grip)
        return false;
    m_planeDrag.emplace(m_planes, *grip, from);
    m_widget->setHurried(true);
    return true;
}

void SceneView::dragPlane(const QMouseEvent& mouse)
{
    const auto project = [this](const engine::VoxelPoint& place) { return m_scene->planes().project(place); };
    const bool isFree = mouse.modifiers().testFlag(Qt::ShiftModifier);
    emit planesDragged(m_planeDrag->moveTo(m_widget->devicePosition(mouse.position()), project, isFree ? 0 : snapDeg));
}

bool SceneView::press(const QMouseEvent& mouse)
{
    if (mouse.button() == Qt::LeftButton && beginPlane(mouse))
        return true;
    if (mouse.button() != Qt::LeftButton || !mouse.modifiers().testFlag(Qt::ControlModifier))
        return false;
    m_dragFrom = m_widget->devicePosition(mouse.position());
    m_dragged = m_scene->sliceAt(m_dragFrom);
    if (m_dragged)
        m_dragStart = m_controls.position(*m_dragged);
    return m_dragged.has_value();
}

} // namespace ui
