// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/numbers/numbers_panel.h"

#include "engine/compare/mark_figures.h"
#include "ui/numbers/numbers_model.h"
#include "ui/numbers/numbers_view.h"

#include <QHeaderView>
#include <QToolButton>

namespace ui
{

namespace
{

engine::AreaStatistics statisticsOf(const FigureOf& of, const std::stop_token&)
{
    const GridSlice plane = planeOf(of.image, of.slice, {});
    return engine::statisticsOf(plane.values(), plane.grid.width, plane.grid.height, of.mask);
}

EdgeWidth edgeOf(const FigureOf& of, const std::stop_token&)
{
    if (!std::holds_alternative<engine::Line>(of.line.shape))
        return {{}, NumbersPanel::tr("The edge width needs a line, not a ring; choose a line.")};
    const std::optional<double> width = engine::edgeWidthOf(*of.image, of.slice, of.line);
    return {width, width ? QString()
                         : NumbersPanel::tr("The chosen line crosses no clear edge: it needs one step, and an even "
                                            "level on both sides of it.")};
}

engine::Consistency consistencyOf(const FigureOf& of, const std::stop_token& stop)
{
    return engine::consistencyOf(*of.image, of.slice, stop);
}

} // namespace

NumbersPanel::NumbersPanel(QWidget* parent)
    : TablePage(new NumbersView(new NumbersModel), parent), m_statistics(statisticsOf, [this] { fill(); }),
      m_edges(edgeOf, [this] { fill(); }), m_consistencies(consistencyOf, [this] { fill(); }),
      m_copy(m_view->makeCopyButton()),
      m_against(quietLine(QStringLiteral("numbersAgainst"), tr("Reference of the figures"), true))
{
    m_view->setObjectName(QStringLiteral("numbers"));
    m_view->setAccessibleName(tr("Figures of all settings"));
    m_view->setToolTip(tr("Click a row to choose that setting, a heading to sort"));
    connect(m_view, &NumbersView::chosen, this, &NumbersPanel::chosen);
    m_copy->setObjectName(QStringLiteral("copyNumbers"));
    auto* header = filled(new QHBoxLayout, {{m_against, 1}, m_copy}, {QMargins(0, 0, 4, 0)});
    filled(new QVBoxLayout(this), {header, {m_view, 1}}, flush);
    clear();
}

void NumbersPanel::show(const Comparison& comparison, const TriedSettings& tried, const engine::Marks& marks)
{
    m_shown = comparison;
    m_tried = tried;
    showMarks(marks);
}

void NumbersPanel::showMarks(const engine::Marks& marks)
{
    const engine::Mark* line = marks.line();
    m_hasLine = line != nullptr;
    m_line = line ? engine::Mark{.shape = line->shape, .width = line->width} : engine::Mark();
    if (isVisible())
        want();
    fill();
}

void NumbersPanel::clear()
{
    m_shown = {};
    m_tried.clear();
    m_statistics.clear();
    m_edges.clear();
    m_consistencies.clear();
    fill();
}

FigureOf NumbersPanel::areaOf(const Compared& one) const
{
    return {one.result, nullptr, m_shown.slice, m_shown.mask};
}

FigureOf NumbersPanel::lineOf(const Compared& one) const
{
    return {one.result, nullptr, m_shown.slice, {}, m_line};
}

FigureOf NumbersPanel::sliceOf(const Compared& one) const
{
    return {one.result, nullptr, m_shown.slice};
}

void NumbersPanel::setIdle(bool idle)
{
    m_isIdle = idle;
    if (!idle)
        m_consistencies.stop();
    else if (isVisible())
        want();
}

void NumbersPanel::want()
{
    std::vector<FigureOf> areas, lines, slices;
    for (const Compared& one : m_shown.compared) {
        if (!one.result || one.isPreview())
            continue;
        areas.push_back(areaOf(one));
        if (m_hasLine)
            lines.push_back(lineOf(one));
        if (m_isIdle && one.visible)
            slices.push_back(sliceOf(one));
    }
    m_statistics.want(std::move(areas));
    m_edges.want(std::move(lines));
    m_consistencies.want(std::move(slices));
}

void NumbersPanel::fill()
{
    const NumbersTable table = numbersTable(
        m_shown, m_tried,
        [this](const Compared& one) { return one.result ? m_statistics.shown(one.id, areaOf(one)) : nullptr; },
        [this](const Compared& one) { return one.result && m_hasLine ? m_edges.shown(one.id, lineOf(one)) : nullptr; },
        [this](const Compared& one) { return one.result ? m_consistencies.find(sliceOf(one)) : nullptr; });
    const int before = m_view->model()->rowCount();
    m_view->setTable(table, m_shown.a().id);
    if (m_view->model()->rowCount() != before)
        emit rowsChanged();
    sayQuietly(m_against, table.rows.empty() ? tr("The figures of all settings appear here")
                                             : tr("against %1").arg(table.against));
}

int NumbersPanel::heightOfRows() const
{
    const int headings = m_view->horizontalHeader()->sizeHint().height(),
              row = m_view->verticalHeader()->defaultSectionSize(),
              bar = style()->pixelMetric(QStyle::PM_ScrollBarExtent, nullptr, m_view);
    return m_copy->sizeHint().height() + headings + row * m_view->model()->rowCount() + bar;
}

} // namespace ui
