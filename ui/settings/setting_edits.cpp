// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/setting_edits.h"

#include <algorithm>
#include <utility>

namespace ui
{

namespace
{

constexpr int quickMs = 700; // maximum pause between two edits of one user action

} // namespace

void SettingEdits::begin(const engine::SettingList& list)
{
    m_last = list;
    m_sinceEdit.invalidate();
}

bool SettingEdits::continues(const engine::SettingList& list)
{
    const bool isQuick = m_sinceEdit.isValid() && m_sinceEdit.restart() < quickMs &&
                         m_last.settings.size() == list.settings.size() && m_last.chosenId == list.chosenId;
    if (!m_sinceEdit.isValid())
        m_sinceEdit.start();
    return isQuick;
}

double SettingEdits::dragAxis(double start, double bins, double largest)
{
    m_draggedAxis = std::clamp(m_draggedAxis.value_or(start) + bins, 0.0, std::max(0.0, largest));
    return *m_draggedAxis;
}

double SettingEdits::dragTilt(double start, double deg, double largest)
{
    m_draggedTilt = std::clamp(m_draggedTilt.value_or(start) + deg, -largest, largest);
    return *m_draggedTilt;
}

bool SettingEdits::recordDrag()
{
    return std::exchange(m_dragRecorded, true);
}

bool SettingEdits::endDrag()
{
    m_draggedAxis.reset();
    m_draggedTilt.reset();
    return std::exchange(m_dragRecorded, false);
}

} // namespace ui
