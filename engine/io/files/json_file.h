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

// Throws Error(badFile) that names the file and says why it is no `kind`, "session".
[[noreturn]] void refuseJsonFile(const std::filesystem::path& file, const std::string& kind, const Text& why);
Json jsonIn(const std::filesystem::path& file, const std::string& kind);

// What `from` makes of it; what that throws becomes an Error(badFile) likewise.
template <typename From>
auto readJsonFile(const std::filesystem::path& file, const std::string& kind, const From& from)
{
    const Json json = jsonIn(file, kind);
    try {
        return from(json);
    } catch (const Json::exception& wrong) {
        refuseJsonFile(file, kind, std::string("something is missing or of another kind (") + wrong.what() + ")");
    } catch (const Error& wrong) {
        refuseJsonFile(file, kind, wrong.text());
    }
}

// Under a temporary name, renamed when complete. Throws Error(output): it exists and overwrite is false, is one of the
// inputs, or can't be written.
void writeJsonFile(const std::filesystem::path& file, const std::string& text, bool overwrite,
                   const ProtectedInputs& inputs);

} // namespace engine
