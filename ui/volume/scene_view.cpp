// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/volume/scene_view.h"

#include "ui/volume/volume_controls.h"

#include <QMouseEvent>

#include <vtkGenericOpenGLRenderWindow.h>

#include <cmath>

namespace ui
{

SceneView::SceneView(VolumeControls& controls, QWidget* parent) : m_controls(controls), m_widget(new VtkWidget(parent))
{
    m_widget->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    m_widget->setMinimumSize(160, 120);
    m_widget->setObjectName(QStringLiteral("stackView"));
    m_widget->setAccessibleName(tr("The stack in three dimensions"));
    m_widget->installEventFilter(this);
    connect(m_widget, &VtkWidget::softwareRendered, this, [this] { m_scene->setProcessorRendering(true); });
    m_scene = std::make_unique<VolumeScene>(m_widget->renderWindow());
}

SceneView::~SceneView()
{
    m_scene.reset();
    delete m_widget;
}

void SceneView::discard()
{
    m_scene.reset();
    m_widget->hide();
    m_widget->deleteLater();
    m_widget = nullptr;
}

// Handles a drag with Ctrl. All other events are for the camera.
bool SceneView::eventFilter(QObject* watched, QEvent* event)
{
    if (watched != m_widget || !m_scene)
        return false;
    const QEvent::Type type = event->type();
    if (type == QEvent::MouseButtonPress)
        return press(*static_cast<QMouseEvent*>(event));
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

bool SceneView::press(const QMouseEvent& mouse)
{
    if (mouse.button() != Qt::LeftButton || !mouse.modifiers().testFlag(Qt::ControlModifier))
        return false;
    m_dragFrom = m_widget->devicePosition(mouse.position());
    m_dragged = m_scene->sliceAt(m_dragFrom);
    if (m_dragged)
        m_dragStart = m_controls.position(*m_dragged);
    return m_dragged.has_value();
}

} // namespace ui
