// SPDX-License-Identifier: GPL-3.0-or-later
// Small pictures of what a scan holds: projections spread over it, its mean flat and dark.
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
    int projection = 0;  // of the scan
    double angleRad = 0; // as recorded
    int row = 0;         // of a sinogram
};

// Ten projections at most, the first and the last among them, then what there is of flats and darks. Where a projection
// can't be read without much of the file, one sinogram stands for all of them.
std::vector<Thumbnail> thumbnailsOf(const Scan& scan);

// Why a sinogram stands there, a sentence; empty where projections do.
std::string insteadOfProjections(const Scan& scan);

// At most `most` pixels along each side, each the mean of those it stands for (of flats and darks: of some rows of
// all frames). Reads a frame, or the rows that it needs of the sides. Throws Error.
Volume pictureOf(const Scan& scan, const Thumbnail& thumbnail, int most, const std::stop_token& stop = {});

} // namespace engine
