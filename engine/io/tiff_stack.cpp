#include "engine/io/tiff_stack.h"

#include "engine/error.h"
#include "engine/io/raw_file.h"
#include "engine/io/tiff_file.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <limits>
#include <memory>
#include <numbers>

namespace engine
{

namespace fs = std::filesystem;

namespace
{

struct TiffFrame {
    fs::path file;
    TiffPage page;
};

std::string sizeText(int width, int height)
{
    return std::to_string(width) + " x " + std::to_string(height);
}

// Digits compare as numbers, so that 9 comes before 10.
bool naturalLess(const std::string& a, const std::string& b)
{
    const auto digit = [](char c) { return c >= '0' && c <= '9'; };
    std::size_t i = 0, k = 0;
    while (i < a.size() && k < b.size()) {
        if (!digit(a[i]) || !digit(b[k])) {
            if (a[i] != b[k])
                return a[i] < b[k];
            ++i, ++k;
            continue;
        }
        std::size_t ai = i, bk = k;
        while (ai < a.size() && digit(a[ai]))
            ++ai;
        while (bk < b.size() && digit(b[bk]))
            ++bk;
        while (i + 1 < ai && a[i] == '0')
            ++i;
        while (k + 1 < bk && b[k] == '0')
            ++k;
        if (ai - i != bk - k)
            return ai - i < bk - k;
        if (const int order = a.compare(i, ai - i, b, k, bk - k))
            return order < 0;
        i = ai, k = bk;
    }
    return a.size() - i < b.size() - k;
}

std::vector<fs::path> tiffsIn(const fs::path& folder)
{
    std::vector<fs::path> files;
    std::error_code unreadable;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, unreadable)) {
        std::string extension = entry.path().extension().string();
        std::transform(extension.begin(), extension.end(), extension.begin(), ::tolower);
        if ((extension == ".tif" || extension == ".tiff") && !entry.path().filename().string().starts_with('.') &&
            entry.is_regular_file())
            files.push_back(entry.path());
    }
    if (unreadable)
        throw Error(ErrorKind::badFile,
                    "The folder '" + folder.string() + "' can't be read: " + unreadable.message() + ".");
    std::sort(files.begin(), files.end(), [](const fs::path& a, const fs::path& b) {
        return naturalLess(a.filename().string(), b.filename().string());
    });
    return files;
}

enum class Kind { projections, darks, flats };

// dark…, flat…, and di or ff where no further letter follows: "di_0001", not "disc_0001".
Kind kindOf(const fs::path& path)
{
    std::string name = path.filename().string();
    std::transform(name.begin(), name.end(), name.begin(), ::tolower);
    const bool shortName = name.size() < 3 || !std::isalpha(static_cast<unsigned char>(name[2]));
    if (name.starts_with("dark") || (name.starts_with("di") && shortName))
        return Kind::darks;
    if (name.starts_with("flat") || (name.starts_with("ff") && shortName))
        return Kind::flats;
    return Kind::projections;
}

std::vector<TiffFrame> framesIn(const std::vector<fs::path>& files)
{
    std::vector<TiffFrame> frames;
    for (const fs::path& file : files)
        for (const TiffPage& page : TiffFile(file).pages())
            frames.push_back({file, page});
    for (const TiffFrame& frame : frames)
        if (frame.page.width != frames[0].page.width || frame.page.height != frames[0].page.height)
            throw Error(ErrorKind::badFile, "The frames differ in size: '" + frames[0].file.string() + "' has " +
                                                sizeText(frames[0].page.width, frames[0].page.height) + " pixels, '" +
                                                frame.file.string() + "' has " +
                                                sizeText(frame.page.width, frame.page.height) + ".");
    return frames;
}

