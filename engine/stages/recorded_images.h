// SPDX-License-Identifier: GPL-3.0-or-later
// Recorded data as images to look at: projections, and sinograms of a row; as recorded, as prepared, or before and
// after a preparation step.
#pragma once

#include "engine/data/volume.h"
#include "engine/request/setting.h"

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace engine
{

struct Preparation;
struct Step;

// raw: as recorded; prepared: line integrals; input of a step, output of a step, and output minus input.
enum class Shown { raw, prepared, before, after, difference };

struct Look {
    Shown how = Shown::raw;
    std::string step = {}; // id of the step, for the last three

    Look(Shown how_ = Shown::raw, std::string step_ = {}) : how(how_), step(std::move(step_)) {}
    bool operator==(const Look&) const = default;
};

// Returns the enabled steps that change values, in their order.
std::vector<const Step*> stepsToLookAt(const Request& request);
// Returns the quantity of the image; for a difference that of the step's output. Throws Error if the step is not
// enabled.
Quantity quantityOf(const Request& request, const Look& look);
// Returns why a step has no difference image: it converts counts to another quantity.
std::optional<std::string> noDifference(const Step& step);

// Returns [projection][bin] of a detector row. Uses the request's scan, preparation and threads only. Values between
// steps may be missing (noValue, noLight). For a step that computes line integrals, the difference is its output minus
// −log of its input. Throws Error.
Volume sinogramOf(const Request& request, const Look& look, int row, const std::stop_token& stop = {});

// Single projections of a scan. Caches the darks and flats (a few frames) that they need. Use by one thread at a
// time.
class Projections
{
  public:
    // Returns [row][bin]. Skips preparation steps that need all projections of a row; such a step can't be looked at.
    // Throws Error.
    Volume image(const Request& request, const Look& look, int projection, const std::stop_token& stop = {});

  private:
    struct Sides {
        std::shared_ptr<const Scan> scan;
        std::string way; // method of the flat field
        int darkFrames = 0, flatFrames = 0;
        std::vector<double> flatPlaces; // as in Preparation
        Values darks, flats;            // [frame][row][bin]
    };
    const Sides& sidesFor(const Request& request, const Preparation& preparation, const std::stop_token& stop);

    Sides m_sides;
};

// Returns the labels of enabled steps that are skipped for single projections; only those before the step of `look`,
// if any.
std::vector<std::string> stepsOfSinogramsAlone(const Request& request, const Look& look = Shown::prepared);

} // namespace engine
