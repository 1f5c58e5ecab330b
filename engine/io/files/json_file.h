// SPDX-License-Identifier: GPL-3.0-or-later
// Files of JSON that the program writes and people may change: sessions, recipes.
#pragma once

#include "engine/base/error.h"
#include "engine/base/json_text.h"
#include "engine/io/files/protected_inputs.h"

#include <filesystem>
#include <string>

namespace engine
{

// Throws Error(badFile) that names the file and says why it isn't a `kind` (e.g. "session").
[[noreturn]] void refuseJsonFile(const std::filesystem::path& file, const std::string& kind, const Text& why);
Json jsonIn(const std::filesystem::path& file, const std::string& kind);

// Reads a JSON file and returns from(json). Errors that `from` throws become Error(badFile) with the file's name.
template <typename From>
auto readJsonFile(const std::filesystem::path& file, const std::string& kind, const From& from)
{
    const Json json = jsonIn(file, kind);
    try {
        return from(json);
    } catch (const Json::exception& wrong) {
        refuseJsonFile(file, kind, std::string("a value is missing or of the wrong type (") + wrong.what() + ")");
    } catch (const Error& wrong) {
        refuseJsonFile(file, kind, wrong.text());
    }
}

// Writes the file under a temporary name and renames it when it is complete. Throws Error(output) if the file exists
// and overwrite is false, if it is one of the inputs, or if it can't be written.
void writeJsonFile(const std::filesystem::path& file, const std::string& text, bool overwrite,
                   const ProtectedInputs& inputs);

} // namespace engine
