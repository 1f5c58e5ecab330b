// SPDX-License-Identifier: GPL-3.0-or-later
// What was recorded, as images to look at: projections, and sinograms of a row; as recorded, prepared, or on either
// side of a step of preparation.
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

struct Step;

// As recorded, as line integrals; or what goes into a step, what comes out of it, and that less what went in.
enum class Shown { raw, prepared, before, after, difference };

struct Look {
    Shown how = Shown::raw;
    std::string step = {}; // of the last three: its id

    Look(Shown how_ = Shown::raw, std::string step_ = {}) : how(how_), step(std::move(step_)) {}
    bool operator==(const Look&) const = default;
};

// The steps that are on, in their order, without those that change no value.
std::vector<const Step*> stepsToLookAt(const Request& request);
// What the image holds; a difference that of what comes out of the step. Throws Error where the step isn't on.
Quantity quantityOf(const Request& request, const Look& look);
// Why there is no difference to see: it makes something else of counts.
std::optional<std::string> noDifference(const Step& step);

// [projection][bin] of a row of the detector. Of the request its scan, preparation and threads count. Values between
// two steps have their gaps: noValue, noLight. The difference of what makes line integrals is that to −log of what went
// in. Throws Error.
Volume sinogramOf(const Request& request, const Look& look, int row, const std::stop_token& stop = {});

// Projections of one scan, one after the other. Keeps what it needs of darks and flats, a few frames. One thread at a
// time.
class Projections
{
  public:
    // [row][bin]. Prepared without the steps that look at all projections of a row; one of these can't be looked at.
    // Throws Error.
    Volume image(const Request& request, const Look& look, int projection, const std::stop_token& stop = {});

  private:
    struct Sides {
        std::shared_ptr<const Scan> scan;
        std::string way; // of the flat field
        int darkFrames = 0, flatFrames = 0;
        Values darks, flats; // [frame][row][bin]
    };
    const Sides& sidesFor(const Request& request, const std::stop_token& stop);

    Sides m_sides;
};

// The labels of the steps that are on and that single projections don't go through; of those before the step that is
// looked at.
std::vector<std::string> stepsOfSinogramsAlone(const Request& request, const Look& look = Shown::prepared);

} // namespace engine
