// SPDX-License-Identifier: GPL-3.0-or-later
// Images of some of a scan's projections.
#pragma once

#include "engine/reconstruct/reconstruct.h"
#include "engine/request/keys.h"

#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace engine
{

class ProjectionSubset
{
  public:
    // request: of an image of all projections. all: its rows as recorded. kept: the projections to use, ascending.
    ProjectionSubset(const Request& request, const RawRows& all, const std::vector<int>& kept);

    // Returns the image of a request that has the scan and the place of the constructor's request and needs the same
    // rows. Rows that are prepared in the same way as for the last image aren't prepared again. Throws what
    // Reconstructor::run() throws.
    Reconstruction imageOf(Request request, const std::stop_token& stop = {});

  private:
    std::shared_ptr<const Scan> m_scan;
    std::shared_ptr<const RawRows> m_rows;
    Reconstructor m_reconstructor;
    std::optional<PreparedKey> m_taken;
};

} // namespace engine
