// SPDX-License-Identifier: GPL-3.0-or-later
// A record of edits of the list of settings: the list after the last edit, and which edits form one action of the
// user.
#pragma once

#include "engine/compare/setting_list.h"

#include <QElapsedTimer>

#include <optional>

namespace ui
{

class SettingEdits
{
  public:
    const engine::SettingList& last() const { return m_last; } // the list that was reported last
    void report(const engine::SettingList& list) { m_last = list; }
    void begin(const engine::SettingList& list); // not an edit; the next edit starts a new action
    // Records an edit that leads to this list. Returns whether it continues the previous edit: the edit follows
    // quickly, as with a mouse wheel, and changes the same setting.
    bool continues(const engine::SettingList& list);

    // Drags the axis of the chosen setting by `bins`; the whole drag is one action. A new drag begins at `start`.
    // Returns the position of the axis in bins.
    double dragAxis(double start, double bins, double largest);
    double dragTilt(double start, double deg, double largest); // the same for its tilt, from −largest to largest
    bool recordDrag();                                 // records an edit of the drag; true if the drag had one before
    bool isDragging() const { return m_dragRecorded; } // and has had an edit
    bool endDrag();                                    // true if the drag had edits

  private:
    engine::SettingList m_last;
    QElapsedTimer m_sinceEdit;
    std::optional<double> m_draggedAxis; // bins; empty: no drag
    std::optional<double> m_draggedTilt; // degrees
    bool m_dragRecorded = false;         // the drag had an edit
};

} // namespace ui
