// What was recorded, as images to look at: projections, and sinograms of a row; as recorded or prepared.
#pragma once

#include "engine/setting.h"
#include "engine/volume.h"

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace engine
{

enum class Shown { raw, prepared }; // as recorded, or as line integrals

// [projection][bin] of a row of the detector. Of the request its scan, preparation and threads count. Throws Error.
Volume sinogramOf(const Request& request, Shown how, int row, const std::stop_token& stop = {});

// Projections of one scan, one after the other. Keeps what it needs of darks and flats, a few frames. One thread at a
// time.
class Projections
{
  public:
    // [row][bin]. Prepared without the steps that look at all projections of a row. Throws Error.
    Volume image(const Request& request, Shown how, int projection, const std::stop_token& stop = {});

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

// The labels of the steps that are on and that single projections don't go through.
std::vector<std::string> stepsOfSinogramsAlone(const Request& request);

} // namespace engine
