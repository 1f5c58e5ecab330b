// SPDX-License-Identifier: GPL-3.0-or-later
// The references of a comparison, found in a cache or computed.
#pragma once

#include "engine/compare/reference_image.h"
#include "ui/background/comparison.h"
#include "ui/background/exact_reference.h"

#include <list>
#include <optional>
#include <stop_token>

namespace ui
{

// Returns whether all settings have the same reference, a phantom or a file.
bool hasSharedReference(const Comparison& now, const Compared& one);

// Returns the request that reconstructs the reference of an image. Nothing if it is no reconstruction, if it is the
// image of another setting's slice, or if the setting that determines it has no image yet.
std::optional<engine::Request> referenceRequest(const Comparison& now, const Compared& one);

// Not thread-safe. Caches the last reconstructed references, and the last images of a phantom or from a file.
class References
{
  public:
    References() = default;
    explicit References(double keptBytes) : m_reconstructed(keptBytes) {}

    Image find(const Comparison& now, const Compared& one); // null if not available
    void findAll(Comparison& now);                          // for settings with an image and no reference
    // Returns null if there is no reference, for example for a setting without an image. before: called before each
    // step, as in ExactReference. Throws engine::Error, and what `before` throws.
    Image compute(const Comparison& now, const Compared& one, const ExactReference::BeforeBand& before,
                  const ExactReference::Progress& progress, const std::stop_token& stop);

  private:
    // The image of a phantom or from a file that is the reference of all settings, for one slice or plane.
    struct Shared {
        ReferenceChoice of;
        Image image;
        engine::FileStates files;

        bool isFor(const Comparison& now, const Compared& one) const;
    };

    ExactReference m_reconstructed;
    std::list<Shared> m_shared; // as many as there are planes
};

} // namespace ui
