// SPDX-License-Identifier: GPL-3.0-or-later
// The sinograms of one pass as the processor's kernels read them: rows with zeros beside the detector.
#pragma once

#include "engine/backproject/parallel/cpu/kernels.h"
#include "engine/filter/filter.h"

#include <cstdlib>
#include <memory>
#include <stop_token>
#include <vector>

namespace engine
{

// Memory that starts with a cache line, not set to anything.
class AlignedMemory
{
  public:
    void reserve(std::size_t bytes); // keeps what there is where it suffices; std::bad_alloc
    std::byte* data() const { return m_memory.get(); }

  private:
    struct Free {
        void operator()(std::byte* memory) const { std::free(memory); }
    };
    std::unique_ptr<std::byte, Free> m_memory;
    std::size_t m_bytes = 0;
};

struct StoredBins {
    BinStorage storage = BinStorage::float32;
    int slices = 1; // beside each other
    int margin = 0; // bins of zeros on either side
    int bins = 0;
    AlignedMemory memory;      // [projection][margin + bins + margin][slice]
    std::vector<float> scales; // fixedPairs: [block of projections][slice]

    std::size_t valueBytes() const { return storage == BinStorage::half ? 2 : 4; } // of a bin and slice
    std::ptrdiff_t stride() const;                                                 // as TileArguments wants it
    const void* row(int projection) const;                                         // at bin 0
};

// All values of these slices finite?
bool allFinite(const SinogramView& sinograms, int firstSlice, int slices);

// Stores options.slices slices from firstSlice on, in parallel. scale: what values are multiplied by before
// they become halves (half_scale.h); fixedPairs take scales of their own and need finite values.
// rounded: float32 that holds halves. Keeps the memory of `out` where it suffices. Incomplete when stopped.
struct StoreOptions {
    BinStorage storage = BinStorage::float32;
    int slices = 1;
    int margin = 0;
    double scale = 1;
    bool rounded = false;
};
void storeBins(const SinogramView& sinograms, int firstSlice, const StoreOptions& options, const std::stop_token& stop,
               StoredBins& out);

} // namespace engine
