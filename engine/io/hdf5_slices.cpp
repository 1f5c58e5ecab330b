// Slices in HDF5: the data set is found where the programs that reconstruct put it, else it is the one that fits.
#include "engine/error.h"
#include "engine/io/check_readings.h"
#include "engine/io/file_check.h"
#include "engine/io/hdf5_file.h"
#include "engine/io/hdf5_scan.h"
#include "engine/io/slice_stack.h"
#include "engine/io/tiff_frames.h"
#include "engine/json_text.h"
#include "engine/number_text.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace engine
{

namespace
{

constexpr const char* exchange = "/exchange/data"; // of DXchange: volumes of tomopy and tomocupy, and scans

struct VolumeDataset {
    Hdf5Dataset dataset;
    FrameAxes axes; // the frame is the slice
    int slices = 1;
    SliceSize size;
};

// "z:y:x" in any order; else that of the dimensions.
FrameAxes axesOf(const Hdf5File& file, const Hdf5Dataset& dataset)
{
    if (dataset.shape().size() == 2)
        return {-1, 0, 1};
    std::string letters;
    for (const char c : lowerCase(file.attribute(dataset.path(), "axes").value_or("")))
        if (c != ':' && c != ',' && c != ' ')
            letters += c;
    const auto at = [&](char letter) { return static_cast<int>(letters.find(letter)); };
    std::string sorted = letters;
    std::ranges::sort(sorted);
    return sorted == "xyz" ? FrameAxes{at('z'), at('y'), at('x')} : FrameAxes{};
}

// Nothing where it can't be slices.
std::optional<VolumeDataset> volumeIn(const Hdf5File& file, const std::string& path)
{
    VolumeDataset found{file.dataset(path), {}, 1, {}};
    const std::vector<long long>& shape = found.dataset.shape();
    if (shape.size() < 2 || shape.size() > 3 || found.dataset.sampleType().empty() || found.dataset.size() < 1)
        return {};
    found.axes = axesOf(file, found.dataset);
    const auto count = [&](int axis) {
        return checkedCount(shape[static_cast<std::size_t>(axis)], file.path().string(), "the size of " + path,
                            axis == found.axes.frame ? mostFrames : mostAcross);
    };
    found.size = {count(found.axes.bin), count(found.axes.row)};
    found.slices = found.axes.frame < 0 ? 1 : count(found.axes.frame);
    return found;
}

// A scan has its flat fields and angles beside it.
bool hasProjections(const Hdf5File& file)
{
    return file.node("/exchange/data_white") != Hdf5File::Node::none ||
           file.node("/exchange/theta") != Hdf5File::Node::none ||
           file.attribute(exchange, "axes").value_or("").starts_with("theta");
}

// Those of NXprocess, which Sinoscope and nabu write: /ENTRY/PROCESS/results/data.
std::vector<std::string> resultsIn(const Hdf5File& file)
{
    std::vector<std::string> paths;
    for (const std::string& process : file.nodes(2).groups)
        if (std::ranges::count(process, '/') == 2)
            if (const std::string path = process + "/results/data"; file.node(path) == Hdf5File::Node::dataset)
                paths.push_back(path);
    return paths;
}

std::vector<VolumeDataset> floatsIn(const Hdf5File& file)
{
    std::vector<std::string> paths = file.nodes(8).datasets;
    if (hasProjections(file)) // and darks and flats beside them
        std::erase_if(paths, [](const std::string& path) { return path.starts_with("/exchange/"); });
    std::vector<VolumeDataset> found;
    std::optional<Error> unreadable;
    for (const std::string& path : paths)
        try {
            if (auto volume = volumeIn(file, path); volume && volume->dataset.sampleType().starts_with("float"))
                found.push_back(*std::move(volume));
        } catch (const Error& error) {
            unreadable = error;
        }
    if (found.empty() && unreadable) // a filter that isn't installed, or a file behind a link that is gone
        throw *unreadable;
    return found;
}

std::vector<VolumeDataset> volumesAt(const Hdf5File& file, const std::vector<std::string>& paths)
{
    std::vector<VolumeDataset> found;
    for (const std::string& path : paths)
        if (file.node(path) == Hdf5File::Node::dataset)
            if (auto volume = volumeIn(file, path))
                found.push_back(*std::move(volume));
    return found;
}

std::string listed(const std::vector<VolumeDataset>& volumes)
{
    std::string text;
    for (const VolumeDataset& one : volumes)
        text += (text.empty() ? "" : ", ") + one.dataset.path() + " (" +
                (one.slices > 1 ? std::to_string(one.slices) + " x " : "") + sizeText(one.size.width, one.size.height) +
                ")";
    return text;
}

VolumeDataset named(const Hdf5File& file, const std::string& path)
{
    if (auto volume = volumeIn(file, path))
        return *std::move(volume);
    throw Error(ErrorKind::badFile, "'" + file.path().string() + "': " + path +
                                        " holds no images; numbers of two or three dimensions are needed.");
}

// In the usual places first, so that what lies beside a volume is not taken for another. others: that don't fit.
std::vector<VolumeDataset> fittingIn(const Hdf5File& file, std::span<const SliceSize> fitting,
                                     std::vector<VolumeDataset>& others)
{
    std::vector<std::string> usual{"/exchange/recon", "/volume"}; // of scripts, and of tomopy's command line
    if (!hasProjections(file))
        usual.insert(usual.begin(), exchange);
    for (int turn = 0; turn < 3; ++turn) {
        std::vector<VolumeDataset> found = turn == 0   ? volumesAt(file, resultsIn(file))
                                           : turn == 1 ? volumesAt(file, usual)
                                                       : floatsIn(file);
        if (!found.empty())
            others = found;
        std::erase_if(found, [&](const VolumeDataset& one) { return !fits(one.size, fitting); });
        if (!found.empty())
            return found;
    }
    return {};
}

VolumeDataset theOneIn(const Hdf5File& file, std::span<const SliceSize> fitting)
{
    const std::string quoted = "'" + file.path().string() + "'";
    std::vector<VolumeDataset> others;
    const std::vector<VolumeDataset> found = fittingIn(file, fitting, others);
    if (found.size() > 1)
        throw Error(ErrorKind::badFile, quoted + " has several images or volumes: " + listed(found) +
                                            ". Name one: " + toText({file.path(), found[0].dataset.path()}));
    if (!found.empty())
        return found[0];
    if (others.size() == 1)
        throwMisfit(quoted + ": " + others[0].dataset.path(), others[0].size, fitting);
    if (!others.empty())
        throw Error(ErrorKind::badFile, quoted + " has no slices of " + sizeText(fitting[0].width, fitting[0].height) +
                                            " pixels, but " + listed(others) + ". Choose a file on the same grid.");
    throw Error(ErrorKind::badFile, quoted + " has no image and no volume of floats" +
                                        (hasProjections(file) ? "; its /exchange/data are projections." : "."));
}

// The group of the process that made a data set.
std::string processOf(const Hdf5File& file, const std::string& path)
{
    constexpr std::string_view results = "/results/data";
    if (path.ends_with(results))
        return path.substr(0, path.size() - results.size());
    const std::vector<std::string> made = resultsIn(file); // Sinoscope's has a second name
    return path == exchange && made.size() == 1 ? made[0].substr(0, made[0].size() - results.size()) : std::string();
}

// Sinoscope stores its request as JSON, nabu a data set an option.
std::optional<int> firstSliceOf(const Hdf5File& file, const std::string& process)
{
    if (process.empty())
        return {};
    const std::string configuration = process + "/configuration";
    std::optional<double> first = file.number(configuration + "/processing_options/reconstruction/start_z");
    if (const auto text = file.text(configuration)) {
        const auto json = parsedJson(*text);
        if (json.is_object() && json.contains("firstSlice") && json["firstSlice"].is_number_integer())
            first = json["firstSlice"].get<double>();
    }
    constexpr double most = 1 << 24;
    if (!first || !(*first >= 0 && *first < most) || *first != std::floor(*first))
        return {};
    return static_cast<int>(*first);
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

std::vector<std::string> datasetsThatFit(const std::filesystem::path& file, std::span<const SliceSize> fitting)
{
    std::error_code unreadable;
    if (!std::filesystem::is_regular_file(file, unreadable) || !Hdf5File::recognises(file))
        return {};
    requireChecked(readingOfFittingSlices(file, fitting));
    std::vector<VolumeDataset> others;
    std::vector<std::string> paths;
    for (const VolumeDataset& one : fittingIn(Hdf5File(file), fitting, others))
        paths.push_back(one.dataset.path());
    return paths;
}

SliceStack hdf5Slices(const SlicesPath& path, std::span<const SliceSize> fitting)
{
    requireChecked(readingOfSlices(path, fitting));
    const Hdf5File file(path.file);
    const VolumeDataset found = path.dataset.empty() ? theOneIn(file, fitting) : named(file, path.dataset);
    const std::string at = found.dataset.path(), process = processOf(file, at);
    const std::optional<int> first = firstSliceOf(file, process);
    SliceStack stack;
    stack.what = "'" + path.file.string() + "': " + at;
    found.dataset.requireWritten();
    requirePlausible(static_cast<double>(found.size.width) * found.size.height, found.dataset.bytesOfFiles(),
                     stack.what + " has slices");
    stack.slices.resize(static_cast<std::size_t>(found.slices));
    std::iota(stack.slices.begin(), stack.slices.end(), first.value_or(0));
    stack.isPlaced = first.has_value();
    SliceFrame frame{.source = {}, .width = found.size.width, .height = found.size.height, .unit = {}};
    frame.scale = numberOr(1, file.attribute(at, "scale_factor"));
    frame.offset = numberOr(0, file.attribute(at, "add_offset"));
    // nabu divides by the pixel size in cm, and doesn't say it.
    const bool isOfNabu = !process.empty() && file.text(process + "/program") == "nabu";
    frame.unit = file.attribute(at, "units").value_or(isOfNabu ? "1/cm" : "");
    stack.open = [found, frame](std::size_t place) {
        SliceFrame opened = frame;
        opened.source = hdf5Frames(found.dataset, found.axes, {static_cast<long long>(place)});
        return opened;
    };
    return stack;
}

} // namespace engine
