// SPDX-License-Identifier: GPL-3.0-or-later
// MATLAB's .mat, version 5: a sinogram with the parameters of its scan, as the Helsinki Tomography Challenge has them,
// or a plain matrix.
#include "engine/io/formats/mat_file.h"

#include "engine/base/error.h"
#include "engine/base/units.h"
#include "engine/io/check/file_check.h"
#include "engine/io/files/input_file.h"
#include "engine/io/formats/inflated_mat.h"
#include "engine/io/formats/reader.h"
#include "engine/io/geometry/angles_file.h"
#include "engine/io/geometry/matrix_axes.h"
#include "engine/io/geometry/scan_geometry.h"
#include "engine/io/tiff/tiff_frames.h"

#include <matio.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <mutex>
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

struct CloseMat {
    void operator()(mat_t* file) const { Mat_Close(file); }
};
struct FreeVariable {
    void operator()(matvar_t* variable) const { Mat_VarFree(variable); }
};
using Variable = std::unique_ptr<matvar_t, FreeVariable>;

// The variables of a file, read one after the other.
class MatFile
{
  public:
    explicit MatFile(const fs::path& path)
    {
        static std::once_flag silenced; // matio would print what we report better; its versions differ in a const
        std::call_once(silenced, [] { Mat_LogInitFunc("", [](int, auto*) {}); });
        const InputFile input(path);
        requireChecked(input);
        m_inflated.emplace(input);
        m_file.reset(Mat_Open(m_inflated->path().c_str(), MAT_ACC_RDONLY));
        if (!m_file || Mat_GetVersion(m_file.get()) != MAT_FT_MAT5)
            refuseMat(path, "it can't be read as a MATLAB file of version 5; save it with -v7");
    }

    // Null at the end.
    Variable next() { return Variable(Mat_VarReadNext(m_file.get())); }

  private:
    std::optional<InflatedMat> m_inflated;
    std::unique_ptr<mat_t, CloseMat> m_file; // reads m_inflated, so it is closed first
};

std::string nameOf(const matvar_t& variable)
{
    return variable.name ? variable.name : "";
}

bool isMatrix(const matvar_t& variable)
{
    return variable.class_type >= MAT_C_DOUBLE && variable.class_type <= MAT_C_UINT64 && variable.isComplex == 0 &&
           variable.rank == 2 && variable.dims && variable.dims[0] > 1 && variable.dims[1] > 1;
}

bool isVector(const matvar_t& variable)
{
    return variable.class_type >= MAT_C_DOUBLE && variable.class_type <= MAT_C_UINT64 && variable.isComplex == 0 &&
           variable.rank == 2 && variable.dims && (variable.dims[0] == 1) != (variable.dims[1] == 1) &&
           std::max(variable.dims[0], variable.dims[1]) <= mostFrames;
}

// Returns a field of a struct, or null. matio's own search assumes that each field has a name and a place in the
// struct's data; in a damaged file these may be missing.
const matvar_t* fieldOf(const matvar_t* structure, const char* name)
{
    if (!structure || structure->class_type != MAT_C_STRUCT || !structure->data)
        return nullptr;
    const std::size_t count = std::min<std::size_t>(Mat_VarGetNumberOfFields(const_cast<matvar_t*>(structure)),
                                                    structure->nbytes / sizeof(matvar_t*));
    char* const* names = Mat_VarGetStructFieldnames(structure);
    for (std::size_t k = 0; names && k < count; ++k)
        if (names[k] && std::string_view(names[k]) == name)
            return static_cast<matvar_t* const*>(structure->data)[k];
    return nullptr;
}

template <typename Number>
double numberAt(const matvar_t& variable, std::size_t index)
{
    return static_cast<double>(static_cast<const Number*>(variable.data)[index]);
}

