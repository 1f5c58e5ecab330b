// SPDX-License-Identifier: GPL-3.0-or-later
// Sinograms of one pass as the processor's kernels read them: rows with zeros on either side.
#pragma once

#include "engine/backends/cpu/parallel/kernels.h"
#include "engine/filter/filter.h"

#include <cstdlib>
#include <memory>
#include <stop_token>
#include <vector>

namespace engine
{

// Uninitialised memory, aligned to a cache line.
class AlignedMemory
{
  public:
    void reserve(std::size_t bytes); // keeps the memory if it suffices; throws std::bad_alloc
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
    int slices = 1; // side by side
    int margin = 0; // bins of zeros on either side
    int bins = 0;
    AlignedMemory memory;      // [projection][margin + bins + margin][slice]
    std::vector<float> scales; // fixedPairs: [block of projections][slice]

    std::size_t valueBytes() const { return storage == BinStorage::half ? 2 : 4; } // per bin and slice
    std::ptrdiff_t stride() const;                                                 // as TileArguments needs it
    const void* row(int projection) const;                                         // at bin 0
};

// Returns whether all values of these slices are finite.
bool allFinite(const SinogramView& sinograms, int firstSlice, int slices);

// Options of storeBins, which stores `slices` slices from firstSlice on, in parallel. scale: factor for values before
// they become halves (half_scale.h); fixedPairs use their own scales and need finite values. rounded: float32 values
// are rounded to halves. The memory of `out` is reused if it suffices. Its contents are incomplete if stopped.
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
