#include "ui/numbers/numbers_panel.h"

#include "ui/numbers/numbers_model.h"
#include "ui/numbers/quiet_line.h"
#include "ui/numbers/table_text.h"

#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

namespace ui
{

namespace
{

engine::AreaStatistics noiseOf(const FigureOf& of)
{
    const Plane plane = planeOf(of.image, of.slice, {});
    return engine::statisticsOf(plane.values(), plane.grid.width, plane.grid.height, of.mask);
}

QTableView* numbersView(NumbersOrder* order)
{
    auto* view = new QTableView;
    view->setObjectName(QStringLiteral("numbers"));
    view->setAccessibleName(NumbersPanel::tr("Figures of all settings"));
    view->setModel(order);
    view->setSelectionBehavior(QAbstractItemView::SelectRows);
    view->setSelectionMode(QAbstractItemView::SingleSelection);
    view->setFrameShape(QFrame::NoFrame);
    view->setShowGrid(false);
    view->setWordWrap(false);
    view->setIconSize({12, 12});
    view->setTabKeyNavigation(false);
    view->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    view->verticalHeader()->hide();
    view->verticalHeader()->setDefaultSectionSize(view->fontMetrics().height() + 6);
    QHeaderView* headings = view->horizontalHeader();
    headings->setHighlightSections(false);
    headings->setSortIndicatorClearable(true); // the third click is the list's order again
    headings->setSortIndicator(-1, Qt::AscendingOrder);
    headings->setSectionResizeMode(QHeaderView::ResizeToContents);
    headings->setStretchLastSection(false);
    view->setSortingEnabled(true);
    return view;
}

} // namespace

NumbersPanel::NumbersPanel(QWidget* parent)
    : QWidget(parent), m_noise(noiseOf, [this] { fill(); }), m_model(new NumbersModel(this)),
      m_order(new NumbersOrder(this)), m_against(quietLine())
{
    m_order->setSourceModel(m_model);
    m_view = numbersView(m_order);
    m_view->setToolTip(tr("A click on a row chooses that setting, on a heading sorts"));
    connect(m_view->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& index) {
        if (!m_isFilling && index.isValid())
            emit chosen(m_model->table().rows[static_cast<std::size_t>(m_order->mapToSource(index).row())].id);
    });
    m_view->installEventFilter(this);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(header());
    layout->addWidget(m_view, 1);
    clear();
}

QWidget* NumbersPanel::header()
{
    m_against->setObjectName(QStringLiteral("numbersAgainst"));
    m_against->setAccessibleName(tr("What the figures are measured against"));
    auto* button = new QToolButton;
    button->setObjectName(QStringLiteral("copyNumbers"));
    button->setText(tr("Copy"));
    button->setToolTip(tr("Copies the table, its rows as they stand"));
    button->setAccessibleName(tr("Copy the table"));
    button->setAutoRaise(true);
    button->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(button);
    QAction* csv = menu->addAction(tr("As CSV"), this, [this] { copy(csvText); });
    csv->setShortcut(QKeySequence::Copy);
    csv->setShortcutContext(Qt::WidgetShortcut); // the table hears it
    menu->addAction(tr("As Markdown"), this, [this] { copy(markdownText); });
    menu->addAction(tr("As LaTeX"), this, [this] { copy(latexText); });
    button->setMenu(menu);
    auto* made = new QWidget;
    auto* row = new QHBoxLayout(made);
    row->setContentsMargins(0, 0, 4, 0);
    row->addWidget(m_against, 1);
    row->addWidget(button);
    return made;
}

void NumbersPanel::show(const Comparison& comparison, const TriedSettings& tried)
{
    m_shown = comparison;
    m_tried = tried;
    if (isVisible())
        wantNoise();
    fill();
}

void NumbersPanel::clear()
{
    m_shown = {};
    m_tried.clear();
    m_noise.want({});
    fill();
}

void NumbersPanel::wantNoise()
{
    std::vector<FigureOf> wanted;
    for (const Compared& one : m_shown.compared)
        if (one.result && !one.isPreview())
            wanted.push_back({one.result, nullptr, m_shown.slice, m_shown.mask});
    m_noise.want(std::move(wanted));
}

void NumbersPanel::fill()
{
    m_isFilling = true;
    const NumbersTable table = numbersTable(m_shown, m_tried, [this](const Compared& one) {
        return one.result ? m_noise.find({one.result, nullptr, m_shown.slice, m_shown.mask}) : nullptr;
    });
    m_model->setTable(table, palette());
    const QString against =
        table.rows.empty() ? tr("The figures of all settings appear here") : tr("against %1").arg(table.against);
    sayQuietly(m_against, against);
    for (int row = 0; row < m_model->rowCount(); ++row)
        if (table.rows[static_cast<std::size_t>(row)].id == m_shown.a().id) {
            const QModelIndex index = m_order->mapFromSource(m_model->index(row, 0));
            if (index.row() != m_view->currentIndex().row())
                m_view->setCurrentIndex(index);
        }
    m_isFilling = false;
}

NumbersTable NumbersPanel::table() const
{
    NumbersTable made = m_model->table();
    made.rows.clear();
    for (int row = 0; row < m_order->rowCount(); ++row)
        made.rows.push_back(
            m_model->table().rows[static_cast<std::size_t>(m_order->mapToSource(m_order->index(row, 0)).row())]);
    return made;
}

void NumbersPanel::copy(QString (*write)(const NumbersTable&))
{
    QGuiApplication::clipboard()->setText(write(table()));
}

// A view would copy its cell.
bool NumbersPanel::eventFilter(QObject* watched, QEvent* event)
{
    const bool isKey = event->type() == QEvent::KeyPress;
    if (!isKey || !static_cast<QKeyEvent*>(event)->matches(QKeySequence::Copy))
        return QWidget::eventFilter(watched, event);
    copy(csvText);
    return true;
}

void NumbersPanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    wantNoise();
}

void NumbersPanel::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        fill();
}

} // namespace ui
