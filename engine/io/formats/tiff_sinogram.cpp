// One sinogram, or one a row, as the pages of a TIFF file. An image doesn't say that it is one: the user does.
#include "engine/base/error.h"
#include "engine/io/formats/reader.h"
#include "engine/io/frames/turned_frames.h"
#include "engine/io/geometry/matrix_axes.h"
#include "engine/io/geometry/scan_geometry.h"
#include "engine/io/tiff/tiff_frames.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace engine
{

namespace fs = std::filesystem;

namespace
{

// Pages are rows of the scan, a page's rows are its projections.
FrameSource sinogramSource(const fs::path& file, std::vector<TiffPage> pages)
{
    FrameSource source;
    source.frames = pages[0].height;
    source.step = 256;
    source.stepRows = std::numeric_limits<int>::max(); // a compressed strip may hold many projections
    source.files = {file};
    source.filesMayGrow = false;
    source.read = [file, pages = std::move(pages)](int first, int count, RowRange rows, char* out) {
        TiffFile open(file);
        const std::size_t bins = static_cast<std::size_t>(pages[0].width);
        std::vector<float> part(static_cast<std::size_t>(count) * bins);
        for (int row = 0; row < rows.count; ++row) {
            open.select(pages[static_cast<std::size_t>(rows.first + row)]);
            open.readRows(first, count, part.data());
            for (int frame = 0; frame < count; ++frame)
                std::copy_n(part.data() + frame * bins, bins,
                            reinterpret_cast<float*>(out) +
                                (static_cast<std::size_t>(frame) * rows.count + row) * bins);
        }
    };
    return source;
}

std::vector<TiffPage> evenPages(const fs::path& file, const std::stop_token& stop)
{
    std::vector<TiffPage> pages;
    for (const TiffFrame& frame : tiffFramesIn({file}, stop))
        pages.push_back(frame.page);
    return pages;
}

FrameSource sinogramSide(const fs::path& file, int rows, int bins, const std::stop_token& stop)
{
    if (file.empty())
        return {};
    std::vector<TiffPage> pages = evenPages(file, stop);
    if (static_cast<int>(pages.size()) != rows || pages[0].width != bins)
        throw Error(ErrorKind::badFile, "'" + file.string() + "' has " + std::to_string(pages.size()) + " rows of " +
                                            std::to_string(pages[0].width) + " bins, but the sinogram has " +
                                            std::to_string(rows) + " of " + std::to_string(bins) + ".");
    return sinogramSource(file, std::move(pages));
}

// As the user says, or by the number of angles that are given or lie beside it; else lines are projections.
struct SinogramAxes {
    bool isTransposed = false, isGuess = true;
    std::string reason;
};

SinogramAxes axesOf(const fs::path& file, const TiffPage& page, const OpenOptions& options)
{
    const std::string who = "'" + file.string() + "'";
    if (const std::string& asked = options.dataSets.axes; !asked.empty()) {
        const auto axes = axesFromText(asked, 2);
        require(axes.has_value(), "the axes '" + asked + "' don't fit " + who +
                                      ", which is read as a sinogram; give theta:x or x:theta (--data-axes)");
        return {axes->frame == 1, false, "specified by --data-axes"};
    }
    const std::optional<long long> angles =
        anglesGiven(options) ? countOfAnglesGiven(options) : countOfAnglesBeside({file.parent_path()});
    if (!angles || page.width == page.height || (*angles != page.width && *angles != page.height))
        return {};
    return {*angles == page.width, false, "there is an angle for each"};
}

bool sinogramAsked(const OpenOptions& options)
{
    return options.sinogram && !options.raw; // numbers without a header are no TIFF
}

void ask(OpenOptions& options)
{
    options.sinogram = true;
}

Scan openSinogram(const Candidate& candidate)
{
    const fs::path& file = candidate.path();
    const OpenOptions& options = candidate.options();
    if (candidate.isFolder())
        throw Error(ErrorKind::badRequest, "'" + file.string() + "' is a folder; a sinogram is a single TIFF file.");
    const std::vector<TiffPage> pages = evenPages(file, candidate.stop());
    Scan scan;
    scan.sampleType = pages[0].sampleType;
    const SinogramAxes axes = axesOf(file, pages[0], options);
    ScanFrames frames;
    frames.path = file.string();
    frames.rows = static_cast<int>(pages.size());
    frames.bins = axes.isTransposed ? pages[0].height : pages[0].width;
    frames.projections = sinogramSource(file, pages);
    if (axes.isTransposed) {
        frames.projections = turnedFrames(std::move(frames.projections), {pages[0].height, frames.rows, pages[0].width},
                                          {.frame = 2, .row = 1, .bin = 0}, frames.path);
        scan.notes.push_back("A column of the image is a projection, not a line: " + axes.reason + ".");
    }
    scan.sources.projections = {.where = file.filename().string(), .guessed = axes.isGuess};
    scan.exchangedAxes = axes.isTransposed ? "theta:x" : "x:theta";
    frames.darks = sinogramSide(options.darks, frames.rows, frames.bins, candidate.stop());
    frames.flats = sinogramSide(options.flats, frames.rows, frames.bins, candidate.stop());
    setGeometry(scan, options, frames, {}, {file.parent_path()});
    setFrames(scan, std::move(frames), options);
    return scan;
}

} // namespace

extern const Reader tiffSinogramReader = {
    .id = "tiff-sinogram",
    .label = "TIFF sinogram",
    .summary = "One sinogram, a projection a line; a file of several pages has one for each row",
    .container = &tiffContainer,
    .takesAxes = true,
    .asked = sinogramAsked,
    .ask = ask,
    .option = "--sinogram",
    .offer = "Open as sinogram",
    .open = openSinogram,
};

} // namespace engine
