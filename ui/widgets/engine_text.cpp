// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/engine_text.h"

#include "engine/io/open/open_fields.h"
#include "engine/options/options.h"
#include "engine/scan/cone_fields.h"

#include <QCoreApplication>

#include <algorithm>

namespace ui
{

namespace
{

template <typename Table>
std::string labelIn(const Table& table, const std::string& id)
{
    const auto found = std::ranges::find_if(table, [&](const auto& field) { return id == field.id; });
    return found == table.end() ? std::string() : found->label;
}

// Returns the label of an option in quotes: "“Ring size”"; without a label, its id as words: "“data axes”".
std::string labelOf(const std::string& id)
{
    std::string label = labelIn(engine::options(), id);
    if (label.empty())
        label = labelIn(engine::openFields(), id);
    if (label.empty())
        label = labelIn(engine::coneFields(), id);
    if (label.empty()) {
        label = id;
        std::ranges::replace(label, '-', ' ');
    }
    return "“" + QCoreApplication::translate("engine", label.c_str()).toStdString() + "”";
}

} // namespace

QString inWindow(const engine::Text& text)
{
    return QString::fromStdString(text.in({.option = labelOf, .asides = false}));
}

QString sentenceOf(QString reason)
{
    if (!reason.isEmpty())
        reason[0] = reason[0].toUpper();
    return reason.endsWith(u'.') ? reason : reason + u'.';
}

QStringList inWindow(const std::vector<engine::Note>& notes)
{
    QStringList sentences;
    for (const engine::Note& note : notes)
        sentences << inWindow(note.text());
    return sentences;
}

} // namespace ui
