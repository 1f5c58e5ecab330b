// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/geometry/given_angles.h"

#include "engine/base/error.h"
#include "engine/io/geometry/angle_units.h"
#include "engine/io/geometry/angles_file.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>

namespace engine
{

namespace fs = std::filesystem;

namespace
{

using std::numbers::pi;

constexpr const char* anglesName = "angles.txt"; // beside a scan

std::optional<std::pair<int, int>> fittingLines(const AnglesInFile& found, int projections)
{
    return found.lines.empty() ? std::nullopt : linesThatFit(found, projections);
}

// Returns the lines of a file that fit, such as "11:101"; "" if that isn't clear.
std::string fittingLinesText(const AnglesInFile& found, int projections)
{
    const auto lines = fittingLines(found, projections);
    return lines ? std::to_string(lines->first) + ":" + std::to_string(lines->second) : std::string();
}

// Converts angles of a file, which has no unit and was read as degrees, if their range is half a turn or a full one in
// another unit. beside: a file that nobody named; many of its numbers that span only a few degrees are radians if, as
// radians, they span about a quarter of a turn or more.
void takeUnit(std::vector<double>& anglesRad, const fs::path& file, bool beside, Scan& scan)
{
    std::vector<double> numbers = anglesRad;
    for (double& number : numbers)
        number *= 180 / pi;
    const AngleUnit& unit = likelyAngleUnit(numbers);
    const auto [least, most] = std::ranges::minmax(numbers);
    const double range = most - least, step = range / std::max<double>(1, static_cast<double>(numbers.size()) - 1);
    constexpr std::size_t many = 16;
    const bool isTurn = coverWholeTurns(range, step, unit.halfTurn, 0.1), isWide = beside && range >= 1.5;
    if (unit.halfTurn == 180 || numbers.size() < many || !(isTurn || isWide))
        return;
    scan.notes.push_back(fileText(file.string()) + " is in " + unit.name + ", judging by its range.");
    anglesRad = inRadians(std::move(numbers), unit);
}

} // namespace

bool anglesGiven(const OpenOptions& options)
{
    return !options.anglesRad.empty() || options.angleRangeRad || options.angleSteps || !options.anglesFile.empty();
}

int numberedFrames(const ScanFrames& frames)
{
    return frames.projections.frames + static_cast<int>(frames.missing.size());
}

std::vector<double> anglesFromOptions(const OpenOptions& options, const ScanFrames& frames, Scan& scan)
{
    const int projections = frames.projections.frames, all = numberedFrames(frames);
    const auto requireFinite = [&](double one, double other) {
        require(std::isfinite(one) && std::isfinite(other),
                "The angles given for " + fileText(frames.path) + " must be numbers");
    };
    const bool isListed = !options.anglesRad.empty();
    if (isListed || (!options.angleRangeRad && !options.angleSteps && !options.anglesFile.empty())) {
        AnglesInFile found =
            isListed ? AnglesInFile{options.anglesRad, {}} : anglesIn(options.anglesFile, options.angleColumn);
        std::vector<double>& angles = found.anglesRad;
        const int given = static_cast<int>(angles.size());
        if (given != projections && given != all) {
            const std::string fits = fittingLinesText(found, projections);
            throw Error(
                ErrorKind::badRequest,
                fileText(frames.path) + " has " + std::to_string(projections) + " projections, but " +
                    (options.anglesFile.empty()
                         ? std::to_string(given) + " angles were given. "
                         : fileText(options.anglesFile.string()) + " has " + std::to_string(given) + " angles. ") +
                    (given > projections && !options.anglesFile.empty()
                         ? "Specify which lines of the file to use" +
                               hint("angles-lines", fits.empty() ? "FIRST:LAST" : fits) + ", one for each projection" +
                               (found.lines.empty()
                                    ? std::string(".")
                                    : "; they are in lines " + std::to_string(found.lines.front()) + " to " +
                                          std::to_string(found.lines.back()) + ", counted from 1.")
                         : Text("Give one angle per projection.")));
        }
        for (const double angle : angles)
            requireFinite(angle, 0);
        if (!isListed && !options.angleColumn.radians)
            takeUnit(angles, options.anglesFile, false, scan);
        return angles;
    }
    if (options.angleRangeRad) {
        const auto [first, last] = *options.angleRangeRad;
        requireFinite(first, last);
        return anglesOf(AngleSpread{first, last, options.angleEndExcluded, {}}, all);
    }
    if (options.angleSteps) {
        requireFinite(options.angleSteps->firstRad, options.angleSteps->stepRad);
        requireFinite(options.angleSteps->wrapRad, 0);
        return anglesOf(*options.angleSteps, all);
    }
    return {};
}

std::vector<double> anglesBeside(const std::vector<fs::path>& folders, const ScanFrames& frames, Scan& scan)
{
    const int projections = frames.projections.frames;
    for (const fs::path& folder : folders) {
        const fs::path file = folder / anglesName;
        std::error_code unreadable;
        if (!fs::is_regular_file(file, unreadable))
            continue;
        try {
            AnglesInFile found = anglesIn(file);
            std::vector<double>& angles = found.anglesRad;
            if (const int count = static_cast<int>(angles.size());
                count == projections || count == numberedFrames(frames)) {
                scan.notes.push_back("The angles come from " + fileText(file.string()) + ".");
                scan.sources.angles.where = file.filename().string();
                scan.files.push_back(file);
                takeUnit(angles, file, true, scan);
                return angles;
            }
            const std::string lines = fittingLinesText(found, projections);
            if (const auto fitting = fittingLines(found, projections))
                scan.offeredAngles = OfferedAngles{file, fitting->first, fitting->second};
            scan.notes.push_back(fileText(file.string()) + " is not used: it has " + std::to_string(angles.size()) +
                                 " angles for " + std::to_string(projections) + " projections" +
                                 (lines.empty() ? Text(".")
                                                : "; the angles of some lines fit" +
                                                      aside(optionName("angles") + " " + fileText(file.string()) + " " +
                                                            optionName("angles-lines") + " " + lines) +
                                                      "."));
        } catch (const Error& error) {
            scan.notes.push_back("The angles beside the scan are not used: " + error.text());
        }
    }
    return {};
}

std::optional<long long> countOfAnglesBeside(const std::vector<fs::path>& folders)
{
    for (const fs::path& folder : folders) {
        std::error_code unreadable;
        if (!fs::is_regular_file(folder / anglesName, unreadable))
            continue;
        try {
            return static_cast<long long>(readAngles(folder / anglesName).size());
        } catch (const Error&) { // reported when the file is used
            return {};
        }
    }
    return {};
}

} // namespace engine
