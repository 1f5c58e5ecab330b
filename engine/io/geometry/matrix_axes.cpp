// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/geometry/matrix_axes.h"

#include "engine/base/error.h"
#include "engine/base/number_text.h"
#include "engine/io/frames/frame_axes.h"
#include "engine/io/geometry/angle_units.h"
#include "engine/io/geometry/angles_file.h"
#include "engine/io/geometry/scan_geometry.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <numbers>
#include <string_view>

namespace engine
{

namespace
{

using std::numbers::pi;

enum class Meaning { unknown, angles, positions };

bool holdsOne(const std::string& name, std::initializer_list<std::string_view> words)
{
    return std::ranges::any_of(words, [&](std::string_view word) { return name.find(word) != std::string::npos; });
}

Meaning byName(const std::string& vector)
{
    const std::string name = lowerCase(vector);
    if (holdsOne(name, {"theta", "angle", "omega", "phi", "rotation"}) || name.starts_with("ang") ||
        name.starts_with("rot"))
        return Meaning::angles;
    if (holdsOne(name, {"detector", "position", "offset", "bins"}) || name.starts_with("det") ||
        name.starts_with("pos") || (name.size() == 1 && holdsOne("stxru", {name})))
        return Meaning::positions;
    return Meaning::unknown;
}

// Guesses from the values. Evenly spaced over half a turn or a full turn, with or without the end point: angles.
// Evenly spaced and symmetric about 0: positions.
Meaning byValues(const std::vector<double>& values)
{
    const auto count = static_cast<double>(values.size());
    const double range = values.back() - values.front(), step = range / (count - 1);
    for (std::size_t k = 1; k < values.size(); ++k)
        if (!(std::abs(values[k] - values[k - 1] - step) < 0.1 * std::abs(step)))
            return Meaning::unknown;
    if (coverWholeTurns(range, step, 180, 0.1) || coverWholeTurns(range, step, pi, 0.1))
        return Meaning::angles;
    return std::abs(values.front() + values.back()) < 1.5 * std::abs(step) ? Meaning::positions : Meaning::unknown;
}

std::vector<double> inRadians(const VectorBeside& vector, std::vector<Note>& notes)
{
    const std::string name = lowerCase(vector.name);
    const bool isSaid = holdsOne(name, {"rad", "deg"});
    const bool radians = isSaid ? holdsOne(name, {"rad"}) : areRadians(vector.values);
    if (!isSaid)
        notes.push_back(vector.name + " has no unit; " + (radians ? "radians" : "degrees") +
                        " are assumed from its range.");
    std::vector<double> angles = vector.values;
    for (double& angle : angles)
        angle *= radians ? 1 : pi / 180;
    unwrap(angles);
    return angles;
}

// An array with one number per row or per column of the matrix, and what its numbers mean.
struct Counted {
    const VectorBeside* vector = nullptr;
    Meaning meaning = Meaning::unknown;
};

// Finds the first array with that meaning and with as many numbers as one of the sizes. Meanings by name take
// precedence over meanings by values.
Counted find(const std::vector<VectorBeside>& beside, Meaning meaning, std::array<long long, 2> sizes)
{
    for (const bool isByName : {true, false})
        for (const VectorBeside& vector : beside) {
            const auto count = static_cast<long long>(vector.values.size());
            if (count < 2 || (count != sizes[0] && count != sizes[1]))
                continue;
            const Meaning named = byName(vector.name);
            if ((isByName ? named : named == Meaning::unknown ? byValues(vector.values) : Meaning::unknown) == meaning)
                return {&vector, meaning};
        }
    return {};
}

} // namespace

std::optional<long long> countOfAnglesGiven(const OpenOptions& options)
{
    if (!options.anglesRad.empty())
        return static_cast<long long>(options.anglesRad.size());
    if (options.angleRangeRad || options.angleSteps || options.anglesFile.empty())
        return {};
    return static_cast<long long>(readAngles(options.anglesFile, options.angleColumn).size());
}

MatrixAxes axesOfMatrix(long long first, long long second, const std::vector<VectorBeside>& beside,
                        const OpenOptions& options, const Text& who)
{
    MatrixAxes made;
    const auto decide = [&](bool transposed, const Text& reason) {
        made.isTransposed = transposed;
        made.isGuess = false;
        made.reason = reason;
    };
    if (const std::string& asked = options.dataSets.axes; !asked.empty()) {
        const auto axes = axesFromText(asked, 2);
        require(axes.has_value(), "the axes '" + asked + "' don't fit " + who +
                                      ", which is a matrix; give theta:x or x:theta" + hint("data-axes"));
        decide(axes->frame == 1, "specified by " + optionName("data-axes"));
    }
    if (const auto given = countOfAnglesGiven(options);
        given && made.isGuess && first != second && (*given == first || *given == second))
        decide(*given == second, "there is an angle for each");
    const std::array sizes = {first, second};
    const Counted angles = find(beside, Meaning::angles, sizes), positions = find(beside, Meaning::positions, sizes);
    if (angles.vector && made.isGuess && first != second)
        decide(static_cast<long long>(angles.vector->values.size()) == second,
               angles.vector->name + " has an angle for each");
    if (positions.vector && made.isGuess && first != second)
        decide(static_cast<long long>(positions.vector->values.size()) == first,
               positions.vector->name + " has the positions of the bins");
    const long long projections = made.isTransposed ? second : first;
    if (angles.vector && !anglesGiven(options) && static_cast<long long>(angles.vector->values.size()) == projections) {
        made.anglesFrom = angles.vector->name;
        made.anglesRad = inRadians(*angles.vector, made.notes);
    }
    return made;
}

} // namespace engine
