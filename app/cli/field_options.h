// SPDX-License-Identifier: GPL-3.0-or-later
// Fields of the engine's tables as command-line options.
#pragma once

#include "app/cli/options.h"
#include "engine/base/field.h"

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace cli
{

// Adds a field as option --id FORM (--id for a boolean). Values given are written into `owner`; a text is first
// validated on a copy of `tried`.
template <typename Owner>
CLI::Option* addField(CLI::App& command, const engine::Field<Owner>& field, Owner& owner, const Owner& tried = {})
{
    const std::string name = std::string("--") + field.id;
    CLI::Option* added = nullptr;
    if (field.kind == engine::FieldKind::boolean)
        added = command.add_flag_callback(
            name, [&field, &owner] { field.set(owner, "true"); }, field.summary);
    else
        added = command
                    .add_option_function<std::vector<std::string>>(
                        name,
                        [&field, &owner](const std::vector<std::string>& texts) {
                            for (const std::string& text : texts)
                                field.set(owner, text);
                        },
                        field.summary)
                    ->expected(1)
                    ->multi_option_policy(field.isRepeatable ? CLI::MultiOptionPolicy::TakeAll
                                                             : CLI::MultiOptionPolicy::Throw)
                    ->type_name(engine::formOf(field))
                    ->transform(inAnyCase(field.choices))
                    ->check(takenBy([&field, tried](const std::string& text) {
                        Owner one = tried;
                        engine::setField(field, one, text);
                    }));
    if (*field.group)
        added->group(field.group);
    if (*field.needs)
        added->needs(command.get_option(std::string("--") + field.needs));
    return added;
}

} // namespace cli
