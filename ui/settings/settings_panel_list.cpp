// SPDX-License-Identifier: GPL-3.0-or-later
// The part of SettingsPanel that manages the list: edits, undo and redo, and the state stored between sessions.
#include "ui/settings/settings_panel.h"

#include "engine/backends/devices.h"
#include "engine/base/error.h"
#include "engine/prepare/steps.h"
#include "ui/settings/carried_over.h"
#include "ui/settings/option_rows.h"
#include "ui/settings/presets.h"
#include "ui/settings/stored_settings.h"

#include <QLayout>

#include <algorithm>
#include <cmath>

namespace ui
{

// Takes over a list that was changed by the user.
void SettingsPanel::take(const SettingList& list)
{
    const bool isQuick = m_edits.continues(list);
    m_carried->hide();
    m_settings->setList(list);
    const std::vector<Replaced> replaced = makePossible();
    if (!replaced.empty() && request(0).resources.device != m_lastShared.device)
        m_carried->showReplaced(inWords(replaced));
    if (this->list() != m_edits.last() || request(0).resources != m_lastShared)
        emit edited(m_edits.last(), m_lastShared, isQuick);
    report();
    showChosen();
    emit changed();
}

void SettingsPanel::showList(const SettingList& list)
{
    m_carried->hide();
    m_settings->setList(list);
    makePossible();
    m_edits.begin(this->list());
    showChosen();
}

void SettingsPanel::setSteps(const QString& back, const QString& forward)
{
    m_settings->setSteps(back, forward);
}

void SettingsPanel::addSetting()
{
    m_settings->addCopy();
}

void SettingsPanel::removeChosen()
{
    m_settings->removeChosen();
}

void SettingsPanel::choose(int id)
{
    SettingList list = this->list();
    if (list.chosenId == id || !list.find(id))
        return;
    list.chosenId = id;
    take(list);
}

void SettingsPanel::setReference(const ReferenceChoice& reference)
{
    SettingList list = this->list();
    list.reference = reference;
    take(list);
}

void SettingsPanel::setReferenceUnit(const std::string& unit)
{
    SettingList list = this->list();
    if (list.reference.kind != ReferenceChoice::Kind::file)
        return;
    list.reference.file.unit = unit;
    take(list);
}

void SettingsPanel::setAir()
{
    SettingList list = this->list();
    engine::Request with = request(0);
    engine::setField(engine::option("air"), with, "both");
    list.edit(list.chosen(), with.setting);
    take(list);
}

void SettingsPanel::setAxis(double bins, std::optional<double> tiltDeg)
{
    SettingList list = this->list();
    list.chosen().setting.axis = {engine::AxisSettings::Mode::given, bins};
    if (tiltDeg)
        engine::setValue(*engine::findParameter("axis-tilt").parameter, *tiltDeg, list.chosen().setting.preparation);
    take(list);
}

// Updates only the axis: during a drag, the rest of the list doesn't change, nor which choices are possible.
void SettingsPanel::dragAxis(double byBins)
{
    if (!m_scan)
        return;
    SettingList list = this->list();
    engine::AxisSettings& axis = list.chosen().setting.axis;
    const double bins = m_edits.dragAxis(axisBins(), byBins, m_scan->bins() - 1.0);
    axis = {engine::AxisSettings::Mode::given, std::round(bins * 100) / 100};
    takeDragged(list);
}

void SettingsPanel::dragTilt(double byDeg)
{
    if (!m_scan || !std::holds_alternative<engine::ParallelBeam>(m_scan->geometry))
        return;
    SettingList list = this->list();
    engine::Setting& setting = list.chosen().setting;
    const engine::StepField& tilt = *engine::findParameter("axis-tilt").parameter;
    const double deg = m_edits.dragTilt(engine::valueOf(tilt, setting.preparation), byDeg, tilt.most);
    engine::setValue(tilt, std::round(deg * 100) / 100, setting.preparation);
    using Mode = engine::AxisSettings::Mode;
    if (setting.axis.mode == Mode::automatic || setting.axis.mode == Mode::find) // a search at each step would move it
        setting.axis = {Mode::given, std::round(axisBins() * 100) / 100};
    takeDragged(list);
    m_rows->showSetting(request(0));
}

void SettingsPanel::takeDragged(const SettingList& list)
{
    if (list == this->list())
        return;
    m_settings->setList(list);
    emit edited(m_edits.last(), m_lastShared, m_edits.recordDrag());
    report();
    m_rows->axis().setAxis(list.chosen().setting.axis);
    emit dragged();
}

double SettingsPanel::axisBins() const
{
    const engine::AxisSettings& axis = list().chosen().setting.axis;
    return axis.mode == engine::AxisSettings::Mode::given ? axis.bins : m_usedAxisBins;
}

void SettingsPanel::endAxisDrag()
{
    if (!m_edits.endDrag())
        return;
    showChosen();
    emit changed();
}

void SettingsPanel::placeUnderAxis(QWidget* tools)
{
    m_underAxis->layout()->addWidget(tools);
}

void SettingsPanel::bring(const engine::Setting& setting, const QString& name)
{
    SettingList list = this->list();
    const auto like = std::ranges::find(list.settings, setting, &NamedSetting::setting);
    if (like != list.settings.end())
        return choose(like->id);
    const std::string wanted = name.toStdString();
    const bool isFree = std::ranges::find(list.settings, wanted, &NamedSetting::name) == list.settings.end();
    list.chosenId = list.add(setting, isFree ? wanted : std::string()).id;
    take(list);
}

void SettingsPanel::takePreset(int index)
{
    const Preset& preset = presets()[static_cast<std::size_t>(index)];
    take(preset.make(request(0), m_usedAxisBins));
    if (preset.ofSpeeds)
        emit speedsWanted();
}

void SettingsPanel::reset()
{
    emit edited(list(), m_lastShared, false);
    engine::Resources standard;
    standard.threads = m_resources.threads;
    setResources(standard);
    showList({});
}

void SettingsPanel::resetByUser()
{
    reset();
    emit changed();
}

void SettingsPanel::saveState(QSettings& settings) const
{
    engine::Request shared = request(0);
    engine::setDevices(shared.resources, m_rows->device().wanted());
    storeSettings(settings, comparison(0), list(), shared);
}

void SettingsPanel::restoreState(const QSettings& settings)
{
    try {
        if (const auto stored = storedSettings(settings, m_resources.threads)) {
            setResources(stored->resources);
            setList(stored->list);
        }
    } catch (const engine::Error&) {
        reset(); // stored by an incompatible version
    }
}

} // namespace ui
