#include "engine/io/open_scan.h"

#include "engine/error.h"
#include "engine/io/input_file.h"
#include "engine/io/plausible.h"
#include "engine/io/readers.h"

#include <charconv>
#include <cmath>
#include <new>
#include <numbers>
#include <sstream>

namespace engine
{

namespace fs = std::filesystem;

namespace
{

std::string neitherOf(const std::vector<std::string>& things)
{
    std::string text;
    for (const std::string& thing : things)
        text += (text.empty() ? "neither " : " nor ") + thing;
    return text;
}

// No reader takes it: what each would have taken, from the table.
[[noreturn]] void refuse(const Candidate& candidate)
{
    const std::string name = "'" + candidate.path().string() + "'";
    std::vector<std::string> wanted;
    if (const Container* container = containerOf(candidate.path())) {
        for (const Reader& reader : readers())
            if (reader.container == container && reader.mark)
                wanted.push_back(reader.mark);
        throw Error(ErrorKind::badFile,
                    name + " holds no scan: " + neitherOf(wanted) + "." +
                        (container->contents ? " " + container->contents(candidate) : std::string()));
    }
    for (const Container* container : containers())
        wanted.push_back(container->withArticle);
    std::string text = name + " is " + neitherOf(wanted) + " file.";
    for (const Reader& reader : readers())
        if (reader.hint)
            text += std::string(" ") + reader.hint;
    throw Error(ErrorKind::badFile, text);
}

// A format that was asked for may be kept in another kind of file than this one.
void requireContainer(const Reader& reader, const Candidate& candidate)
{
    if (candidate.isFolder() || !reader.container || reader.container->recognises(candidate.path()))
        return;
    if (const Container* other = containerOf(candidate.path()))
        throw Error(ErrorKind::badRequest, "'" + candidate.path().string() + "' is " + other->withArticle + " file; " +
                                               reader.option + " is for " + reader.container->label + " files.");
    refuse(candidate);
}

} // namespace

std::string toText(BeamKind kind)
{
    return kind == BeamKind::cone ? "cone" : "parallel";
}

std::optional<BeamKind> beamKindFromText(const std::string& text)
{
    for (const BeamKind kind : {BeamKind::parallel, BeamKind::cone})
        if (text == toText(kind))
            return kind;
    return {};
}

std::shared_ptr<const Scan> openScan(const fs::path& path, const OpenOptions& options, std::stop_token stop)
{
    try {
        const Candidate candidate(path, options, std::move(stop));
        const Reader* reader = readerFor(candidate);
        if (!reader)
            refuse(candidate);
        if (reader->asked)
            requireContainer(*reader, candidate);
        Scan scan = reader->open(candidate);
        scan.format = reader->label;
        if (scan.name.empty())
            scan.name = path.filename().string();
        return std::make_shared<const Scan>(std::move(scan));
    } catch (const std::bad_alloc&) {
        throw Error(ErrorKind::noMemory, "There is not enough memory to open '" + path.string() + "'.");
    } catch (const fs::filesystem_error& error) {
        throw Error(ErrorKind::badFile, "'" + path.string() + "' can't be read: " + error.code().message() + ".");
    }
}

std::vector<double> readAngles(const fs::path& path)
{
    std::istringstream in(textOf(path, "The file of angles '" + path.string() + "'"));
    std::vector<double> angles;
    std::string line;
    for (int number = 1; std::getline(in, line); ++number) {
        const std::size_t first = line.find_first_not_of(" \t\r");
        if (first == std::string::npos || line[first] == '#')
            continue;
        const std::size_t end = line.find_last_not_of(" \t\r,;") + 1;
        const std::size_t digits = first + (line[first] == '+' ? 1 : 0);
        double degrees = 0;
        const auto [stopped, failure] = std::from_chars(line.data() + digits, line.data() + end, degrees);
        if (failure != std::errc() || stopped != line.data() + end || !std::isfinite(degrees))
            throw Error(ErrorKind::badFile, "'" + path.string() + "', line " + std::to_string(number) + ": '" +
                                                line.substr(0, 40) +
                                                "' is not an angle. One number of degrees a line "
                                                "is needed.");
        if (angles.size() == mostFrames)
            throw Error(ErrorKind::badFile, "'" + path.string() + "' has more than " + std::to_string(mostFrames) +
                                                " angles, which are more projections than are read.");
        angles.push_back(degrees * std::numbers::pi / 180);
    }
    if (angles.empty())
        throw Error(ErrorKind::badFile, "'" + path.string() + "' has no angles in it.");
    return angles;
}

} // namespace engine