// Returns the numbers of a variable of any numeric class; nothing if the data is incomplete.
std::optional<std::vector<double>> numbersOf(const matvar_t* variable)
{
    static constexpr std::pair<matio_classes, double (*)(const matvar_t&, std::size_t)> kinds[] = {
        {MAT_C_DOUBLE, numberAt<double>},      {MAT_C_SINGLE, numberAt<float>},
        {MAT_C_INT8, numberAt<std::int8_t>},   {MAT_C_UINT8, numberAt<std::uint8_t>},
        {MAT_C_INT16, numberAt<std::int16_t>}, {MAT_C_UINT16, numberAt<std::uint16_t>},
        {MAT_C_INT32, numberAt<std::int32_t>}, {MAT_C_UINT32, numberAt<std::uint32_t>},
        {MAT_C_INT64, numberAt<std::int64_t>}, {MAT_C_UINT64, numberAt<std::uint64_t>}};
    if (!variable || !variable->data || variable->isComplex || !variable->dims || variable->rank < 1)
        return {};
    std::size_t count = 1;
    for (int k = 0; k < variable->rank; ++k)
        if (__builtin_mul_overflow(count, variable->dims[k], &count))
            return {};
    for (const auto& [kind, read] : kinds)
        if (variable->class_type == kind && variable->data_size > 0 &&
            variable->nbytes / static_cast<std::size_t>(variable->data_size) >= count) {
            std::vector<double> numbers(count);
            for (std::size_t k = 0; k < count; ++k)
                numbers[k] = read(*variable, k);
            return numbers;
        }
    return {};
}

std::string charactersOf(const matvar_t* variable)
{
    std::string text;
    if (!variable || variable->class_type != MAT_C_CHAR || !variable->data || variable->data_size < 1)
        return text;
    const std::size_t count = variable->nbytes / static_cast<std::size_t>(variable->data_size);
    for (std::size_t k = 0; k < std::min<std::size_t>(count, 200); ++k) {
        const unsigned letter = variable->data_size == 2 ? static_cast<const std::uint16_t*>(variable->data)[k]
                                                         : static_cast<const unsigned char*>(variable->data)[k];
        if (letter >= 32 && letter < 127)
            text += static_cast<char>(letter);
    }
    return text;
}

// Returns a field that is a single number; nothing if it doesn't exist. Throws if it is anything else.
std::optional<double> numberIn(const matvar_t* parameters, const char* name, const fs::path& file)
{
    const matvar_t* field = fieldOf(parameters, name);
    if (!field)
        return {};
    const auto numbers = numbersOf(field);
    if (!numbers || numbers->size() != 1 || !std::isfinite(numbers->front()))
        refuseMat(file, std::string("the parameter ") + name + " is not a number");
    return numbers->front();
}

// What is read from a file: the name of the variable, and the sinogram in it, stored by columns as in MATLAB.
struct MatSinogram {
    std::string variable;
    bool inStruct = false;
    long long height = 0, width = 0;
    std::vector<double> columns;
    std::vector<VectorBeside> beside; // numeric arrays beside it
    bool isTransposed = false;        // a column is a projection, not a row
    int projections = 0, bins = 0;

    double at(int projection, int bin) const
    {
        const int row = isTransposed ? bin : projection, column = isTransposed ? projection : bin;
        return columns[static_cast<std::size_t>(column) * static_cast<std::size_t>(height) +
                       static_cast<std::size_t>(row)];
    }
};

constexpr const char* sinogramField = "sinogram";

