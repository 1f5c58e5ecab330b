// SPDX-License-Identifier: GPL-3.0-or-later
// The references of a comparison, found in a cache or computed.
#pragma once

#include "engine/compare/reference_image.h"
#include "ui/background/comparison.h"
#include "ui/background/exact_reference.h"

#include <optional>
#include <stop_token>

namespace ui
{

// Not thread-safe. Caches the last exact images, and the last image of a phantom or from a file.
class References
{
  public:
    Image find(const Comparison& now, const Compared& one); // null if not available
    void findAll(Comparison& now);                          // for settings with an image and no reference
    // Returns null if there is no reference, for example for a setting without an image. before: called before each
    // step, as in ExactReference. Throws engine::Error, and what `before` throws.
    Image compute(const Comparison& now, const Compared& one, const ExactReference::BeforeBand& before,
                  const ExactReference::Progress& progress, const std::stop_token& stop);

  private:
    // The image of a phantom or from a file that is the reference of all settings, for one slice.
    struct Shared {
        ReferenceChoice of;
        Image image;
        engine::FileStates files;

        bool isFor(const Comparison& now, const Compared& one) const;
    };

    std::optional<engine::Request> exactFor(const Comparison& now, const Compared& one) const;

    ExactReference m_exact;
    std::optional<Shared> m_shared;
};

} // namespace ui
