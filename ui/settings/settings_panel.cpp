// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/settings_panel.h"

#include "engine/compare/compare_settings.h"
#include "engine/prepare/steps.h"
#include "engine/resolve/kernel_choices.h"
#include "ui/background/setting_differences.h"
#include "ui/settings/carried_over.h"
#include "ui/settings/option_rows.h"
#include "ui/settings/presets.h"
#include "ui/settings/setting_heading.h"
#include "ui/widgets/fold_out.h"
#include "ui/widgets/manual_page.h"
#include "ui/widgets/separator.h"

#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <set>

namespace ui
{

namespace
{

// Names the values that belong to the last scan. A given axis is not named: another one is found.
QStringList notKeptLines(const engine::SettingList& list)
{
    QStringList texts;
    for (const engine::NamedSetting& one : list.settings) {
        engine::Setting otherAxis = one.setting;
        otherAxis.axis = {};
        const QString text = unlikeText(otherAxis, engine::forAnotherScan(otherAxis), Parts::all);
        if (!text.isEmpty() && !texts.contains(text))
            texts << text;
    }
    if (texts.isEmpty())
        return {};
    return {SettingsPanel::tr("Not kept, as it belongs to the last scan: %1").arg(texts.join(QStringLiteral("; ")))};
}

} // namespace

SettingsPanel::SettingsPanel(QWidget* parent)
    : QWidget(parent), m_carried(new CarriedOver), m_settings(new SettingListView), m_heading(new SettingHeading),
      m_rows(new OptionRows(this)),
      m_preparation(new FoldOut("preparationHeading",
                                tr("Steps from the recorded data to the input of the filter, in this order"))),
      m_shared(new FoldOut("sharedByAll", tr("The same for every setting in the list"))), m_underAxis(new QWidget),
      m_geometry(new GeometryPanel(OptionRows::labelWidth()))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addWidget(m_settings);
    layout->addWidget(separator(QFrame::HLine));
    layout->addWidget(m_heading);
    layout->addWidget(m_rows->make(OptionRows::Part::kernel));
    layout->addWidget(separator(QFrame::HLine));
    layout->addWidget(m_rows->make(OptionRows::Part::otherOfSetting));
    auto* underAxis = new QVBoxLayout(m_underAxis);
    underAxis->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_underAxis);
    layout->addWidget(m_preparation);
    setManualPage(m_preparation, QStringLiteral("preparation.md"));
    m_preparation->body()->addWidget(m_rows->make(OptionRows::Part::preparation));
    layout->addWidget(m_geometry);
    layout->addWidget(m_shared);
    m_shared->body()->addWidget(m_rows->make(OptionRows::Part::shared));
    m_shared->body()->addWidget(makeResetButton());

    connectParts();
    connect(&m_rows->device(), &DeviceCombo::devicesWanted, this, &SettingsPanel::devicesWanted);
    setList(list());
}

int SettingsPanel::labelWidth() const
{
    return OptionRows::labelWidth();
}

QWidget* SettingsPanel::makeResetButton()
{
    auto* reset = new QPushButton(tr("Reset to defaults"));
    reset->setToolTip(tr("Keep one setting and reset this side panel to the state of the first start"));
    reset->setObjectName(QStringLiteral("reset"));
    connect(reset, &QPushButton::clicked, this, &SettingsPanel::resetByUser);
    return reset;
}

void SettingsPanel::connectParts()
{
    connect(m_carried, &CarriedOver::resetRequested, this, &SettingsPanel::resetByUser);
    connect(m_rows, &OptionRows::changed, this, &SettingsPanel::react);
    connect(m_rows, &OptionRows::memoryChanged, this, [this] {
        emit edited(list(), m_lastShared, m_edits.continues(list()));
        report();
    });
    connect(m_rows, &OptionRows::lookWanted, this, &SettingsPanel::lookWanted);
    connect(m_rows, &OptionRows::stepChosen, this, &SettingsPanel::stepChosen);
    connect(m_settings, &SettingListView::edited, this, &SettingsPanel::take);
    connect(m_settings, &SettingListView::presetChosen, this, &SettingsPanel::takePreset);
    connect(m_settings, &SettingListView::presetsOpened, this, [this] {
        const engine::Request chosen = request(0);
        m_settings->offerPresets([&](const Preset& preset) { return offerOf(preset, chosen, m_usedAxisBins); });
    });
    connect(m_settings, &SettingListView::backRequested, this, &SettingsPanel::backRequested);
    connect(m_settings, &SettingListView::forwardRequested, this, &SettingsPanel::forwardRequested);
}

void SettingsPanel::showCarriedOver(bool areCarried)
{
    if (areCarried)
        m_carried->showCarried(list(), m_notKept);
    else
        m_carried->hide();
}

QWidget* SettingsPanel::notice() const
{
    return m_carried;
}

void SettingsPanel::setScan(std::shared_ptr<const engine::Scan> scan)
{
    m_scan = std::move(scan);
    m_rows->axis().setScan(m_scan.get());
    m_settings->setScan(m_scan.get());
    m_geometry->setScan(m_scan.get());
    m_usedAxisBins = m_scan ? m_scan->middleBins() : 0;
    SettingList list = this->list();
    m_notKept = notKeptLines(list);
    list.forgetScan();
    using Kind = ReferenceChoice::Kind;
    if ((list.reference.kind == Kind::phantom && m_scan && !m_scan->exactImage) || list.reference.kind == Kind::file)
        list.reference = {};
    m_settings->setList(list);
    fitToScan();
    report();
    showChosen();
}

