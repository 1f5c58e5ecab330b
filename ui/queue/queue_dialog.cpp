// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/queue/queue_dialog.h"

#include "engine/base/error.h"
#include "engine/io/open/open_fields.h"
#include "engine/io/open/readers.h"
#include "ui/widgets/boxes.h"
#include "ui/widgets/displayed_number.h"
#include "ui/widgets/engine_text.h"

#include <QCheckBox>
#include <QDesktopServices>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QGridLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStyledItemDelegate>
#include <QTableWidget>
#include <QUrl>

#include <algorithm>
#include <tuple>
#include <utility>

namespace ui
{

namespace
{

enum Column { scanColumn, recipeColumn, outputColumn, stateColumn, columns };

QString stateText(const VolumeQueue::Item& item)
{
    using State = VolumeQueue::State;
    switch (item.state) {
    case State::waiting:
        if (item.isInUse)
            return QueueDialog::tr("waiting, another program is writing it");
        return item.fraction > 0 && engine::canResume(item.volume.output)
                   ? QueueDialog::tr("waiting, %1 % done").arg(100 * item.fraction, 0, 'f', 0)
                   : QueueDialog::tr("waiting");
    case State::running:
        return QueueDialog::tr("%1 %").arg(100 * item.fraction, 0, 'f', 0);
    case State::done:
        return QueueDialog::tr("done · %1 · %2").arg(secondsText(item.seconds), item.text);
    case State::doubtful:
        return QueueDialog::tr("done, doubtful · %1 · %2").arg(secondsText(item.seconds), item.text);
    case State::failed:
        return QueueDialog::tr("failed: %1").arg(item.text);
    case State::unreadable:
        return QueueDialog::tr("can't be read: %1").arg(item.text);
    case State::skipped:
        break;
    }
    return QueueDialog::tr("skipped");
}

QString nativeText(const std::string& path)
{
    return QDir::toNativeSeparators(QString::fromStdString(path));
}

// Returns a path in the folder that no file and no other volume of the queue has.
QString freeOutput(const VolumeQueue& queue, const QString& folder, const QString& name, const QString& suffix)
{
    for (int k = 1;; ++k) {
        const QString path = QDir(folder).filePath(name + (k > 1 ? QStringLiteral("_%1").arg(k) : QString()) + suffix);
        const bool isTaken = std::ranges::any_of(queue.items(), [&](const VolumeQueue::Item& item) {
            return item.volume.output.path == path.toStdString();
        });
        if (!isTaken && !QFileInfo::exists(path))
            return path;
    }
}

// Returns the recipe's name with its plane; empty without a plane.
QString textWithPlane(const QString& name, const std::string& plane)
{
    return plane.empty() ? QString() : QueueDialog::tr("%1: plane %2").arg(name, QString::fromStdString(plane));
}

QString recipeText(const QString& name, const engine::Recipe& recipe)
{
    return recipe.plane.empty() ? name : textWithPlane(name, engine::shortPlane(recipe));
}

constexpr int wrappedRole = Qt::UserRole;

// Wraps the reasons of failures and doubts; truncates other texts at the end, and paths in the middle.
class RowDelegate : public QStyledItemDelegate
{
  public:
    using QStyledItemDelegate::QStyledItemDelegate;

  protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override
    {
        QStyledItemDelegate::initStyleOption(option, index);
        const bool isState = index.column() == stateColumn;
        option->textElideMode = isState ? Qt::ElideRight : Qt::ElideMiddle;
        option->features.setFlag(QStyleOptionViewItem::WrapText, isState && index.data(wrappedRole).toBool());
    }
};

} // namespace

QString endText(const VolumeQueue& queue)
{
    using State = VolumeQueue::State;
    QStringList parts;
    const auto add = [&](State state, const QString& text) {
        if (const int count = queue.count(state); count > 0)
            parts << text.arg(count);
    };
    add(State::done, QueueDialog::tr("%1 done"));
    add(State::doubtful, QueueDialog::tr("%1 doubtful"));
    add(State::failed, QueueDialog::tr("%1 failed"));
    add(State::skipped, QueueDialog::tr("%1 skipped"));
    return parts.join(QStringLiteral(" · "));
}

QueueDialog::QueueDialog(VolumeQueue& queue, AsWindow asWindow, const QString& folder, QWidget* parent)
    : QDialog(parent), m_queue(queue), m_asWindow(std::move(asWindow)), m_table(new QTableWidget(0, columns)),
      m_state(new QLabel), m_problem(new QLabel)
{
    setWindowTitle(tr("Queue of volumes"));
    setObjectName(QStringLiteral("queueDialog"));
    m_table->setObjectName(QStringLiteral("queueTable"));
    m_table->setAccessibleName(tr("Volumes in the order of reconstruction"));
    m_table->setHorizontalHeaderLabels({tr("Scan"), tr("Recipe"), tr("Output"), tr("State")});
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(m_table->fontMetrics().height() + 8);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setShowGrid(false);
    m_table->setTabKeyNavigation(false); // Tab leads out of the table
    m_table->setWordWrap(true);          // needed for the delegate to wrap
    m_table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_table->horizontalHeader()->setHighlightSections(false);
    for (int column = 0; column < columns; ++column)
        m_table->horizontalHeader()->setSectionResizeMode(column, column == stateColumn ? QHeaderView::Stretch
                                                                                        : QHeaderView::Interactive);
    m_table->setItemDelegate(new RowDelegate(m_table));
    connect(m_table->horizontalHeader(), &QHeaderView::sectionResized, this, &QueueDialog::fitRows);
    m_problem->setObjectName(QStringLiteral("queueProblem"));
    m_problem->setWordWrap(true);
    m_problem->hide();
    m_state->setObjectName(QStringLiteral("queueState"));
    filled(new QVBoxLayout(this), {makeWhat(folder), m_problem, {m_table, 1}, makeActs()});
    connect(&m_queue, &VolumeQueue::changed, this, &QueueDialog::showItems);
    connect(&m_queue, &VolumeQueue::progressed, this, &QueueDialog::showProgress);
    connect(m_table, &QTableWidget::itemSelectionChanged, this, &QueueDialog::offer);
    connect(m_table, &QTableWidget::cellDoubleClicked, this, &QueueDialog::openResult);
    resize(860, 420);
    for (const auto& [column, width] : {std::pair(scanColumn, 160), {recipeColumn, 180}, {outputColumn, 230}})
        m_table->setColumnWidth(column, width);
    showItems();
}

QWidget* QueueDialog::makeWhat(const QString& folder)
{
    m_recipeText = new QLineEdit(tr("as in the window"));
    m_recipeText->setReadOnly(true);
    m_recipeText->setFocusPolicy(Qt::NoFocus);
    m_recipeText->setAccessibleName(tr("Recipe for added scans"));
    m_folder = new QLineEdit(QDir::toNativeSeparators(folder));
    m_folder->setObjectName(QStringLiteral("queueFolder"));
    m_folder->setAccessibleName(tr("Folder for their volumes"));
    auto* window = new QPushButton(tr("As in the &window"));
    auto* recipe = new QPushButton(tr("R&ecipe…"));
    auto* choose = new QPushButton(tr("C&hoose…"));
    auto* add = new QPushButton(tr("&Add scans…"));
    connect(window, &QPushButton::clicked, this, [this] { chooseRecipe({}); });
    connect(recipe, &QPushButton::clicked, this, &QueueDialog::askForRecipe);
    connect(choose, &QPushButton::clicked, this, [this] {
        const QString chosen = QFileDialog::getExistingDirectory(this, tr("Volumes go to"), this->folder());
        if (!chosen.isEmpty())
            m_folder->setText(QDir::toNativeSeparators(chosen));
    });
    connect(add, &QPushButton::clicked, this, &QueueDialog::askForScans);
    for (QPushButton* button : {window, recipe, choose, add})
        button->setAutoDefault(false);
    auto* row = new QWidget;
    auto* grid = new QGridLayout(row);
    grid->setContentsMargins(0, 0, 0, 0);
    auto* recipeLabel = new QLabel(tr("Recipe"));
    auto* folderLabel = new QLabel(tr("&Into"));
    folderLabel->setBuddy(m_folder);
    grid->addWidget(recipeLabel, 0, 0);
    grid->addWidget(m_recipeText, 0, 1);
    grid->addWidget(recipe, 0, 2);
    grid->addWidget(window, 0, 3);
    grid->addWidget(folderLabel, 1, 0);
    grid->addWidget(m_folder, 1, 1);
    grid->addWidget(choose, 1, 2);
    grid->addWidget(add, 1, 3);
    return row;
}

QWidget* QueueDialog::makeActs()
{
    const auto button = [this](const QString& text, const char* name, auto act) {
        auto* made = new QPushButton(text);
        made->setObjectName(QLatin1String(name));
        made->setAutoDefault(false);
        connect(made, &QPushButton::clicked, this, act);
        return made;
    };
    m_up = button(tr("&Up"), "queueUp", [this] { move(-1); });
    m_down = button(tr("&Down"), "queueDown", [this] { move(1); });
    m_remove = button(tr("&Remove"), "queueRemove", [this] { remove(); });
    m_undo = button(tr("U&ndo"), "queueUndo", [this] { undo(); });
    m_undo->setShortcut(QKeySequence::Undo);
    m_undo->setToolTip(tr("Moves or adds the volume back that was moved or removed last"));
    m_skip = button(tr("S&kip"), "queueSkip", [this] {
        const int place = chosen();
        const auto state = m_queue.items()[place].state;
        if (state == VolumeQueue::State::failed || state == VolumeQueue::State::skipped)
            m_queue.again(place);
        else
            m_queue.skip(place);
    });
    m_run = button(tr("&Start"), "queueRun", [this] { m_queue.setPaused(!m_queue.isPaused()); });
    auto* close = button(tr("&Close"), "queueClose", [this] { hide(); });
    auto* row = new QWidget;
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    for (QPushButton* each : {m_up, m_down, m_remove, m_undo, m_skip})
        layout->addWidget(each);
    auto* pauses = new QCheckBox(tr("Pause &if doubtful"));
    pauses->setObjectName(QStringLiteral("queuePauses"));
    pauses->setToolTip(tr("Pauses the queue after a volume whose scan contradicts itself or whose axis is doubtful"));
    pauses->setChecked(m_queue.pausesAtDoubts());
    connect(pauses, &QCheckBox::toggled, this, [this](bool on) { m_queue.setPausesAtDoubts(on); });
    layout->addWidget(m_state, 1, Qt::AlignRight);
    layout->addWidget(pauses);
    layout->addWidget(m_run);
    layout->addWidget(close);
    return row;
}

// Opens the volume in the program that the desktop has for it, else its folder.
void QueueDialog::openResult(int place)
{
    const VolumeQueue::Item& item = m_queue.items()[place];
    const QFileInfo output(QString::fromStdString(item.volume.output.path.string()));
    if (isDone(item.state) && !QDesktopServices::openUrl(QUrl::fromLocalFile(output.absoluteFilePath())))
        QDesktopServices::openUrl(QUrl::fromLocalFile(output.absolutePath()));
}

void QueueDialog::move(int places)
{
    const int place = chosen();
    m_changes.push_back({m_queue.items()[place].id, place});
    m_queue.move(place, places);
    m_table->selectRow(place + places);
}

void QueueDialog::remove()
{
    const int place = chosen();
    const VolumeQueue::Item item = m_queue.items()[place];
    if (item.state != VolumeQueue::State::unreadable) // only its file has all of it
        m_changes.push_back({item.id, place, item});
    m_queue.remove(place);
}

void QueueDialog::undo()
{
    const Change last = m_changes.back();
    m_changes.pop_back();
    if (last.removed) {
        m_queue.putBack(*last.removed, last.place);
        const int at = std::min(last.place, int(m_queue.items().size()) - 1);
        for (Change& each : m_changes) // earlier changes mean the same item
            if (each.id == last.id)
                each.id = m_queue.items()[at].id;
        return m_table->selectRow(at);
    }
    const auto found = std::ranges::find(m_queue.items(), last.id, &VolumeQueue::Item::id);
    if (found == m_queue.items().end()) // another window removed it
        return offer();
    m_queue.move(int(found - m_queue.items().begin()),
                 std::min(last.place, int(m_queue.items().size()) - 1) - int(found - m_queue.items().begin()));
    m_table->selectRow(last.place);
}

QString QueueDialog::folder() const
{
    return QDir::fromNativeSeparators(m_folder->text().trimmed());
}

int QueueDialog::chosen() const
{
    const QModelIndexList rows = m_table->selectionModel()->selectedRows();
    return rows.isEmpty() ? -1 : rows.front().row();
}

void QueueDialog::say(const QString& problem)
{
    m_problem->setText(problem);
    m_problem->setVisible(!problem.isEmpty());
}

void QueueDialog::askForScans()
{
    QStringList patterns; // such as *.h5
    for (const std::string& suffix : engine::scanSuffixes())
        patterns << QLatin1Char('*') + QString::fromStdString(suffix);
    addScans(QFileDialog::getOpenFileNames(this, tr("Add scans to the queue"), {},
                                           tr("Scans (%1);;All files (*)").arg(patterns.join(QLatin1Char(' ')))));
}

void QueueDialog::askForRecipe()
{
    const QString path =
        QFileDialog::getOpenFileName(this, tr("Recipe for added scans"), folder(), tr("Recipes (*.json)"));
    if (!path.isEmpty())
        chooseRecipe(path);
}

void QueueDialog::chooseRecipe(const QString& path)
{
    try {
        m_recipeText->setText(path.isEmpty()
                                  ? tr("as in the window")
                                  : recipeText(QDir::toNativeSeparators(path), engine::readRecipe(path.toStdString())));
        m_recipe = path;
        say({});
    } catch (const engine::Error& error) {
        say(inWindow(error.text()));
    }
}

void QueueDialog::addScans(const QStringList& scans)
{
    QStringList problems;
    for (const QString& scan : scans) {
        try {
            engine::QueuedVolume volume = m_asWindow(scan);
            if (!m_recipe.isEmpty()) {
                volume.recipe = engine::readRecipe(m_recipe.toStdString());
                volume.opened = volume.recipe.opened;
                volume.named = QFileInfo(m_recipe).fileName().toStdString();
            }
            const QString suffix = QString::fromStdString(volume.output.path.extension().string());
            const std::string plane = engine::shortPlane(volume.recipe),
                              name = engine::resultName(volume.scan) + (plane.empty() ? "_reconstruction" : "_plane_");
            volume.output.path =
                freeOutput(m_queue, folder(), QString::fromStdString(name + plane), suffix).toStdString();
            m_queue.add(std::move(volume));
        } catch (const engine::Error& error) {
            problems << inWindow(error.text());
        }
    }
    say(problems.join(QLatin1Char('\n')));
}

void QueueDialog::showItems()
{
    const int place = chosen();
    const auto& items = m_queue.items();
    m_table->setRowCount(int(items.size()));
    for (int row = 0; row < int(items.size()); ++row) {
        const VolumeQueue::Item& item = items[row];
        const bool isUnreadable = item.state == VolumeQueue::State::unreadable;
        const bool hasReasons =
            isUnreadable || item.state == VolumeQueue::State::failed || item.state == VolumeQueue::State::doubtful;
        const QString named = QString::fromStdString(item.volume.named),
                      scan = isUnreadable ? tr("unreadable entry") : nativeText(item.volume.scan),
                      output = nativeText(item.volume.output.path.string());
        const std::tuple<int, QString, QString> cells[] = {
            {scanColumn, QFileInfo(scan).fileName(), scan},
            {recipeColumn, recipeText(named, item.volume.recipe), textWithPlane(named, item.volume.recipe.plane)},
            {outputColumn, output, output},
            {stateColumn, stateText(item), stateText(item)}};
        for (const auto& [column, text, tip] : cells) {
            auto* cell = new QTableWidgetItem(text);
            cell->setToolTip(tip);
            cell->setData(wrappedRole, hasReasons);
            m_table->setItem(row, column, cell);
        }
    }
    if (place >= 0 && place < int(items.size()))
        m_table->selectRow(place);
    fitRows();
    showProgress();
    offer();
}

void QueueDialog::fitRows()
{
    const QHeaderView& rows = *m_table->verticalHeader();
    for (int row = 0; row < m_table->rowCount(); ++row) {
        const auto* state = m_table->item(row, stateColumn);
        if (state && state->data(wrappedRole).toBool())
            m_table->resizeRowToContents(row);
        else if (m_table->rowHeight(row) != rows.defaultSectionSize())
            m_table->setRowHeight(row, rows.defaultSectionSize());
    }
}

void QueueDialog::showProgress()
{
    const int place = m_queue.current();
    QStringList parts;
    if (place >= 0) {
        m_table->item(place, stateColumn)->setText(stateText(m_queue.items()[place]));
        if (const double left = m_queue.secondsLeft(); left >= 0)
            parts << timeLeftText(left);
    }
    if (m_queue.waiting() > 0)
        parts << tr("%1 waiting").arg(m_queue.waiting());
    if (const QString end = endText(m_queue); !end.isEmpty())
        parts << end;
    m_state->setText(parts.join(QStringLiteral(" · ")));
}

void QueueDialog::offer()
{
    const int place = chosen(), last = int(m_queue.items().size()) - 1;
    const bool isAny = place >= 0 && place <= last;
    const auto state = isAny ? m_queue.items()[place].state : VolumeQueue::State::done;
    const bool isOver = state == VolumeQueue::State::failed || state == VolumeQueue::State::skipped;
    m_up->setEnabled(isAny && place > 0);
    m_down->setEnabled(isAny && place < last);
    m_undo->setEnabled(!m_changes.empty());
    m_remove->setEnabled(isAny && state != VolumeQueue::State::running);
    m_skip->setText(isOver ? tr("Re&try") : tr("S&kip"));
    m_skip->setEnabled(isAny && !isDone(state) && state != VolumeQueue::State::unreadable);
    const bool runs = m_queue.current() >= 0;
    m_run->setText(m_queue.isPaused() && !runs ? tr("&Start") : tr("&Pause"));
    m_run->setEnabled(m_queue.isPaused() ? !runs && m_queue.waiting() > 0 : runs || m_queue.waiting() > 0);
}

} // namespace ui
