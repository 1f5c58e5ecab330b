#include "engine/write_volume.h"

#include "engine/backproject/method.h"
#include "engine/error.h"
#include "engine/io/write_slices.h"
#include "engine/json_text.h"
#include "engine/report.h"
#include "engine/request_json.h"
#include "engine/volume_needs.h"

#include <sys/stat.h>

#include <cstdint>
#include <cstdio>
#include <utility>

namespace engine
{

namespace fs = std::filesystem;

namespace
{

// Names, sizes and times of a scan's files, in a few digits.
Json filesOf(const Scan& scan)
{
    std::uint64_t hash = 14695981039346656037ULL; // FNV-1a
    double bytes = 0;
    for (const fs::path& file : scan.files) {
        struct stat status = {};
        ::stat(file.c_str(), &status);
        const std::string text = file.filename().string() + '\n' + std::to_string(status.st_size) + '\n' +
                                 std::to_string(status.st_mtim.tv_sec) + '.' + std::to_string(status.st_mtim.tv_nsec);
        for (const char c : text)
            hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
        bytes += static_cast<double>(status.st_size);
    }
    char digits[24];
    std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(hash));
    return {{"files", scan.files.size()}, {"bytes", bytes}, {"namesSizesAndTimes", digits}};
}

// All that the numbers of a slice depend on, and how they are stored.
Json origin(const Request& request, const OpenOptions& opened, const OutputChoice& stored)
{
    const Method& method = methodFor(request);
    Json setting = Json::object();
    addOptions(setting, request, true);
    return {{"program", programVersion()},
            {"scan", filesOf(*request.scan)},
            {"opened", openOptionsOf(opened)},
            {"setting", setting},
            {"method", method.id},
            {"device", method.device == DeviceSettings::Kind::cuda ? "cuda" : "cpu"},
            {"filterOn", toText(request.resources.filterOn)},
            {"region", request.place.region ? toText(*request.place.region) : ""},
            {"numbers", toText(stored.type)},
            {"range", stored.range ? toText(*stored.range) : "auto"},
            {"compression", compressionToText(stored.deflateLevel)}};
}

// And how they are divided, so that each is made among the same others.
std::string identityOf(Json made, const RowRange& slices, const VolumePlan& plan, const OutputFormat& format)
{
    made["storedRange"] = toText(format.range);
    made["slices"] = {slices.first, slices.count};
    made["slicesPerGroup"] = plan.slicesPerGroup;
    made["overlapped"] = plan.overlapped;
    made["shortEnds"] = plan.shortEnds;
    return onOneLine(made);
}

constexpr const char* originKey = "madeOf"; // in what is stored with slices

std::string withOrigin(const std::string& configuration, const Json& madeOf)
{
    Json json = Json::parse(configuration);
    json[originKey] = madeOf;
    return dumped(json);
}

// Whether all of it is there, made of the same.
bool isMade(const Request& request, const Json& madeOf, const fs::path& path, const std::string& name)
{
    const RowRange& slices = request.place.slices;
    const Json configuration = parsedJson(storedConfiguration(path, name, slices));
    return configuration.is_object() && configuration.contains(originKey) && configuration[originKey] == madeOf &&
           configuration.value("firstSlice", slices.first) == slices.first &&
           configuration.value("slices", slices.count) == slices.count;
}

// Before a journal is looked for in it.
void requireFolderToResume(const fs::path& path)
{
    const fs::path folder = path.parent_path();
    std::error_code unreadable;
    if (outputKindOf(path) != OutputKind::folder && !folder.empty() && !fs::is_directory(folder, unreadable))
        throw Error(ErrorKind::output, "There is no folder '" + folder.string() + "' for '" + path.string() +
                                           "', so there is nothing to resume: make it first, or name another.");
}

// Before any work.
void requirePossible(const VolumeNeeds& needs)
{
    if (!needs.impossible.empty())
        throw Error(ErrorKind::output, needs.impossible.front() + fitsText(needs.fits));
}

} // namespace

std::string resultName(const fs::path& scan)
{
    return (scan.has_filename() ? scan : scan.parent_path()).stem().string();
}

WrittenVolume writeVolume(const Request& request, const OpenOptions& opened, const VolumeOutput& output,
                          const std::function<void(const std::string&)>& warn, const VolumeProgress& progress,
                          std::stop_token stop)
{
    const auto say = [&warn](const std::string& text) {
        if (warn && !text.empty())
            warn(text);
    };
    WrittenVolume written;
    try {
        written.plan = planVolume(request, output.overlap);
    } catch (const Error& error) { // with what would fit
        throw Error(error.kind(), error.what() + std::string(".") + fitsText(needsOf(request, output).fits));
    }
    const fs::path path = output.path.has_filename() ? output.path : output.path.parent_path(); // "folder/"
    const Json madeOf = origin(request, opened, output.stored);
    if (output.resumes)
        requireFolderToResume(path);
    if (output.resumes && isMade(request, madeOf, path, output.name)) {
        written.wasThere = true;
        written.made.request = request;
        return written;
    }
    written.format = outputFormat(output.stored, request, stop);
    SliceWriter writer(
        path, output.name, request.place.slices, output.overwrite, Inputs(*request.scan), written.format,
        [&](const Reconstruction& part, int slice) {
            SliceFacts facts = sliceFacts(part, slice, opened);
            facts.lines += std::string(originKey) + '=' + onOneLine(madeOf) + '\n';
            return facts;
        },
        output.resumes ? identityOf(madeOf, request.place.slices, written.plan, written.format) : std::string());
    if (writer.wasNamed()) {
        written.wasThere = written.wasNamed = true;
        written.made.request = request;
        return written;
    }
    written.done = writer.done();
    requirePossible(needsOf(request, output, written.done));
    say(writer.unfinished());
    try {
        written.made = reconstructVolume(
            request, written.plan,
            [&writer](const Reconstruction& group, std::stop_token stopped) { writer.write(group, stopped); }, progress,
            stop, written.done);
    } catch (const Error& error) {
        const std::string slices = std::to_string(request.place.slices.count);
        if (!output.resumes || writer.done() == 0)
            throw;
        throw Error(error.kind(), std::string(error.what()) + (error.kind() == ErrorKind::cancelled ? ": " : " ") +
                                      std::to_string(writer.done()) + " of " + slices +
                                      " slices are kept, and --resume goes on from there");
    }
    if (written.done > 0)
        written.made.notes.push_back("The first " + std::to_string(written.done) +
                                     " slices were made by a run that was interrupted; figures are of the others.");
    written.note = storageNote(written.format, !output.stored.range, writer.changed(), written.made);
    if (!written.note.text.empty())
        written.made.notes.push_back(written.note.text);
    if (written.note.isLoss)
        say(written.note.text);
    if (const std::string older = writer.olderSlices(); !older.empty()) {
        written.made.notes.push_back(older);
        say(older);
    }
    writer.finish(withOrigin(configurationJson(written.made, opened), madeOf));
    return written;
}

} // namespace engine
