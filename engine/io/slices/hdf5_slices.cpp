// SPDX-License-Identifier: GPL-3.0-or-later
// Slices in HDF5: the data set is looked for where reconstruction programs write it, else the one that fits is used.
#include "engine/base/error.h"
#include "engine/base/json_text.h"
#include "engine/base/number_text.h"
#include "engine/io/formats/hdf5_scan.h"
#include "engine/io/hdf5/hdf5_file.h"
#include "engine/io/slices/slice_stack.h"
#include "engine/io/slices/volume_description.h"
#include "engine/io/tiff/tiff_frames.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace engine
{

namespace
{

constexpr const char* exchange = "/exchange/data"; // in DXchange: volumes of tomopy and tomocupy, and scans

struct VolumeDataset {
    Hdf5Dataset dataset;
    FrameAxes axes; // axes.frame counts the slices
    int slices = 1;
    SliceSize size;
    std::string guessedAxes = {};
};

// What the user specifies or needs of a volume.
struct Wanted {
    std::string axes = {}; // used if the volume doesn't state its axes
    std::span<const SliceSize> fitting = {};
};

// Parses axes such as "y:z:x"; nothing for any other text.
std::optional<FrameAxes> volumeAxes(const std::string& text)
{
    try {
        const std::string axes = volumeAxesFromText(text);
        const auto at = [&](char letter) { return static_cast<int>(axes.find(letter) / 2); };
        return FrameAxes{at('z'), at('y'), at('x')};
    } catch (const Error&) {
        return std::nullopt;
    }
}

// Returns nothing if the data set can't be slices. HTTomo stores the slices of a volume along its second dimension,
// and doesn't state that.
std::optional<VolumeDataset> volumeIn(const Hdf5File& file, const std::string& path, const Wanted& wanted)
{
    VolumeDataset found{file.dataset(path), {}, 1, {}};
    const std::vector<long long>& shape = found.dataset.shape();
    if (shape.size() < 2 || shape.size() > 3 || found.dataset.sampleType().empty() || found.dataset.size() < 1)
        return {};
    const auto count = [&](int axis) {
        return checkedCount(shape[static_cast<std::size_t>(axis)], file.path().string(), "the size of " + path,
                            axis == found.axes.frame ? mostFrames : mostAcross);
    };
    const auto set = [&](const FrameAxes& axes) {
        found.axes = axes;
        found.size = {count(axes.bin), count(axes.row)};
        found.slices = axes.frame < 0 ? 1 : count(axes.frame);
    };
    const bool isMatlab = file.attribute(path, "MATLAB_class").has_value(); // version 7.3: by columns, row fastest
    if (shape.size() == 2) {
        set(isMatlab ? FrameAxes{-1, 1, 0} : FrameAxes{-1, 0, 1});
    } else if (const auto stated = volumeAxes(file.attribute(path, "axes").value_or(""))) {
        set(*stated);
    } else if (const auto given = volumeAxes(wanted.axes)) {
        set(*given);
    } else if (isMatlab) {
        set({0, 2, 1});
    } else {
        set({});
        if (!wanted.fitting.empty() && !fits(found.size, wanted.fitting)) {
            const std::string other = "y:z:x";
            set(*volumeAxes(other));
            if (fits(found.size, wanted.fitting))
                found.guessedAxes = other;
            else
                set({});
        }
    }
    return found;
}

// Returns whether /exchange/data has projections. A scan has flat fields beside it, or as many angles as projections.
// tomocupy copies the scan's angles beside its volume.
bool hasProjections(const Hdf5File& file)
{
    if (file.node("/exchange/data_white") != Hdf5File::Node::none ||
        file.attribute(exchange, "axes").value_or("").starts_with("theta"))
        return true;
    constexpr const char* theta = "/exchange/theta";
    if (file.node(theta) == Hdf5File::Node::none)
        return false;
    if (file.node(theta) != Hdf5File::Node::dataset || file.node(exchange) != Hdf5File::Node::dataset)
        return true;
    const std::vector<long long> shape = file.dataset(exchange).shape(), angles = file.dataset(theta).shape();
    return shape.size() != 3 || angles.size() != 1 || shape[0] == angles[0] || shape[1] != shape[2];
}

// Returns the results of NXprocess, as Sinoscope and nabu write them: /ENTRY/PROCESS/results/data.
std::vector<std::string> resultsIn(const Hdf5File& file)
{
    std::vector<std::string> paths;
    for (const std::string& process : file.nodes(2).groups)
        if (std::ranges::count(process, '/') == 2)
            if (const std::string path = process + "/results/data"; file.node(path) == Hdf5File::Node::dataset)
                paths.push_back(path);
    return paths;
}

std::vector<VolumeDataset> floatsIn(const Hdf5File& file, const Wanted& wanted)
{
    std::vector<std::string> paths = file.nodes(8).datasets;
    if (hasProjections(file)) // the darks and flats there aren't slices either
        std::erase_if(paths, [](const std::string& path) { return path.starts_with("/exchange/"); });
    std::vector<VolumeDataset> found;
    std::optional<Error> unreadable;
    for (const std::string& path : paths)
        try {
            if (auto volume = volumeIn(file, path, wanted); volume && volume->dataset.sampleType().starts_with("float"))
                found.push_back(*std::move(volume));
        } catch (const Error& error) {
            unreadable = error;
        }
    if (found.empty() && unreadable) // a filter isn't installed, or the target of a link is missing
        throw *unreadable;
    return found;
}

std::vector<VolumeDataset> volumesAt(const Hdf5File& file, const std::vector<std::string>& paths, const Wanted& wanted)
{
    std::vector<VolumeDataset> found;
    for (const std::string& path : paths)
        if (file.node(path) == Hdf5File::Node::dataset)
            if (auto volume = volumeIn(file, path, wanted))
                found.push_back(*std::move(volume));
    return found;
}

std::string inWords(const std::vector<VolumeDataset>& volumes)
{
    std::string text;
    for (const VolumeDataset& one : volumes)
        text += (text.empty() ? "" : ", ") + one.dataset.path() + " (" +
                (one.slices > 1 ? std::to_string(one.slices) + " x " : "") + sizeText(one.size.width, one.size.height) +
                ")";
    return text;
}

VolumeDataset named(const Hdf5File& file, const std::string& path, const Wanted& wanted)
{
    if (auto volume = volumeIn(file, path, wanted))
        return *std::move(volume);
    throw Error(ErrorKind::badFile,
                fileText(file.path().string()) + ": " + path +
                    " holds no images; a data set of numbers with two or three dimensions is needed.");
}

// Returns the data sets that fit. The usual places are tried first, so that other data sets beside a volume aren't
// mistaken for it. others: candidates, including those that don't fit.
std::vector<VolumeDataset> fittingIn(const Hdf5File& file, const Wanted& wanted, std::vector<VolumeDataset>& others)
{
    std::vector<std::string> usual{"/exchange/recon", "/volume"}; // of scripts, and of tomopy's command line
    if (!hasProjections(file))
        usual.insert(usual.begin(), exchange);
    for (int turn = 0; turn < 3; ++turn) {
        std::vector<VolumeDataset> found = turn == 0   ? volumesAt(file, resultsIn(file), wanted)
                                           : turn == 1 ? volumesAt(file, usual, wanted)
                                                       : floatsIn(file, wanted);
        if (!found.empty())
            others = found;
        std::erase_if(found, [&](const VolumeDataset& one) { return !fits(one.size, wanted.fitting); });
        if (!found.empty())
            return found;
    }
    return {};
}

VolumeDataset theOneIn(const Hdf5File& file, const Wanted& wanted)
{
    const std::span<const SliceSize> fitting = wanted.fitting;
    const Text quoted = fileText(file.path().string());
    std::vector<VolumeDataset> others;
    const std::vector<VolumeDataset> found = fittingIn(file, wanted, others);
    if (found.size() > 1)
        throw Error(ErrorKind::badFile, quoted + " has several images or volumes: " + inWords(found) +
                                            ". Name one: " + toText({file.path(), found[0].dataset.path()}));
    if (!found.empty())
        return found[0];
    if (others.size() == 1)
        throwMisfit(quoted + ": " + others[0].dataset.path(), others[0].size, fitting, others[0].slices > 1);
    if (!others.empty())
        throw Error(ErrorKind::badFile, quoted + " has no slices of " + sizeText(fitting[0].width, fitting[0].height) +
                                            " pixels, but " + inWords(others) + ". Choose a file on the same grid.");
    throw Error(ErrorKind::badFile, quoted + " has no image and no volume of floats" +
                                        (hasProjections(file) ? "; its /exchange/data are projections." : "."));
}

// Returns the group of the process that made a data set; "" if unknown.
std::string processOf(const Hdf5File& file, const std::string& path)
{
    constexpr std::string_view results = "/results/data";
    if (path.ends_with(results))
        return path.substr(0, path.size() - results.size());
    const std::vector<std::string> made = resultsIn(file); // Sinoscope's data set has a second name
    return path == exchange && made.size() == 1 ? made[0].substr(0, made[0].size() - results.size()) : std::string();
}

// What the file records about how a volume was made.
struct Configuration {
    std::optional<int> firstSlice;
    PixelSize pixel;
};

// Sinoscope stores its request as JSON, nabu one data set per option.
Configuration configurationOf(const Hdf5File& file, const std::string& process)
{
    Configuration made;
    if (process.empty())
        return made;
    const std::string configuration = process + "/configuration";
    std::optional<double> first = file.number(configuration + "/processing_options/reconstruction/start_z");
    if (const auto text = file.text(configuration)) {
        const auto json = parsedJson(*text);
        const auto numberAt = [&](const char* key) {
            return json.is_object() && json.contains(key) && json[key].is_number()
                       ? std::optional(json[key].template get<double>())
                       : std::nullopt;
        };
        if (const auto number = numberAt("firstSlice"))
            first = number;
        made.pixel = {numberAt("pixelMm"), numberAt("pixelBins")};
    }
    constexpr double most = 1 << 24;
    if (first && *first >= 0 && *first < most && *first == std::floor(*first))
        made.firstSlice = static_cast<int>(*first);
    return made;
}

double numberOr(double standard, const std::optional<std::string>& attribute)
{
    try {
        return attribute ? realFromText(*attribute, "attribute") : standard;
    } catch (const Error&) {
        return standard;
    }
}

} // namespace

std::vector<std::string> hdf5SetsThatFit(const std::filesystem::path& file, std::span<const SliceSize> fitting)
{
    std::vector<VolumeDataset> others;
    std::vector<std::string> paths;
    for (const VolumeDataset& one : fittingIn(Hdf5File(file), {.axes = {}, .fitting = fitting}, others))
        paths.push_back(one.dataset.path());
    return paths;
}

SliceStack hdf5Slices(const SlicesPath& path, std::span<const SliceSize> fitting)
{
    const Hdf5File file(path.file);
    const Wanted wanted{path.axes, fitting};
    const VolumeDataset found = path.dataset.empty() ? theOneIn(file, wanted) : named(file, path.dataset, wanted);
    const std::string at = found.dataset.path(), process = processOf(file, at);
    const Configuration made = configurationOf(file, process);
    SliceStack stack;
    stack.guessedAxes = found.guessedAxes;
    stack.what = fileText(path.file.string()) + ": " + at;
    found.dataset.requireWritten();
    requirePlausible(static_cast<double>(found.size.width) * found.size.height, found.dataset.bytesOfFiles(),
                     stack.what + " has slices");
    stack.slices.resize(static_cast<std::size_t>(found.slices));
    std::iota(stack.slices.begin(), stack.slices.end(), made.firstSlice.value_or(0));
    stack.isPlaced = made.firstSlice.has_value();
    SliceFrame frame{
        .source = {}, .width = found.size.width, .height = found.size.height, .unit = {}, .pixel = made.pixel};
    if (!process.empty())
        frame.recordedPlane = file.text(process + "/parameters/plane").value_or("");
    frame.scale = numberOr(1, file.attribute(at, "scale_factor"));
    frame.offset = numberOr(0, file.attribute(at, "add_offset"));
    // nabu divides by the pixel size in cm, and doesn't state that.
    const bool isOfNabu = !process.empty() && file.text(process + "/program") == "nabu";
    const auto scaled = file.attribute(at, scaledUnits);
    frame.unit = scaled ? *scaled : file.attribute(at, "units").value_or(isOfNabu ? "1/cm" : "");
    stack.open = [found, frame](std::size_t place) {
        SliceFrame opened = frame;
        opened.source = hdf5Frames(found.dataset, found.axes, {static_cast<long long>(place)});
        return opened;
    };
    return stack;
}

} // namespace engine
