// SPDX-License-Identifier: GPL-3.0-or-later
// Copies of a scan: ranks on several machines may each read a file of their own. Whether these have the same values is
// known only when all values that were used have been read from two of them.
#pragma once

#include "engine/request/setting.h"
#include "engine/volume/ensemble.h"

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

namespace engine
{

// Returns a text that is the same on all machines that share the scan's files, and another one for a copy of them.
std::string copyOf(const Scan& scan);

// Digests of the rows that were read of a scan.
class RowDigests
{
  public:
    // Returns the scan; what is read of it is added to `digests`.
    static std::shared_ptr<const Scan> watched(const std::shared_ptr<const Scan>& scan,
                                               std::shared_ptr<RowDigests> digests);

    std::string text() const;
    // Reads the rows of another rank's text from this rank's copy. Returns the first row whose values differ, or −1.
    static int firstDifference(const std::string& text, const Request& request, const std::stop_token& stop);

  private:
    // First projection, number of projections, and whether darks and flats were read with them.
    using Block = std::tuple<int, int, bool>;
    void add(const RawRows& raw, const char* numbers, std::size_t bytesPerSample);

    mutable std::mutex m_mutex;
    std::map<Block, std::map<int, std::uint64_t>> m_rows; // by their numbers
};

// Each rank reads what a rank with another copy has read. copies: of all ranks. Throws Error if a value differs. All
// ranks call it.
void requireSameValues(const RowDigests& own, const std::vector<std::string>& copies, const Request& request,
                       Ensemble& ensemble);

} // namespace engine
