// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/geometry/geometry_file.h"

#include "engine/base/error.h"
#include "engine/base/field_json.h"
#include "engine/base/json_text.h"
#include "engine/base/number_text.h"
#include "engine/io/files/folder_entries.h"
#include "engine/io/files/input_file.h"
#include "engine/scan/cone_fields.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <sstream>

namespace engine
{

namespace fs = std::filesystem;

namespace
{

constexpr double radiansPerDegree = std::numbers::pi / 180;

[[noreturn]] void refuseGeometry(const Text& who, const Text& what)
{
    throw Error(ErrorKind::badFile, who + ": " + what + ".");
}

ProjectionMatrix matrixFrom(const std::vector<double>& numbers, const std::string& which, const Text& who)
{
    if (numbers.size() != 12)
        refuseGeometry(who, which + " has " + std::to_string(numbers.size()) +
                                " numbers; a projection matrix has 12, row by row");
    ProjectionMatrix matrix;
    std::copy(numbers.begin(), numbers.end(), matrix.begin());
    return matrix;
}

// Parses projection matrices: twelve numbers per line; lines that begin with # are ignored.
RecordedGeometry geometryFromNumbers(const std::string& text, const Text& who)
{
    RecordedGeometry geometry;
    geometry.isCone = true;
    std::istringstream lines(text);
    std::string line;
    for (int number = 1; std::getline(lines, line); ++number) {
        std::replace_if(
            line.begin(), line.end(), [](char c) { return c == ',' || c == ';' || c == '\t' || c == '\r'; }, ' ');
        std::istringstream words(line);
        std::vector<double> numbers;
        for (std::string word; words >> word && word[0] != '#';)
            try {
                numbers.push_back(realFromText(word, "number"));
            } catch (const Error&) {
                refuseGeometry(who, "line " + std::to_string(number) + ": '" + word.substr(0, 40) +
                                        "' is not a number. A geometry is JSON, RTK's XML, Nikon's .xtekct or a text "
                                        "with a projection matrix of 12 numbers per line");
            }
        if (!numbers.empty())
            geometry.matrices.push_back(matrixFrom(numbers, "line " + std::to_string(number), who));
    }
    if (geometry.matrices.empty())
        refuseGeometry(who, "there is no projection matrix in it");
    return geometry;
}

// Returns the geometry files that may be named after a scan "name.ext" or a folder "name".
std::vector<fs::path> namedAfter(const fs::path& given)
{
    std::error_code unreadable;
    const fs::path scan = given.has_filename() ? given : given.parent_path();
    const std::string name = (fs::is_directory(scan, unreadable) ? scan.filename() : scan.stem()).string();
    std::vector<fs::path> names;
    for (const char* suffix : {".geometry.json", ".geometry.xml", ".xtekct"})
        names.push_back(scan.parent_path() / (name + suffix));
    return names;
}

} // namespace

std::string geometryText(const fs::path& path)
{
    return textOf(path, "The geometry file " + fileText(path.string()));
}

RecordedGeometry readGeometryFile(const fs::path& path)
{
    const std::string text = geometryText(path);
    const Text who = "The geometry file " + fileText(path.string());
    const std::size_t first = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
    if (first == std::string::npos)
        refuseGeometry(who, "it is empty");
    if (text[first] == '{')
        return geometryFromJson(text.substr(first), who);
    if (text[first] == '<')
        return geometryFromRtk(text.substr(first), who);
    if (isNikon(text))
        return nikonScan(text, who).geometry;
    return geometryFromNumbers(text, who);
}

namespace
{

std::string geometryKeys()
{
    std::string keys = "geometry, ";
    for (const ConeField& field : coneFields())
        for (const std::string& path : jsonPathsOf(field))
            keys += path + ", ";
    return keys + "anglesDeg and projectionMatrices";
}

} // namespace

RecordedGeometry geometryFromJson(const std::string& text, const Text& who)
{
    using Json = nlohmann::ordered_json;
    Json json = parsedJson(text);
    if (!json.is_object())
        refuseGeometry(who, json.is_discarded() ? "it is not valid JSON, is cut off, or is nested too deeply"
                                                : "it is not a JSON object");
    RecordedGeometry geometry;
    geometry.isCone = true;
    try {
        if (const std::string kind = json.value("geometry", "cone"); kind != "cone" && kind != "fan")
            refuseGeometry(who, "\"geometry\" is '" + kind + "'; it can be \"cone\"");
        json.erase("geometry");
        geometry.cone = takeConeOptions(json);
        if (json.contains("anglesDeg"))
            for (const double angle : json["anglesDeg"].get<std::vector<double>>())
                geometry.anglesRad.push_back(angle * radiansPerDegree);
        json.erase("anglesDeg");
        if (json.contains("projectionMatrices"))
            for (const Json& one : json["projectionMatrices"])
                geometry.matrices.push_back(matrixFrom(one.get<std::vector<double>>(),
                                                       "projection matrix " + std::to_string(geometry.matrices.size()),
                                                       who));
        json.erase("projectionMatrices");
    } catch (const Json::exception&) {
        refuseGeometry(who, "its angles or projection matrices are not lists of numbers");
    } catch (const Error& error) {
        if (error.kind() == ErrorKind::badFile)
            throw;
        refuseGeometry(who, error.text());
    }
    if (!json.empty())
        refuseGeometry(who, "unknown key \"" + json.begin().key().substr(0, 60) + "\"; valid are " + geometryKeys());
    return geometry;
}

std::string geometryJson(const ConeBeam& beam)
{
    nlohmann::ordered_json json = {{"geometry", "cone"}};
    json.update(coneOptionsJson(optionsOf(beam)));
    for (const ProjectionMatrix& matrix : beam.matrices)
        json["projectionMatrices"].push_back(matrix);
    return dumped(json);
}

fs::path geometryBeside(const fs::path& scan, const std::vector<fs::path>& folders)
{
    std::error_code unreadable;
    for (const fs::path& file : namedAfter(scan))
        if (fs::is_regular_file(file, unreadable))
            return file;
    for (const fs::path& given : folders) {
        const fs::path folder = given.empty() ? fs::path(".") : given;
        for (const char* name : {"geometry.json", "geometry.xml"})
            if (fs::is_regular_file(folder / name, unreadable))
                return folder / name;
        std::vector<fs::path> found;
        for (const FolderEntry& entry : entriesOf(folder, unreadable))
            if (lowerCase(entry.path.extension().string()) == ".xtekct")
                found.push_back(entry.path);
        if (found.size() == 1)
            return found.front();
    }
    return {};
}

} // namespace engine
