// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/numbers/areas_panel.h"

#include "engine/base/error.h"
#include "ui/image/tool_chooser.h"
#include "ui/numbers/areas_model.h"
#include "ui/numbers/numbers_view.h"
#include "ui/settings/choice_combo.h"
#include "ui/widgets/engine_text.h"
#include "ui/widgets/flat_button.h"

#include <QLabel>
#include <QMenu>
#include <QSignalBlocker>
#include <QToolButton>

namespace ui
{

namespace
{

engine::AreaFigures areaFiguresOf(const FigureOf& of, const std::stop_token&)
{
    return engine::figuresOf(*of.image, of.reference.get(), of.slice, of.mask);
}

} // namespace

AreasPanel::AreasPanel(QWidget* parent)
    : TablePage(new NumbersView(new AreasModel), parent), m_figures(areaFiguresOf, [this] { fill(); }),
      m_line(quietLine(QStringLiteral("areasAgainst"), tr("Setting and reference of the statistics"), true)),
      m_help(quietLine(QStringLiteral("areaHelp"), tr("What can be typed, or why the input is not an area"))),
      m_background(new ChoiceCombo), m_add(flatButton(QStringLiteral("addArea"), tr("Add"), tr("Draw another area"))),
      m_duplicate(
          flatButton(QStringLiteral("duplicateArea"), tr("Duplicate"), tr("Add a copy of the chosen area beside it"))),
      m_remove(flatButton(QStringLiteral("removeArea"), tr("Remove"), tr("Remove the chosen area")))
{
    const auto* model = m_view->findChild<AreasModel*>();
    m_view->setObjectName(QStringLiteral("areas"));
    m_view->setAccessibleName(tr("Figures of all areas"));
    m_view->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
    m_view->setToolTip(tr("Click a row to choose the area for all statistics, a heading to sort"));
    connect(m_view, &NumbersView::chosen, this,
            [this](int id) { edit([id](engine::Marks& marks) { marks.choose(id); }); });
    connect(model, &AreasModel::drawn, this,
            [this](int id, bool visible) { edit([&](engine::Marks& marks) { marks.find(id)->visible = visible; }); });
    connect(model, &AreasModel::named, this, &AreasPanel::rename);
    connect(model, &AreasModel::typed, this, &AreasPanel::reshape);
    // The help keeps its height, so that nothing jumps.
    filled(new QVBoxLayout(this), {header(), {m_view, 1}, m_help}, flush);
    clear();
}

QWidget* AreasPanel::header()
{
    auto* menu = new QMenu(m_add);
    for (const ToolRow& row : tools())
        if (row.isArea)
            menu->addAction(row.text(), this, [this, tool = row.tool] { emit toolWanted(tool); })
                ->setToolTip(row.description());
    menu->setToolTipsVisible(true);
    m_add->setMenu(menu);
    m_add->setPopupMode(QToolButton::InstantPopup);
    connect(m_duplicate, &QToolButton::clicked, this, &AreasPanel::duplicate);
    connect(m_remove, &QToolButton::clicked, this,
            [this] { edit([](engine::Marks& marks) { marks.remove(marks.areaId); }); });
    m_background->setObjectName(QStringLiteral("contrastTo"));
    m_background->setAccessibleName(tr("Reference area for contrasts"));
    m_background->setToolTip(tr("The contrast to noise of each area is relative to this one"));
    m_background->setMinimumContentsLength(10);
    connect(m_background, &QComboBox::currentIndexChanged, this, [this] {
        m_backgroundId = m_background->currentData().toInt();
        fill();
    });
    auto* contrast = new QLabel(tr("Contrast to"));
    contrast->setForegroundRole(QPalette::PlaceholderText);
    contrast->setBuddy(m_background);
    QToolButton* copy = m_view->makeCopyButton();
    copy->setObjectName(QStringLiteral("copyAreas"));
    auto* made = new QWidget;
    auto* row =
        filled(new QHBoxLayout(made), {{m_line, 1}, BoxItem::space(10), contrast, BoxItem::space(4), m_background},
               {QMargins(0, 0, 4, 0), 2});
    for (QToolButton* button : {m_add, m_duplicate, m_remove, copy})
        row->addWidget(button);
    return made;
}

void AreasPanel::setLocal()
{
    m_isLocal = true;
    m_view->setToolTip(tr("Click a row to choose the area, a heading to sort"));
    fill();
}

void AreasPanel::show(const Comparison& comparison, const engine::Marks& marks)
{
    m_shown = comparison;
    showMarks(marks);
}

void AreasPanel::showMarks(const engine::Marks& marks)
{
    if (marks != m_marks)
        m_error.clear(); // the rejected text belongs to earlier marks
    m_marks = marks;
    refresh();
}

void AreasPanel::clear()
{
    m_shown = {};
    m_marks = {};
    m_backgroundId = 0;
    m_error.clear();
    m_figures.clear();
    fill();
}

const engine::Mark* AreasPanel::background() const
{
    const std::vector<const engine::Mark*> areas = m_marks.areas();
    if (areas.size() < 2)
        return nullptr;
    const engine::Mark* chosen = m_marks.find(m_backgroundId);
    return chosen && engine::isArea(chosen->shape) ? chosen : areas.front();
}

FigureOf AreasPanel::figureOf(const engine::Mark& area) const
{
    const Compared& one = m_shown.a();
    return {one.result, one.reference, m_shown.slice, engine::maskOf(std::get<engine::Area>(area.shape))};
}

int AreasPanel::sliceSize() const
{
    return m_shown.planeA().grid.size;
}

void AreasPanel::want()
{
    std::vector<FigureOf> wanted;
    if (m_shown.hasResult() && !m_shown.a().isPreview())
        for (const engine::Mark* area : m_marks.areas())
            wanted.push_back(figureOf(*area));
    m_figures.want(std::move(wanted));
}

void AreasPanel::fill()
{
    const NumbersTable table = areasTable(m_shown, m_marks, background(), [this](const engine::Mark& area) {
        const FigureOf of = figureOf(area);
        return LateArea{m_figures.shown(area.id, of), m_figures.failure(of)};
    });
    m_view->setTable(table, m_marks.areaId);
    fillBackgrounds();
    const bool isThere = m_shown.hasResult();
    m_add->setEnabled(isThere);
    m_duplicate->setEnabled(isThere && m_marks.area());
    m_remove->setEnabled(isThere && m_marks.canRemove(m_marks.areaId));
    m_remove->setToolTip(m_remove->isEnabled() || !isThere ? tr("Remove the chosen area")
                         : m_isLocal                       ? tr("The last area can't be removed")
                                     : tr("The last area can't be removed: the statistics need it"));
    sayQuietly(m_line, m_isLocal ? QString() // what is compared stands elsewhere, where there is room
                       : isThere ? tr("of %1, against %2").arg(table.of, table.against)
                                 : tr("The figures of all areas appear here"));
    m_help->setForegroundRole(m_error.isEmpty() ? QPalette::PlaceholderText : QPalette::WindowText);
    sayQuietly(m_help,
               !m_error.isEmpty()     ? m_error
               : isThere && m_isLocal ? tr("Double-click to edit a name or shape.")
               : isThere
                   ? tr("All statistics in the window refer to the chosen area. Double-click to edit a name or shape.")
                   : QString());
}

void AreasPanel::fillBackgrounds()
{
    const QSignalBlocker blocker(m_background);
    m_background->clear();
    for (const engine::Mark* area : m_marks.areas())
        m_background->addChoice(QString::fromStdString(area->name), area->id);
    if (const engine::Mark* chosen = background())
        m_background->select(chosen->id);
    m_background->setEnabled(m_background->count() > 1);
}

void AreasPanel::edit(const std::function<void(engine::Marks&)>& change)
{
    engine::Marks next = m_marks;
    change(next);
    m_error.clear();
    if (next != m_marks)
        emit marksEdited(next);
    else
        fill();
}

void AreasPanel::rename(int id, const QString& name)
{
    if (!name.isEmpty()) // an empty name is ignored
        edit([&](engine::Marks& marks) { marks.find(id)->name = name.toStdString(); });
}

void AreasPanel::reshape(int id, const QString& text)
{
    try {
        const engine::Shape shape = engine::areaFromText(text.toStdString());
        if (!isOnSlice(shape, sliceSize()))
            return refuse(tr("'%1' is not on the slice, which has %2 × %2 pixels, counted from 0")
                              .arg(text, QString::number(sliceSize())));
        edit([&](engine::Marks& marks) { marks.find(id)->shape = shape; });
    } catch (const engine::Error& error) {
        refuse(inWindow(error.text()));
    }
}

void AreasPanel::refuse(const QString& why)
{
    m_error = why;
    fill();
}

void AreasPanel::duplicate()
{
    constexpr double beside = 4; // pixels that the copy is shifted, so that it doesn't cover the original
    edit([this](engine::Marks& marks) {
        if (const engine::Mark* area = marks.area())
            marks.add(dragged(area->shape, -1, {}, {beside, beside}, sliceSize(), false));
    });
}

} // namespace ui
