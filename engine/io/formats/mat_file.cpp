// SPDX-License-Identifier: GPL-3.0-or-later
// MATLAB's .mat, version 5: a sinogram with the parameters of its scan, as the Helsinki Tomography Challenge has them,
// or a plain matrix.
#include "engine/io/formats/mat_file.h"

#include "engine/base/error.h"
#include "engine/base/units.h"
#include "engine/io/files/input_file.h"
#include "engine/io/formats/given_sides.h"
#include "engine/io/formats/reader.h"
#include "engine/io/geometry/angles_file.h"
#include "engine/io/geometry/matrix_axes.h"
#include "engine/io/geometry/scan_geometry.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>
#include <string_view>
#include <utility>

namespace engine
{

namespace fs = std::filesystem;

namespace
{

[[noreturn]] void refuseMat(const fs::path& file, const std::string& what)
{
    throw Error(ErrorKind::badFile, fileText(file.string()) + ": " + what + ".");
}

bool isMatrix(const MatVariable& variable)
{
    return variable.kind == MatVariable::Kind::numbers && variable.shape.size() == 2 && variable.shape[0] > 1 &&
           variable.shape[1] > 1;
}

bool isVector(const MatVariable& variable)
{
    return variable.kind == MatVariable::Kind::numbers && variable.isWhole && variable.shape.size() == 2 &&
           (variable.shape[0] == 1) != (variable.shape[1] == 1) && variable.count() <= mostFrames;
}

const MatVariable* fieldOf(const MatVariable* structure, std::string_view name)
{
    return structure ? structure->field(name) : nullptr;
}

// Returns the numbers of a variable; nothing if it has none, or if they are incomplete.
std::optional<std::vector<double>> numbersOf(MatContents& file, const MatVariable& variable)
{
    if (variable.kind != MatVariable::Kind::numbers || !variable.isWhole)
        return {};
    return file.doubles(variable);
}

// Returns a field that is a single number; nothing if it doesn't exist. Throws if it is anything else.
std::optional<double> numberIn(MatContents& contents, const MatVariable* parameters, const char* name,
                               const fs::path& file)
{
    const MatVariable* field = fieldOf(parameters, name);
    if (!field)
        return {};
    const auto numbers = numbersOf(contents, *field);
    if (!numbers || numbers->size() != 1 || !std::isfinite(numbers->front()))
        refuseMat(file, std::string("the parameter ") + name + " is not a number");
    return numbers->front();
}

// What is read from a file: the name of the variable, and the sinogram in it, stored by columns as in MATLAB.
struct MatSinogram {
    std::string variable;
    bool inStruct = false;
    long long height = 0, width = 0;
    std::vector<float> columns;
    std::vector<VectorBeside> beside; // numeric arrays beside it
    bool isTransposed = false;        // a column is a projection, not a row
    int projections = 0, bins = 0;

