#include "engine/rows.h"

#include "engine/backproject/method.h"
#include "engine/parallel_for.h"
#include "engine/stopwatch.h"

#include <utility>

namespace engine
{

Sinograms slicesOf(const Sinograms& all, int first, int count)
{
    const std::size_t size = static_cast<std::size_t>(all.projections) * all.bins;
    const auto begin = all.values.begin() + static_cast<std::ptrdiff_t>(first * size);
    return {count, all.projections, all.bins, Values(begin, begin + static_cast<std::ptrdiff_t>(count * size))};
}

RawRows read(const Request& request, RowRange rows, const std::stop_token& stop)
{
    RawRows raw;
    tbb::task_arena arena = arenaOf(request.resources.threads);
    arena.execute([&] { raw = request.scan->read(rows, stop); });
    return raw;
}

PreparedRows prepare(const Request& request, const RawRows& raw, double readSeconds, const std::stop_token& stop)
{
    const Stopwatch preparing;
    Prepared prepared = prepareRows(raw, request.scan->quantity, request.resources.threads, stop);
    return {request.scan, raw.rows, std::move(prepared), readSeconds, preparing.seconds()};
}

bool preparesOnDevice(const Request& request, const Method& method)
{
    const Scan& scan = *request.scan;
    return method.filters && request.resources.filterOn != FilterOn::processor && request.place.previewStep == 1 &&
           scan.bins() <= mostBinsOnDevices && isForDevices(preparationOf(scan.quantity));
}

bool preparesOnDevice(const Request& request)
{
    return preparesOnDevice(request, methodFor(request));
}

void startPreparation(const Request& request, RecordedRows& rows, const std::stop_token& stop)
{
    const Stopwatch starting;
    rows.preparation =
        std::make_shared<const DevicePreparation>(rows.raw, request.scan->quantity, request.resources.threads, stop);
    rows.startSeconds = starting.seconds();
}

} // namespace engine
