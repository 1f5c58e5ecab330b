// SPDX-License-Identifier: GPL-3.0-or-later
// The controller of the page Planes: reconstructs the planes of the chosen setting while the page is in front.
#pragma once

#include "ui/planes/plane_job.h"

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
    void release(); // frees the rows of the scan for other work; waits a second at most
    bool busy() const;

  signals:
    void started();
    void ended(); // done, failed or cancelled

  private:
    void ask(bool isMoving);
    std::optional<QString> objection(const PlaneRequest& wanted) const;

    const SettingsPanel& m_settings;
    PlanesPanel& m_panel;
    MessageBar& m_messages;
    std::shared_ptr<const engine::Scan> m_scan;
    PlaneJob m_job; // declared last: destroyed first, which cancels and waits
};

} // namespace ui
