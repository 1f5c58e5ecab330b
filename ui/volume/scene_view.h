// SPDX-License-Identifier: GPL-3.0-or-later
// A scene in its VtkWidget. Keys move the camera; a drag with Ctrl moves a slice or a plane, a drag of a grip turns a
// plane.
#pragma once

#include "ui/volume/plane_drag.h"
#include "ui/volume/scene_picture.h"
#include "ui/volume/volume_scene.h"
#include "ui/volume/vtk_widget.h"

#include <QObject>

#include <memory>
#include <optional>

class QMouseEvent;

namespace ui
{

class VolumeControls;

class SceneView : public QObject
{
    Q_OBJECT
  public:
    // controls: they hold the positions of the slices. The widget is deleted with the view.
    SceneView(VolumeControls& controls, QWidget* parent);
    ~SceneView() override; // VTK releases the volume

    VtkWidget* widget() const { return m_widget; }
    VolumeScene& scene() { return *m_scene; }
    void setLook(const VolumeLook& look);
    void setPlanes(const LinkedPlanes& planes);
    // Draws the scene at any size, with what the view shows now, after the object was turned about the rotation axis.
    // Null if OpenGL can't draw it.
    QImage picture(const PictureLook& look, double turnedDeg = 0);
    void discard(); // deletes the widget later, as it may be in use

  signals:
    void planesDragged(const ui::LinkedPlanes& planes);
    void planesReleased();

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    bool press(const QMouseEvent& mouse);
    bool beginPlane(const QMouseEvent& mouse);
    void dragPlane(const QMouseEvent& mouse);

    VolumeControls& m_controls;
    VtkWidget* m_widget;
    std::unique_ptr<VolumeScene> m_scene;
    VolumeLook m_look;
    LinkedPlanes m_planes;
    std::optional<PlaneDrag> m_planeDrag;
    std::optional<Axis> m_dragged;
    QPoint m_dragFrom;
    int m_dragStart = 0;
};

} // namespace ui
