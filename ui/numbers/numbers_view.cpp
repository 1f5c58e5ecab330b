// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/numbers/numbers_view.h"

#include "ui/background/application.h"
#include "ui/numbers/numbers_model.h"
#include "ui/numbers/table_text.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QToolButton>

namespace ui
{

NumbersView::NumbersView(NumbersModel* model, QWidget* parent)
    : QTableView(parent), m_model(model), m_order(new NumbersOrder(this))
{
    m_model->setParent(this);
    m_order->setSourceModel(m_model);
    setModel(m_order);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setFrameShape(QFrame::NoFrame);
    setShowGrid(false);
    setWordWrap(false);
    setIconSize({12, 12});
    setTabKeyNavigation(false);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    verticalHeader()->hide();
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
    QHeaderView* headings = horizontalHeader();
    headings->setHighlightSections(false);
    headings->setSortIndicatorClearable(true); // a third click restores the order of the list
    headings->setSortIndicator(-1, Qt::AscendingOrder);
    headings->setSectionResizeMode(QHeaderView::ResizeToContents);
    headings->setMaximumSectionSize(fontMetrics().averageCharWidth() * 30); // the shape of a polygon can be long
    headings->setStretchLastSection(false);
    setSortingEnabled(true);
    connect(selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& index) {
        if (!m_isFilling && index.isValid())
            emit chosen(idOf(index));
    });
}

int NumbersView::idOf(const QModelIndex& index) const
{
    return m_model->table().rows[static_cast<std::size_t>(m_order->mapToSource(index).row())].id;
}

void NumbersView::setTable(const NumbersTable& table, int chosenId)
{
    m_isFilling = true;
    m_model->setTable(table, palette());
    hideColumns();
    for (int row = 0; row < m_order->rowCount(); ++row) {
        const QModelIndex index = m_order->index(row, 0);
        if (idOf(index) == chosenId && row != currentIndex().row())
            setCurrentIndex(index);
    }
    m_isFilling = false;
}

NumbersTable NumbersView::table() const
{
    NumbersTable made = m_model->table();
    made.rows.clear();
    for (int row = 0; row < m_order->rowCount(); ++row)
        made.rows.push_back(
            m_model->table().rows[static_cast<std::size_t>(m_order->mapToSource(m_order->index(row, 0)).row())]);
    for (std::size_t column = made.columns.size(); column-- > 0;) {
        if (!m_hidden.contains(made.columns[column].name))
            continue;
        const auto place = static_cast<std::ptrdiff_t>(column);
        made.columns.erase(made.columns.begin() + place);
        for (NumbersRow& row : made.rows)
            row.cells.erase(row.cells.begin() + place);
    }
    return made;
}

void NumbersView::hideColumns()
{
    const std::vector<NumbersColumn>& columns = m_model->table().columns;
    for (std::size_t column = 0; column < columns.size(); ++column)
        setColumnHidden(m_model->leading() + static_cast<int>(column), m_hidden.contains(columns[column].name));
}

void NumbersView::fillColumnMenu(QMenu& menu)
{
    menu.clear();
    for (const NumbersColumn& column : m_model->table().columns) {
        QAction* action = menu.addAction(column.heading());
        action->setCheckable(true);
        action->setChecked(!m_hidden.contains(column.name));
        action->setToolTip(column.summary);
        connect(action, &QAction::toggled, this, [this, name = column.name](bool isOn) {
            isOn ? void(m_hidden.erase(name)) : void(m_hidden.insert(name));
            hideColumns();
        });
    }
}

QToolButton* NumbersView::makeCopyButton()
{
    auto* button = new QToolButton;
    button->setText(tr("Copy"));
    button->setToolTip(tr("Copies the table: the columns that are shown, with the rows in the current order"));
    button->setAccessibleName(tr("Copy the table"));
    button->setAutoRaise(true);
    button->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(button);
    QAction* csv = menu->addAction(tr("As CSV"), this, [this] { copy(csvText); });
    csv->setShortcut(QKeySequence::Copy);
    csv->setShortcutContext(Qt::WidgetShortcut); // the table handles the key itself
    menu->addAction(tr("As Markdown"), this, [this] { copy(markdownText); });
    menu->addAction(tr("As LaTeX"), this, [this] { copy(latexText); });
    menu->addSeparator();
    QMenu* columns = menu->addMenu(tr("Columns"));
    columns->setToolTipsVisible(true);
    connect(columns, &QMenu::aboutToShow, this, guarded([this, columns] { fillColumnMenu(*columns); }));
    button->setMenu(menu);
    horizontalHeader()->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(horizontalHeader(), &QHeaderView::customContextMenuRequested, columns,
            [this, columns](const QPoint& at) { columns->popup(horizontalHeader()->mapToGlobal(at)); });
    return button;
}

void NumbersView::copy(QString (*write)(const NumbersTable&))
{
    QGuiApplication::clipboard()->setText(write(table()));
}

void NumbersView::keyPressEvent(QKeyEvent* event)
{
    if (event->matches(QKeySequence::Copy)) // QTableView would copy a single cell
        copy(csvText);
    else
        QTableView::keyPressEvent(event);
}

} // namespace ui
