// SPDX-License-Identifier: GPL-3.0-or-later
// The exact image that settings are compared with. That of a slice is reconstructed in bands of rows, so that stopped
// work can be continued.
#pragma once

#include "engine/base/lru_cache.h"
#include "engine/reconstruct/reconstruct.h"
#include "engine/request/keys.h"

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>

namespace ui
{

// Not thread-safe. Caches finished images within a limit in bytes, and the finished bands of one incomplete image.
class ExactReference
{
  public:
    using Result = std::shared_ptr<const engine::Reconstruction>;

    explicit ExactReference(double keptBytes = 512 << 20) : m_finished(keptBytes) {}
    // Called before each band. May throw to stop; finished bands are then kept. secondsLeft: for all missing bands;
    // empty while the speed isn't known.
    using BeforeBand = std::function<void(std::optional<double> secondsLeft)>;
    // Receives the progress that the engine reports, in any thread. The fraction of the back-projection refers to the
    // whole image.
    using Progress = std::function<void(engine::Stage, double fraction, std::optional<double> secondsLeft)>;

    Result find(const engine::Request& reference); // null if not finished
    // Continues with the finished bands of an equal request; discards those of another one. The result is
    // bit-identical to that of uninterrupted work. Throws engine::Error, and what `before` throws.
    Result compute(const engine::Request& reference, const BeforeBand& before, const Progress& progress,
                   const std::stop_token& stop);

  private:
    struct Underway {
        engine::Reconstruction result; // the first `rows` rows are finished
        int rows = 0;
    };

    double secondsOfBand() const;
    int rowsOfNextBand() const;
    void computeBand(const Progress& progress, const std::stop_token& stop);
    std::optional<double> secondsFor(double rows) const;
    void measure(int rows, const engine::Timings& timings);

    engine::Reconstructor m_reconstructor; // caches the filtered rows
    std::optional<Underway> m_underway;
    engine::LruCache<engine::ImageKey, Result> m_finished;
    double m_updatesPerSecond = 0; // last measured speed of the kernel; 0: not known
    double m_launchSeconds = 0;    // constant time per band, in which the sinogram's rows are copied for the kernel
};

} // namespace ui
