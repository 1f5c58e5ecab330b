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
    if (list != m_last && (!isQuick || m_before.empty()))
        remember(m_last);
    m_settings->setList(list);
    makePossible();
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
    SettingList list = this->list();
    list.chosenId = list.add(engine::Setting(list.chosen().setting)).id;
    take(list);
}

void SettingsPanel::removeChosen()
{
    SettingList list = this->list();
    list.remove(list.chosenId);
    if (list != m_last)
        take(list);
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
    engine::Request standard;
    standard.resources.threads = m_resources.threads;
    for (const OptionField& field : m_fields)
        if (!field.option->ofSetting)
            field.show(field.option->get(standard));
    setList({});
}

} // namespace ui
