// What SettingsPanel does with its list, and the steps back.
#include "ui/settings/settings_panel.h"

#include <algorithm>

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
    m_settings->setList(list);
    makePossible();
    if (this->list() != m_last && (!isQuick || m_before.empty()))
        remember(m_last);
    m_last = this->list();
    showChosen();
    emit changed();
}

void SettingsPanel::remember(const SettingList& before)
{
    constexpr std::size_t most = 200;
    m_before.push_back(before);
    if (m_before.size() > most)
        m_before.erase(m_before.begin());
    m_after.clear();
    showSteps();
}

void SettingsPanel::step(std::vector<SettingList>& from, std::vector<SettingList>& to)
{
    if (from.empty())
        return;
    to.push_back(m_last);
    m_settings->setList(from.back());
    from.pop_back();
    makePossible();
    m_last = list();
    m_sinceEdit.invalidate();
    showSteps();
    showChosen();
    emit changed();
}

void SettingsPanel::stepBack()
{
    step(m_before, m_after);
}

void SettingsPanel::stepForward()
{
    step(m_after, m_before);
}

void SettingsPanel::showSteps()
{
    m_settings->setSteps(!m_before.empty(), !m_after.empty());
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
