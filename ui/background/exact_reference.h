// SPDX-License-Identifier: GPL-3.0-or-later
// The image that every setting is measured against, made in bands of rows: work that was stopped goes on where it was.
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

// In one thread. Keeps finished images within a budget of bytes, and the finished bands of one that isn't yet.
class ExactReference
{
  public:
    using Result = std::shared_ptr<const engine::Reconstruction>;
    // Called before each band; throws where the work is to stop, and the bands before are kept. secondsLeft: of all
    // that is missing; nothing before a speed is known.
    using BeforeBand = std::function<void(std::optional<double> secondsLeft)>;
    // As of the engine, from any thread; the fraction of back-projection is that of the whole image.
    using Progress = std::function<void(engine::Stage, double fraction, std::optional<double> secondsLeft)>;

    Result find(const engine::Request& reference); // among the finished ones; null
    // Goes on with the bands that are there of the same request; those of another are let go. The same bits as in one
    // go. Throws engine::Error, and what `before` throws.
    Result compute(const engine::Request& reference, const BeforeBand& before, const Progress& progress,
                   const std::stop_token& stop);

  private:
    static constexpr double keptBytes = 512 << 20;
    struct Underway {
        engine::Reconstruction result; // its first rows are done
        int rows = 0;
    };

    double secondsOfBand() const;
    int rowsOfNextBand() const;
    void computeBand(const Progress& progress, const std::stop_token& stop);
    std::optional<double> secondsFor(double rows) const;
    void measure(int rows, const engine::Timings& timings);

    engine::Reconstructor m_reconstructor; // keeps the filtered rows
    std::optional<Underway> m_underway;
    engine::LruCache<engine::ImageKey, Result> m_finished{keptBytes};
    double m_updatesPerSecond = 0; // of the kernel, as last measured; 0: not yet
    double m_launchSeconds = 0;    // that a band takes whatever its rows: rows of the sinogram copied for the kernel
};

} // namespace ui
