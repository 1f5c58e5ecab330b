// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/background/setting_differences.h"

#include "engine/options/options.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>

namespace ui
{

namespace
{

QString settingText(const char* text)
{
    return QCoreApplication::translate("ui::SettingList", text);
}

// Returns a short text of the option's value, with the option's name where the value alone is unclear.
QString optionText(const engine::Option& option, const engine::Request& request)
{
    const std::string id = option.id;
    QString text = QString::fromStdString(option.get(request));
    if (text.isEmpty())
        return {};
    if (id == "axis") {
        bool isNumber = false;
        const double bins = text.toDouble(&isNumber);
        return settingText("axis %1").arg(isNumber ? QString::number(bins, 'g', 6) : text);
    }
    if (id == "slices-per-pass")
        return request.setting.kernel.slicesPerPass == 1 ? settingText("1 slice") : settingText("%1 slices").arg(text);
    // Values such as "sorting" need the name of their step.
    const bool saysItself = option.use.stage != engine::Stage::prepare;
    if (saysItself && (option.kind == engine::Option::Kind::choice || option.kind == engine::Option::Kind::text))
        return text.replace(QLatin1String("oversampled:"), QStringLiteral("oversampled ×"));
    return QString::fromStdString(engine::lowerLabel(option)) + u' ' + text;
}

// Texts of a setting's options that differ between the settings.
struct DifferingTexts {
    QStringList all;
    QStringList rare;  // values that most settings don't have
    QStringList unset; // options that are left to the program

