#include "app/cli/cone_options.h"

#include "app/cli/options.h"
#include "engine/scan/cone_words.h"

#include <CLI/CLI.hpp>

namespace cli
{

void addConeOptions(CLI::App& command, engine::ConeOptions& options, bool volume, const std::string& group)
{
    for (const engine::ConeWord& word : engine::coneWords()) {
        if (word.ofVolume && !volume)
            continue;
        command
            .add_option_function<std::string>(
                std::string("--") + word.id, [&word, &options](const std::string& text) { word.set(options, text); },
                word.summary)
            ->type_name(word.form)
            ->check(takenBy([&word](const std::string& text) {
                engine::ConeOptions tried;
                word.set(tried, text);
            }))
            ->group(group);
    }
}

} // namespace cli
