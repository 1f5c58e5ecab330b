// SPDX-License-Identifier: GPL-3.0-or-later
// Scores of the images of a sweep: figures that tell which setting is best, each for the options that it can judge.
#pragma once

#include "engine/compare/consistency.h"
#include "engine/compare/metrics.h"
#include "engine/compare/projection_subset.h"
#include "engine/compare/setting_list.h"
#include "engine/compare/sweep.h"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace engine
{

class Scorer;
struct ScoredImage;

struct Score {
    std::string id, label, summary; // summary: one sentence without a full stop
    std::string unit = {};          // "image": that of the images
    bool isHighBest = false;
    bool needsReference = false;
    bool isCostly = false; // takes as long as the reconstruction, or longer; measured if requested
    // Returns why it can't tell which setting of the sweep is best; nothing if it can. The figure is shown anyway.
    std::function<std::optional<Text>(const Sweep&, const std::optional<ReferenceChoice>&)> whyNotBest;
    std::function<double(Scorer&, const ScoredImage&)> measure; // NaN: not possible. Throws Error(cancelled)
};

// The table of scores: the command line, its reports and its help loop over it.
std::span<const Score> scores();
const Score& scoreNamed(const std::string& id); // throws Error(badRequest) that lists the scores

// Image of one point of a sweep.
struct ScoredImage {
    const SweepPoint& point;
    const Reconstruction& made;
    const Reconstruction* reference = nullptr;
    std::stop_token stop = {};
};

// Measures the images of one sweep, one after the other. Caches what their scores have in common.
class Scorer
{
  public:
    // slice: number in the scan; 0 for a plane.
    Scorer(const Sweep& sweep, int slice, const Mask& mask) : m_sweep(sweep), m_slice(slice), m_mask(mask) {}

    // Starts another image.
    void begin() { m_metrics.reset(), m_consistency.reset(); }

    std::span<const float> pixelsOf(const Reconstruction& made) const;
    const Metrics* metricsOf(const ScoredImage& image);
    const Consistency& consistencyOf(const ScoredImage& image);
    double sharpnessOf(const ScoredImage& image); // see the table
    double errorOf(const ScoredImage& image);     // see the table
    const Mask& mask() const { return m_mask; }

  private:
    // The prepared rows of the images, an image by the ramp filter alone, and their noise.
    struct Ramp {
        Request request;
        PreparedRows noise;
        Reconstructor images, ofNoise;
        Reconstruction image, noiseImage;
    };
    const Ramp& rampFor(const Request& request, const std::stop_token& stop);
    Reconstruction noiseImageOf(const Request& request, const std::stop_token& stop);

    const Sweep& m_sweep;
    int m_slice;
    Mask m_mask;
    std::optional<Metrics> m_metrics;
    std::optional<Consistency> m_consistency;
    std::optional<std::pair<double, double>> m_range; // of the first image's values
    std::optional<ProjectionSubset> m_halfTurn;       // of the rows in m_halfTurnRows
    RowRange m_halfTurnRows = {0, 0};
    std::optional<Ramp> m_ramp;
};

} // namespace engine
