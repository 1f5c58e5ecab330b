// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/opening/known_data_sets.h"

#include <QStringList>

#include <algorithm>

namespace ui
{

namespace
{

constexpr std::size_t most = 20;
const QString key = QStringLiteral("dataSets");

// Writes one line per role.
QString textOf(const engine::DataSets& sets)
{
    QStringList lines;
    for (const engine::DataSetRole& role : engine::dataSetRoles())
        lines.append(QString::fromStdString(sets.*role.text));
    return lines.join(QLatin1Char('\n'));
}

} // namespace

std::vector<engine::DataSets> knownDataSets(const QSettings* settings)
{
    std::vector<engine::DataSets> known;
    const QStringList texts = settings ? settings->value(key).toStringList() : QStringList();
    for (const QString& text : texts) {
        const QStringList lines = text.split(QLatin1Char('\n'));
        engine::DataSets sets;
        qsizetype line = 0;
        for (const engine::DataSetRole& role : engine::dataSetRoles())
            sets.*role.text = lines.value(line++).toStdString();
        if (!sets.projections.empty())
            known.push_back(std::move(sets));
    }
    return known;
}

std::optional<engine::DataSets> knownIn(const std::vector<engine::DataSets>& known, const engine::DataSetList& list)
{
    const auto fits = std::ranges::find_if(known, [&list](const auto& sets) { return engine::isIn(sets, list); });
    return fits == known.end() ? std::nullopt : std::optional(*fits);
}

void rememberDataSets(QSettings* settings, const engine::DataSets& sets)
{
    if (!settings || sets.projections.empty())
        return;
    std::vector<engine::DataSets> known = knownDataSets(settings);
    std::erase(known, sets);
    known.insert(known.begin(), sets);
    QStringList texts;
    for (std::size_t k = 0; k < std::min(most, known.size()); ++k)
        texts.append(textOf(known[k]));
    settings->setValue(key, texts);
}

} // namespace ui
