// SPDX-License-Identifier: GPL-3.0-or-later
// The controller of the page Planes: reconstructs the planes of the chosen setting while the page is in front, and
// their references when nothing moves and a view shows them.
#pragma once

#include "ui/planes/plane_job.h"
#include "ui/planes/plane_references.h"

#include <QObject>

namespace ui
{

class MessageBar;
class PlanesPanel;
class SettingsPanel;

// The panels outlive this object.
class PlanesController : public QObject
{
    Q_OBJECT
  public:
    PlanesController(const SettingsPanel& settings, PlanesPanel& panel, MessageBar& messages);

    void setScan(const std::shared_ptr<const engine::Scan>& scan); // null: none
    void reconstruct();                                            // if the page is in front
    void follow(); // the same during a drag: coarse planes unless full ones come as fast
    void cancel();
    bool busy() const;

  signals:
    void started();
    void ended(); // done, failed or cancelled

  private:
    void ask(bool isMoving);
    void finish();
    void followSettings();
    void changeView();
    void pair();
    bool compare(); // computes missing references; returns whether there are any
    double bytesOfRows(double bytesPerFiltered) const;
    double memoryLimit() const;
    std::optional<QString> objection() const;
    QString referenceObjection() const;

    const SettingsPanel& m_settings;
    PlanesPanel& m_panel;
    MessageBar& m_messages;
    std::shared_ptr<const engine::Scan> m_scan;
    bool m_isMoving = false;
    PlaneReferences m_references;
    PlaneJob m_job; // declared last: destroyed first, which cancels and waits
};

} // namespace ui
