// SPDX-License-Identifier: GPL-3.0-or-later
// The detector on which the lines of a scan are filtered, where it differs from the recording one.
#pragma once

#include "engine/data/sinograms.h"
#include "engine/scan/geometry.h"

#include <optional>
#include <string>
#include <vector>

namespace engine
{

// Extended and upright detector. If the recorded detector reaches further on one side of the axis, blank bins are
// added on the other, and that of a cone beam is turned upright (ray_weights.h); all other detectors stay as they
// are. Rays of a parallel beam are weighted here, those of a cone beam by the filter.
class VirtualDetector
{
  public:
    explicit VirtualDetector(const Geometry& recorded);
    VirtualDetector of(const std::vector<int>& projections) const; // the same for some projections of a cone beam

    bool isRecorded() const { return m_isRecorded; } // nothing has to be done
    const Geometry& geometry() const { return m_geometry; }
    const std::optional<std::string>& note() const { return m_note; }

    // Returns what the detector records: line integrals [row][projection][bin], with zeros beyond the recorded bins.
    // Beyond the recorded rows, the outermost row is repeated. `all` holds the recorded rows from firstRow on. Uses the
    // threads of the task arena.
    Sinograms see(const Sinograms& all, int firstRow, const RowRange& rows) const;

    // Number of bins, given that of the recorded lines.
    int bins(int recorded) const { return recorded + m_left + m_right; }

  private:
    void seeParallel(const ParallelBeam& parallel);
    void seeCone(const ConeBeam& cone);
    struct Turn { // rotation about (bin, row) of the recorded detector
        double bin = 0, row = 0, cosine = 1, rowsPerBin = 0, binsPerRow = 0;
    };

    Geometry m_geometry;
    std::vector<Turn> m_turns;    // one per projection; empty: not turned
    std::vector<float> m_weights; // [1 or projection][recorded bin]; empty: all 1
    int m_left = 0, m_right = 0;  // blank bins beside the recorded ones
    bool m_isRecorded = true;
    std::optional<std::string> m_note;
};

} // namespace engine
