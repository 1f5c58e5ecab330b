// SPDX-License-Identifier: GPL-3.0-or-later
// Thumbnails of a scan: some of its projections, its mean flat and its mean dark.
#pragma once

#include "engine/scan/scan.h"

#include <stop_token>
#include <string>
#include <vector>

namespace engine
{

struct Thumbnail {
    enum class Kind { projection, sinogram, flat, dark };
    Kind kind = Kind::projection;
    int projection = 0;  // index in the scan
    double angleRad = 0; // as recorded
    int row = 0;         // of a sinogram
};

// Returns up to ten projections, including the first and the last, then flat and dark if there are any. If reading a
// projection would mean reading much of the file, a single sinogram replaces the projections.
std::vector<Thumbnail> thumbnailsOf(const Scan& scan);

// Returns why a sinogram is shown, as a sentence; empty if projections are shown.
std::string insteadOfProjections(const Scan& scan);

// Returns a picture of at most `most` pixels along each side; each pixel is the mean of a block (for flats and darks:
// of some rows of all frames). Reads one frame, or the rows needed of flats and darks. Throws Error.
Volume pictureOf(const Scan& scan, const Thumbnail& thumbnail, int most, const std::stop_token& stop = {});

} // namespace engine
