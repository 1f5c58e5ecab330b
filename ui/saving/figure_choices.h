// SPDX-License-Identifier: GPL-3.0-or-later
// The figures that can be saved of the images and planes on screen.
#pragma once

#include "ui/saving/figure_dialog.h"

#include <vector>

namespace ui
{

struct Comparison;
class ImagePanel;
class PlanesPanel;

struct FigureChoices {
    std::vector<FigureChoice> all;
    std::size_t chosen = 0; // of what is on screen
};

// Returns the images of each view. The first choice is the view on screen, or what it composes.
FigureChoices figuresOfImages(const ImagePanel& images, const Comparison& shown);

// Returns all planes, and the chosen one alone; before them their differences, if these are on screen.
FigureChoices figuresOfPlanes(const PlanesPanel& planes);

} // namespace ui
