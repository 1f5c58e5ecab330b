// SPDX-License-Identifier: GPL-3.0-or-later
// A cache of the reconstructed images of settings, so that an unchanged setting isn't computed again.
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
    // Fills in the cached images, without computing any. `none`: leaves all empty.
    Comparison fill(Comparison asked, bool none);
    // Drops the images of other scans, and of settings that were removed from the list, to make room for others.
    void forget(const Comparison& asked);

  private:
    // Enough for thirty settings of a slice of 2048² pixels, and for their recent changes.
    static constexpr double keptBytes = 1024 << 20;

    engine::LruCache<engine::ImageKey, Image> m_images{keptBytes};
    std::vector<Compared> m_listed; // of the last request
};

} // namespace ui
