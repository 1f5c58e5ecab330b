// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/setting_list_view.h"

#include "engine/measure/paper_steps.h"

#include "ui/background/application.h"
#include "ui/background/setting_differences.h"
#include "ui/settings/presets.h"
#include "ui/settings/reference_unit.h"
#include "ui/widgets/boxes.h"
#include "ui/widgets/curve_colours.h"
#include "ui/widgets/displayed_number.h"
#include "ui/widgets/flat_button.h"

#include <QEvent>
#include <QLabel>
#include <QListWidget>
#include <QMenu>
#include <QSignalBlocker>
#include <QToolButton>

namespace ui
{

namespace
{

constexpr int fewestRowsShown = 2;
constexpr int mostRowsShown = 6; // with more rows, the list scrolls
constexpr int boxAndSample = 76; // pixels of a row that the check box, stroke and margins use

// A row that shows name, speed and differences; only the name can be edited.
class SettingRow : public QListWidgetItem
{
  public:
    QString name, shown;

    QVariant data(int role) const override
    {
        return role == Qt::EditRole ? name : role == Qt::DisplayRole ? shown : QListWidgetItem::data(role);
    }
    void setData(int role, const QVariant& value) override
    {
        if (role == Qt::EditRole)
            name = value.toString().trimmed();
        QListWidgetItem::setData(role, value);
    }
};

// Returns the options of a setting by itself: "auto · linear · float · 1 slice".
QString wordsOf(const NamedSetting& setting)
{
    SettingList alone;
    alone.settings = {setting};
    alone.chosenId = setting.id;
    return differences(alone).front();
}

} // namespace

SettingListView::SettingListView(QWidget* parent)
    : QWidget(parent), m_rows(new QListWidget), m_reference(new ReferenceCombo), m_unit(new ReferenceUnit)
{
    m_rows->setObjectName(QStringLiteral("settingList"));
    m_rows->setAccessibleName(tr("Settings that are compared"));
    m_rows->setToolTip(tr("Click a setting to see and edit it; its box shows or hides it; double-click to rename it"));
    m_rows->setIconSize(strokeSampleSize);
    m_rows->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
    m_rows->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_rows->setTextElideMode(Qt::ElideRight);
    connect(m_rows, &QListWidget::currentRowChanged, this, [this](int row) {
        if (row >= 0)
            edit([row](SettingList& list) { list.chosenId = list.settings[static_cast<std::size_t>(row)].id; });
    });
    connect(m_rows, &QListWidget::itemChanged, this, &SettingListView::takeOver);

    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(1);
    const auto button = [&](const char* name, const QString& text, const QString& tip, auto act) {
        QToolButton* made = flatButton(QLatin1String(name), text, tip);
        connect(made, &QToolButton::clicked, this, act);
        buttons->addWidget(made);
        return made;
    };
    button("addSetting", QStringLiteral("+"), tr("Add a copy of the chosen setting"), [this] { addCopy(); });
    m_remove =
        button("removeSetting", QStringLiteral("−"), tr("Remove the chosen setting"), [this] { removeChosen(); });
    m_up = button("moveUp", QStringLiteral("↑"), tr("Move the chosen setting up"),
                  [this] { edit([](SettingList& list) { list.move(list.chosenId, -1); }); });
    m_down = button("moveDown", QStringLiteral("↓"), tr("Move the chosen setting down"),
                    [this] { edit([](SettingList& list) { list.move(list.chosenId, 1); }); });
    buttons->addStretch(1);
    m_back = button("undo", QStringLiteral("↶"), tr("Undo (Ctrl+Z)"), [this] { emit backRequested(); });
    m_forward = button("redo", QStringLiteral("↷"), tr("Redo (Ctrl+Shift+Z)"), [this] { emit forwardRequested(); });
    buttons->addWidget(makePresets());

    auto* against = new QLabel(tr("Compare &with"));
    against->setBuddy(m_reference);
    connect(m_reference, &ReferenceCombo::chosen, this,
            [this](const ReferenceChoice& reference) { edit([&](SettingList& list) { list.reference = reference; }); });
    connect(m_unit, &ReferenceUnit::chosen, this,
            [this](const std::string& unit) { edit([&](SettingList& list) { list.reference.file.unit = unit; }); });

    filled(new QVBoxLayout(this), {m_rows, buttons, against, m_reference, m_unit}, {QMargins(), 4});
    fill();
}

// Creates the button with the menu of presets.
QToolButton* SettingListView::makePresets()
{
    auto* menu = new QMenu(this);
    menu->setToolTipsVisible(true);
    for (int k = 0; k < static_cast<int>(presets().size()); ++k) {
        if (presets()[static_cast<std::size_t>(k)].id == engine::paperSequences().front().id)
            menu->addSeparator();
        QAction* action = m_presets.emplace_back(menu->addAction(presets()[static_cast<std::size_t>(k)].text()));
        action->setToolTip(QCoreApplication::translate("ui::Preset", presets()[static_cast<std::size_t>(k)].summary));
        connect(action, &QAction::triggered, this, [this, k] { emit presetChosen(k); });
    }
    // The menu's event loop does not survive exceptions.
    connect(menu, &QMenu::aboutToShow, this, guarded([this] { emit presetsOpened(); }));
    auto* ready = new QToolButton;
    ready->setObjectName(QStringLiteral("presets"));
    ready->setText(tr("Presets"));
    ready->setToolTip(tr("Ready comparisons: they replace the list"));
    ready->setMenu(menu);
    ready->setPopupMode(QToolButton::InstantPopup);
    return ready;
}

void SettingListView::offerPresets(const std::function<PresetOffer(const Preset&)>& offer)
{
    for (std::size_t k = 0; k < m_presets.size(); ++k) {
        const auto [isPossible, tip] = offer(presets()[k]);
        m_presets[k]->setEnabled(isPossible);
        m_presets[k]->setToolTip(tip);
    }
}

void SettingListView::edit(const std::function<void(SettingList&)>& change)
{
    SettingList list = m_list;
    change(list);
    if (list == m_list)
        return;
    setList(list);
    emit edited(m_list);
}

void SettingListView::addCopy()
{
    edit([](SettingList& list) { list.chosenId = list.add(engine::Setting(list.chosen().setting)).id; });
}

void SettingListView::removeChosen()
{
    edit([](SettingList& list) { list.remove(list.chosenId); });
}

void SettingListView::takeOver(QListWidgetItem* item)
{
    const auto row = static_cast<std::size_t>(m_rows->row(item));
    edit([&](SettingList& list) {
        list.settings[row].visible = item->checkState() == Qt::Checked;
        const std::string name = static_cast<SettingRow*>(item)->name.toStdString();
        if (!name.empty() && name != list.settings[row].name) {
            list.settings[row].name = name;
            list.settings[row].isNamedAfterValues = false;
        }
    });
    fill(); // shows the old name again if the new one is empty
}

void SettingListView::setList(const SettingList& list)
{
    if (list.settings.size() != m_list.settings.size())
        m_speeds.clear();
    m_list = list;
    fill();
}

void SettingListView::setScan(const engine::Scan* scan)
{
    m_scan = scan;
    showReference();
}

void SettingListView::showReference()
{
    m_reference->showChoices(m_list, m_scan);
    m_unit->showFor(m_list.reference, m_scan);
}

void SettingListView::offerUnit(const std::string& unit)
{
    m_unit->offer(unit);
}

void SettingListView::setSteps(const QString& back, const QString& forward)
{
    showIfPossible(m_back, !back.isEmpty());
    showIfPossible(m_forward, !forward.isEmpty());
    m_back->setToolTip(tr("Undo: %1 (Ctrl+Z)").arg(back));
    m_forward->setToolTip(tr("Redo: %1 (Ctrl+Shift+Z)").arg(forward));
}

void SettingListView::showSpeeds(const Comparison& comparison, const SpeedOf& speedOf)
{
    std::vector<QString> speeds, told;
    for (const NamedSetting& one : m_list.settings) {
        const Compared* compared = comparison.find(one.id);
        const bool isThere = compared && compared->result && !compared->isPreview();
        const engine::Spread spread = isThere ? speedOf(*compared) : engine::Spread();
        const QString slowed = isThere && compared->result->timings.isSlowed() ? tr(", slowed") : QString();
        speeds.push_back(spread.count > 1   ? tr("%1 GU/s").arg(gupsText(spread.median)) + slowed
                         : spread.count > 0 ? tr("%1 GU/s, 1 run").arg(gupsText(spread.median)) + slowed
                                            : QString());
        told.push_back(spread.count > 1
                           ? tr("Back-projection alone: the median of %1 runs, half of them from %2 to %3 GU/s")
                                 .arg(spread.count)
                                 .arg(gupsText(spread.lower), gupsText(spread.upper))
                           : tr("Back-projection alone: a single run, the first; F5 makes another"));
        if (!slowed.isEmpty())
            told.back() +=
                u'\n' + tr("In the last run, threads waited for a core for %1 % of the time because of other "
                           "work: this speed can't be compared")
                            .arg(qRound(100 * *compared->result->timings.waitedShare));
    }
    if (speeds == m_speeds && told == m_speedTips)
        return;
    m_speeds = speeds;
    m_speedTips = told;
    fill();
}

void SettingListView::fill()
{
    const QSignalBlocker blocker(m_rows);
    while (m_rows->count() > static_cast<int>(m_list.settings.size()))
        delete m_rows->takeItem(m_rows->count() - 1);
    while (m_rows->count() < static_cast<int>(m_list.settings.size()))
        m_rows->addItem(new SettingRow);
    const std::vector<QString> lines = differences(m_list);
    const QString shared = sharedText(m_list);
    for (int k = 0; k < m_rows->count(); ++k) {
        const auto place = static_cast<std::size_t>(k);
        const NamedSetting& one = m_list.settings[place];
        auto* row = static_cast<SettingRow*>(m_rows->item(k));
        row->name = QString::fromStdString(one.name);
        const bool hasSpeed = place < m_speeds.size() && !m_speeds[place].isEmpty();
        const QString speed = hasSpeed ? QStringLiteral("   ") + m_speeds[place] : QString();
        const QFontMetrics metrics = m_rows->fontMetrics();
        const int room = m_rows->width() - boxAndSample - metrics.horizontalAdvance(speed);
        const QString first =
            metrics.elidedText(row->name, Qt::ElideMiddle, std::max(room, metrics.averageCharWidth() * 6)) + speed;
        // Where the difference needs no word, the setting itself is said: a second line that came and went would move
        // what is below.
        QStringList words{!lines[place].isEmpty() ? lines[place] : wordsOf(one)};
        if (words.front() == row->name)
            words.clear();
        if (!shared.isEmpty())
            words << shared;
        row->shown = words.isEmpty() ? first : first + u'\n' + words.join(QStringLiteral(" · "));
        row->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsEditable | Qt::ItemIsUserCheckable);
        row->setCheckState(one.visible ? Qt::Checked : Qt::Unchecked);
        row->setIcon(strokeIcon(palette(), one.colour, devicePixelRatioF()));
        QStringList tips{wholeDescriptionOf(one, m_scan)};
        if (hasSpeed)
            tips << m_speedTips[place];
        row->setToolTip(tips.join(u'\n'));
    }
    m_rows->setCurrentRow(static_cast<int>(m_list.chosenIndex()));
    // A second setting finds its place already there, so that nothing below moves when it is added.
    int height = 2 * m_rows->frameWidth();
    for (int k = 0; k < std::clamp(m_rows->count(), fewestRowsShown, mostRowsShown); ++k)
        height +=
            std::max(m_rows->sizeHintForRow(std::min(k, m_rows->count() - 1)), m_rows->fontMetrics().height() + 4);
    m_rows->setFixedHeight(height);
    showIfPossible(m_remove, m_list.settings.size() > 1);
    showIfPossible(m_up, m_list.chosenIndex() > 0);
    showIfPossible(m_down, m_list.chosenIndex() + 1 < m_list.settings.size());
    showReference();
}

void SettingListView::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        fill();
}

} // namespace ui