MatSinogram takeSinogram(const matvar_t& variable, bool inStruct, const std::string& name, const fs::path& file)
{
    if (variable.rank != 2)
        refuseMat(file, name + " has " + std::to_string(variable.rank) + " dimensions; projections by bins are needed");
    MatSinogram sinogram{name, inStruct, 0, 0, {}, {}};
    sinogram.height = static_cast<long long>(std::min<std::size_t>(variable.dims[0], 1LL << 40));
    sinogram.width = static_cast<long long>(std::min<std::size_t>(variable.dims[1], 1LL << 40));
    auto numbers = numbersOf(&variable);
    if (!numbers)
        refuseMat(file, name + " doesn't hold real numbers, or they are cut off");
    sinogram.columns = *std::move(numbers);
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
std::vector<VectorBeside> anglesIn(const matvar_t* structure, const char* prefix)
{
    std::vector<VectorBeside> found;
    for (const char* name : {"angles", "theta", "angle"})
        if (const matvar_t* field = fieldOf(structure, name))
            if (auto numbers = numbersOf(field))
                found.push_back({std::string(prefix) + name, *std::move(numbers)});
    return found;
}

// Returns the sinogram of the first struct that has one, else the only matrix.
template <typename Use>
MatSinogram findSinogram(const fs::path& file, const Use& useParameters)
{
    MatFile variables(file);
    std::vector<std::string> matrices;
    std::vector<VectorBeside> beside;
    Variable matrix;
    while (Variable variable = variables.next()) {
        if (const matvar_t* field = fieldOf(variable.get(), sinogramField)) {
            useParameters(fieldOf(variable.get(), "parameters"));
            MatSinogram sinogram = takeSinogram(*field, true, nameOf(*variable) + "." + sinogramField, file);
            sinogram.beside = anglesIn(fieldOf(variable.get(), "parameters"), "parameters.");
            if (sinogram.beside.empty())
                sinogram.beside = anglesIn(variable.get(), "");
            return sinogram;
        }
        if (isMatrix(*variable)) {
            matrices.push_back(nameOf(*variable));
            matrix = std::move(variable);
        } else if (isVector(*variable)) {
            if (auto numbers = numbersOf(variable.get()))
                beside.push_back({nameOf(*variable), *std::move(numbers)});
        }
    }
    if (matrices.size() == 1) {
        MatSinogram sinogram = takeSinogram(*matrix, false, matrices.front(), file);
        sinogram.beside = std::move(beside);
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
            values.push_back(static_cast<float>(sinogram.at(projection, bin)));
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
void takeParameters(const matvar_t* parameters, const fs::path& file, Scan& scan, RecordedGeometry& recorded)
{
    if (!parameters)
        return;
    const auto number = [&](const char* name) { return numberIn(parameters, name, file); };
    const std::string unit = charactersOf(fieldOf(parameters, "distanceUnit"));
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
    if (const matvar_t* field = fieldOf(parameters, "angles")) {
        const auto angles = numbersOf(field);
        if (!angles)
            refuseMat(file, "its angles are not numbers");
        for (const double angle : *angles)
            recorded.anglesRad.push_back(angle * std::numbers::pi / 180);
    }
    for (const auto& [label, name] : {std::pair("Scan", "projectName"), {"Scanner", "scanner"}, {"Date", "date"}})
        if (const std::string text = charactersOf(fieldOf(parameters, name)); !text.empty())
            scan.metadata.emplace_back(label, text);
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
    MatSinogram sinogram =
        findSinogram(file, [&](const matvar_t* parameters) { takeParameters(parameters, file, scan, recorded); });
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
    frames.darks = tiffFrames(options.darks, 1, frames.bins, frames.path, candidate.stop());
    frames.flats = tiffFrames(options.flats, 1, frames.bins, frames.path, candidate.stop());
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

std::vector<MatArray> matArraysIn(const fs::path& file)
{
    MatFile variables(file);
    std::vector<MatArray> found;
    while (const Variable variable = variables.next()) {
        const bool isVolume = variable->rank == 3;
        if (!isMatrix(*variable) && !(isVolume && variable->dims && variable->dims[0] > 1 && variable->dims[1] > 1))
            continue;
        if (auto numbers = numbersOf(variable.get()); numbers && !numbers->empty())
            found.push_back({nameOf(*variable), variable->dims[0], variable->dims[1], isVolume ? variable->dims[2] : 1,
                             *std::move(numbers)});
    }
    return found;
}

extern const Container matContainer = {
    .label = "MATLAB",
    .withArticle = "a MATLAB",
    .suffixes = {".mat"},
    .mimeTypes = {"application/x-matlab-data"},
    .recognises = isMat5,
    .isCheckedFirst = true,
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
