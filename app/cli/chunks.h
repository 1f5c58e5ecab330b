// A long stack, a few slices at a time.
#pragma once

#include "engine/reconstruction.h"

#include <stop_token>

namespace engine
{
class SliceWriter;
}

namespace cli
{

// Reconstructs request.slices in chunks that fit in memory and writes each as it is done, with a
// progress bar. What comes back has no image: its request is the whole one, its seconds are those of
// all chunks together. Throws Error.
engine::Reconstruction reconstructInChunks(const engine::Request& request, engine::SliceWriter& writer,
                                           std::stop_token stop);

} // namespace cli
