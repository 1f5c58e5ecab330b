// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/volume/volume_steps.h"

#include "engine/io/slices/foreign_slices.h"
#include "engine/io/slices/volume_journal.h"
#include "engine/json/reconstruction_json.h"
#include "engine/volume/slice_division.h"
#include "engine/volume/volume_identity.h"
#include "engine/volume/volume_needs.h"

#include <cctype>
#include <set>
#include <utility>

namespace engine
{

namespace fs = std::filesystem;

namespace
{

constexpr const char* originKey = "madeOf"; // key in the configuration that is stored with the slices

std::string withOrigin(const std::string& configuration, const Json& madeOf)
{
    Json json = Json::parse(configuration);
    json[originKey] = madeOf;
    return dumped(json);
}

// Returns whether all slices are there, reconstructed from the same scan with the same settings.
bool isMade(const Request& request, const Json& madeOf, const Json& configuration)
{
    const RowRange& slices = request.place.slices();
    return configuration.is_object() && configuration.contains(originKey) && configuration[originKey] == madeOf &&
           configuration.value("firstSlice", slices.first) == slices.first &&
           configuration.value("slices", slices.count) == slices.count;
}

// Throws Error(output) if the folder is missing in which the journal would be looked for.
void requireFolderToResume(const fs::path& path)
{
    const fs::path folder = path.parent_path();
    std::error_code unreadable;
    if (outputKindOf(path) != OutputKind::folder && !folder.empty() && !fs::is_directory(folder, unreadable))
        throw Error(ErrorKind::output,
                    "There is no folder " + fileText(folder.string()) + " for '" + path.string() +
                        "', so there is nothing to resume: create the folder first, or name another one.");
}

void warnOf(const VolumeSteps& steps, const Text& text)
{
    if (steps.warn && !text.empty())
        steps.warn(text);
}

SliceNames namesOf(const VolumeSteps& steps)
{
    const std::optional<Plane> plane = steps.request.place.plane();
    return plane ? SliceNames::ofPlane(steps.output.name, shortText(*plane)) : SliceNames(steps.output.name);
}

ProtectedInputs inputsOf(const VolumeSteps& steps)
{
    ProtectedInputs inputs(*steps.request.scan);
    for (const NamedInput& input : steps.output.alsoRead)
        inputs.add(input);
    return inputs;
}

// part: the last argument of the writer's constructor.
template <typename Part>
void openWriter(VolumeSteps& steps, const std::string& identity, const Part& part)
{
    try {
        steps.writer.emplace(
            steps.path, namesOf(steps), steps.part.place.slices(), steps.output.overwrite, inputsOf(steps),
            steps.written.format,
            [opened = &steps.opened, origin = std::string(originKey) + '=' + onOneLine(steps.madeOf) +
                                              '\n'](const Reconstruction& made, int slice) {
                SliceFacts facts = sliceFacts(made, slice, *opened);
                facts.lines += origin;
                return facts;
            },
            steps.output.resumes ? identity : std::string(), part);
    } catch (const OtherVolume& other) {
        throw other.inWords(identityDifference(other.difference()));
    }
}

} // namespace

VolumeSteps::VolumeSteps(const Request& request_, const OpenOptions& opened_, const VolumeOutput& output_,
                         const Warn& warn_, std::stop_token stop_)
    : request(request_), opened(opened_), output(output_), warn(warn_), stop(std::move(stop_)),
      path(output.path.has_filename() ? output.path : output.path.parent_path()), // also for "folder/"
      part(inPairs(request))
{
    written.plan = planFor(request, output);
    madeOf = originOf(request, opened, output.stored);
}

VolumeSteps::~VolumeSteps()
{
    if (!writer)
        return;
    try {
        const bool asks = stop.stop_requested() && writer->done() > 0 && output.keepsSlices;
        warnOf(*this, writer->discard(!asks || output.keepsSlices()));
    } catch (...) { // no memory or threads: the writer's destructor removes the files
    }
}

Json storedWith(const VolumeSteps& steps)
{
    return parsedJson(storedConfiguration(steps.path, namesOf(steps), steps.request.place.slices()));
}

Json storedIfThere(const VolumeSteps& steps)
{
    if (!steps.output.resumes)
        return {};
    requireFolderToResume(steps.path);
    Json stored = storedWith(steps);
    return isMade(steps.request, steps.madeOf, stored) ? stored : Json();
}

WrittenVolume asItWas(VolumeSteps& steps, const Json& stored, bool wasNamed)
{
    steps.written.wasThere = true;
    steps.written.wasNamed = wasNamed;
    steps.written.made.request = steps.request;
    if (stored.is_object() && stored.contains("warnings"))
        for (const Json& text : stored["warnings"])
            if (text.is_string())
                steps.written.made.doubts.push_back({.about = Doubt::About::earlier, .text = text.get<std::string>()});
    return std::move(steps.written);
}

void makeWriter(VolumeSteps& steps, const std::string& identity)
{
    openWriter(steps, identity, steps.part.place.pairsOf());
}

void makeWriter(VolumeSteps& steps, const std::string& identity, const OutputPart& part)
{
    openWriter(steps, identity, part);
}

void requirePossible(VolumeSteps& steps)
{
    const VolumeNeeds needs = needsOf(steps.request, steps.output, steps.written.done);
    if (!needs.impossible.empty())
        throw Error(needs.failure, needs.impossible.front() + fitsText(needs.fits));
    warnOf(steps, steps.writer->unfinished());
    if (outputKindOf(steps.path) == OutputKind::folder) // if slices are overwritten, addNotes() reports those that stay
        warnOf(steps, mixedSlicesText(steps.path, namesOf(steps), steps.request.place.slices(),
                                      steps.output.overwrite ? std::string() : onOneLine(steps.madeOf)));
}

Reconstruction reconstructPart(const VolumeSteps& steps, const WriteGroup& take, const VolumeProgress& progress,
                               int done, const std::function<std::string()>& kept)
{
    try {
        const std::vector<std::string> earlier = steps.writer ? steps.writer->warnings() : std::vector<std::string>();
        Reconstruction made = reconstructVolume(steps.part, steps.written.plan, take, progress, steps.stop, done);
        const auto withoutFigures = [](std::string text) { // they differ from row to row
            std::erase_if(text, [](unsigned char sign) { return std::isdigit(sign) != 0; });
            return text;
        };
        std::set<std::string> said;
        for (const Text& warning : warningsOf(made))
            said.insert(withoutFigures(warning.in(commandLineStyle())));
        for (const std::string& text : earlier)
            if (said.insert(withoutFigures(text)).second)
                made.doubts.push_back({.about = Doubt::About::earlier, .text = text});
        return made;
    } catch (const Error& error) {
        const std::string what = steps.output.resumes ? kept() : std::string();
        if (what.empty())
            throw;
        throw Error(error.kind(), error.text() + (error.kind() == ErrorKind::cancelled ? ": " : " ") + what +
                                      aside(optionName("resume") + " continues from there"));
    }
}

void addNotes(VolumeSteps& steps, const char* which, long long changed, const std::string& older)
{
    WrittenVolume& written = steps.written;
    Reconstruction& made = written.made;
    if (written.done > 0)
        made.notes.push_back(
            which + std::to_string(written.done) +
            " slices were reconstructed by an interrupted run; the figures cover only the other slices.");
    written.note = storageNote(written.format, !steps.output.stored.range, changed, made);
    if (!written.note.text.empty())
        made.notes.push_back(written.note.text);
    if (written.note.isLoss)
        warnOf(steps, written.note.text);
    if (written.format.type == OutputFormat::Type::half && outputKindOf(steps.path) != OutputKind::hdf5)
        made.notes.push_back("VTK (ParaView, 3D Slicer) takes 16-bit floats in TIFFs for whole numbers. For these "
                             "programs, write HDF5, float32 or uint16.");
    if (older.empty())
        return;
    made.notes.push_back(older);
    warnOf(steps, older);
}

VolumeDescription descriptionOf(const VolumeSteps& steps)
{
    VolumeDescription description = volumeDescription(steps.written.made, steps.request, steps.opened);
    description.configuration = withOrigin(description.configuration, steps.madeOf);
    return description;
}

} // namespace engine