void SettingsPanel::report()
{
    m_edits.report(list());
    m_lastShared = request(0).resources;
}

void SettingsPanel::setDevices(const engine::Backend& backend, const engine::Devices& devices)
{
    m_rows->device().offer(backend, devices);
    makePossible();
    m_lastShared = request(0).resources;
    showChosen();
}

engine::Request SettingsPanel::requestOf(const engine::Setting& setting, int slice) const
{
    engine::Request request = engine::requestShowing(m_scan, setting, m_resources, slice);
    m_rows->applyShared(request);
    return request;
}

engine::Request SettingsPanel::request(int slice) const
{
    return requestOf(list().chosen().setting, slice);
}

Comparison SettingsPanel::comparison(int slice) const
{
    Comparison made;
    made.slice = slice;
    made.chosen = list().chosenIndex();
    made.against = list().reference;
    for (const NamedSetting& one : list().settings)
        made.compared.push_back({QString::fromStdString(one.name), requestOf(one.setting, slice), nullptr, one.id,
                                 one.colour, one.visible});
    nameByDifferences(made, list());
    return made;
}

// Returns the chosen setting with the values of the fields.
engine::Setting SettingsPanel::ofFields() const
{
    engine::Request request;
    request.setting = list().chosen().setting;
    m_rows->applySetting(request);
    return request.setting;
}

void SettingsPanel::showChosen()
{
    const engine::Request request = this->request(0);
    m_heading->show(namesByDifferences(list())[list().chosenIndex()], list().chosen().colour);
    m_rows->showSetting(request);
    offer();
}

// Shows in the titles which options differ from their defaults: visible while the sections are folded.
void SettingsPanel::titleSections(const engine::Request& request)
{
    const engine::Request usual;
    QStringList prepared, shared;
    for (const engine::Option& option : engine::options())
        if (!(option.idle && option.idle(request)) && option.get(request) != option.get(usual)) {
            if (option.use.ofSetting && option.use.stage == engine::Stage::prepare)
                prepared << QString::fromStdString(engine::lowerLabel(option));
            else if (!option.use.ofSetting && option.use.row != engine::WindowRow::none)
                shared << QString::fromStdString(engine::lowerLabel(option));
        }
    const auto title = [](const QString& of, const QStringList& changed) {
        return changed.empty()       ? of
               : changed.size() == 1 ? tr("%1: %2").arg(of, changed.front())
                                     : tr("%1: %2 changed").arg(of).arg(changed.size());
    };
    m_preparation->setTitle(title(tr("Preparation"), prepared));
    m_shared->setTitle(title(tr("Device"), shared));
}

// Replaces choices of all settings that this scan or device doesn't support. Returns the settings with such choices.
std::vector<SettingsPanel::Replaced> SettingsPanel::makePossible()
{
    std::vector<Replaced> replaced;
    if (!m_scan)
        return replaced;
    SettingList list = this->list();
    for (NamedSetting& one : list.settings) {
        const engine::Request request = requestOf(one.setting, 0);
        const engine::Request possible = engine::nearestPossible(request);
        if (possible.setting != request.setting) {
            const NamedSetting before = one;
            list.edit(one, possible.setting);
            replaced.emplace_back(before, one);
        }
    }
    m_settings->setList(list);
    return replaced;
}

QString SettingsPanel::inWords(const std::vector<Replaced>& replaced)
{
    std::vector<std::pair<engine::Setting, engine::Setting>> settings;
    for (const auto& [before, after] : replaced)
        settings.emplace_back(before.setting, after.setting);
    return replacementsText(settings);
}

// Replaces what this scan doesn't support, and keeps a line about it for the notice. Settings that have become equal
// are merged.
void SettingsPanel::fitToScan()
{
    const std::vector<Replaced> replaced = makePossible();
    std::set<int> ids;
    for (const auto& [before, after] : replaced)
        ids.insert(after.id);
    if (!replaced.empty())
        m_notKept << tr("Not possible for this scan: %1").arg(inWords(replaced));
    SettingList merged = list();
    merged.mergeEqual(ids);
    m_settings->setList(merged);
}

void SettingsPanel::setList(const SettingList& list)
{
    emit edited(m_settings->list(), m_lastShared, false);
    showList(list);
}

void SettingsPanel::setResources(const engine::Resources& resources)
{
    engine::Request request;
    request.resources = resources;
    m_resources.threads = resources.threads;
    m_rows->showShared(request);
    m_lastShared = this->request(0).resources;
}

void SettingsPanel::setRequest(const engine::Request& request)
{
    emit edited(list(), m_lastShared, false);
    setResources(request.resources);
    SettingList list = this->list();
    list.edit(list.chosen(), request.setting);
    showList(list);
}

void SettingsPanel::show(const Comparison& comparison, const SpeedOf& speedOf)
{
    m_settings->showSpeeds(comparison, speedOf);
    const Image& reference = comparison.a().reference;
    m_settings->offerUnit(reference && comparison.against == list().reference ? reference->likelyUnit : std::string());
    if (!comparison.hasResult())
        return;
    m_usedAxisBins = comparison.a().result->axisBins;
    m_rows->axis().showUsed(*comparison.a().result);
}

void SettingsPanel::offer()
{
    const engine::Request asked = request(0);
    titleSections(asked);
    m_rows->offer(asked);
}

// Takes over the fields' values after a change by the user.
void SettingsPanel::react()
{
    SettingList list = this->list();
    list.edit(list.chosen(), ofFields());
    take(list);
}

} // namespace ui
