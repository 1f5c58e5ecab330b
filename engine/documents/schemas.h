// SPDX-License-Identifier: GPL-3.0-or-later
// JSON Schemas (draft 2020-12) of the files that the program writes, generated from the tables of fields.
#pragma once

#include <span>
#include <string>

namespace engine
{

struct DocumentSchema {
    const char* id;        // on the command line: "recipe"
    const char* title;     // "Sinoscope recipe"
    std::string (*json)(); // returns the schema
};

std::span<const DocumentSchema> documentSchemas();

} // namespace engine
