// SPDX-License-Identifier: GPL-3.0-or-later
// The controller of the linked planes: reconstructs the planes of the chosen setting while the page Planes, or a 3-D
// scene with these planes, is in front, and their references when nothing moves and a view shows them.
#pragma once

#include "engine/reconstruct/plane_request.h"
#include "ui/planes/plane_job.h"
#include "ui/planes/plane_references.h"

#include <QObject>
#include <QTimer>

#include <string>

namespace ui
{

class MessageBar;
class PlanesPanel;
class SettingsPanel;
class VolumePanel;

// The panels outlive this object.
class PlanesController : public QObject
{
    Q_OBJECT
  public:
    PlanesController(const SettingsPanel& settings, PlanesPanel& panel, MessageBar& messages);

    void showIn(VolumePanel& scene); // the same planes, which can be dragged there, too
    // null: no scan. isSameObject: the images of the previous scan stay until those of this one come.
    void setScan(const std::shared_ptr<const engine::Scan>& scan, bool isSameObject = false);
    void reconstruct(); // if the page is in front
    // Moves and turns the planes so that the chosen one is a recipe's plane, given by its text. Returns false if the
    // page can't show it; a hint says why.
    bool show(const std::string& plane);
    // The same during a drag: coarse planes unless full ones come as fast. Full ones follow when the drag rests.
    void follow();
    void cancel();
    void release(); // frees the rows of the scan for other work; waits a second at most
    bool busy() const;

  signals:
    void started();
    void ended(); // done, failed or cancelled

  private:
    void ask(bool isMoving);
    bool isSeen() const;
    void showAxis(const engine::Request& request);
    void finish();
    void followSettings();
    void changeView();
    void pair();
    bool compare(); // computes missing references; returns whether there are any
    void chooseKept(PlaneRequest& wanted);
    QString memoryNote() const;

    const SettingsPanel& m_settings;
    PlanesPanel& m_panel;
    VolumePanel* m_scene = nullptr;
    MessageBar& m_messages;
    std::shared_ptr<const engine::Scan> m_scan;
    QTimer m_rest; // since the last step of a drag
    bool m_isMoving = false;
    engine::KeptPlanes m_kept; // of m_scan
    PlaneReferences m_references;
    PlaneJob m_job; // declared last: destroyed first, which cancels and waits
};

} // namespace ui
