#include "ui/stack.h"

#include "engine/backproject/method.h"
#include "engine/error.h"
#include "engine/io/write_slices.h"
#include "engine/measure/gups.h"
#include "engine/measure/slice_memory.h"
#include "engine/reconstruct.h"
#include "engine/report.h"

#include <algorithm>

namespace ui
{

namespace
{

void checkStop(const std::stop_token& stop)
{
    if (stop.stop_requested())
        throw engine::Error(engine::ErrorKind::cancelled, "cancelled");
}

// The axis found once, from the slice that is shown, holds for all groups.
engine::Request withAxisFixed(const engine::Request& request, const engine::Reconstruction& first)
{
    engine::Request fixed = request;
    if (first.axisSource == "automatic")
        fixed.axis = {engine::AxisSettings::Mode::given, first.axisBins};
    return fixed;
}

} // namespace

std::shared_ptr<const engine::Reconstruction> reconstructStack(const engine::Request& request, int step,
                                                               const std::function<void(double)>& progress,
                                                               std::stop_token stop)
{
    const int rows = request.scan->rows;
    const int count = (rows + step - 1) / step;
    const int group = step == 1 ? std::min(request.slicesPerPass, rows) : 1;
    engine::Reconstructor reconstructor;
    engine::Request part = request;
    part.previewStep = step;
    if (step > 1)
        part.slicesPerPass = 1;
    auto whole = std::make_shared<engine::Reconstruction>();
    for (int k = 0; k < count; k += group) {
        checkStop(stop);
        part.slices = {k * step, std::min(group, count - k)};
        engine::Reconstruction result = reconstructor.run(part, {}, stop);
        if (k == 0) {
            part = withAxisFixed(part, result);
            engine::Volume volume(count, result.image.height, result.image.width);
            *whole = result;
            whole->image = std::move(volume);
            whole->request.slices = {0, rows};
        }
        std::copy(result.image.values.begin(), result.image.values.end(),
                  whole->image.values.begin() + static_cast<std::ptrdiff_t>(k * whole->image.sliceSize()));
        progress(double(k + part.slices.count) / count);
    }
    return whole;
}

void writeStack(const engine::Request& request, const engine::OpenOptions& opened, const std::filesystem::path& path,
                bool overwrite, const std::function<void(double)>& progress, std::stop_token stop)
{
    const int rows = request.scan->rows;
    const engine::FilterPrecision precision = engine::methodFor(request).filterPrecision;
    const int group = std::min(engine::slicesPerChunk(*request.scan, precision, request.slicesPerPass), rows);
    engine::SliceWriter writer(path, request.scan->name, {0, rows}, overwrite);
    engine::Reconstructor reconstructor;
    engine::Request part = request;
    engine::Reconstruction made; // the last group, with the seconds of all
    double kernelSeconds = 0, backprojectSeconds = 0, filterSeconds = 0, totalSeconds = 0;
    for (int first = 0; first < rows; first += group) {
        checkStop(stop);
        part.slices = {first, std::min(group, rows - first)};
        made = reconstructor.run(part, {}, stop);
        if (first == 0)
            part = withAxisFixed(part, made);
        writer.write(made, stop);
        kernelSeconds += made.timings.kernelSeconds;
        backprojectSeconds += made.timings.backprojectSeconds;
        filterSeconds += made.timings.filter.seconds;
        totalSeconds += made.timings.totalSeconds;
        progress(double(first + part.slices.count) / rows);
    }
    made.timings.kernelSeconds = kernelSeconds;
    made.timings.backprojectSeconds = backprojectSeconds;
    made.timings.filter.seconds = filterSeconds;
    made.timings.totalSeconds = totalSeconds;
    const double voxels = double(rows) * static_cast<double>(made.image.sliceSize());
    const double projections = request.scan->beam().projections();
    made.kernelGups = engine::gigaUpdatesPerSecond(voxels, projections, kernelSeconds);
    made.totalGups = engine::gigaUpdatesPerSecond(voxels, projections, made.timings.totalSeconds);
    made.request.slices = {0, rows};
    writer.finish(engine::configurationJson(made, opened));
}

} // namespace ui
