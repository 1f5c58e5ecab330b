// What SettingsPanel does with its list, and the steps back.
#include "ui/settings/settings_panel.h"

#include "engine/prepare/steps.h"

#include <QLayout>

#include <algorithm>
#include <cmath>
#include <utility>

namespace ui
{

namespace
{

constexpr int quickMs = 700; // between two edits of one act, such as a wheel's

} // namespace

// The list was changed, by whatever of the user's.
void SettingsPanel::take(const SettingList& list)
{
    const bool isQuick = m_sinceEdit.isValid() && m_sinceEdit.restart() < quickMs &&
                         m_last.settings.size() == list.settings.size() && m_last.chosenId == list.chosenId;
    if (!m_sinceEdit.isValid())
        m_sinceEdit.start();
    m_carried->hide();
    m_settings->setList(list);
    makePossible();
    if (this->list() != m_last)
        emit edited(m_last, isQuick);
    m_last = this->list();
    showChosen();
    emit changed();
}

void SettingsPanel::showList(const SettingList& list)
{
    m_carried->hide();
    m_settings->setList(list);
    makePossible();
    m_last = this->list();
    m_sinceEdit.invalidate();
    showChosen();
}

void SettingsPanel::setSteps(bool back, bool forward)
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

void SettingsPanel::setAxis(double bins, std::optional<double> tiltDeg)
{
    SettingList list = this->list();
    list.chosen().setting.axis = {engine::AxisSettings::Mode::given, bins};
    if (tiltDeg)
        engine::setValue(*engine::findParameter("axis-tilt").parameter, *tiltDeg, list.chosen().setting.preparation);
    take(list);
}

// Nothing else of the list can change meanwhile, nor what is possible.
void SettingsPanel::dragAxis(double bins)
{
    if (!m_scan)
        return;
    SettingList list = this->list();
    engine::AxisSettings& axis = list.chosen().setting.axis;
    if (!m_draggedAxis)
        m_draggedAxis = axis.mode == engine::AxisSettings::Mode::given ? axis.bins : m_usedAxisBins;
    m_draggedAxis = std::clamp(*m_draggedAxis + bins, 0.0, std::max(0.0, m_scan->bins() - 1.0));
    const engine::AxisSettings next{engine::AxisSettings::Mode::given, std::round(*m_draggedAxis * 100) / 100};
    if (axis == next)
        return;
    axis = next;
    m_settings->setList(list);
    emit edited(m_last, std::exchange(m_dragRecorded, true));
    m_last = this->list();
    m_axis->setAxis(next);
    emit dragged();
}

void SettingsPanel::endAxisDrag()
{
    m_draggedAxis.reset();
    if (std::exchange(m_dragRecorded, false)) {
        showChosen();
        emit changed();
    }
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

void SettingsPanel::reset()
{
    engine::Resources standard;
    standard.threads = m_resources.threads;
    setResources(standard);
    setList({});
}

} // namespace ui
