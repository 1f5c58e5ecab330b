#include "app/cli/scan_options.h"

#include "app/cli/cone_options.h"
#include "app/cli/options.h"
#include "app/cli/text.h"
#include "engine/io/open/open_words.h"
#include "engine/io/open/readers.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <iostream>

namespace cli
{

namespace
{

CLI::Option* addOpenWord(CLI::App& command, const engine::OpenWord& word, engine::OpenOptions& open)
{
    const std::string name = std::string("--") + word.id;
    if (word.form.empty())
        return command.add_flag_callback(
            name, [&word, &open] { word.set(open, {}); }, word.summary);
    return command
        .add_option_function<std::vector<std::string>>(
            name,
            [&word, &open](const std::vector<std::string>& texts) {
                for (const std::string& text : texts)
                    word.set(open, text);
            },
            word.summary)
        ->expected(1)
        ->multi_option_policy(word.ofGeometry ? CLI::MultiOptionPolicy::TakeAll : CLI::MultiOptionPolicy::Throw)
        ->type_name(word.form)
        ->check(takenBy([&word](const std::string& text) {
            engine::OpenOptions tried;
            tried.raw.emplace(); // what some need
            word.set(tried, text);
        }));
}

} // namespace

void addScanOptions(CLI::App& command, ScanOptions& options, std::vector<std::string>* many)
{
    const std::string what = engine::scansInWords(true);
    CLI::Option* scan = many ? command.add_option("SCAN", *many, what + "; or several, one after the other")
                             : command.add_option("SCAN", options.path, what);
    scan->required()->type_name("PATH");
    for (const engine::OpenWord& word : engine::openWords()) {
        CLI::Option* added = addOpenWord(command, word, options.open);
        added->group(word.ofGeometry ? "Geometry" : "Reading the scan");
        if (*word.needs)
            added->needs(command.get_option(std::string("--") + word.needs));
    }
    addConeOptions(command, options.open.cone, true, "Geometry");
}

void addAllowOutside(CLI::App& command, engine::OpenOptions& open)
{
    addOpenWord(command, *std::ranges::find(engine::openWords(), std::string("allow-outside"), &engine::OpenWord::id),
                open);
}

void warnOfValues(const engine::Scan& scan)
{
    if (scan.quantityDoubt.empty())
        return;
    std::string text = scan.name + ": " + scan.quantityDoubt;
    if (scan.quantityAlternative) {
        const std::string word = engine::toText(*scan.quantityAlternative);
        std::string words = word;
        std::ranges::replace(words, '-', ' ');
        text += " If they are " + words + ": --values " + word + ".";
    }
    std::cerr << "warning: " << plain(text) << '\n';
}

std::string valuesText(const engine::Scan& scan)
{
    std::string text = engine::toText(scan.storedQuantity());
    if (scan.quantitySource == engine::QuantitySource::guessed && !scan.quantityReason.empty())
        text += " (a guess: " + scan.quantityReason + ")";
    return text;
}

} // namespace cli
