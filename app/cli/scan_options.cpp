// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/scan_options.h"

#include "app/cli/cone_options.h"
#include "app/cli/field_options.h"
#include "app/cli/text.h"
#include "engine/io/open/open_fields.h"
#include "engine/io/open/readers.h"

#include <algorithm>
#include <iostream>

namespace cli
{

void addScanOptions(CLI::App& command, ScanOptions& options, std::vector<std::string>* many)
{
    const std::string what = engine::scansInWords(true);
    CLI::Option* scan = many ? command.add_option("SCAN", *many, what + "; or several, one after the other")
                             : command.add_option("SCAN", options.path, what);
    scan->required()->type_name("PATH");
    engine::OpenOptions tried;
    tried.raw.emplace(); // some fields need a raw layout
    for (const engine::OpenField& field : engine::openFields())
        addField(command, field, options.open, tried);
    addConeOptions(command, options.open.cone, true, "Geometry");
}

void addAllowOutside(CLI::App& command, engine::OpenOptions& open)
{
    addField(command, engine::findField(engine::openFields(), "allow-outside"), open)->group("Options");
}

void warnOfValues(const engine::Scan& scan)
{
    if (scan.quantityDoubt.empty())
        return;
    engine::Text text = scan.name + ": " + scan.quantityDoubt;
    if (scan.quantityAlternative) {
        const std::string word = engine::toText(*scan.quantityAlternative);
        std::string plainWord = word;
        std::ranges::replace(plainWord, '-', ' ');
        text += " If they are " + plainWord + ": " + engine::optionName("values") + " " + word + ".";
    }
    std::cerr << "warning: " << words(text) << '\n';
}

std::string valuesText(const engine::Scan& scan)
{
    std::string text = engine::toText(scan.storedQuantity());
    if (scan.quantitySource == engine::QuantitySource::guessed && !scan.quantityReason.empty())
        text += " (a guess: " + scan.quantityReason + ")";
    return text;
}

} // namespace cli
