// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/stored_settings.h"

#include "engine/options/options.h"

#include <QSettings>

#include <algorithm>

namespace ui
{

void storeSettings(QSettings& settings, const Comparison& comparison, const SettingList& list,
                   const engine::Request& shared)
{
    settings.remove(QStringLiteral("settings"));
    const auto save = [&settings](const QString& group, const engine::Request& request, bool ofSetting) {
        for (const engine::Option& row : engine::options())
            if (row.use.isKept && row.use.ofSetting == ofSetting)
                settings.setValue(group + QLatin1String(row.id), QString::fromStdString(row.get(request)));
    };
    save(QStringLiteral("settings/all/"), shared, false);
    for (std::size_t k = 0; k < list.settings.size(); ++k) {
        const NamedSetting& one = list.settings[k];
        const QString group = QStringLiteral("settings/%1/").arg(k);
        engine::Request request = comparison.compared[k].request;
        request.setting = engine::forAnotherScan(request.setting);
        save(group, request, true);
        // Stored even if the interpolation doesn't use it.
        settings.setValue(group + "oversampling", one.setting.kernel.oversampling);
        settings.setValue(group + "id", one.id);
        settings.setValue(group + "name", QString::fromStdString(one.name));
        settings.setValue(group + "colour", one.colour);
        settings.setValue(group + "visible", one.visible);
        settings.setValue(group + "namedAfterValues", one.isNamedAfterValues);
    }
    settings.setValue(QStringLiteral("settings/count"), static_cast<int>(list.settings.size()));
    settings.setValue(QStringLiteral("settings/chosen"), list.chosenId);
    const bool isOfScan = list.reference.kind == ReferenceChoice::Kind::file;
    settings.setValue(QStringLiteral("settings/reference"),
                      QString::fromStdString(toText(isOfScan ? ReferenceChoice{} : list.reference)));
}

std::optional<StoredSettings> storedSettings(const QSettings& settings, int threads)
{
    constexpr int most = 1000;
    const int count = settings.value(QStringLiteral("settings/count")).toInt();
    if (count < 1 || count > most)
        return std::nullopt;
    const auto restore = [&](const QString& group, engine::Request& request) {
        for (const engine::Option& row : engine::options()) {
            const std::string text = settings.value(group + QLatin1String(row.id)).toString().toStdString();
            if (row.use.isKept && !text.empty())
                engine::setField(row, request, text);
        }
    };
    StoredSettings stored;
    SettingList& list = stored.list;
    list.settings.clear();
    for (int k = 0; k < count; ++k) {
        const QString group = QStringLiteral("settings/%1/").arg(k);
        engine::Request request;
        request.setting.kernel.oversampling =
            std::clamp(settings.value(group + "oversampling", request.setting.kernel.oversampling).toInt(), 1, 64);
        restore(group, request);
        list.settings.push_back(
            {settings.value(group + "id").toInt(), settings.value(group + "name").toString().toStdString(),
             std::max(0, settings.value(group + "colour").toInt()), settings.value(group + "visible", true).toBool(),
             request.setting, settings.value(group + "namedAfterValues").toBool()});
    }
    list.chosenId = settings.value(QStringLiteral("settings/chosen")).toInt();
    list.reference =
        engine::referenceFromText(settings.value(QStringLiteral("settings/reference")).toString().toStdString());
    engine::Request shared;
    shared.resources.threads = threads;
    restore(QStringLiteral("settings/all/"), shared);
    stored.resources = shared.resources;
    return stored;
}

} // namespace ui
