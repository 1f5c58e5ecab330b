// SPDX-License-Identifier: GPL-3.0-or-later
// TIFF sinograms. Only the user can tell that an image is a sinogram.
#include "engine/io/formats/tiff_sinogram.h"
#include "engine/base/error.h"
#include "engine/io/formats/tiff_stack.h"
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

// Returns the projections of sinograms: each page is a row of the scan, and each row of a page is a projection.
FrameSource sinogramSource(std::vector<TiffFrame> pages)
{
    FrameSource source;
    source.frames = pages[0].page.height;
    source.step = 256;
    source.stepRows = std::numeric_limits<int>::max(); // a compressed strip may hold many projections
    for (const TiffFrame& each : pages)
        if (source.files.empty() || source.files.back() != each.file)
            source.files.push_back(each.file);
    source.filesMayGrow = false;
    source.read = [pages = std::move(pages)](int first, int count, RowRange rows, char* out) {
        std::optional<TiffFile> open;
        const fs::path* opened = nullptr;
        const std::size_t bins = static_cast<std::size_t>(pages[0].page.width);
        std::vector<float> part(static_cast<std::size_t>(count) * bins);
        for (int row = 0; row < rows.count; ++row) {
            const TiffFrame& its = pages[static_cast<std::size_t>(rows.first + row)];
            if (!opened || *opened != its.file)
                open.emplace(its.file);
            opened = &its.file;
            open->select(its.page);
            open->readRows(first, count, part.data());
            for (int frame = 0; frame < count; ++frame)
                std::copy_n(part.data() + frame * bins, bins,
                            reinterpret_cast<float*>(out) +
                                (static_cast<std::size_t>(frame) * rows.count + row) * bins);
        }
    };
    return source;
}

FrameSource sinogramSide(const fs::path& file, int rows, int bins, const std::stop_token& stop)
{
    if (file.empty())
        return {};
    std::vector<TiffFrame> pages = tiffFramesIn({file}, stop);
    if (static_cast<int>(pages.size()) != rows || pages[0].page.width != bins)
        throw Error(ErrorKind::badFile, fileText(file.string()) + " has " + std::to_string(pages.size()) + " rows of " +
                                            std::to_string(pages[0].page.width) + " bins, but the sinogram has " +
                                            std::to_string(rows) + " of " + std::to_string(bins) + ".");
    return sinogramSource(std::move(pages));
}

// The meaning of a sinogram's dimensions: as the user specifies, or by the number of angles that are given or lie
// beside it; else rows are projections.
struct SinogramAxes {
    bool isTransposed = false, isGuess = true;
    Text reason;
};

SinogramAxes axesOf(const fs::path& file, const TiffPage& page, const OpenOptions& options)
{
    const Text who = fileText(file.string());
    if (const std::string& asked = options.dataSets.axes; !asked.empty()) {
        auto axes = axesFromText(asked, 2);
        if (const auto ofRows = axesFromText(asked, 3); ofRows && ofRows->row == 0)
            axes = FrameAxes{ofRows->frame - 1, -1, ofRows->bin - 1};
        require(axes.has_value(), "the axes '" + asked + "' don't fit " + who +
                                      ", which is read as a sinogram; give theta:x or x:theta" + hint("data-axes"));
        return {axes->frame == 1, false, "specified by " + optionName("data-axes")};
    }
    const std::optional<long long> angles =
        anglesGiven(options) ? countOfAnglesGiven(options) : countOfAnglesBeside({file.parent_path()});
    if (!angles || page.width == page.height || (*angles != page.width && *angles != page.height))
        return {};
    return {*angles == page.width, false, "there is an angle for each"};
}

bool sinogramAsked(const OpenOptions& options)
{
    const auto axes = axesFromText(options.dataSets.axes, 3); // three axes: a stack, whose images may be projections
    return options.sinogram && !options.raw && !(axes && axes->row != 0); // numbers without a header are no TIFF
}

void ask(OpenOptions& options)
{
    options.sinogram = true;
}

} // namespace

Scan openTiffSinograms(const Candidate& candidate)
{
    const fs::path& file = candidate.path();
    const OpenOptions& options = candidate.options();
    Scan scan;
    fs::path folder = file.parent_path();
    std::vector<fs::path> files = {file};
    if (candidate.isFolder()) {
        folder = fs::absolute(file / "").lexically_normal().parent_path();
        scan.name = folder.filename().string();
        files = projectionFiles(folder, scan.notes);
        scan.folders = {folder};
    }
    const std::vector<TiffFrame> pages = tiffFramesIn(files, candidate.stop());
    const TiffPage& page = pages[0].page;
    scan.sampleType = page.sampleType;
    const SinogramAxes axes = axesOf(file, page, options);
    ScanFrames frames;
    frames.path = file.string();
    frames.rows = static_cast<int>(pages.size());
    frames.bins = axes.isTransposed ? page.height : page.width;
    frames.projections = sinogramSource(pages);
    if (axes.isTransposed) {
        frames.projections = turnedFrames(std::move(frames.projections), {page.height, frames.rows, page.width},
                                          {.frame = 2, .row = 1, .bin = 0}, frames.path);
        scan.notes.push_back("The image has one projection per column, not per row: " + axes.reason + ".");
    }
    scan.sources.projections = {.where = file.filename().string(), .guessed = axes.isGuess};
    if (axesFromText(options.dataSets.axes, 3)) // images of a stack
        scan.exchangedAxes = "theta:y:x";
    else
        scan.exchangedAxes = axes.isTransposed ? "theta:x" : "x:theta";
    frames.darks = sinogramSide(options.darks, frames.rows, frames.bins, candidate.stop());
    frames.flats = sinogramSide(options.flats, frames.rows, frames.bins, candidate.stop());
    setGeometry(scan, options, frames, {}, {folder});
    setFrames(scan, std::move(frames), options);
    return scan;
}

extern const Reader tiffSinogramReader = {
    .id = "tiff-sinogram",
    .label = "TIFF sinogram",
    .summary = "A sinogram with one projection per line; each page of a file, or each file of a folder, is the "
               "sinogram of one row",
    .container = &tiffContainer,
    .takesAxes = true,
    .asked = sinogramAsked,
    .ask = ask,
    .option = "sinogram",
    .offer = "Open as sinogram",
    .open = openTiffSinograms,
};

} // namespace engine
