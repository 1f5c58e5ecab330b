// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/cone_options.h"

#include "app/cli/field_options.h"
#include "engine/scan/cone_fields.h"

namespace cli
{

void addConeOptions(CLI::App& command, engine::ConeOptions& options, bool volume, const std::string& group)
{
    for (const engine::ConeField& field : engine::coneFields())
        if (volume || !field.use.isOfVolume)
            addField(command, field, options)->group(group);
}

} // namespace cli
