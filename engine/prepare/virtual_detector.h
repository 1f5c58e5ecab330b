// SPDX-License-Identifier: GPL-3.0-or-later
// The detector that a scan's lines are filtered on, where it isn't the one that recorded them.
#pragma once

#include "engine/data/sinograms.h"
#include "engine/scan/geometry.h"

#include <optional>
#include <string>
#include <vector>

namespace engine
{

// One that reaches further on one side of the axis gets blank bins on the other, and a cone beam's is turned upright
// (ray_weights.h); all others are as they are. A parallel beam's rays are weighted here, a cone beam's by the filter.
class VirtualDetector
{
  public:
    explicit VirtualDetector(const Geometry& recorded);
    VirtualDetector of(const std::vector<int>& projections) const; // the same for some, of a cone beam

    bool isRecorded() const { return m_isRecorded; } // nothing is to be done
    const Geometry& geometry() const { return m_geometry; }
    const std::optional<std::string>& note() const { return m_note; }

    // What it sees of line integrals [row][projection][bin], of which `all` holds the rows from firstRow on: zeros
    // where nothing was recorded. Threads are those of the task arena.
    Sinograms see(const Sinograms& all, int firstRow, const RowRange& rows) const;

    // Bins of its lines, those of the recorded ones given.
    int bins(int recorded) const { return recorded + m_left + m_right; }

  private:
    void seeParallel(const ParallelBeam& parallel);
    void seeCone(const ConeBeam& cone);
    struct Turn { // about (bin, row) of the recorded detector
        double bin = 0, row = 0, cosine = 1, rowsPerBin = 0, binsPerRow = 0;
    };

    Geometry m_geometry;
    std::vector<Turn> m_turns;    // one per projection; empty: not turned
    std::vector<float> m_weights; // [1 or projection][recorded bin]; empty: all 1
    int m_left = 0, m_right = 0;  // more bins than were recorded
    bool m_isRecorded = true;
    std::optional<std::string> m_note;
};

} // namespace engine
