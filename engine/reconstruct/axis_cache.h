// SPDX-License-Identifier: GPL-3.0-or-later
// The rotation axis of a request: given, known to the scan, or found, once per scan and preparation.
#pragma once

#include "engine/axis/axis.h"
#include "engine/base/lru_cache.h"
#include "engine/reconstruct/progress.h"
#include "engine/reconstruct/reconstruction.h"
#include "engine/reconstruct/row_cache.h"

#include <memory>
#include <mutex>
#include <stop_token>

namespace engine
{

// Copies share the axes that were found.
class AxisCache
{
  public:
    void dropOthers(const Scan* scan); // drops the axes of other scans

    // Returns the scan's geometry with the axis that the request specifies. Enters the axis and its source in the
    // result, and the time of a search. Throws Error.
    Geometry axisOf(const Request& request, RowCache& rows, const Progress& progress, const std::stop_token& stop,
                    Reconstruction& result);

  private:
    struct Found {
        AxisFound axis;
        double seconds = 0;
    };
    struct Shared {
        std::mutex mutex; // threads wait while another one searches the axis
        LruCache<AxisKey, Found> found{0};
    };
    Found found(const Request& asked, RowCache& rows, const Progress& progress, const std::stop_token& stop,
                Timings& timings);

    std::shared_ptr<Shared> m_shared = std::make_shared<Shared>();
};

} // namespace engine
