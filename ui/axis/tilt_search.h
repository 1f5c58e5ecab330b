// SPDX-License-Identifier: GPL-3.0-or-later
// A search for the axis in several rows, started by the user: finds its position in the middle row and its tilt.
#pragma once

#include "engine/axis/tilt.h"
#include "engine/reconstruct/reconstruction.h"
#include "ui/background/background_task.h"

#include <QObject>

#include <optional>

class QLabel;
class QToolButton;

namespace ui
{

class TaskRow;

class TiltSearch : public QObject
{
    Q_OBJECT
  public:
    TiltSearch();
    ~TiltSearch() override; // cancels and waits

    QToolButton* findButton() const { return m_find; } // all widgets belong to the layout that they are added to
    QToolButton* takeButton() const { return m_take; }
    QLabel* text() const { return m_text; }
    QWidget* busyRow() const;

    const std::optional<engine::AxisTilt>& found() const { return m_found; }
    bool isBusy() const { return m_task.busy(); }
    void setRequest(const engine::Request& request);
    void clear(); // cancels the search and discards its result

  signals:
    void foundChanged();
    void chosen(double bins, double tiltDeg); // by the user

  private:
    void search();
    void show(const QString& instead = {}); // the result, or another text

    std::optional<engine::Request> m_request;
    std::optional<engine::AxisTilt> m_found;
    QToolButton *m_find, *m_take;
    QLabel* m_text;
    TaskRow* m_busy = nullptr;
    BackgroundTask m_task; // declared last: destroyed first, which cancels and waits
};

} // namespace ui
