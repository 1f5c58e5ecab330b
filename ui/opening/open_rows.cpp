// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/opening/open_rows.h"

#include "ui/settings/option_field.h"

#include <algorithm>
#include <stdexcept>

namespace ui
{

namespace
{

// Returns the text to show while the user gives no value: what the scan has.
QString unsetOf(const engine::OpenField& field, const engine::Scan* scan)
{
    const bool isDarks = field.id == std::string("darks"), isFlats = field.id == std::string("flats");
    const int frames = scan && isDarks ? scan->darkFrames : scan && isFlats ? scan->flatFrames : 0;
    return frames > 0 ? OpenRows::tr("as in the scan: %1").arg(frames) : translated(field.use.unset);
}

// Hides fields without effect. Shifts apply to parallel beams only. The fields that mark projections as dark or flat
// frames are shown if they are in use, or if the scan has counts but no flats.
bool isShown(const engine::OpenField& field, const engine::OpenOptions& said, const engine::Scan* scan)
{
    const std::string id = field.id;
    if (id == "shifts")
        return !scan || !std::holds_alternative<engine::ConeBeam>(scan->geometry);
    if (id != "dark-frames" && id != "flat-frames")
        return true;
    return !said.darkFrames.empty() || !said.flatFrames.empty() ||
           (scan && scan->flatFrames == 0 && scan->quantity == engine::Quantity::counts);
}

} // namespace

OpenRows::OpenRows()
{
    for (const engine::OpenField& field : engine::openFields()) {
        if (!field.use.unset)
            continue;
        const auto& row = m_rows.emplace_back(Placed{std::make_unique<OpenRow>(field)}).row;
        connect(row.get(), &OpenRow::changed, this, &OpenRows::changed);
    }
}

LabelledField OpenRows::row(const char* id)
{
    const auto found =
        std::ranges::find_if(m_rows, [id](const Placed& each) { return each.row->field().id == std::string(id); });
    if (found == m_rows.end())
        throw std::out_of_range(id);
    found->hasPlace = true;
    return found->row->parts();
}

void OpenRows::addOthers(QGridLayout* grid)
{
    for (Placed& each : m_rows)
        if (!std::exchange(each.hasPlace, true))
            each.row->parts().addTo(grid, grid->rowCount(), 0);
}

void OpenRows::setFolder(const QString& folder)
{
    for (const Placed& each : m_rows)
        each.row->setFolder(folder);
}

void OpenRows::show(const engine::OpenOptions& said, const engine::Scan* scan)
{
    for (const Placed& each : m_rows) {
        const engine::OpenField& field = each.row->field();
        each.row->show(said, unsetOf(field, scan));
        each.row->parts().setVisible(isShown(field, said, scan));
    }
}

} // namespace ui
