// SPDX-License-Identifier: GPL-3.0-or-later
// Which dimension of a matrix without labels counts the projections: as the user says, by the angles that are given or
// lie beside it, or by the positions of the detector's bins; else a guess.
#pragma once

#include "engine/base/note.h"
#include "engine/io/frames/open_options.h"

#include <optional>
#include <string>
#include <vector>

namespace engine
{

// Numbers in one dimension beside a matrix.
struct VectorBeside {
    std::string name;
    std::vector<double> values;
};

struct MatrixAxes {
    bool isTransposed = false; // the second dimension counts the projections
    bool isGuess = true;
    Text reason;                   // what decides, a part of a sentence: "theta has an angle for each"
    std::vector<double> anglesRad; // that lie beside it; none where the user gives some
    std::string anglesFrom;        // their name
    std::vector<Note> notes;
};

// first, second: the sizes of the matrix, projections by bins where nothing says otherwise. who: of errors.
// Throws Error(badRequest) for axes that aren't those of a matrix; badFile for a file of angles that can't be read.
MatrixAxes axesOfMatrix(long long first, long long second, const std::vector<VectorBeside>& beside,
                        const OpenOptions& options, const Text& who);

// The angles that the user gives, where their number is known: of a list or a file.
std::optional<long long> countOfAnglesGiven(const OpenOptions& options);

} // namespace engine
