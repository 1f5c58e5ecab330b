// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/image/composition_set.h"

#include "ui/image/image_column.h"

#include <QHBoxLayout>

namespace ui
{

CompositionSet::CompositionSet(QWidget* panel, QHBoxLayout* controlsRow)
{
    for (const View& each : views()) {
        Composed& made = m_all.emplace_back();
        if (!each.compose)
            continue;
        made.composition = each.compose();
        made.controls = made.composition->makeControls(panel);
        connect(made.composition.get(), &Composition::titleChanged, this, &CompositionSet::titleChanged);
        if (!made.controls)
            continue;
        controlsRow->addWidget(made.controls);
        made.controls->hide();
    }
}

CompositionSet::~CompositionSet() = default;

void CompositionSet::setView(const View& view, ImageColumn& column)
{
    if (m_active)
        m_active->setActive(false);
    for (std::size_t k = 0; k < m_all.size(); ++k)
        if (m_all[k].controls)
            m_all[k].controls->setVisible(&views()[k] == &view);
    m_active = m_all[static_cast<std::size_t>(&view - views().data())].composition.get();
    column.view().setComposition(m_active);
    if (!m_active)
        return;
    column.view().setAccessibleName(view.description());
    column.view().setAccessibleDescription(m_active->keys() + QLatin1Char(' ') + ImageColumn::handling());
    m_active->setActive(true);
}

void CompositionSet::setPlanes(const GridSlice& a, const GridSlice& b)
{
    for (const Composed& each : m_all)
        if (each.composition)
            each.composition->setPlanes(a, b);
}

void CompositionSet::saveState(QSettings& settings) const
{
    for (const Composed& each : m_all)
        if (each.composition)
            each.composition->saveState(settings);
}

void CompositionSet::restoreState(const QSettings& settings)
{
    for (const Composed& each : m_all)
        if (each.composition)
            each.composition->restoreState(settings);
}

} // namespace ui