FrameSource sourceOf(std::vector<TiffFrame> frames)
{
    FrameSource source;
    source.frames = static_cast<int>(frames.size());
    source.step = 1; // a compressed frame of 2048² may take tens of milliseconds
    for (const TiffFrame& frame : frames)
        if (source.files.empty() || source.files.back() != frame.file)
            source.files.push_back(frame.file);
    source.read = [frames = std::move(frames)](int first, int count, RowRange rows, float* out) {
        std::unique_ptr<TiffFile> open;
        const fs::path* opened = nullptr;
        for (int i = first; i < first + count; ++i) {
            const TiffFrame& frame = frames[static_cast<std::size_t>(i)];
            if (!opened || *opened != frame.file)
                open = std::make_unique<TiffFile>(frame.file);
            opened = &frame.file;
            open->select(frame.page);
            if (open->page() != frame.page)
                throw Error(ErrorKind::badFile, "'" + frame.file.string() + "' changed after the scan was opened.");
            open->readRows(rows.first, rows.count, out);
            out += static_cast<std::size_t>(rows.count) * frame.page.width;
        }
    };
    return source;
}

// Pages are rows of the scan, a page's rows are its projections.
FrameSource sinogramSource(const fs::path& file, std::vector<TiffPage> pages)
{
    FrameSource source;
    source.frames = pages[0].height;
    source.step = 256;
    source.stepRows = std::numeric_limits<int>::max(); // a compressed strip may hold many projections
    source.files = {file};
    source.read = [file, pages = std::move(pages)](int first, int count, RowRange rows, float* out) {
        TiffFile open(file);
        const std::size_t bins = static_cast<std::size_t>(pages[0].width);
        std::vector<float> part(static_cast<std::size_t>(count) * bins);
        for (int row = 0; row < rows.count; ++row) {
            open.select(pages[static_cast<std::size_t>(rows.first + row)]);
            open.readRows(first, count, part.data());
            for (int frame = 0; frame < count; ++frame)
                std::copy_n(part.data() + frame * bins, bins,
                            out + (static_cast<std::size_t>(frame) * rows.count + row) * bins);
        }
    };
    return source;
}

std::vector<TiffPage> evenPages(const fs::path& file)
{
    std::vector<TiffPage> pages;
    for (const TiffFrame& frame : framesIn({file}))
        pages.push_back(frame.page);
    return pages;
}

FrameSource sinogramSide(const fs::path& file, int rows, int bins)
{
    if (file.empty())
        return {};
    std::vector<TiffPage> pages = evenPages(file);
    if (static_cast<int>(pages.size()) != rows || pages[0].width != bins)
        throw Error(ErrorKind::badFile, "'" + file.string() + "' has " + std::to_string(pages.size()) + " rows of " +
                                            std::to_string(pages[0].width) + " bins, but the sinogram has " +
                                            std::to_string(rows) + " of " + std::to_string(bins) + ".");
    return sinogramSource(file, std::move(pages));
}

// Files of one kind beside the projections: in their folder, in its folders named so, or in the
// folder above.
std::vector<fs::path> filesBeside(const fs::path& folder, Kind kind)
{
    for (const fs::path& place : {folder, folder.parent_path()}) {
        if (place.empty())
            continue;
        std::vector<fs::path> files;
        std::error_code unreadable;
        for (const fs::path& file : tiffsIn(place))
            if (kindOf(file) == kind)
                files.push_back(file);
        if (!files.empty())
            return files;
        for (const fs::directory_entry& entry : fs::directory_iterator(place, unreadable))
            if (entry.is_directory(unreadable) && kindOf(entry.path()) == kind)
                if (files = tiffsIn(entry.path()); !files.empty())
                    return files;
    }
    return {};
}

FrameSource sideSource(const fs::path& given, const fs::path& folder, Kind kind, const TiffPage& page, Scan& scan,
                       const std::string& like)
{
    if (!given.empty())
        return tiffFrames(given, page.height, page.width, like);
    const std::vector<fs::path> files = filesBeside(folder, kind);
    if (files.empty())
        return {};
    // A folder of their own: what is put there would be one of them.
    if (const fs::path own = files[0].parent_path(); own != folder && own != folder.parent_path())
        scan.folders.push_back(own);
    std::vector<TiffFrame> frames = framesIn(files);
    const std::string name = kind == Kind::darks ? "Darks" : "Flats";
    if (frames[0].page.width == page.width && frames[0].page.height == page.height) {
        scan.notes.push_back(name + " come from '" + files[0].filename().string() + "'" +
                             (files.size() > 1 ? " and " + std::to_string(files.size() - 1) + " more files" : "") +
                             " beside the projections.");
        return sourceOf(std::move(frames));
    }
    const std::string sizes = "'" + files[0].string() + "' has " +
                              sizeText(frames[0].page.width, frames[0].page.height) + " pixels, '" + like + "' has " +
                              sizeText(page.width, page.height);
    if (files[0].parent_path() == folder)
        throw Error(ErrorKind::badFile, "Projections and " + name + " differ in size: " + sizes +
                                            ". Name the right ones with --darks and --flats.");
    scan.notes.push_back(name + " in the folder above are not used: " + sizes + ".");
    return {};
}