    // Returns the shortest texts that describe the setting.
    const QStringList& texts() const { return !rare.isEmpty() ? rare : !all.isEmpty() ? all : unset; }
};

// Adds the texts of one option. isKernel: the option is one of the kernel's.
void addTexts(std::vector<DifferingTexts>& made, const engine::Option& option,
              const std::vector<engine::Request>& requests, bool isKernel)
{
    std::vector<std::string> values;
    for (const engine::Request& request : requests)
        values.push_back(option.get(request));
    const bool differs = std::ranges::any_of(values, [&](const std::string& one) { return one != values.front(); });
    const bool isShownAlone = requests.size() == 1 && isKernel && option.use.row != engine::WindowRow::none;
    for (std::size_t k = 0; k < requests.size() && (differs || isShownAlone); ++k) {
        if (option.idle && option.idle(requests[k]))
            continue;
        const QString text = optionText(option, requests[k]);
        if (text.isEmpty()) {
            if (differs && isKernel)
                made[k].unset << settingText("%1 automatic").arg(QString::fromStdString(engine::lowerLabel(option)));
            continue;
        }
        made[k].all << text;
        const auto same = static_cast<std::size_t>(std::ranges::count(values, values[k]));
        if (2 * same <= values.size())
            made[k].rare << text;
    }
}

} // namespace

std::vector<QString> differences(const engine::SettingList& list)
{
    std::vector<engine::Request> requests(list.settings.size());
    for (std::size_t k = 0; k < requests.size(); ++k)
        requests[k].setting = list.settings[k].setting;
    std::vector<DifferingTexts> made(requests.size());
    for (const engine::Option& option : engine::options())
        if (option.use.ofSetting)
            addTexts(made, option, requests, option.use.stage == engine::Stage::backproject);
    std::vector<QString> lines;
    for (std::size_t k = 0; k < made.size(); ++k) {
        const auto like = std::ranges::find_if(
            list.settings.begin(), list.settings.begin() + static_cast<long>(k),
            [&](const engine::NamedSetting& one) { return one.setting == list.settings[k].setting; });
        const bool isCopy = k > 0 && like != list.settings.begin() + static_cast<long>(k);
        lines.push_back(isCopy ? settingText("as %1").arg(QString::fromStdString(like->name))
                               : made[k].texts().join(QStringLiteral(" · ")));
    }
    return lines;
}

QString sharedText(const engine::SettingList& list)
{
    const engine::Request standard;
    QStringList texts;
    for (const engine::Option& option : engine::options()) {
        const bool isShown = list.settings.size() == 1 && option.use.stage == engine::Stage::backproject;
        if (!option.use.ofSetting || option.use.row == engine::WindowRow::none || isShown)
            continue;
        engine::Request first;
        first.setting = list.settings.front().setting;
        const std::string value = option.get(first);
        const bool isShared = std::ranges::all_of(list.settings, [&](const engine::NamedSetting& one) {
            engine::Request request;
            request.setting = one.setting;
            return option.get(request) == value;
        });
        if (isShared && value != option.get(standard) && !(option.idle && option.idle(first)))
            if (const QString text = optionText(option, first); !text.isEmpty())
                texts << text;
    }
    return texts.join(QStringLiteral(" · "));
}

std::vector<QString> namesByDifferences(const engine::SettingList& list)
{
    const std::vector<QString> lines = differences(list);
    std::vector<QString> names;
    for (std::size_t k = 0; k < lines.size(); ++k) {
        const std::string& given = list.settings[k].name;
        QString name = QString::fromStdString(given);
        const bool isAmbiguous = std::ranges::count(list.settings, given, &engine::NamedSetting::name) > 1;
        if (lines.size() > 1 && (engine::isLetterName(given) || isAmbiguous) && !lines[k].isEmpty() && lines[k] != name)
            name += QStringLiteral(" · ") + lines[k];
        QString unique = name;
        for (int count = 2; std::ranges::find(names, unique) != names.end(); ++count)
            unique = QStringLiteral("%1 (%2)").arg(name).arg(count);
        names.push_back(unique);
    }
    return names;
}

QString changeText(const engine::SettingList& before, const engine::SettingList& after)
{
    const std::size_t count = after.settings.size();
    if (before.settings.size() != count)
        return before.settings.size() < count ? settingText("added setting") : settingText("removed setting");
    if (!std::ranges::equal(before.settings, after.settings, {}, &engine::NamedSetting::id, &engine::NamedSetting::id))
        return std::ranges::is_permutation(before.settings, after.settings) ? settingText("order of the settings")
                                                                            : settingText("settings");
    QStringList changed;
    if (before.reference != after.reference)
        changed << settingText("reference");
    for (std::size_t k = 0; k < count; ++k) {
        const engine::NamedSetting &one = before.settings[k], &other = after.settings[k];
        if (one.name != other.name)
            changed << settingText("name of a setting");
        if (one.visible != other.visible)
            changed << settingText("shown settings");
        engine::Request ofOne, ofOther;
        ofOne.setting = one.setting;
        ofOther.setting = other.setting;
        for (const engine::Option& option : engine::options())
            if (option.use.ofSetting && option.get(ofOne) != option.get(ofOther))
                changed << QString::fromStdString(engine::lowerLabel(option));
    }
    if (changed.isEmpty() && before.chosenId != after.chosenId)
        return settingText("chosen setting");
    return changed.size() == 1 ? changed.front() : settingText("settings");
}

QString unlikeText(const engine::Setting& one, const engine::Setting& other, Parts parts)
{
    engine::Request ofOne, ofOther;
    ofOne.setting = one;
    ofOther.setting = other;
    QStringList said;
    for (const engine::Option& option : engine::options()) {
        const bool isOfKernel = option.use.stage == engine::Stage::backproject;
        const std::string text = option.get(ofOne);
        if (option.use.ofSetting && (parts == Parts::all || !isOfKernel) && text != option.get(ofOther))
            said << QString::fromStdString(engine::lowerLabel(option)) + u' ' +
                        (text.empty() ? settingText("automatic") : QString::fromStdString(text));
    }
    return said.join(QStringLiteral(", "));
}

QString replacementsText(const std::vector<std::pair<engine::Setting, engine::Setting>>& replaced)
{
    std::vector<std::pair<QString, QStringList>> lost; // by what replaced it
    for (const engine::Option& option : engine::options())
        for (const auto& [before, after] : replaced) {
            engine::Request was, now;
            was.setting = before;
            now.setting = after;
            const QString text = optionText(option, was);
            if (!option.use.ofSetting || text.isEmpty() || option.get(was) == option.get(now))
                continue;
            const QString instead = option.get(now).empty() ? settingText("automatic") : optionText(option, now);
            auto of = std::ranges::find(lost, instead, &std::pair<QString, QStringList>::first);
            if (of == lost.end())
                of = lost.insert(of, {instead, {}});
            if (!of->second.contains(text))
                of->second << text;
        }
    QStringList said;
    for (const auto& [instead, texts] : lost)
        said << settingText("%1 (%2 instead)").arg(texts.join(QStringLiteral(", ")), instead);
    return said.join(QStringLiteral("; "));
}

} // namespace ui
