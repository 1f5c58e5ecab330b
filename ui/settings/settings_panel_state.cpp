// What SettingsPanel keeps from one start to the next.
#include "engine/base/error.h"
#include "ui/settings/settings_panel.h"

#include <QSettings>

#include <algorithm>

namespace ui
{

void SettingsPanel::saveState(QSettings& settings) const
{
    settings.remove(QStringLiteral("settings"));
    const auto save = [&settings](const QString& group, const engine::Request& request, bool ofSetting) {
        for (const engine::Option& row : engine::options())
            if (row.use.isKept && row.use.ofSetting == ofSetting)
                settings.setValue(group + QLatin1String(row.id), QString::fromStdString(row.get(request)));
    };
    engine::Request all = request(0);
    engine::setDevices(all.resources, m_wantedDevices);
    save(QStringLiteral("settings/all/"), all, false);
    for (std::size_t k = 0; k < list().settings.size(); ++k) {
        const NamedSetting& one = list().settings[k];
        const QString group = QStringLiteral("settings/%1/").arg(k);
        engine::Request request = requestOf(one.setting, 0);
        if (request.setting.axis.mode == engine::AxisSettings::Mode::given)
            request.setting.axis = {}; // it belongs to its scan
        save(group, request, true);
        settings.setValue(group + "oversampling", one.setting.kernel.oversampling); // kept while it isn't used
        settings.setValue(group + "id", one.id);
        settings.setValue(group + "name", QString::fromStdString(one.name));
        settings.setValue(group + "colour", one.colour);
        settings.setValue(group + "visible", one.visible);
    }
    settings.setValue(QStringLiteral("settings/count"), static_cast<int>(list().settings.size()));
    settings.setValue(QStringLiteral("settings/chosen"), list().chosenId);
    const bool isOfScan = list().reference.kind == ReferenceChoice::Kind::file;
    settings.setValue(QStringLiteral("settings/reference"),
                      QString::fromStdString(toText(isOfScan ? ReferenceChoice{} : list().reference)));
}

void SettingsPanel::restoreState(const QSettings& settings)
{
    constexpr int most = 1000;
    const int count = settings.value(QStringLiteral("settings/count")).toInt();
    if (count < 1 || count > most)
        return;
    const auto restore = [&](const QString& group, engine::Request& request) {
        for (const engine::Option& row : engine::options()) {
            const std::string text = settings.value(group + QLatin1String(row.id)).toString().toStdString();
            if (row.use.isKept && !text.empty())
                engine::setField(row, request, text);
        }
    };
    try {
        SettingList list;
        list.settings.clear();
        for (int k = 0; k < count; ++k) {
            const QString group = QStringLiteral("settings/%1/").arg(k);
            engine::Request request;
            request.setting.kernel.oversampling =
                std::clamp(settings.value(group + "oversampling", request.setting.kernel.oversampling).toInt(), 1, 64);
            restore(group, request);
            list.settings.push_back({settings.value(group + "id").toInt(),
                                     settings.value(group + "name").toString().toStdString(),
                                     std::max(0, settings.value(group + "colour").toInt()),
                                     settings.value(group + "visible", true).toBool(), request.setting});
        }
        list.chosenId = settings.value(QStringLiteral("settings/chosen")).toInt();
        list.reference =
            engine::referenceFromText(settings.value(QStringLiteral("settings/reference")).toString().toStdString());
        engine::Request all;
        all.resources.threads = m_resources.threads;
        restore(QStringLiteral("settings/all/"), all);
        setResources(all.resources);
        setList(list);
    } catch (const engine::Error&) {
        reset(); // written by another version: start afresh
    }
}

} // namespace ui
