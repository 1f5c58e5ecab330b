// SPDX-License-Identifier: GPL-3.0-or-later
// Edits of the list of settings: what it was after the last one, and which belong to one act of the user.
#pragma once

#include "engine/compare/setting_list.h"

#include <QElapsedTimer>

#include <optional>

namespace ui
{

class SettingEdits
{
  public:
    const engine::SettingList& last() const { return m_last; } // as it was reported last
    void report(const engine::SettingList& list) { m_last = list; }
    void begin(const engine::SettingList& list); // without an edit: the next one is an act of its own
    // Counts an edit that leads to this list. True: quick after the one before, such as a wheel's, of the same setting.
    bool continues(const engine::SettingList& list);

    // A drag of the chosen setting's axis, which is one act; from `start` where it isn't under way. Returns where the
    // axis is then, in bins.
    double dragAxis(double start, double bins, double largest);
    bool recordDrag(); // an edit of the drag; true where it goes on with one
    bool endDrag();    // true where it had edits

  private:
    engine::SettingList m_last;
    QElapsedTimer m_sinceEdit;
    std::optional<double> m_draggedAxis; // bins, while it is dragged
    bool m_dragRecorded = false;         // its first edit was reported
};

} // namespace ui
