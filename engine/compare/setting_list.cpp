// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/compare/setting_list.h"

#include "engine/base/error.h"
#include "engine/base/number_text.h"
#include "engine/prepare/steps.h"

#include <algorithm>
#include <array>
#include <utility>

namespace engine
{

namespace
{

constexpr std::array referenceWords = {
    std::pair{ReferenceChoice::Kind::exact, "exact"}, std::pair{ReferenceChoice::Kind::exactOf, "exact:"},
    std::pair{ReferenceChoice::Kind::phantom, "phantom"}, std::pair{ReferenceChoice::Kind::setting, "setting:"},
    std::pair{ReferenceChoice::Kind::file, "file:"}};

constexpr const char* exactCubic = "exact-cubic";

// Returns the first free name of "A" to "Z", then "A1" and so on.
std::string freeName(const std::vector<NamedSetting>& settings)
{
    for (int k = 0;; ++k) {
        std::string name(1, static_cast<char>('A' + k % 26));
        if (k >= 26)
            name += std::to_string(k / 26);
        if (std::ranges::none_of(settings, [&](const NamedSetting& one) { return one.name == name; }))
            return name;
    }
}

void nameByLetter(const std::vector<NamedSetting>& settings, NamedSetting& one)
{
    one.name.clear();
    one.name = freeName(settings);
    one.isNamedAfterValues = false;
}

int freeColour(const std::vector<NamedSetting>& settings)
{
    for (int k = 0;; ++k)
        if (std::ranges::none_of(settings, [k](const NamedSetting& one) { return one.colour == k; }))
            return k;
}

} // namespace

bool isLetterName(const std::string& name)
{
    const auto isDigit = [](char one) { return one >= '0' && one <= '9'; };
    return !name.empty() && name.front() >= 'A' && name.front() <= 'Z' &&
           std::all_of(name.begin() + 1, name.end(), isDigit);
}

std::string toText(const ReferenceChoice& choice)
{
    if (choice.kind == ReferenceChoice::Kind::exact && choice.interpolation == Interpolation::cubic)
        return exactCubic;
    for (const auto& [kind, word] : referenceWords)
        if (const std::string text = word; kind == choice.kind)
            return !text.ends_with(':')
                       ? text
                       : text + (kind == ReferenceChoice::Kind::file ? toText(choice.file) : std::to_string(choice.id));
    return {};
}

ReferenceChoice referenceFromText(const std::string& text)
{
    if (text == exactCubic)
        return {.interpolation = Interpolation::cubic};
    for (const auto& [kind, word] : referenceWords) {
        const std::string known = word;
        if (!known.ends_with(':') && text == known)
            return {kind, 0};
        if (!known.ends_with(':') || !text.starts_with(known) || text.size() == known.size())
            continue;
        const std::string rest = text.substr(known.size());
        if (kind == ReferenceChoice::Kind::file)
            return {kind, 0, slicesPathFromText(rest)};
        return {kind, static_cast<int>(integerFromText(rest, "the id of a setting"))};
    }
    throw Error(ErrorKind::badRequest,
                "'" + text + "' is not a reference; give " + referenceForms + ", with the id of a setting");
}

SettingList::SettingList()
{
    chosenId = add({}).id;
}

std::size_t SettingList::chosenIndex() const
{
    const auto found = std::ranges::find(settings, chosenId, &NamedSetting::id);
    return found == settings.end() ? 0 : static_cast<std::size_t>(found - settings.begin());
}

const NamedSetting* SettingList::find(int id) const
{
    const auto found = std::ranges::find(settings, id, &NamedSetting::id);
    return found == settings.end() ? nullptr : &*found;
}

NamedSetting& SettingList::add(const Setting& setting, const std::string& name)
{
    int id = 1;
    for (const NamedSetting& one : settings)
        id = std::max(id, one.id + 1);
    return settings.emplace_back(
        NamedSetting{id, name.empty() ? freeName(settings) : name, freeColour(settings), true, setting});
}

void SettingList::remove(int id)
{
    const auto found = std::ranges::find(settings, id, &NamedSetting::id);
    if (settings.size() < 2 || found == settings.end())
        return;
    const auto after = settings.erase(found);
    if (id == chosenId)
        chosenId = (after == settings.end() ? settings.back() : *after).id;
    if (reference.id == id)
        reference = {};
}

void SettingList::forgetScan()
{
    std::set<int> changed; // ids
    for (NamedSetting& one : settings)
        if (const Setting kept = forAnotherScan(one.setting); kept != one.setting) {
            one.setting = kept;
            changed.insert(one.id);
        }
    mergeEqual(changed);
}

void SettingList::mergeEqual(const std::set<int>& changed)
{
    for (std::size_t k = 0; k < settings.size(); ++k) {
        bool isNameWrong = false;
        for (std::size_t i = settings.size() - 1; i > k; --i) {
            if (settings[i].setting != settings[k].setting)
                continue;
            if (!changed.contains(settings[i].id)) { // the unchanged one stays, under its name
                if (!changed.contains(settings[k].id))
                    continue;
                std::swap(settings[i], settings[k]);
            }
            isNameWrong = changed.contains(settings[k].id);
            settings[k].visible |= settings[i].visible;
            if (chosenId == settings[i].id)
                chosenId = settings[k].id;
            remove(settings[i].id);
        }
        if (isNameWrong)
            nameByLetter(settings, settings[k]);
    }
}

void SettingList::edit(NamedSetting& one, const Setting& setting)
{
    if (one.setting == setting)
        return;
    one.setting = setting;
    if (one.isNamedAfterValues)
        nameByLetter(settings, one);
}

void SettingList::move(int id, int by)
{
    const auto found = std::ranges::find(settings, id, &NamedSetting::id);
    if (found == settings.end())
        return;
    const auto from = found - settings.begin();
    const auto to = std::clamp<std::ptrdiff_t>(from + by, 0, static_cast<std::ptrdiff_t>(settings.size()) - 1);
    const NamedSetting moved = *found;
    settings.erase(found);
    settings.insert(settings.begin() + to, moved);
}

Setting forAnotherScan(Setting setting)
{
    if (setting.axis.mode == AxisSettings::Mode::given)
        setting.axis = {};
    for (const Step& step : steps())
        for (const StepField& parameter : step.parameters())
            if (parameter.use.isOfScan)
                setValue(parameter, parameter.use.standard, setting.preparation);
    return setting;
}

} // namespace engine
