// SPDX-License-Identifier: GPL-3.0-or-later
// Scans in HDF5 files of no known format: the user names their data sets, or names and shapes suggest them.
#include "engine/io/formats/hdf5_data_sets.h"

#include "engine/base/error.h"
#include "engine/base/number_text.h"
#include "engine/io/formats/hdf5_scan_parts.h"
#include "engine/io/formats/reader.h"
#include "engine/io/geometry/matrix_axes.h"
#include "engine/io/geometry/scan_geometry.h"
#include "engine/io/tiff/tiff_frames.h"

#include <algorithm>
#include <array>

namespace engine
{

extern const Reader hdf5SetsReader;

namespace
{

constexpr int depth = 8;               // levels of nested groups
constexpr std::size_t mostSets = 1000; // that are examined

DataSetFound describe(const Hdf5File& file, const std::string& path)
{
    DataSetFound found{.path = path, .shape = {}, .sampleType = {}, .problem = {}};
    try {
        const Hdf5Dataset set = file.dataset(path);
        found.shape = set.shape();
        found.sampleType = set.sampleType();
    } catch (const Error& error) {
        if (error.kind() != ErrorKind::badFile)
            throw;
        found.problem = error.what();
    }
    return found;
}

std::vector<DataSetFound> describeAll(const Hdf5File& file, const std::stop_token& stop)
{
    std::vector<DataSetFound> all;
    for (const std::string& path : file.nodes(depth).datasets) {
        if (all.size() == mostSets)
            break;
        throwIfStopped(stop);
        all.push_back(describe(file, path));
    }
    return all;
}

bool hasNumbers(const DataSetFound& set, std::size_t rank)
{
    return set.shape.size() == rank && !set.sampleType.empty() &&
           std::ranges::all_of(set.shape, [](long long length) { return length > 0; });
}

std::string groupOf(const std::string& path)
{
    return path.substr(0, path.rfind('/'));
}

// Rates how clearly a name means angles; 0: not at all.
int angleName(const std::string& path)
{
    const std::string name = lowerCase(lastName(path));
    if (name == "rotation_angle")
        return 3;
    if (name.find("theta") != std::string::npos)
        return 2;
    for (const char* word : {"angle", "rot", "omega", "phi", "mot_pos", "motor"})
        if (name.find(word) != std::string::npos)
            return 1;
    return 0;
}

bool named(const std::string& path, std::initializer_list<const char*> words)
{
    const std::string name = lowerCase(lastName(path));
    return std::ranges::any_of(words, [&](const char* word) { return name.find(word) != std::string::npos; });
}

bool isDark(const std::string& path)
{
    return named(path, {"dark", "black"});
}

bool isSide(const std::string& path)
{
    return isDark(path) || named(path, {"white", "flat", "open_beam", "bright"});
}

// Returns the dimension of the projections that is as long as the data set of angles; the first of several; −1: none.
int axisCounted(const DataSetFound& projections, const DataSetFound& angles)
{
    const auto at = std::ranges::find(projections.shape, angles.shape[0]);
    return at == projections.shape.end() ? -1 : static_cast<int>(at - projections.shape.begin());
}

std::string axesText(std::size_t rank, int frameAxis)
{
    std::vector<std::string> words = rank == 3 ? std::vector<std::string>{"y", "x"} : std::vector<std::string>{"x"};
    words.insert(words.begin() + frameAxis, "theta");
    std::string text;
    for (const std::string& word : words)
        text += (text.empty() ? "" : ":") + word;
    return text;
}

// Guesses the data sets: frames with angles for one of their dimensions, preferably in the same group; else the only
// frames. chosen: the frames that the user chose; may be empty.
DataSets guessFrom(const std::vector<DataSetFound>& sets, const std::string& chosen = {})
{
    DataSets guess;
    const DataSetFound *frames = nullptr, *angles = nullptr;
    int best = 0, frameAxis = 0;
    for (const std::size_t rank : {3, 2})
        for (const DataSetFound& set : sets) {
            if (!hasNumbers(set, rank) || (chosen.empty() ? isSide(set.path) : set.path != chosen) ||
                (frames && frames->shape.size() != rank))
                continue;
            for (const DataSetFound& other : sets) {
                const int axis = hasNumbers(other, 1) && other.shape[0] > 1 ? axisCounted(set, other) : -1;
                const int score = axis < 0 || angleName(other.path) == 0
                                      ? 0
                                      : 10 * angleName(other.path) + 5 * (groupOf(set.path) == groupOf(other.path)) +
                                            (axis == 0 ? 2 : 0) + named(set.path, {"data"});
                if (score > best) {
                    best = score;
                    frames = &set;
                    angles = &other;
                    frameAxis = axis;
                }
            }
        }
    if (!frames) {
        const auto alone = [](const DataSetFound& set) { return hasNumbers(set, 3) && !isSide(set.path); };
        if (std::ranges::count_if(sets, alone) != 1)
            return guess;
        frames = &*std::ranges::find_if(sets, alone);
    }
    guess.projections = frames->path;
    if (angles)
        guess.angles = angles->path;
    if (frameAxis != 0)
        guess.axes = axesText(frames->shape.size(), frameAxis);
    std::vector<long long> across = frames->shape;
    across.erase(across.begin() + frameAxis);
    for (const DataSetFound& set : sets) {
        std::vector<long long> shape = set.shape;
        if (shape.size() == frames->shape.size())
            shape.erase(shape.begin() + frameAxis);
        if (shape != across || set.sampleType.empty() || !isSide(set.path))
            continue;
        std::string& side = isDark(set.path) ? guess.darks : guess.flats;
        if (side.empty())
            side = set.path;
    }
    for (const DataSetFound& set : sets)
        if (hasNumbers(set, 1) && set.shape[0] == frames->shape[static_cast<std::size_t>(frameAxis)] &&
            lowerCase(lastName(set.path)).starts_with("image_key"))
            guess.key = set.path;
    return guess;
}

// Returns the data sets whose frames are as large as the projections: they may be flats or darks under other names.
std::vector<std::string> likeFrames(const std::vector<DataSetFound>& sets, const DataSets& taken)
{
    const auto frames = std::ranges::find(sets, taken.projections, &DataSetFound::path);
    std::vector<std::string> paths;
    if (frames == sets.end() || frames->shape.size() != 3 || !taken.axes.empty())
        return paths;
    for (const DataSetFound& set : sets)
        if (&set != &*frames && (hasNumbers(set, 3) || hasNumbers(set, 2)) && set.path != taken.flats &&
            set.path != taken.darks &&
            std::equal(set.shape.end() - 2, set.shape.end(), frames->shape.end() - 2, frames->shape.end()))
            paths.push_back(set.path);
    return paths;
}

// Names the data sets with a number for each frame, "/scan/where and /scan/time"; empty for more than three.
std::string vectorsLike(const Hdf5Dataset& frames, const std::vector<DataSetFound>& sets)
{
    constexpr int most = 3;
    std::string named;
    int count = 0;
    if (frames.shape().size() == 3)
        for (const DataSetFound& set : sets)
            if (hasNumbers(set, 1) && set.shape[0] == frames.shape()[0] && set.shape[0] > 1 && ++count <= most)
                named += (named.empty() ? "" : " and ") + set.path;
    return count <= most ? named : std::string();
}

Sure recognisesSets(const Candidate& candidate)
{
    const Hdf5File* file = candidate.hdf5();
    return file && !guessFrom(describeAll(*file, candidate.stop())).angles.empty() ? Sure::possible : Sure::no;
}

bool setsAsked(const OpenOptions& options)
{
    return !options.dataSets.projections.empty();
}

FrameAxes axesOf(const Hdf5Dataset& data, const std::string& asked, std::optional<std::string> recorded)
{
    const std::size_t rank = data.shape().size();
    const Text name = fileText(data.filePath().string()) + ": " + data.path();
    if (rank < 2 || rank > 3 || data.sampleType().empty())
        throw Error(ErrorKind::badFile, name + " is " + shapeText(data.shape()) +
                                            (data.sampleType().empty() ? ", not numbers" : "") +
                                            "; projections by rows by bins are needed, or projections by bins.");
    const FrameAxes usual = rank == 3 ? FrameAxes() : FrameAxes{0, -1, 1};
    if (asked.empty())
        return axesFromText(recorded.value_or(""), rank).value_or(usual);
    const std::optional<FrameAxes> axes = axesFromText(asked, rank);
    if (!axes)
        throw Error(ErrorKind::badRequest,
                    "the axes '" + asked + "' don't fit " + data.path() + ", which is " + shapeText(data.shape()) +
                        "; give theta:y:x in the order of its dimensions" +
                        (rank == 2 ? ", or theta:x for a sinogram" : "") + hint("data-axes") + ".");
    return *axes;
}

// Reads the vectors in the group of a matrix that are as long as one of its dimensions.
std::vector<VectorBeside> vectorsBeside(const Hdf5File& file, const Hdf5Dataset& matrix)
{
    constexpr std::size_t mostVectors = 32;
    std::vector<VectorBeside> found;
    const std::string group = groupOf(matrix.path());
    for (const std::string& name : file.children(group.empty() ? "/" : group)) {
        const std::string path = join(group, name);
        if (found.size() == mostVectors || path == matrix.path() || file.node(path) != Hdf5File::Node::dataset)
            continue;
        const DataSetFound set = describe(file, path);
        if (hasNumbers(set, 1) && set.shape[0] > 1 && set.shape[0] <= mostFrames &&
            std::ranges::find(matrix.shape(), set.shape[0]) != matrix.shape().end())
            found.push_back({name, file.dataset(path).numbers()});
    }
    return found;
}

// Returns the axes to offer instead: with projections exchanged with bins (of a matrix) or rows (of a stack), or the
// usual axes if the present ones are exchanged already.
std::string exchangedWith(const std::string& axes)
{
    if (const auto matrix = axesFromText(axes, 2))
        return matrix->frame == 0 ? "x:theta" : "theta:x";
    const auto stack = axesFromText(axes, 3);
    return stack && stack->frame == 0 ? "y:theta:x" : "theta:y:x";
}

// Finds the axes of frames. If only one dimension is as long as the angles, and it isn't the first one, it counts the
// projections. For a matrix without labels the vectors beside it are used, too.
void findAxes(DataSets& sets, const Hdf5File& file, const Hdf5Dataset& data, const OpenOptions& options, Scan& scan)
{
    const std::vector<long long>& shape = data.shape();
    if (!options.dataSets.axes.empty())
        scan.exchangedAxes = exchangedWith(sets.axes);
    if (!sets.axes.empty() || axesFromText(file.attribute(data.path(), "axes").value_or(""), shape.size()) ||
        shape.size() < 2 || shape.size() > 3)
        return;
    std::optional<long long> angles = countOfAnglesGiven(options);
    if (!angles && !sets.angles.empty() && !anglesGiven(options))
        angles = file.dataset(sets.angles).size();
    if (angles && shape[0] != *angles && std::ranges::count(shape, *angles) == 1) {
        const auto at = static_cast<int>(std::ranges::find(shape, *angles) - shape.begin());
        sets.axes = axesText(shape.size(), at);
        scan.notes.push_back("The dimensions of " + data.path() + " are " + sets.axes +
                             ": the size of theta matches the number of angles" +
                             aside(optionName("data-axes") + " overrides this") + ".");
        return;
    }
    if (shape.size() == 3)
        scan.exchangedAxes = "y:theta:x";
    if (shape.size() != 2 || angles)
        return;
    const MatrixAxes axes = axesOfMatrix(shape[0], shape[1], vectorsBeside(file, data), options, data.path());
    if (!axes.anglesFrom.empty() && sets.angles.empty())
        sets.angles = join(groupOf(data.path()), axes.anglesFrom);
    if (axes.isTransposed)
        sets.axes = "x:theta";
    scan.exchangedAxes = axes.isTransposed ? "theta:x" : "x:theta";
    scan.notes.push_back("The matrix " + data.path() + " is interpreted as a sinogram, one projection per " +
                         (axes.isTransposed ? "column" : "row") +
                         (axes.isGuess
                              ? ", which is a guess" + aside(optionName("data-axes") + " x:theta transposes it") + "."
                              : ": " + axes.reason + "."));
}

std::string takenText(const DataSets& sets)
{
    std::string text;
    for (const DataSetRole& role : dataSetRoles())
        if (const std::string& path = sets.*role.text; !path.empty())
            text += (text.empty() ? "" : ", ") + lowerCase(role.label) + " " + path;
    return text;
}

std::string joinedPaths(const std::string& one, const std::string& other)
{
    return one + (one.empty() || other.empty() ? "" : " and ") + other;
}

FrameSource sideOf(const Candidate& candidate, const std::filesystem::path& tiff, const std::string& path,
                   const ScanFrames& frames, FrameAxes axes)
{
    if (!tiff.empty())
        return tiffFrames(tiff, frames.rows, frames.bins, frames.path, candidate.stop());
    if (path.empty())
        return {};
    candidate.hdf5()->dataset(path); // throws if it doesn't exist
    return sideFrames(*candidate.hdf5(), path, axes, frames.rows, frames.bins);
}

// The data sets that are used, and how sure that is.
struct ChosenSets {
    DataSets sets;
    bool isGuess = false;              // all of them are guesses
    bool areAnglesGuessed = false;     // the angles are a guess
    std::vector<DataSetFound> present; // that were examined; empty if nothing is guessed
};

ChosenSets chooseSets(const Hdf5File& file, const OpenOptions& options, const std::stop_token& stop)
{
    ChosenSets chosen{.sets = options.dataSets, .isGuess = options.dataSets.projections.empty(), .present = {}};
    DataSets& sets = chosen.sets;
    // If the user chose frames only, the angles are guessed: there must be one for each index of a dimension of the
    // frames, and angles in the same group are preferred.
    const bool guessesAngles = !chosen.isGuess && sets.angles.empty() && sets.axes.empty() && !anglesGiven(options);
    if (chosen.isGuess || guessesAngles)
        chosen.present = describeAll(file, stop);
    if (chosen.isGuess) {
        sets = guessFrom(chosen.present);
        if (!options.dataSets.axes.empty())
            sets.axes = options.dataSets.axes;
    } else if (guessesAngles) {
        const bool isRooted = sets.projections.starts_with('/');
        sets.angles = guessFrom(chosen.present, (isRooted ? "" : "/") + sets.projections).angles;
    }
    chosen.areAnglesGuessed = chosen.isGuess || (guessesAngles && !sets.angles.empty());
    return chosen;
}

// Adds notes on the data sets that are used, and on others that may belong to the scan.
void noteChoice(const ChosenSets& chosen, const Hdf5Dataset& data, bool hasAngles, Scan& scan)
{
    const DataSets& sets = chosen.sets;
    scan.notes.push_back((chosen.isGuess ? "The file does not specify which data sets belong to a scan; used: "
                                         : "Data sets, as chosen: ") +
                         takenText(sets) +
                         (chosen.isGuess ? "; others can be chosen" + hint("data") + "."
                          : chosen.areAnglesGuessed
                              ? "; the angles are a guess, others can be chosen" + hint("data-angles") + "."
                              : "."));
    constexpr std::size_t mostNamed = 3;
    std::vector<std::string> others;
    if (chosen.isGuess && (sets.flats.empty() || sets.darks.empty()))
        others = likeFrames(chosen.present, sets);
    if (!others.empty() && others.size() <= mostNamed)
        scan.notes.push_back("Frames of the same size are in " + listed(others) +
                             ": if they are flats or darks, specify them" +
                             aside(optionName("data-flats") + ", " + optionName("data-darks")) + ".");
    if (const std::string vectors = hasAngles ? "" : vectorsLike(data, chosen.present); !vectors.empty())
        scan.notes.push_back("One number per projection is in " + vectors + ": if these are the angles, specify them" +
                             hint("data-angles") + ".");
}

PartSources sourcesOf(const DataSets& sets, const ChosenSets& chosen)
{
    const bool isGuess = chosen.isGuess, areGuessed = chosen.areAnglesGuessed;
    return {.projections = {sets.projections, !isGuess, isGuess},
            .angles = {sets.angles, !areGuessed, areGuessed},
            .flats = {sets.flats.empty() ? sets.projections + " by the key" : sets.flats, !isGuess, isGuess},
            .darks = {sets.darks.empty() ? sets.projections + " by the key" : sets.darks, !isGuess, isGuess},
            .key = {sets.key, !isGuess, isGuess},
            .pixelSize = {},
            .geometry = {}};
}

Scan openSets(const Candidate& candidate)
{
    const OpenOptions& options = candidate.options();
    if (candidate.isFolder())
        throw Error(ErrorKind::badRequest, fileText(candidate.path().string()) +
                                               " is a folder; data sets can be chosen only in a single HDF5 file.");
    const Hdf5File& file = *candidate.hdf5();
    Scan scan;
    scan.path = file.path().string();
    const ChosenSets chosen = chooseSets(file, options, candidate.stop());
    DataSets sets = chosen.sets;
    const Hdf5Dataset data = file.dataset(sets.projections);
    noteChoice(chosen, data, !sets.angles.empty() || anglesGiven(options), scan);
    findAxes(sets, file, data, options, scan);
    const FrameAxes axes = axesOf(data, sets.axes, file.attribute(sets.projections, "axes"));
    scan.sampleType = data.sampleType();
    const auto count = [&](int axis, const char* what, int most) {
        return axis < 0 ? 1
                        : checkedCount(data.shape()[static_cast<std::size_t>(axis)], scan.path,
                                       std::string("the number of ") + what + " in " + sets.projections, most);
    };
    const int all = count(axes.frame, "projections", mostFrames);
    ScanFrames frames;
    frames.path = scan.path;
    frames.rows = count(axes.row, "rows", mostAcross);
    frames.bins = count(axes.bin, "bins", mostAcross);
    KeyedFrames sorted{.projections = allFrames(data, axes), .flats = {}, .darks = {}};
    if (!sets.key.empty())
        sorted = sortFrames(file, sets.key, sets.projections, all, scan.notes);
    RecordedGeometry recorded;
    sorted.projections = writtenFrames(data, axes, std::move(sorted.projections), scan.notes);
    if (!anglesGiven(options))
        recorded.anglesRad = anglesOfFrames(file, sets.angles, data, sorted.projections, all, scan.notes);
    frames.projections = hdf5Frames(data, axes, sorted.projections);
    scan.sources = sourcesOf(sets, chosen);
    frames.darks = sorted.darks.empty() || !options.darks.empty() || !sets.darks.empty()
                       ? sideOf(candidate, options.darks, sets.darks, frames, axes)
                       : hdf5Frames(data, axes, writtenFrames(data, axes, sorted.darks, scan.notes));
    frames.flats = sorted.flats.empty() || !options.flats.empty() || !sets.flats.empty()
                       ? sideOf(candidate, options.flats, sets.flats, frames, axes)
                       : flatsAmong(data, axes, sorted, scan.notes);
    if (!options.dataSets.axes.empty() && !(sets.flats.empty() && sets.darks.empty()))
        scan.notes.push_back("The dimensions of " + joinedPaths(sets.flats, sets.darks) +
                             " are interpreted in the order of the projections, " + sets.axes + ", too.");
    setGeometry(scan, options, frames, std::move(recorded), {file.path().parent_path()});
    addFiles(scan, file);
    setFrames(scan, std::move(frames), options);
    return scan;
}

} // namespace

bool hasDataSets(const std::filesystem::path& path)
{
    std::error_code unknown;
    return std::filesystem::is_regular_file(path, unknown) && Hdf5File::recognises(path);
}

DataSetList dataSetsIn(const std::filesystem::path& path, std::stop_token stop)
{
    const Candidate candidate(path, {}, std::move(stop));
    if (candidate.isFolder() || !Hdf5File::recognises(path))
        throw Error(ErrorKind::badFile, fileText(path.string()) + " is not an HDF5 file.");
    DataSetList list;
    list.found = describeAll(*candidate.hdf5(), candidate.stop());
    list.more = static_cast<int>(candidate.hdf5()->nodes(depth).datasets.size() - list.found.size());
    list.guess = guessFrom(list.found);
    return list;
}

bool isGuessOfDataSets(const Scan& scan, const OpenOptions& openedWith)
{
    return scan.format == hdf5SetsReader.label && openedWith.dataSets == DataSets();
}

bool isIn(const DataSets& sets, const DataSetList& list)
{
    if (sets.projections.empty())
        return false;
    std::size_t rank = 0;
    for (const DataSetRole& role : dataSetRoles()) {
        const std::string& path = sets.*role.text;
        if (path.empty() || role.text == &DataSets::axes)
            continue;
        const auto found = std::ranges::find(list.found, path, &DataSetFound::path);
        if (found == list.found.end() || found->sampleType.empty())
            return false;
        const std::size_t dimensions = found->shape.size();
        if (role.text == &DataSets::projections)
            rank = dimensions;
        const bool isSideSet = role.text == &DataSets::flats || role.text == &DataSets::darks;
        if (role.text == &DataSets::projections ? rank != 2 && rank != 3
            : isSideSet                         ? dimensions != rank && dimensions + 1 != rank
                                                : dimensions != 1)
            return false;
    }
    return true;
}

extern const Reader hdf5SetsReader = {
    .id = "hdf5-sets",
    .label = "HDF5 data sets",
    .summary = "HDF5 of any other layout; the user names the data sets, or their names and shapes identify them",
    .container = &hdf5Container,
    .recognises = recognisesSets,
    .surest = Sure::possible,
    .takesAxes = true,
    .asked = setsAsked,
    .option = "data",
    .open = openSets,
};

} // namespace engine
