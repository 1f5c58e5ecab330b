// SPDX-License-Identifier: GPL-3.0-or-later
// Cache of the reconstructed images of settings, so that an unchanged setting is not computed again.
#pragma once

#include "engine/base/lru_cache.h"
#include "engine/stages/stages.h"
#include "ui/background/comparison.h"

#include <vector>

namespace ui
{

class SettingImages
{
  public:
    Image keep(const engine::Request& request, Image made);
    // Fills in the images of the cache; computes nothing. `none`: leaves them all empty.
    Comparison fill(Comparison asked, bool none);
    // Drops those of other scans, and of settings that were taken out of the list: their memory is for the others.
    void forget(const Comparison& asked);

  private:
    // Thirty settings of a slice of 2048², and a while back.
    static constexpr double keptBytes = 1024 << 20;

    engine::LruCache<engine::ImageKey, Image> m_images{keptBytes};
    std::vector<Compared> m_listed; // as last asked for
};

} // namespace ui