// The folder itself where it holds projections, else the one folder in it that does.
std::vector<fs::path> projectionFiles(fs::path& folder, std::vector<std::string>& notes)
{
    std::vector<fs::path> all = tiffsIn(folder), files;
    std::copy_if(all.begin(), all.end(), std::back_inserter(files),
                 [](const fs::path& file) { return kindOf(file) == Kind::projections; });
    if (!files.empty())
        return files;
    std::vector<fs::path> places;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder))
        if (entry.is_directory() && kindOf(entry.path()) == Kind::projections && !tiffsIn(entry.path()).empty())
            places.push_back(entry.path());
    std::sort(places.begin(), places.end());
    if (places.size() == 1) {
        notes.push_back("The projections are in the folder '" + places[0].filename().string() + "'.");
        folder = places[0];
        files = tiffsIn(folder);
        std::erase_if(files, [](const fs::path& file) { return kindOf(file) != Kind::projections; });
        if (!files.empty())
            return files;
    }
    std::string found;
    for (const fs::path& place : places)
        (found += found.empty() ? "" : ", ") += place.filename().string();
    throw Error(ErrorKind::badFile,
                "The folder '" + folder.string() + "' holds no projections: " +
                    (all.empty()
                         ? std::string("there are no TIFF files in it")
                         : "all " + std::to_string(all.size()) + " TIFF files in it are named as darks or flats") +
                    (places.size() > 1 ? ", and several of its folders have some (" + found + "). Open one of those."
                                       : ". Open the folder that holds the projections."));
}

void setAngles(Scan& scan, const OpenOptions& options, int bins, int projections, const std::string& path,
               const std::vector<fs::path>& folders)
{
    ParallelBeam beam;
    beam.bins = bins;
    beam.anglesRad = anglesFromOptions(options, projections, path);
    if (beam.anglesRad.empty())
        beam.anglesRad = anglesBeside(folders, projections, scan);
    scan.geometry = std::move(beam);
}

Scan openSinogram(const fs::path& file, const OpenOptions& options)
{
    const std::vector<TiffPage> pages = evenPages(file);
    Scan scan;
    scan.format = "TIFF sinogram";
    scan.sampleType = pages[0].sampleType;
    ScanFrames frames;
    frames.path = file.string();
    frames.rows = static_cast<int>(pages.size());
    frames.bins = pages[0].width;
    frames.projections = sinogramSource(file, pages);
    frames.darks = sinogramSide(options.darks, frames.rows, frames.bins);
    frames.flats = sinogramSide(options.flats, frames.rows, frames.bins);
    setAngles(scan, options, frames.bins, pages[0].height, frames.path, {file.parent_path()});
    setFrames(scan, std::move(frames), options);
    return scan;
}

} // namespace

bool isTiff(const fs::path& file)
{
    std::array<char, 4> magic{};
    std::ifstream(file, std::ios::binary).read(magic.data(), magic.size());
    const std::string_view text(magic.data(), magic.size());
    using namespace std::string_view_literals;
    return text == "II*\0"sv || text == "MM\0*"sv || text == "II+\0"sv || text == "MM\0+"sv;
}

FrameSource tiffFrames(const fs::path& path, int rows, int bins, const std::string& like)
{
    if (path.empty())
        return {};
    std::error_code unreadable;
    const std::vector<fs::path> files = fs::is_directory(path, unreadable) ? tiffsIn(path) : std::vector{path};
    if (files.empty())
        throw Error(ErrorKind::badFile, "The folder '" + path.string() + "' has no TIFF files in it.");
    std::vector<TiffFrame> frames = framesIn(files);
    if (frames[0].page.width != bins || frames[0].page.height != rows)
        throw Error(ErrorKind::badFile, "'" + files[0].string() + "' has " +
                                            sizeText(frames[0].page.width, frames[0].page.height) + " pixels, but '" +
                                            like + "' has " + sizeText(bins, rows) + ".");
    return sourceOf(std::move(frames));
}

