// SPDX-License-Identifier: GPL-3.0-or-later
// Figures of images against others, kept while both images are: they take as long as a small reconstruction.
#pragma once

#include "ui/background/comparison.h"

#include <vector>

namespace ui
{

// In one thread.
class KeptFigures
{
  public:
    void measure(Comparison& comparison); // what is missing of those that have an image and a reference; no previews
    void letGo();                         // of what is about images that are gone

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
