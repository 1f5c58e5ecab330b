// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/open/open_scan.h"

#include "engine/base/error.h"
#include "engine/base/number_text.h"
#include "engine/io/files/outside_files.h"
#include "engine/io/open/readers.h"

#include <algorithm>
#include <cmath>
#include <new>
#include <numbers>

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

// Adds a note if all projections have one direction, so that no slice can be reconstructed from them.
void noteOneDirection(Scan& scan)
{
    const std::vector<double>& angles = scan.anglesRad();
    const auto isAsFirst = [&](double angle) { return std::abs(angle - angles.front()) < 1e-6; };
    if (angles.empty() || !std::ranges::all_of(angles, isAsFirst))
        return;
    scan.notes.push_back(
        angles.size() == 1
            ? std::string("There is only one projection: a slice reconstructed from it shows only its rays.")
            : "All " + std::to_string(angles.size()) + " projections have the same angle, " +
                  numberToText(angles.front() * 180 / std::numbers::pi) +
                  "°: a slice reconstructed from them shows only their rays.");
}

// Reports a file that no reader accepts, and what each reader of the table would accept.
[[noreturn]] void refuse(const Candidate& candidate)
{
    const Text name = fileText(candidate.path().string());
    std::vector<std::string> wanted;
    if (const Container* container = containerOf(candidate.path())) {
        for (const Reader& reader : readers())
            if (reader.container == container && reader.mark)
                wanted.push_back(reader.mark);
        throw Error(ErrorKind::badFile, name + " holds no scan: " + neitherOf(wanted) + "." +
                                            (container->contents ? " " + container->contents(candidate) : Text()));
    }
    for (const Container* container : containers())
        wanted.push_back(container->withArticle);
    Text text = name + " is " + neitherOf(wanted) + " file.";
    for (const Reader& reader : readers())
        if (!reader.hint.empty())
            text += " " + reader.hint;
    throw Error(ErrorKind::badFile, text);
}

// Throws if the format that the user asked for is not stored in files of this type.
void requireContainer(const Reader& reader, const Candidate& candidate)
{
    if (candidate.isFolder() || !reader.container || reader.container->recognises(candidate.path()))
        return;
    if (const Container* other = containerOf(candidate.path()))
        throw Error(ErrorKind::badRequest, fileText(candidate.path().string()) + " is " + other->withArticle +
                                               " file; " + optionName(reader.option) + " is for " +
                                               reader.container->label + " files.");
    refuse(candidate);
}

} // namespace

std::shared_ptr<const Scan> openScan(const fs::path& path, const OpenOptions& options, std::stop_token stop)
{
    try {
        const Candidate candidate(path, options, std::move(stop));
        const Reader* reader = readerFor(candidate);
        if (!reader)
            refuse(candidate);
        if (!options.dataSets.axes.empty() && !reader->takesAxes)
            throw Error(ErrorKind::badRequest, fileText(path.string()) + " is read as " + reader->label +
                                                   ", whose dimensions are known; " + optionName("data-axes") +
                                                   " applies only to named data sets" + hint("data") +
                                                   ", matrices, TIFFs and raw "
                                                   "files" +
                                                   hint("raw") + ".");
        if (reader->asked)
            requireContainer(*reader, candidate);
        Scan scan = reader->open(candidate);
        if (!scan.outside.empty() && !options.allowOutside)
            throw Error(ErrorKind::outside,
                        fileText(path.string()) + " reads data from " + quotedList(scan.outside) + ", which " +
                            (scan.outside.size() > 1 ? "are" : "is") +
                            " outside the folder of the scan. Allow this only if you trust the author of that file" +
                            hint("allow-outside") + ".");
        noteOneDirection(scan);
        scan.format = reader->label;
        if (scan.name.empty())
            scan.name = path.filename().string();
        return std::make_shared<const Scan>(std::move(scan));
    } catch (const std::bad_alloc&) {
        throw Error(ErrorKind::noMemory, "There is not enough memory to open " + fileText(path.string()) + ".");
    } catch (const fs::filesystem_error& error) {
        throw Error(ErrorKind::badFile, fileText(path.string()) + " can't be read: " + error.code().message() + ".");
    }
}

} // namespace engine