std::vector<double> anglesBeside(const std::vector<fs::path>& folders, int projections, Scan& scan)
{
    using std::numbers::pi;
    for (const fs::path& folder : folders) {
        const fs::path file = folder / "angles.txt";
        std::error_code unreadable;
        if (!fs::is_regular_file(file, unreadable))
            continue;
        try {
            std::vector<double> angles = readAngles(file);
            if (static_cast<int>(angles.size()) == projections) {
                scan.notes.push_back("The angles come from '" + file.string() + "'.");
                scan.files.push_back(file);
                return angles;
            }
            scan.notes.push_back("'" + file.string() + "' is not used: it has " + std::to_string(angles.size()) +
                                 " angles for " + std::to_string(projections) + " projections.");
        } catch (const Error& error) {
            scan.notes.push_back(std::string("The angles beside the scan are not used: ") + error.what());
        }
    }
    scan.notes.push_back("No angles are known; 0 to 180° without the end is assumed.");
    scan.anglesAssumed = true;
    return evenAngles(0, pi * (projections - 1) / projections, projections);
}

Scan openTiffFile(const fs::path& file, const OpenOptions& options)
{
    if (options.sinogram)
        return openSinogram(file, options);
    TiffFile opened(file);
    const int inside = opened.imageJFrames();
    Scan scan;
    scan.format = "TIFF stack";
    ScanFrames frames;
    frames.path = file.string();
    TiffPage page = opened.page();
    if (std::vector<TiffFrame> pages = framesIn({file}); pages.size() > 1) {
        frames.projections = sourceOf(std::move(pages));
    } else if (inside > 1) {
        RawLayout layout{inside,          page.height,        page.width,
                         page.sampleType, opened.bigEndian(), static_cast<long long>(opened.dataPosition())};
        frames.projections = rawFrames(file, layout, false);
    } else {
        throw Error(ErrorKind::badFile, "'" + file.string() + "' is a single image of " +
                                            sizeText(page.width, page.height) +
                                            " pixels. If it is one sinogram (a row per projection), open it with "
                                            "--sinogram; if it is one projection of many, open its folder.");
    }
    scan.sampleType = page.sampleType;
    frames.rows = page.height;
    frames.bins = page.width;
    frames.darks = tiffFrames(options.darks, page.height, page.width, file.string());
    frames.flats = tiffFrames(options.flats, page.height, page.width, file.string());
    setAngles(scan, options, page.width, frames.projections.frames, frames.path, {file.parent_path()});
    setFrames(scan, std::move(frames), options);
    return scan;
}

Scan openTiffFolder(const fs::path& folder, const OpenOptions& options)
{
    if (options.sinogram)
        throw Error(ErrorKind::badRequest, "'" + folder.string() + "' is a folder; a sinogram is a single TIFF file.");
    Scan scan;
    scan.format = "TIFF stack";
    // Without a closing slash, so that the folder above can be told from it.
    const fs::path named = fs::absolute(folder / "").lexically_normal().parent_path();
    fs::path place = named;
    const std::vector<fs::path> files = projectionFiles(place, scan.notes);
    std::vector<TiffFrame> projections = framesIn(files);
    const TiffPage page = projections[0].page;
    scan.sampleType = page.sampleType;
    ScanFrames frames;
    frames.path = named.string();
    frames.rows = page.height;
    frames.bins = page.width;
    frames.projections = sourceOf(std::move(projections));
    const std::string like = files[0].string();
    scan.folders = {place};
    frames.darks = sideSource(options.darks, place, Kind::darks, page, scan, like);
    frames.flats = sideSource(options.flats, place, Kind::flats, page, scan, like);
    setAngles(scan, options, page.width, frames.projections.frames, frames.path, {place, place.parent_path()});
    setFrames(scan, std::move(frames), options);
    scan.name = named.filename().string();
    return scan;
}

} // namespace engine
