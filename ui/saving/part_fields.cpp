// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/saving/part_fields.h"

#include "ui/image/shapes.h"
#include "ui/saving/dialog_fields.h"
#include "ui/widgets/number_box.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>

#include <algorithm>

namespace ui
{

std::vector<NamedRegion> regionsOf(const engine::Marks& marks, int sliceSize)
{
    std::vector<NamedRegion> made;
    for (const engine::Mark* mark : marks.areas()) {
        if (std::holds_alternative<engine::DiscArea>(std::get<engine::Area>(mark->shape)))
            continue;
        const QRectF around = outlineOf(mark->shape, sliceSize).boundingRect();
        if (const auto region = regionBetween(around.topLeft(), around.bottomRight(), sliceSize))
            made.push_back({QString::fromStdString(mark->name), *region});
    }
    return made;
}

PartFields::PartFields(int slices, const std::vector<NamedRegion>& regions,
                       const std::optional<engine::RowRange>& marked)
    : m_count(slices), m_slicesRow(new QWidget), m_first(called(new CountBox, "volumeFirst", tr("First slice"))),
      m_last(called(new CountBox, "volumeLast", tr("Last slice"))),
      m_all(called(new QPushButton(tr("&All")), "volumeAllSlices", tr("All slices"))),
      m_region(called(new QComboBox, "volumeRegion", tr("Region of each slice")))
{
    makeSlices();
    m_region->setToolTip(
        tr("Only these pixels are reconstructed, with the same values as in the whole slice, apart from "
           "rounding. Reading and filtering take as long as for whole slices."));
    m_region->addItem(tr("Whole slices"));
    for (const NamedRegion& one : regions)
        addRegion(one.name, one.region);
    set(marked, {});
    connect(m_region, &QComboBox::currentIndexChanged, this, &PartFields::changed);
}

void PartFields::makeSlices()
{
    QHBoxLayout* layout = dialogRow(m_slicesRow);
    layout->addWidget(m_first, 1);
    layout->addWidget(new QLabel(tr("to")));
    layout->addWidget(m_last, 1);
    layout->addWidget(m_all);
    for (QSpinBox* box : {m_first, m_last}) {
        box->setRange(0, m_count - 1);
        box->setToolTip(
            tr("The slices to save, from 0 to %1\nCtrl and a drag on a projection choose them.").arg(m_count - 1));
        connect(box, &QSpinBox::valueChanged, this, [this, box] {
            follow(box);
            emit changed();
        });
    }
    m_all->setAutoDefault(false);
    connect(m_all, &QPushButton::clicked, this, [this] { set({}, chosenRegion()); });
}

void PartFields::addRegion(const QString& name, const engine::Region& region)
{
    m_regions.push_back(region);
    m_region->addItem(tr("%1: %2 × %3 pixels from column %4, row %5")
                          .arg(name)
                          .arg(region.width)
                          .arg(region.height)
                          .arg(region.column)
                          .arg(region.row));
}

void PartFields::follow(const QSpinBox* changedBox)
{
    QSpinBox* other = changedBox == m_first ? m_last : m_first;
    const QSignalBlocker blocker(other);
    if (m_first->value() > m_last->value())
        other->setValue(changedBox->value());
    m_all->setEnabled(slices().count < m_count);
}

engine::RowRange PartFields::slices() const
{
    return {m_first->value(), m_last->value() - m_first->value() + 1};
}

std::optional<engine::Region> PartFields::chosenRegion() const
{
    const int at = m_region->currentIndex() - 1;
    return at < 0 ? std::nullopt : std::optional(m_regions[static_cast<std::size_t>(at)]);
}

bool PartFields::isWhole() const
{
    return slices().count == m_count && !chosenRegion();
}

void PartFields::set(const std::optional<engine::RowRange>& slices, const std::optional<engine::Region>& region)
{
    const engine::RowRange range = slices.value_or(engine::RowRange{0, m_count});
    {
        const QSignalBlocker first(m_first), last(m_last), combo(m_region);
        m_first->setValue(range.first);
        m_last->setValue(range.first + range.count - 1);
        if (region && std::ranges::find(m_regions, *region) == m_regions.end())
            addRegion(tr("The middle"), *region);
        const auto at = region ? std::ranges::find(m_regions, *region) - m_regions.begin() + 1 : 0;
        m_region->setCurrentIndex(static_cast<int>(at));
    }
    m_all->setEnabled(range.count < m_count);
    emit changed();
}

} // namespace ui
