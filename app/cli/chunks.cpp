#include "app/cli/chunks.h"

#include "app/cli/progress_bar.h"
#include "engine/backproject/method.h"
#include "engine/io/write_slices.h"
#include "engine/measure/gups.h"
#include "engine/measure/slice_memory.h"
#include "engine/reconstruct.h"

#include <algorithm>

namespace cli
{

namespace
{

// Part of a chunk that is done when a stage begins: most of the time goes into the last.
double beginning(engine::Stage stage)
{
    switch (stage) {
    case engine::Stage::read:
        return 0;
    case engine::Stage::prepare:
        return 0.1;
    case engine::Stage::axis:
        return 0.15;
    case engine::Stage::filter:
        return 0.2;
    case engine::Stage::backproject:
        break;
    }
    return 0.3;
}

double doneOfChunk(engine::Stage stage, double fraction)
{
    const double end =
        stage == engine::Stage::backproject ? 1 : beginning(static_cast<engine::Stage>(static_cast<int>(stage) + 1));
    return beginning(stage) + fraction * (end - beginning(stage));
}

// A stage that was taken from memory (the axis, after the first chunk) is counted once.
void add(engine::StageTime& sum, const engine::StageTime& part)
{
    if (!part.reused)
        sum.seconds += part.seconds;
}

void add(engine::Reconstruction& sum, const engine::Reconstruction& part)
{
    add(sum.timings.read, part.timings.read);
    add(sum.timings.prepare, part.timings.prepare);
    add(sum.timings.axis, part.timings.axis);
    add(sum.timings.filter, part.timings.filter);
    sum.timings.kernelSeconds += part.timings.kernelSeconds;
    sum.timings.backprojectSeconds += part.timings.backprojectSeconds;
    sum.timings.totalSeconds += part.timings.totalSeconds;
    sum.timings.elapsedSeconds += part.timings.elapsedSeconds;
    sum.method = part.method;
    sum.device = part.device;
    sum.texelsPerSecond = part.texelsPerSecond;
    sum.axisBins = part.axisBins;
    sum.axisSource = part.axisSource;
    sum.grid = part.grid;
    sum.unit = part.unit;
    for (const std::string& note : part.notes)
        if (std::find(sum.notes.begin(), sum.notes.end(), note) == sum.notes.end())
            sum.notes.push_back(note);
}

} // namespace

engine::Reconstruction reconstructInChunks(const engine::Request& request, engine::SliceWriter& writer,
                                           std::stop_token stop)
{
    const int chunk =
        engine::slicesPerChunk(*request.scan, engine::methodFor(request).filterPrecision, request.slicesPerPass);
    const engine::RowRange all = request.slices;
    ProgressBar bar;
    engine::Reconstructor reconstructor;
    engine::Reconstruction whole;
    whole.request = request;
    for (int done = 0; done < all.count; done += chunk) {
        engine::Request part = request;
        part.slices = {all.first + done, std::min(chunk, all.count - done)};
        const auto progress = [&](engine::Stage stage, double fraction) {
            bar.show((done + doneOfChunk(stage, fraction) * part.slices.count) / all.count,
                     "slice " + std::to_string(part.slices.first) + ": " + engine::toText(stage));
        };
        const engine::Reconstruction made = reconstructor.run(part, progress, stop);
        writer.write(made, stop);
        add(whole, made);
    }
    const double voxels = static_cast<double>(whole.grid.width) * whole.grid.height * all.count;
    const double projections = request.scan->beam().projections();
    whole.kernelGups = engine::gigaUpdatesPerSecond(voxels, projections, whole.timings.kernelSeconds);
    whole.totalGups = engine::gigaUpdatesPerSecond(voxels, projections, whole.timings.totalSeconds);
    if (whole.texelsPerSecond > 0)
        whole.texturePeakShare = whole.kernelGups * 1e9 / (whole.texelsPerSecond * request.slicesPerPass);
    return whole;
}

} // namespace cli
