// SPDX-License-Identifier: GPL-3.0-or-later
// What the images of a comparison are measured against, found among what is kept, or made.
#pragma once

#include "engine/compare/reference_image.h"
#include "ui/background/comparison.h"
#include "ui/background/exact_reference.h"

#include <optional>
#include <stop_token>

namespace ui
{

// In one thread. Keeps the last exact images, and the last one that is a phantom or from a file.
class References
{
  public:
    Image find(const Comparison& now, const Compared& one); // null where it isn't there
    void findAll(Comparison& now);                          // of those that have an image and no reference
    // Null where it can't be: of a setting that has no image. before: each step, as of ExactReference. Throws
    // engine::Error, and what `before` throws.
    Image compute(const Comparison& now, const Compared& one, const ExactReference::BeforeBand& before,
                  const ExactReference::Progress& progress, const std::stop_token& stop);

  private:
    // Of one slice, the same for all settings.
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
