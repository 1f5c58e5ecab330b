// SPDX-License-Identifier: GPL-3.0-or-later
// Slices in TIFF files: one image, the pages of one file, or the files of a folder.
#include "engine/base/error.h"
#include "engine/base/number_text.h"
#include "engine/io/formats/raw_file.h"
#include "engine/io/slices/slice_stack.h"
#include "engine/io/tiff/tiff_frames.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

namespace engine
{

namespace fs = std::filesystem;

namespace
{

// Reads one of the frames that are stored consecutively under a single page, as ImageJ does beyond 4 GB.
FrameSource imageJFrame(const fs::path& path, const TiffFile& file, std::size_t place)
{
    const TiffPage page = file.page();
    const long long bytes = static_cast<long long>(page.width) * page.height * findSampleType(page.sampleType)->bytes;
    const long long at = static_cast<long long>(file.dataPosition()) + static_cast<long long>(place) * bytes;
    return rawFrames(path, {1, page.height, page.width, page.sampleType, file.bigEndian(), at}, false);
}

SliceFrame frameOf(const fs::path& path, const TiffPage& page)
{
    TiffFile file(path);
    file.select(page);
    SliceFrame frame{.source = {},
                     .width = page.width,
                     .height = page.height,
                     .unit = unitDescribed(file.description()),
                     .pixel = pixelDescribed(file.description()),
                     .recordedSlice = sliceDescribed(file.description()),
                     .recordedPlane = planeDescribed(file.description())};
    if (const auto range = rangeDescribed(file.description()))
        frame.scale = range->step(), frame.offset = range->least;
    frame.source = tiffSource({{path, page}});
    return frame;
}

SliceStack slicesOfFile(const fs::path& path)
{
    TiffFile file(path);
    const int inside = file.imageJFrames();
    const TiffPage first = file.page();
    std::vector<TiffPage> pages = file.pages();
    SliceStack stack;
    stack.what = fileText(path.string());
    const bool isImageJ = pages.size() == 1 && inside > 1;
    stack.slices.resize(isImageJ ? static_cast<std::size_t>(inside) : pages.size());
    std::iota(stack.slices.begin(), stack.slices.end(), 0);
    if (isImageJ)
        stack.open = [path, first](std::size_t place) {
            return SliceFrame{.source = imageJFrame(path, TiffFile(path), place),
                              .width = first.width,
                              .height = first.height,
                              .unit = {}};
        };
    else
        stack.open = [path, pages = std::move(pages)](std::size_t place) { return frameOf(path, pages[place]); };
    return stack;
}

// Splits "slice_00040.tiff" into "slice_" and 40; nothing if the name doesn't end with a number.
std::optional<std::pair<std::string, int>> numberedName(const fs::path& file)
{
    const std::string stem = file.stem().string();
    const std::size_t begin = stem.find_last_not_of("0123456789") + 1;
    if (begin == stem.size() || stem.size() - begin > 9)
        return {};
    return std::pair(stem.substr(0, begin),
                     static_cast<int>(integerFromText(stem.substr(begin), "the slice's number")));
}

// Returns the numbers in the names if all names have one; else their positions in the list.
std::vector<int> numbersOf(const fs::path& folder, const std::vector<fs::path>& files, bool& areNamed)
{
    std::vector<int> numbers;
    std::set<std::string> series;
    for (const fs::path& file : files)
        if (const auto name = numberedName(file)) {
            series.insert(name->first);
            numbers.push_back(name->second);
        }
    areNamed = numbers.size() == files.size();
    if (areNamed && series.size() > 1)
        throw Error(ErrorKind::badFile, "The folder " + fileText(folder.string()) +
                                            " has images of several volumes: '" + *series.begin() + "…' and '" +
                                            *series.rbegin() + "…'. Put each volume into a folder of its own.");
    if (!areNamed) {
        numbers.resize(files.size());
        std::iota(numbers.begin(), numbers.end(), 0);
    }
    return numbers;
}

} // namespace

SliceStack tiffSlices(const fs::path& path)
{
    std::error_code unreadable;
    if (!fs::is_directory(path, unreadable))
        return slicesOfFile(path);
    std::vector<fs::path> files = tiffsIn(path);
    if (files.empty())
        throw Error(ErrorKind::badFile, "The folder " + fileText(path.string()) + " has no TIFF files in it.");
    SliceStack stack;
    stack.what = fileText(path.string());
    stack.slices = numbersOf(path, files, stack.isPlaced);
    stack.isByName = !stack.isPlaced;
    stack.open = [files = std::move(files)](std::size_t place) {
        const SliceStack file = slicesOfFile(files[place]);
        if (file.slices.size() > 1)
            throw Error(ErrorKind::badFile,
                        fileText(files[place].string()) + " has " + std::to_string(file.slices.size()) +
                            " pages, but each file of a folder must hold one slice. To read this file, name it "
                            "instead of the folder.");
        return file.open(0);
    };
    return stack;
}

} // namespace engine
