// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/setting_differences.h"

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
    if (id == "axis")
        return settingText("axis %1").arg(text);
    if (id == "slices-per-pass")
        return request.setting.kernel.slicesPerPass == 1 ? settingText("1 slice") : settingText("%1 slices").arg(text);
    // Values such as "sorting" need the name of their step.
    const bool saysItself = option.use.stage != engine::Stage::prepare;
    if (saysItself && (option.kind == engine::Option::Kind::choice || option.kind == engine::Option::Kind::text))
        return text.replace(QLatin1String("oversampled:"), QStringLiteral("oversampled ×"));
    return QString::fromStdString(engine::lowerLabel(option)) + u' ' + text;
}

} // namespace

std::vector<QString> differences(const engine::SettingList& list)
{
    std::vector<engine::Request> requests(list.settings.size());
    for (std::size_t k = 0; k < requests.size(); ++k)
        requests[k].setting = list.settings[k].setting;
    std::vector<QStringList> parts(requests.size());
    for (const engine::Option& option : engine::options()) {
        if (!option.use.ofSetting)
            continue;
        const bool differs = std::ranges::any_of(
            requests, [&](const engine::Request& other) { return option.get(other) != option.get(requests.front()); });
        // A single setting shows its kernel options.
        const bool isKernel = option.use.stage == engine::Stage::backproject && option.use.hasRow;
        for (std::size_t k = 0; k < requests.size(); ++k)
            if ((differs || (requests.size() == 1 && isKernel)) && !(option.idle && option.idle(requests[k])))
                if (const QString text = optionText(option, requests[k]); !text.isEmpty())
                    parts[k] << text;
    }
    std::vector<QString> lines;
    for (std::size_t k = 0; k < parts.size(); ++k) {
        const auto like = std::ranges::find_if(
            list.settings.begin(), list.settings.begin() + static_cast<long>(k),
            [&](const engine::NamedSetting& one) { return one.setting == list.settings[k].setting; });
        const bool isCopy = k > 0 && like != list.settings.begin() + static_cast<long>(k);
        lines.push_back(isCopy ? settingText("as %1").arg(QString::fromStdString(like->name))
                               : parts[k].join(QStringLiteral(" · ")));
    }
    return lines;
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

} // namespace ui
