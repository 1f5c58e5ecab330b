// SPDX-License-Identifier: GPL-3.0-or-later
// Sinograms as the pages of a TIFF file, or as the files of a folder: one for each row of the detector.
#pragma once

#include "engine/io/formats/reader.h"

namespace engine
{

// Opens sinograms, for OpenOptions::sinogram or for axes that begin with y. Throws as a reader does.
Scan openTiffSinograms(const Candidate& candidate);

} // namespace engine
