// SPDX-License-Identifier: GPL-3.0-or-later
// The dimension that counts the projections in a matrix without labels: as the user specifies, or by the angles that
// are given or lie beside the matrix, or by the positions of the detector's bins; else a guess.
#pragma once

#include "engine/base/note.h"
#include "engine/io/frames/open_options.h"

#include <optional>
#include <string>
#include <vector>

namespace engine
{

// A one-dimensional array beside a matrix.
struct VectorBeside {
    std::string name;
    std::vector<double> values;
};

struct MatrixAxes {
    bool isTransposed = false; // the second dimension counts the projections
    bool isGuess = true;
    Text reason;                   // what decides, as part of a sentence: "theta has an angle for each"
    std::vector<double> anglesRad; // found beside the matrix; empty if the user gives angles
    std::string anglesFrom;        // the name of that array
    std::vector<Note> notes;
};

// Finds the dimension of the projections. first, second: the sizes of the matrix, projections by bins unless
// something specifies otherwise. who: named in errors. Throws Error(badRequest) for axes that don't fit a matrix;
// badFile for a file of angles that can't be read.
MatrixAxes axesOfMatrix(long long first, long long second, const std::vector<VectorBeside>& beside,
                        const OpenOptions& options, const Text& who);

// Counts the angles that the user gives as a list or a file; nothing for a range or steps.
std::optional<long long> countOfAnglesGiven(const OpenOptions& options);

} // namespace engine
