// SPDX-License-Identifier: GPL-3.0-or-later
// A cache of metrics of images against references, which take as long to compute as a small reconstruction. An entry
// is valid while both images exist.
#pragma once

#include "ui/background/comparison.h"

#include <vector>

namespace ui
{

// Not thread-safe.
class KeptFigures
{
  public:
    // Computes missing metrics of settings with an image and a reference, except for previews.
    void measure(Comparison& comparison);
    void letGo(); // drops entries of images that no longer exist

  private:
    struct Measured {
        std::weak_ptr<const engine::Reconstruction> image, reference;
        int slice;
        engine::Mask mask;
        std::optional<engine::Metrics> metrics;
    };
    std::vector<Measured> m_all;
};

} // namespace ui
