#include "ui/setting_list.h"

#include "engine/error.h"
#include "engine/number_text.h"
#include "engine/options.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <array>
#include <utility>

namespace ui
{

namespace
{

QString settingText(const char* text)
{
    return QCoreApplication::translate("ui::SettingList", text);
}

constexpr std::array referenceWords = {
    std::pair{ReferenceChoice::Kind::exact, "exact"}, std::pair{ReferenceChoice::Kind::exactOf, "exact:"},
    std::pair{ReferenceChoice::Kind::phantom, "phantom"}, std::pair{ReferenceChoice::Kind::setting, "setting:"}};

// "A" to "Z", then "A1" and so on: the first that no other has.
QString freeName(const std::vector<NamedSetting>& settings)
{
    for (int k = 0;; ++k) {
        QString name(QChar('A' + k % 26));
        if (k >= 26)
            name += QString::number(k / 26);
        if (std::ranges::none_of(settings, [&](const NamedSetting& one) { return one.name == name; }))
            return name;
    }
}

int freeColour(const std::vector<NamedSetting>& settings)
{
    for (int k = 0;; ++k)
        if (std::ranges::none_of(settings, [k](const NamedSetting& one) { return one.colour == k; }))
            return k;
}

// As a label of one line, with what an option's number counts.
QString optionText(const engine::Option& option, const engine::Request& request)
{
    const std::string id = option.id;
    QString text = QString::fromStdString(option.get(request));
    if (text.isEmpty())
        return {};
    if (id == "axis")
        return settingText("axis %1").arg(text);
    if (id == "slices-per-pass")
        return request.setting.kernel.slicesPerPass == 1 ? settingText("1 slice") : settingText("%1 slices").arg(text);
    if (option.kind == engine::Option::Kind::choice || option.kind == engine::Option::Kind::text)
        return text.replace(QLatin1String("oversampled:"), QStringLiteral("oversampled ×"));
    return QString::fromStdString(engine::lowerLabel(option)) + u' ' + text;
}

} // namespace

QString toText(const ReferenceChoice& choice)
{
    for (const auto& [kind, word] : referenceWords)
        if (kind == choice.kind) {
            const QString text = QLatin1String(word);
            return text.endsWith(u':') ? text + QString::number(choice.id) : text;
        }
    return {};
}

ReferenceChoice referenceFromText(const QString& text)
{
    for (const auto& [kind, word] : referenceWords) {
        const QString known = QLatin1String(word);
        if (text == known && !known.endsWith(u':'))
            return {kind, 0};
        bool isNumber = false;
        if (known.endsWith(u':') && text.startsWith(known))
            if (const int id = text.mid(known.size()).toInt(&isNumber); isNumber)
                return {kind, id};
    }
    throw engine::Error(engine::ErrorKind::badRequest,
                        "'" + text.toStdString() +
                            "' is no reference; give exact, exact:ID, phantom or setting:ID, with the id of a setting");
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

NamedSetting& SettingList::add(const engine::Setting& setting, const QString& name)
{
    int id = 1;
    for (const NamedSetting& one : settings)
        id = std::max(id, one.id + 1);
    return settings.emplace_back(
        NamedSetting{id, name.isEmpty() ? freeName(settings) : name, freeColour(settings), true, setting});
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

std::vector<QString> differences(const SettingList& list)
{
    std::vector<engine::Request> requests(list.settings.size());
    for (std::size_t k = 0; k < requests.size(); ++k)
        requests[k].setting = list.settings[k].setting;
    std::vector<QStringList> parts(requests.size());
    for (const engine::Option& option : engine::options()) {
        if (!option.stage)
            continue;
        const bool differs = std::ranges::any_of(
            requests, [&](const engine::Request& other) { return option.get(other) != option.get(requests.front()); });
        // One alone says its four choices: what it is.
        const bool isKernel = option.stage == engine::Stage::backproject && option.hasRow;
        for (std::size_t k = 0; k < requests.size(); ++k)
            if ((differs || (requests.size() == 1 && isKernel)) && !(option.idle && option.idle(requests[k])))
                if (const QString text = optionText(option, requests[k]); !text.isEmpty())
                    parts[k] << text;
    }
    std::vector<QString> lines;
    for (std::size_t k = 0; k < parts.size(); ++k) {
        const auto like =
            std::ranges::find_if(list.settings.begin(), list.settings.begin() + static_cast<long>(k),
                                 [&](const NamedSetting& one) { return one.setting == list.settings[k].setting; });
        const bool isCopy = k > 0 && like != list.settings.begin() + static_cast<long>(k);
        lines.push_back(isCopy ? settingText("as %1").arg(like->name) : parts[k].join(QStringLiteral(" · ")));
    }
    return lines;
}

} // namespace ui
