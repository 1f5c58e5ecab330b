// SPDX-License-Identifier: GPL-3.0-or-later
// Angles and shifts from a text: one per line, or columns of a table.
#include "engine/io/geometry/angles_file.h"
#include "engine/base/error.h"
#include "engine/io/files/input_file.h"
#include "engine/io/files/size_limits.h"
#include "engine/io/geometry/angle_units.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <numbers>
#include <sstream>
#include <string_view>

namespace engine
{

namespace
{

constexpr std::string_view betweenColumns = " \t\r,;";

std::vector<std::string_view> columnsOf(std::string_view line)
{
    std::vector<std::string_view> columns;
    for (std::size_t at = line.find_first_not_of(betweenColumns); at != line.npos;) {
        const std::size_t end = std::min(line.find_first_of(betweenColumns, at), line.size());
        columns.push_back(line.substr(at, end - at));
        at = line.find_first_not_of(betweenColumns, end);
    }
    return columns;
}

std::optional<double> numberOf(std::string_view text)
{
    if (text.starts_with('+'))
        text.remove_prefix(1);
    double value = 0;
    const auto [stopped, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failure != std::errc() || stopped != text.data() + text.size() || !std::isfinite(value))
        return {};
    return value;
}

// Returns the angle of a line, or throws an error that says what is wrong with the line.
double angleOf(const std::string& line, const AngleColumn& wanted, const Text& where)
{
    const std::vector<std::string_view> columns = columnsOf(line);
    const auto refuse = [&](const Text& why) { return Error(ErrorKind::badFile, where + ": " + why); };
    if (columns.size() > 1 && !wanted.column)
        throw refuse("'" + line.substr(0, 40) + "' has " + std::to_string(columns.size()) +
                     " columns; specify which one has the angles" + hint("angles-column") +
                     (line.find('.') == line.npos && line.find(',') != line.npos
                          ? ", or write decimal points, if the commas are decimal marks."
                          : "."));
    const std::size_t column = static_cast<std::size_t>(wanted.column.value_or(1));
    if (column > columns.size())
        throw refuse("there is no column " + std::to_string(column) + " in '" + line.substr(0, 40) + "'.");
    if (const std::optional<double> angle = numberOf(columns[column - 1]))
        return *angle;
    throw refuse("'" + std::string(columns[column - 1].substr(0, 40)) +
                 "' is not an angle. One number per line is needed; leading lines can be skipped" +
                 hint("angles-skip") + ".");
}

// Returns whether the line is neither empty nor a comment.
bool isSaying(const std::string& line)
{
    const std::size_t first = line.find_first_not_of(betweenColumns);
    return first != std::string::npos && line[first] != '#';
}

// Returns whether commas are decimal marks: all columns between spaces, tabs and semicolons are numbers with at most
// one comma, and no point; and either there are several such columns in a line, or what follows a comma begins with
// zeros, as no whole number of a second column does.
bool hasDecimalCommas(const std::string& text)
{
    std::istringstream lines(text);
    bool areMany = false, areZeros = false, hasComma = false;
    for (std::string line; std::getline(lines, line);) {
        if (!isSaying(line))
            continue;
        std::replace(line.begin(), line.end(), ';', ' ');
        std::istringstream columns(line);
        int count = 0;
        for (std::string column; columns >> column; ++count) {
            const std::size_t comma = column.find(',');
            hasComma |= comma != column.npos;
            if (comma != column.npos) {
                if (comma + 1 == column.size() || !std::isdigit(static_cast<unsigned char>(column[comma + 1])))
                    return false;
                areZeros |= column[comma + 1] == '0' && comma + 2 < column.size() &&
                            std::isdigit(static_cast<unsigned char>(column[comma + 2]));
                column[comma] = '.';
            } else if (column.find('.') != column.npos) {
                return false;
            }
            if (!numberOf(column))
                return false;
        }
        areMany |= count > 1;
    }
    return hasComma && (areMany || areZeros);
}

// Reads a text of numbers. Decimal commas become points.
std::string numbersIn(const std::filesystem::path& path, const char* what)
{
    std::string text = textOf(path, std::string("The file of ") + what + " " + fileText(path.string()));
    if (hasDecimalCommas(text))
        std::replace(text.begin(), text.end(), ',', '.');
    return text;
}

void requireFew(std::size_t count, const std::filesystem::path& path, const char* what)
{
    if (count > mostFrames)
        throw Error(ErrorKind::badFile, fileText(path.string()) + " has more than " + std::to_string(mostFrames) + " " +
                                            what + ", the limit for projections.");
}

} // namespace

AnglesInFile anglesIn(const std::filesystem::path& path, const AngleColumn& column)
{
    require(column.column.value_or(1) >= 1 && column.skip >= 0,
            "the column of the angles must be at least 1, and the number of skipped lines at least 0");
    std::istringstream in(numbersIn(path, "angles"));
    const double unit = column.radians ? 1 : std::numbers::pi / 180;
    AnglesInFile found;
    std::vector<double>& angles = found.anglesRad;
    std::string line;
    for (int number = 1; std::getline(in, line); ++number) {
        if (number <= column.skip || (column.lines && (number < column.lines->first || number > column.lines->second)))
            continue;
        if (!isSaying(line))
            continue;
        angles.push_back(unit * angleOf(line, column, fileText(path.string()) + ", line " + std::to_string(number)));
        found.lines.push_back(number);
        requireFew(angles.size(), path, "angles");
    }
    if (angles.empty())
        throw Error(ErrorKind::badFile, fileText(path.string()) + " has no angles in it" +
                                            (column.skip || column.lines ? ", in the selected lines." : "."));
    return found;
}

std::optional<std::pair<int, int>> linesThatFit(const AnglesInFile& found, int projections)
{
    const std::vector<double>& angles = found.anglesRad;
    const std::size_t count = static_cast<std::size_t>(std::max(projections, 0));
    if (count < 3 || angles.size() <= count)
        return {};
    std::vector<std::size_t> even, turns; // first indices of evenly spaced runs, and of those that cover whole turns
    for (std::size_t first = 0; first + count <= angles.size(); ++first) {
        const double range = angles[first + count - 1] - angles[first];
        const double step = range / static_cast<double>(count - 1);
        bool isEven = step != 0;
        for (std::size_t k = first + 1; k < first + count && isEven; ++k)
            isEven = std::abs(angles[k] - angles[k - 1] - step) < 0.2 * std::abs(step);
        if (!isEven)
            continue;
        even.push_back(first);
        if (coverWholeTurns(range, step, std::numbers::pi, 0.2))
            turns.push_back(first);
    }
    const std::vector<std::size_t>& fitting = even.size() == 1 ? even : turns;
    if (fitting.size() != 1)
        return {};
    return std::pair(found.lines[fitting.front()], found.lines[fitting.front() + count - 1]);
}

std::vector<double> readAngles(const std::filesystem::path& path, const AngleColumn& column)
{
    return anglesIn(path, column).anglesRad;
}

ShiftsInFile readShifts(const std::filesystem::path& path)
{
    constexpr double most = 1e5; // bins or rows: no shift is larger
    std::istringstream in(numbersIn(path, "shifts"));
    ShiftsInFile found;
    std::size_t columns = 0;
    std::string line;
    for (int number = 1; std::getline(in, line); ++number) {
        if (!isSaying(line))
            continue;
        const Text where = fileText(path.string()) + ", line " + std::to_string(number) + ": ";
        const std::vector<std::string_view> parts = columnsOf(line);
        if (columns == 0)
            columns = parts.size();
        if (parts.size() > 2 || parts.size() != columns)
            throw Error(ErrorKind::badFile, where + std::to_string(parts.size()) +
                                                " columns. Give a shift in bins, or one in bins and one in rows, with "
                                                "as many columns in every line.");
        for (std::size_t k = 0; k < columns; ++k) {
            const std::optional<double> shift = numberOf(parts[k]);
            if (!shift || std::abs(*shift) > most)
                throw Error(ErrorKind::badFile,
                            where + "'" + std::string(parts[k].substr(0, 40)) + "' is not a shift in bins or rows.");
            (k == 0 ? found.bins : found.rows).push_back(*shift);
        }
        requireFew(found.bins.size(), path, "shifts");
    }
    if (found.bins.empty())
        throw Error(ErrorKind::badFile, fileText(path.string()) + " has no shifts in it.");
    const auto areZero = [](const std::vector<double>& shifts) {
        return std::ranges::all_of(shifts, [](double shift) { return shift == 0; });
    };
    if (areZero(found.rows))
        found.rows.clear();
    return found;
}

} // namespace engine
