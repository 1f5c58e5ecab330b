// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/volume/write_volume.h"

#include "engine/volume/stored_values.h"
#include "engine/volume/volume_identity.h"
#include "engine/volume/volume_steps.h"

#include <utility>

namespace engine
{

std::string resultName(const std::filesystem::path& scan)
{
    return (scan.has_filename() ? scan : scan.parent_path()).stem().string();
}

WrittenVolume writeVolume(const Request& request, const OpenOptions& opened, const VolumeOutput& output,
                          const std::function<void(const Text&)>& warn, const VolumeProgress& progress,
                          std::stop_token stop)
{
    VolumeSteps steps(request, opened, output, warn, std::move(stop));
    if (const Json stored = storedIfThere(steps); stored.is_object())
        return asItWas(steps, stored, false);
    WrittenVolume& written = steps.written;
    written.format = outputFormat(output.stored, request, steps.stop);
    const Place& place = steps.part.place;
    makeWriter(steps, identityOf(steps.madeOf, 1, 1, place, written.plan, written.format));
    SliceWriter& writer = *steps.writer;
    if (writer.wasNamed())
        return asItWas(steps, storedWith(steps), true);
    written.done = writer.done();
    requirePossible(steps);
    const auto take = [&](Reconstruction& group, const std::stop_token& stopped) {
        judgeGaps(written.format, group);
        writer.write(group, stopped);
    };
    const auto kept = [&] {
        return writer.done() == 0 ? std::string()
                                  : std::to_string(writer.done()) + " of " +
                                        std::to_string(request.place.slices().count) + " slices are kept";
    };
    written.made = reconstructPart(steps, take, progress, written.done, kept);
    written.made.request.place = request.place;
    addNotes(steps, place.pairsOf() ? "" : "The first ", writer.changed(), writer.olderSlices());
    writer.finish(descriptionOf(steps));
    return std::move(written);
}

} // namespace engine
