// SPDX-License-Identifier: GPL-3.0-or-later
// Projections as the pages of a TIFF file, or as the TIFF files of a folder, with darks and flats beside them.
#include "engine/io/formats/tiff_stack.h"
#include "engine/base/error.h"
#include "engine/base/number_text.h"
#include "engine/io/files/folder_entries.h"
#include "engine/io/formats/frame_names.h"
#include "engine/io/formats/given_sides.h"
#include "engine/io/formats/raw_file.h"
#include "engine/io/formats/reader.h"
#include "engine/io/formats/tiff_sinogram.h"
#include "engine/io/frames/turned_frames.h"
#include "engine/io/geometry/scan_geometry.h"
#include "engine/io/tiff/tiff_frames.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <numbers>
#include <numeric>
#include <utility>

namespace engine
{

namespace fs = std::filesystem;

namespace
{

// Mean of the middle row of a TIFF's first image.
double brightnessOf(const fs::path& path)
{
    TiffFile file(path);
    const TiffPage page = file.page();
    std::vector<float> row(static_cast<std::size_t>(page.width));
    file.readRows(page.height / 2, 1, row.data());
    return std::accumulate(row.begin(), row.end(), 0.0) / page.width;
}

// Tells a dark from a flat whose name says neither, such as "ref" or "bg": darks have less than half the light of a
// projection.
FrameKind kindByLight(const fs::path& file, const fs::path& projection)
{
    return 2 * brightnessOf(file) < brightnessOf(projection) ? FrameKind::dark : FrameKind::flat;
}

// Returns the files of one kind beside the projections: in their folder, in all of its folders with such a name, or in
// the same places of the folder above; those from before the projections first, those from after them last.
std::vector<fs::path> filesBeside(const fs::path& folder, FrameKind kind, const fs::path& projection)
{
    const auto isOf = [&](FrameKind named, const fs::path& file) {
        return (named == FrameKind::side ? kindByLight(file, projection) : named) == kind;
    };
    const auto byOrder = [](const fs::path& a, const fs::path& b) { return orderOf(a) < orderOf(b); };
    for (const fs::path& place : {folder, folder.parent_path()}) {
        if (place.empty())
            continue;
        std::vector<fs::path> files, places;
        const std::vector<fs::path> all = tiffsIn(place);
        const std::vector<FrameKind> kinds = kindsOf(all);
        for (std::size_t k = 0; k < all.size(); ++k)
            if (isOf(place == folder ? kinds[k] : kindOf(all[k]), all[k]))
                files.push_back(all[k]);
        std::ranges::stable_sort(files, byOrder);
        if (!files.empty())
            return files;
        std::error_code unreadable;
        for (const FolderEntry& entry : entriesOf(place, unreadable))
            if (const FrameKind named = kindOf(entry.path);
                entry.isFolder() && entry.path != folder && (named == kind || named == FrameKind::side))
                if (const std::vector<fs::path> inside = tiffsIn(entry.path); !inside.empty() && isOf(named, inside[0]))
                    places.push_back(entry.path);
        std::ranges::sort(places);
        std::ranges::stable_sort(places, byOrder);
        for (const fs::path& one : places)
            std::ranges::copy(tiffsIn(one), std::back_inserter(files));
        if (!files.empty())
            return files;
    }
    return {};
}

// Returns whether a TIFF is a reconstructed slice, which must not be read as a projection.
bool isSlice(const fs::path& file)
{
    return describesSlice(TiffFile(file).description());
}

void refuseSlices(const fs::path& file, const fs::path& path)
{
    if (isSlice(file))
        throw Error(ErrorKind::badFile,
                    fileText(path.string()) + " holds reconstructed slices (" + fileText(file.filename().string()) +
                        " is one), not projections. Open the scan that they were reconstructed from.");
}

// Returns when these files beside `projections` projections were taken, by their names or those of their folders, as
// Scan::flatPlaces; empty unless all names say it and each file is one frame.
std::vector<double> placesOf(const std::vector<fs::path>& files, const fs::path& folder, int projections,
                             std::size_t frames)
{
    std::vector<double> places;
    for (const fs::path& file : files) {
        const fs::path own = file.parent_path();
        const int order = orderOf(own == folder || own == folder.parent_path() ? file : own);
        if (order == 0 || files.size() != frames)
            return {};
        places.push_back(order < 0 ? -0.5 : projections - 0.5);
    }
    return places;
}

FrameSource sideSource(const fs::path& given, const fs::path& folder, FrameKind kind, const TiffPage& page,
                       int projections, Scan& scan, const std::string& like, const std::stop_token& stop)
{
    if (!given.empty())
        return givenSides(given, page.height, page.width, like, stop);
    const std::vector<fs::path> files = filesBeside(folder, kind, like);
    if (files.empty())
        return {};
    const std::string name = kind == FrameKind::dark ? "Darks" : "Flats";
    if (isSlice(files[0])) {
        scan.notes.push_back(fileText(files[0].string()) +
                             " is a reconstructed slice and is ignored, although it is named like " + lowerCase(name) +
                             ".");
        return {};
    }
    // In a separate folder, any TIFF that is written there would become one of these frames.
    std::vector<std::string> places;
    for (const fs::path& file : files)
        if (const fs::path own = file.parent_path();
            own != folder && own != folder.parent_path() && (scan.folders.empty() || scan.folders.back() != own)) {
            scan.folders.push_back(own);
            places.push_back(own.filename().string());
        }
    std::vector<TiffFrame> frames = tiffFramesIn(files, stop);
    const std::vector<double> taken = placesOf(files, folder, projections, frames.size());
    if (frames[0].page.width == page.width && frames[0].page.height == page.height) {
        scan.notes.push_back(name + " come from " + fileText(files[0].filename().string()) +
                             (files.size() > 1 ? " and " + std::to_string(files.size() - 1) + " more files" : "") +
                             (places.size() > 1 ? " in the folders " + listed(places, " and ") : Text()) +
                             " beside the projections." +
                             (places.size() > 1 && kind == FrameKind::flat && taken.empty()
                                  ? " If the beam changed from the first to the last, interpolate" +
                                        hint("flat-field", "interpolated") + "."
                                  : Text()));
        FrameSource source = tiffSource(std::move(frames));
        source.places = taken;
        return source;
    }
    const Text sizes = fileText(files[0].string()) + " has " + sizeText(frames[0].page.width, frames[0].page.height) +
                       " pixels, '" + like + "' has " + sizeText(page.width, page.height);
    if (files[0].parent_path() == folder)
        throw Error(ErrorKind::badFile, "Projections and " + name + " differ in size: " + sizes +
                                            ". Specify the right ones" +
                                            aside(optionName("darks") + " and " + optionName("flats")) + ".");
    scan.notes.push_back(name + " in the parent folder are not used: " + sizes + ".");
    return {};
}

// Returns those that their names don't exclude, sorted by the angles in their names, if they have some.
std::vector<fs::path> projectionsAmong(const std::vector<fs::path>& all, std::vector<Note>& notes)
{
    const std::vector<FrameKind> kinds = kindsOf(all);
    std::vector<fs::path> files, others;
    for (std::size_t k = 0; k < all.size(); ++k)
        if (kinds[k] == FrameKind::projection)
            files.push_back(all[k]);
        else if (kinds[k] == FrameKind::other)
            others.push_back(all[k].filename());
    if (!others.empty() && !files.empty())
        notes.push_back(fileText(others[0].string()) +
                        (others.size() > 1 ? " and " + std::to_string(others.size() - 1) + " more files are" : " is") +
                        " left out: by " + (others.size() > 1 ? "their names" : "its name") +
                        ", a preview or a projection for alignment.");
    return files;
}

// Sorts projections by the angles in their names, if the names have some.
void sortByAngles(std::vector<fs::path>& files, std::vector<Note>& notes)
{
    const auto angles = anglesInNames(files);
    if (!angles)
        return;
    std::vector<std::pair<double, fs::path>> sorted;
    for (std::size_t k = 0; k < files.size(); ++k)
        sorted.emplace_back((*angles)[k], files[k]);
    std::ranges::sort(sorted);
    for (std::size_t k = 0; k < files.size(); ++k)
        files[k] = sorted[k].second;
    notes.push_back("The files are in the order of the angles in their names, " + numberToText(sorted.front().first) +
                    " to " + numberToText(sorted.back().first) + "°.");
}

// Returns what the images, their rows and their columns count: projections, rows and bins, unless the user specifies
// otherwise.
FrameAxes axesOf(const Candidate& candidate)
{
    const std::string& asked = candidate.options().dataSets.axes;
    if (asked.empty())
        return {};
    const auto axes = axesFromText(asked, 3);
    require(axes.has_value(), "the axes '" + asked + "' don't fit " + fileText(candidate.path().string()) +
                                  "; give theta:y:x if each image is a projection, theta:x:y if it is transposed, "
                                  "y:theta:x or y:x:theta if each is the sinogram of a row" +
                                  hint("data-axes"));
    return *axes;
}

// Reorders the images as the axes specify.
void turnImages(Scan& scan, ScanFrames& frames, FrameAxes axes)
{
    scan.exchangedAxes = axes.frame == 0 && axes.row == 1 ? "y:theta:x" : "theta:y:x";
    require(axes.frame == 0 || frames.darks.frames + frames.flats.frames == 0,
            fileText(frames.path) + ": images that aren't projections can't have darks and flats" + hint("data-axes"));
    const std::array<int, 3> sizes = {frames.projections.frames, frames.rows, frames.bins};
    for (FrameSource* source : {&frames.projections, &frames.darks, &frames.flats})
        if (const int count = source->frames; count > 0)
            *source = turnedFrames(std::move(*source), {count, sizes[1], sizes[2]}, axes, frames.path);
    frames.rows = sizesAlong(axes, sizes)[1];
    frames.bins = sizesAlong(axes, sizes)[2];
}

Scan openTiffFile(const Candidate& candidate, FrameAxes axes)
{
    const fs::path& file = candidate.path();
    const OpenOptions& options = candidate.options();
    const std::stop_token& stop = candidate.stop();
    TiffFile opened(file);
    refuseSlices(file, file);
    const int inside = opened.imageJFrames();
    Scan scan;
    ScanFrames frames;
    frames.path = file.string();
    TiffPage page = opened.page();
    if (std::vector<TiffFrame> pages = tiffFramesIn({file}, stop); pages.size() > 1) {
        frames.projections = tiffSource(std::move(pages));
    } else if (inside > 1) {
        RawLayout layout{inside,          page.height,        page.width,
                         page.sampleType, opened.bigEndian(), static_cast<long long>(opened.dataPosition())};
        frames.projections = rawFrames(file, layout, false);
        frames.projections.filesMayGrow = false;
    } else {
        throw Error(ErrorKind::badFile, fileText(file.string()) + " is a single image of " +
                                            sizeText(page.width, page.height) +
                                            " pixels. If it is one sinogram (a row per projection), open it as that" +
                                            hint("sinogram") + "; if it is one projection of many, open its folder.");
    }
    scan.sampleType = page.sampleType;
    frames.rows = page.height;
    frames.bins = page.width;
    frames.darks = givenSides(options.darks, page.height, page.width, file.string(), stop);
    frames.flats = givenSides(options.flats, page.height, page.width, file.string(), stop);
    turnImages(scan, frames, axes);
    setGeometry(scan, options, frames, {}, {file.parent_path()});
    setFrames(scan, std::move(frames), options);
    return scan;
}

// Counts damaged files as missing frames, and removes them from `files`. The user may leave them out by their numbers,
// too.
void leaveOutDamaged(const std::vector<DamagedFile>& damaged, std::vector<fs::path>& files, ScanFrames& frames,
                     OpenOptions& options, std::vector<Note>& notes)
{
    for (auto one = damaged.rbegin(); one != damaged.rend(); ++one) {
        int number = one->number; // in the sequence without gaps
        for (const int missing : frames.missing)
            number += missing <= number ? 1 : 0;
        notes.push_back("Projection " + std::to_string(number) + ", counted from 0, is left out: " + one->error);
        files.erase(files.begin() + one->number);
        std::erase_if(options.reduction.leftOut, [&](const RowRange& range) {
            return range == RowRange{number, 1} && number >= frames.projections.frames;
        });
        frames.missing.insert(std::ranges::lower_bound(frames.missing, number), number);
    }
    if (!damaged.empty())
        frames.missingText = std::to_string(frames.missing.size()) +
                             (frames.missing.size() == 1 ? " frame is" : " frames are") + " missing or damaged";
}

Scan openFolder(const Candidate& candidate, FrameAxes axes)
{
    const fs::path& folder = candidate.path();
    OpenOptions options = candidate.options();
    const std::stop_token& stop = candidate.stop();
    Scan scan;
    // Without a trailing slash, so that its parent path is the folder above.
    const fs::path named = fs::absolute(folder / "").lexically_normal().parent_path();
    fs::path place = named;
    std::vector<fs::path> files = projectionFiles(place, scan.notes);
    if (axes.frame == 0)
        sortByAngles(files, scan.notes);
    refuseSlices(files[0], named);
    std::vector<DamagedFile> damaged;
    std::vector<TiffFrame> projections = tiffFramesIn(files, stop, axes.frame == 0 ? &damaged : nullptr);
    const TiffPage page = projections[0].page;
    scan.sampleType = page.sampleType;
    ScanFrames frames;
    frames.path = named.string();
    frames.rows = page.height;
    frames.bins = page.width;
    frames.projections = tiffSource(std::move(projections));
    if (axes.frame == 0) {
        findMissing(frames, files, static_cast<int>(damaged.size()));
        leaveOutDamaged(damaged, files, frames, options, scan.notes);
    }
    const std::string like = files[0].string();
    scan.folders = {place};
    if (axes.frame == 0 || !options.darks.empty())
        frames.darks =
            sideSource(options.darks, place, FrameKind::dark, page, frames.projections.frames, scan, like, stop);
    if (axes.frame == 0 || !options.flats.empty())
        frames.flats =
            sideSource(options.flats, place, FrameKind::flat, page, frames.projections.frames, scan, like, stop);
    turnImages(scan, frames, axes);
    RecordedGeometry recorded;
    if (const auto degrees = anglesInNames(files);
        degrees && axes.frame == 0 && degrees->size() == static_cast<std::size_t>(frames.projections.frames)) {
        for (const double angle : *degrees)
            recorded.anglesRad.push_back(angle * std::numbers::pi / 180);
        scan.sources.angles.where = "names of the files";
    }
    setGeometry(scan, options, frames, std::move(recorded), {place, place.parent_path()});
    setFrames(scan, std::move(frames), options);
    scan.name = named.filename().string();
    return scan;
}

Sure recognisesTiffStack(const Candidate& candidate)
{
    if (candidate.isFolder()) // its folders may hold TIFFs; if not, opening it says what is missing
        return Sure::possible;
    return isTiff(candidate.path()) ? Sure::certain : Sure::no;
}

Scan openTiffStack(const Candidate& candidate)
{
    const FrameAxes axes = axesOf(candidate);
    if (axes.row == 0)
        return openTiffSinograms(candidate);
    return candidate.isFolder() ? openFolder(candidate, axes) : openTiffFile(candidate, axes);
}

} // namespace

extern const Container tiffContainer = {
    .label = "TIFF",
    .withArticle = "a TIFF",
    .suffixes = {tiffSuffixes.begin(), tiffSuffixes.end()},
    .mimeTypes = {"image/tiff"},
    .recognises = isTiff,
};

extern const Reader tiffStackReader = {
    .id = "tiff-stack",
    .label = "TIFF stack",
    .summary = "Projections as pages of one file or as files of one folder, with darks and flats beside them",
    .container = &tiffContainer,
    .folders = "folder of TIFFs",
    .recognises = recognisesTiffStack,
    .takesAxes = true,
    .open = openTiffStack,
};

std::vector<fs::path> projectionFiles(fs::path& folder, std::vector<Note>& notes)
{
    const std::vector<fs::path> all = tiffsIn(folder);
    std::vector<fs::path> files = projectionsAmong(all, notes);
    if (!files.empty())
        return files;
    std::vector<fs::path> places;
    std::error_code unreadable; // not checked: tiffsIn() could read this folder
    for (const FolderEntry& entry : entriesOf(folder, unreadable))
        if (entry.isFolder() && kindOf(entry.path) == FrameKind::projection && !tiffsIn(entry.path).empty())
            places.push_back(entry.path);
    std::sort(places.begin(), places.end());
    if (places.size() == 1) {
        notes.push_back("The projections are in the folder " + fileText(places[0].filename().string()) + ".");
        folder = places[0];
        files = projectionsAmong(tiffsIn(folder), notes);
        if (!files.empty())
            return files;
    }
    std::string found;
    for (const fs::path& place : places)
        (found += found.empty() ? "" : ", ") += place.filename().string();
    throw Error(
        ErrorKind::badFile,
        "The folder " + fileText(folder.string()) + " holds no projections: " +
            (all.empty() ? std::string("there are no TIFF files in it")
                         : "all " + std::to_string(all.size()) + " TIFF files in it are named like darks or flats") +
            (places.size() > 1 ? ", and several of its subfolders hold projections (" + found + "). Open one of those."
                               : ". Open the folder that holds the projections."));
}

bool isSingleTiff(const fs::path& path)
{
    const std::string suffix = lowerCase(path.extension().string());
    if (suffix != ".tif" && suffix != ".tiff")
        return false;
    TiffFile opened(path);
    return opened.imageJFrames() <= 1 && tiffFramesIn({path}, {}).size() <= 1;
}

} // namespace engine