    float at(int projection, int bin) const
    {
        const int row = isTransposed ? bin : projection, column = isTransposed ? projection : bin;
        return columns[static_cast<std::size_t>(column) * static_cast<std::size_t>(height) +
                       static_cast<std::size_t>(row)];
    }
};

constexpr const char* sinogramField = "sinogram";

MatSinogram takeSinogram(MatContents& contents, const MatVariable& variable, bool inStruct, const std::string& name,
                         const fs::path& file)
{
    if (variable.shape.size() != 2)
        refuseMat(file, name + " has " + std::to_string(variable.shape.size()) +
                            " dimensions; projections by bins are needed");
    MatSinogram sinogram{name, inStruct, 0, 0, {}, {}};
    sinogram.height = static_cast<long long>(std::min<std::size_t>(variable.shape[0], 1LL << 40));
    sinogram.width = static_cast<long long>(std::min<std::size_t>(variable.shape[1], 1LL << 40));
    if (variable.kind != MatVariable::Kind::numbers || !variable.isWhole)
        refuseMat(file, name + " doesn't hold real numbers, or they are cut off");
    sinogram.columns = contents.floats(variable);
    return sinogram;
}

// Sets which dimension counts the projections, and checks both sizes.
void setSizes(MatSinogram& sinogram, bool isTransposed, const fs::path& file)
{
    const auto count = [&](long long size, const char* what, int most) {
        return checkedCount(size, file.string(), std::string("the number of ") + what + " in " + sinogram.variable,
                            most);
    };
    sinogram.isTransposed = isTransposed;
    sinogram.projections = count(isTransposed ? sinogram.width : sinogram.height, "projections", mostFrames);
    sinogram.bins = count(isTransposed ? sinogram.height : sinogram.width, "bins", mostAcross);
}

// Returns the arrays of angles in a struct.
std::vector<VectorBeside> anglesIn(MatContents& contents, const MatVariable* structure, const char* prefix)
{
    std::vector<VectorBeside> found;
    for (const char* name : {"angles", "theta", "angle"})
        if (const MatVariable* field = fieldOf(structure, name))
            if (auto numbers = numbersOf(contents, *field))
                found.push_back({std::string(prefix) + name, *std::move(numbers)});
    return found;
}

// Returns the first struct that has a sinogram; null if there is none.
const MatVariable* structWithSinogram(const MatContents& contents)
{
    const auto found = std::ranges::find_if(
        contents.variables(), [](const MatVariable& variable) { return variable.field(sinogramField) != nullptr; });
    return found == contents.variables().end() ? nullptr : &*found;
}

// Returns the sinogram of that struct, else the only matrix.
MatSinogram findSinogram(MatContents& contents, const MatVariable* structure, const fs::path& file)
{
    if (structure) {
        MatSinogram sinogram =
            takeSinogram(contents, *structure->field(sinogramField), true, structure->name + "." + sinogramField, file);
        sinogram.beside = anglesIn(contents, structure->field("parameters"), "parameters.");
        if (sinogram.beside.empty())
            sinogram.beside = anglesIn(contents, structure, "");
        return sinogram;
    }
    std::vector<std::string> matrices;
    const MatVariable* matrix = nullptr;
    for (const MatVariable& variable : contents.variables())
        if (isMatrix(variable)) {
            matrices.push_back(variable.name);
            matrix = &variable;
        }
    if (matrices.size() == 1) {
        MatSinogram sinogram = takeSinogram(contents, *matrix, false, matrices.front(), file);
        for (const MatVariable& variable : contents.variables())
            if (isVector(variable))
                sinogram.beside.push_back({variable.name, contents.doubles(variable)});
        return sinogram;
    }
    std::string names;
    for (const std::string& name : matrices)
        names += (names.empty() ? "" : ", ") + name;
    refuseMat(file, matrices.empty() ? std::string("there is neither a struct with a field sinogram nor a matrix of "
                                                   "numbers in it, or it is cut off")
                                     : "there are several matrices in it (" + names +
                                           "), and it is unclear which is the sinogram. Save only that one");
}

// Returns frames that keep the sinogram in memory: it is small, and finding it again would mean decompressing the
// file again.
FrameSource matSource(const fs::path& file, const MatSinogram& sinogram)
{
    const int projections = sinogram.projections, bins = sinogram.bins;
    std::vector<float> values;
    values.reserve(sinogram.columns.size());
    for (int projection = 0; projection < projections; ++projection)
        for (int bin = 0; bin < bins; ++bin)
            values.push_back(sinogram.at(projection, bin));
    FrameSource source;
    source.frames = projections;
    source.step = projections;
    source.chunk = projections;
    source.files = {file};
    source.filesMayGrow = false;
    source.read = [kept = std::make_shared<const std::vector<float>>(std::move(values)), bins](int first, int count,
                                                                                               RowRange, char* out) {
        const auto at = [&](int projection) {
            return static_cast<std::size_t>(projection) * static_cast<std::size_t>(bins);
        };
        std::memcpy(out, kept->data() + at(first), at(count) * sizeof(float));
    };
    return source;
}

// Reads the parameters of the Helsinki Tomography Challenge 2022. A comparison with its publishers' images
// (tests/engine/reconstruct/cone_htc_test.cpp) showed that angles are measured as ours are, anticlockwise and from the
// same direction, that images have our orientation, and that the axis has been moved to the middle of the detector.
void takeParameters(MatContents& contents, const MatVariable* parameters, const fs::path& file, Scan& scan,
                    RecordedGeometry& recorded)
{
    if (!parameters)
        return;
    const auto number = [&](const char* name) { return numberIn(contents, parameters, name, file); };
    const auto text = [&](const char* name) {
        const MatVariable* field = parameters->field(name);
        return field ? field->text : std::string();
    };
    const std::string unit = text("distanceUnit");
    const std::optional<double> mm = unit.empty() ? 1.0 : mmPerUnit(unit);
    if (!mm)
        refuseMat(file, "its distances are in the unknown unit '" + unit + "'");
    const auto length = [&](std::optional<double> value) { return value ? std::optional(*value * *mm) : std::nullopt; };
    ConeOptions& cone = recorded.cone;
    cone.sourceAxisMm = length(number("distanceSourceOrigin"));
    cone.sourceDetectorMm = length(number("distanceSourceDetector"));
    cone.pixelUMm = length(number("pixelSizePost"));
    if (!cone.pixelUMm)
        cone.pixelUMm = length(number("pixelSize"));
    recorded.isCone = cone.sourceAxisMm && cone.sourceDetectorMm && cone.pixelUMm;
    cone.offsetUMm = 0;
    if (const MatVariable* field = parameters->field("angles")) {
        const auto angles = numbersOf(contents, *field);
        if (!angles)
            refuseMat(file, "its angles are not numbers");
        for (const double angle : *angles)
            recorded.anglesRad.push_back(angle * std::numbers::pi / 180);
    }
    for (const auto& [label, name] : {std::pair("Scan", "projectName"), {"Scanner", "scanner"}, {"Date", "date"}})
        if (std::string value = text(name); !value.empty())
            scan.metadata.emplace_back(label, std::move(value));
}

// Adds a note that says which dimension of the matrix counts the projections, and why, or that this is a guess.
void noteAxes(Scan& scan, const MatSinogram& sinogram, const MatrixAxes& axes)
{
    const bool isPlain = sinogram.inStruct && !axes.isTransposed;
    if (!isPlain)
        scan.notes.push_back("The matrix " + sinogram.variable + " is interpreted as a sinogram, one projection per " +
                             (axes.isTransposed ? "column" : "row") +
                             (axes.isGuess ? ", which is a guess: nothing identifies the dimension of the projections" +
                                                 aside(optionName("data-axes") + " x:theta transposes it") + "."
                                           : ": " + axes.reason + "."));
    if (!sinogram.inStruct && !axes.anglesFrom.empty()) {
        scan.notes.push_back("The angles are those of " + axes.anglesFrom + ".");
        scan.notes.insert(scan.notes.end(), axes.notes.begin(), axes.notes.end());
    }
}

Sure recognisesMat(const Candidate& candidate)
{
    return !candidate.isFolder() && isMat5(candidate.path()) ? Sure::certain : Sure::no;
}

Scan openMat(const Candidate& candidate)
{
    const fs::path& file = candidate.path();
    const OpenOptions& options = candidate.options();
    Scan scan;
    RecordedGeometry recorded;
    MatContents contents(file, candidate.stop());
    const MatVariable* const structure = structWithSinogram(contents);
    takeParameters(contents, fieldOf(structure, "parameters"), file, scan, recorded);
    MatSinogram sinogram = findSinogram(contents, structure, file);
    const MatrixAxes axes = axesOfMatrix(sinogram.height, sinogram.width, sinogram.beside, options,
                                         fileText(file.string()) + ": " + sinogram.variable);
    setSizes(sinogram, axes.isTransposed, file);
    if (anglesGiven(options))
        recorded.anglesRad.clear();
    else if (!recorded.anglesRad.empty())
        requireAngles(recorded.anglesRad, sinogram.projections, file.string(), "parameters.angles");
    else if (!axes.anglesRad.empty())
        requireAngles(recorded.anglesRad = axes.anglesRad, sinogram.projections, file.string(), axes.anglesFrom);
    scan.sampleType = "float64";
    scan.sources.projections = {.where = sinogram.variable, .guessed = axes.isGuess && !sinogram.inStruct};
    if (!recorded.anglesRad.empty())
        scan.sources.angles.where = axes.anglesFrom.empty() ? "parameters.angles" : axes.anglesFrom;
    scan.sources.pixelSize.where = "parameters";
    ScanFrames frames;
    frames.path = file.string();
    frames.rows = 1;
    frames.bins = sinogram.bins;
    frames.projections = matSource(file, sinogram);
    frames.darks = givenSides(options.darks, 1, frames.bins, frames.path, candidate.stop());
    frames.flats = givenSides(options.flats, 1, frames.bins, frames.path, candidate.stop());
    if (sinogram.inStruct) { // in such a struct the logarithm has been taken
        scan.quantity = Quantity::attenuation;
        scan.quantitySource = QuantitySource::recorded;
    }
    noteAxes(scan, sinogram, axes);
    scan.exchangedAxes = axes.isTransposed ? "theta:x" : "x:theta";
    setGeometry(scan, options, frames, std::move(recorded), {file.parent_path()});
    setFrames(scan, std::move(frames), options);
    return scan;
}

} // namespace

bool isMat5(const fs::path& file)
{
    constexpr std::string_view start = "MATLAB 5.0 MAT-file";
    return beginningOf(file, start.size()) == start;
}

std::vector<MatVariable> matArraysIn(const MatContents& contents)
{
    std::vector<MatVariable> found = contents.variables();
    std::erase_if(found, [](const MatVariable& variable) {
        const std::vector<std::size_t>& shape = variable.shape;
        return variable.kind != MatVariable::Kind::numbers || !variable.isWhole || variable.count() < 1 ||
               shape.size() < 2 || shape.size() > 3 || shape[0] < 2 || shape[1] < 2;
    });
    return found;
}

extern const Container matContainer = {
    .label = "MATLAB",
    .withArticle = "a MATLAB",
    .suffixes = {".mat"},
    .mimeTypes = {"application/x-matlab-data"},
    .recognises = isMat5,
};

extern const Reader matReader = {
    .id = "mat",
    .label = "MATLAB",
    .summary = "A .mat file of version 5 with a sinogram and its scan parameters (HTC 2022), or with a single matrix",
    .container = &matContainer,
    .mark = "a struct with a sinogram",
    .recognises = recognisesMat,
    .takesAxes = true,
    .open = openMat,
};

} // namespace engine
