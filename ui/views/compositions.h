// SPDX-License-Identifier: GPL-3.0-or-later
// The compositions of the views, one file each.
#pragma once

#include "ui/views/composition.h"

#include <memory>

namespace ui
{

std::unique_ptr<Composition> makeSwipe();      // A on one side of a divider, B on the other
std::unique_ptr<Composition> makeFlicker();    // A and B in turn, in the same place
std::unique_ptr<Composition> makeTwoColours(); // A and B over each other, equal pixels grey
std::unique_ptr<Composition> makeLens();       // B in a round lens over A, with figures of the pixels in it

} // namespace ui
