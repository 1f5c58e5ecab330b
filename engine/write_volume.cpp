#include "engine/write_volume.h"

#include "engine/io/write_slices.h"
#include "engine/report.h"

#include <utility>

namespace engine
{

namespace fs = std::filesystem;

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
    written.plan = planVolume(request, output.overlap);
    written.format = outputFormat(output.stored, request, stop);
    const fs::path path = output.path.has_filename() ? output.path : output.path.parent_path(); // "folder/"
    SliceWriter writer(path, output.name, request.place.slices, output.overwrite, Inputs(*request.scan),
                       written.format);
    say(writer.unfinished());
    written.made = reconstructVolume(
        request, written.plan,
        [&writer](const Reconstruction& group, std::stop_token stopped) { writer.write(group, stopped); }, progress,
        stop);
    written.note = storageNote(written.format, !output.stored.range, writer.changed(), written.made);
    if (!written.note.text.empty())
        written.made.notes.push_back(written.note.text);
    if (written.note.isLoss)
        say(written.note.text);
    if (const std::string older = writer.olderSlices(); !older.empty()) {
        written.made.notes.push_back(older);
        say(older);
    }
    writer.finish(configurationJson(written.made, opened));
    return written;
}

} // namespace engine
