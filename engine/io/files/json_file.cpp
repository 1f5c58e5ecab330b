// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/files/json_file.h"

#include "engine/io/files/input_file.h"
#include "engine/io/files/pending_file.h"

#include <fstream>

namespace engine
{

namespace fs = std::filesystem;

void refuseJsonFile(const fs::path& file, const std::string& kind, const Text& why)
{
    throw Error(ErrorKind::badFile, fileText(file.string()) + " can't be opened as a " + kind + ": " + why + ".");
}

Json jsonIn(const fs::path& file, const std::string& kind)
{
    Json json = parsedJson(textOf(file, "The " + kind + " " + fileText(file.string()), mostJson));
    if (json.is_discarded())
        refuseJsonFile(file, kind, "it is damaged, or not a " + kind + " of Sinoscope");
    return json;
}

void writeJsonFile(const fs::path& file, const std::string& text, bool overwrite, const ProtectedInputs& inputs)
{
    PendingFile pending(file, overwrite, inputs);
    std::ofstream stream(pending.temporary(), std::ios::binary);
    stream << text << '\n';
    stream.close();
    if (!stream)
        throw Error(ErrorKind::output, fileText(file.string()) + " can't be written; is the disk full?");
    pending.commit();
}

} // namespace engine
