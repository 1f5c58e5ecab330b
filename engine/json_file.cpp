#include "engine/json_file.h"

#include "engine/io/pending_file.h"

#include <fstream>
#include <iterator>

namespace engine
{

namespace fs = std::filesystem;

namespace
{

constexpr std::uintmax_t mostJsonBytes = 16 << 20; // a session of a thousand settings has one

} // namespace

void refuseJsonFile(const fs::path& file, const std::string& kind, const std::string& why)
{
    throw Error(ErrorKind::badFile, "'" + file.string() + "' can't be opened as a " + kind + ": " + why + ".");
}

Json jsonIn(const fs::path& file, const std::string& kind)
{
    std::error_code error;
    if (!fs::is_regular_file(file, error))
        refuseJsonFile(file, kind, fs::exists(file, error) ? "it is no file" : "there is no such file");
    if (const auto bytes = fs::file_size(file, error); error || bytes > mostJsonBytes)
        refuseJsonFile(file, kind,
                       "it has " + std::to_string(bytes) + " bytes, and a " + kind + " has " +
                           std::to_string(mostJsonBytes) + " at most");
    std::ifstream stream(file, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    if (!stream.is_open() || stream.bad())
        refuseJsonFile(file, kind, "it can't be read");
    Json json = parsedJson(text);
    if (json.is_discarded())
        refuseJsonFile(file, kind, "it is damaged, or no " + kind + " of Sinoscope");
    return json;
}

void writeJsonFile(const fs::path& file, const std::string& text, bool overwrite, const Inputs& inputs)
{
    PendingFile pending(file, overwrite, inputs);
    std::ofstream stream(pending.temporary(), std::ios::binary);
    stream << text << '\n';
    stream.close();
    if (!stream)
        throw Error(ErrorKind::output, "'" + file.string() + "' can't be written; is the disk full?");
    pending.commit();
}

} // namespace engine
