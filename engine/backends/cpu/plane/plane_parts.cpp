// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backends/cpu/plane/plane_parts.h"

#include "engine/base/error.h"
#include "engine/base/parallel_for.h"
#include "engine/base/stopwatch.h"

#include <atomic>

namespace engine
{

LaunchReport reconstructParts(const LaunchArguments& arguments, int parts,
                              const std::function<void(int part)>& reconstruct)
{
    const Stopwatch watch;
    tbb::task_arena arena = arenaOf(arguments.threads);
    std::atomic<int> done = 0;
    arena.execute([&] {
        parallelFor(0, parts, [&](int part) {
            if (arguments.stop.stop_requested())
                return;
            reconstruct(part);
            const int now = ++done;
            if (arguments.progress)
                arguments.progress(static_cast<double>(now) / parts);
        });
    });
    throwIfStopped(arguments.stop);
    return {.kernelSeconds = watch.seconds(), .totalSeconds = watch.seconds()};
}

} // namespace engine
