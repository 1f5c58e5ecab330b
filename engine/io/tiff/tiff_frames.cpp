// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/tiff/tiff_frames.h"

#include "engine/base/error.h"
#include "engine/base/parallel_for.h"
#include "engine/io/files/folder_entries.h"
#include "engine/io/files/input_file.h"
#include "engine/io/frames/stored_frames.h"

#include <algorithm>
#include <exception>
#include <memory>
#include <optional>
#include <utility>

namespace engine
{

namespace fs = std::filesystem;

std::string sizeText(int width, int height)
{
    return std::to_string(width) + " x " + std::to_string(height);
}

namespace
{

// Compares sequences of digits as numbers, so that 9 comes before 10.
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

} // namespace

std::vector<fs::path> tiffsIn(const fs::path& folder)
{
    std::vector<fs::path> files;
    std::error_code unreadable;
    for (const FolderEntry& entry : entriesOf(folder, unreadable))
        if (hasTiffSuffix(entry.path) && !entry.path.filename().string().starts_with('.')) {
            if (entry.isFile())
                files.push_back(entry.path);
            else if (entry.type == fs::file_type::none || entry.type == fs::file_type::not_found) // a broken link
                throw Error(ErrorKind::badFile,
                            fileText(entry.path.string()) + " can't be read: " + whyNotRead(entry.path) + ".");
        }
    if (unreadable)
        throw Error(ErrorKind::badFile,
                    "The folder " + fileText(folder.string()) + " can't be read: " + unreadable.message() + ".");
    std::sort(files.begin(), files.end(), [](const fs::path& a, const fs::path& b) {
        return naturalLess(a.filename().string(), b.filename().string());
    });
    return files;
}

namespace
{

struct NumberedName {
    std::string before, after;
    long long number = -1; // −1: none
};

NumberedName numberedName(const std::string& stem)
{
    const std::size_t last = stem.find_last_of("0123456789");
    if (last == std::string::npos)
        return {};
    const std::size_t other = stem.find_last_not_of("0123456789", last);
    const std::size_t first = other == std::string::npos ? 0 : other + 1;
    if (last - first >= 18) // a time, not a count
        return {};
    return {stem.substr(0, first), stem.substr(last + 1), std::stoll(stem.substr(first, last + 1 - first))};
}

// Returns the step between at least three quarters of the neighbouring numbers, if all steps are multiples of it; 0:
// none.
long long stepOf(const std::vector<long long>& numbers)
{
    std::vector<long long> steps;
    for (std::size_t k = 1; k < numbers.size(); ++k)
        steps.push_back(numbers[k] - numbers[k - 1]);
    if (steps.empty())
        return 0;
    const long long step = *std::ranges::min_element(steps);
    const auto isStep = [step](long long one) { return one == step; };
    const auto isMultiple = [step](long long one) { return one % step == 0; };
    return step > 0 && std::ranges::all_of(steps, isMultiple) &&
                   4 * std::ranges::count_if(steps, isStep) >= 3 * static_cast<long long>(steps.size())
               ? step
               : 0;
}

} // namespace

void findMissing(ScanFrames& frames, const std::vector<fs::path>& files, int damaged)
{
    if (static_cast<int>(files.size()) != frames.projections.frames + damaged)
        return;
    std::vector<long long> numbers;
    NumberedName like;
    for (const fs::path& file : files) {
        const NumberedName name = numberedName(file.stem().string());
        if (numbers.empty())
            like = name;
        if (name.number < 0 || name.before != like.before || name.after != like.after)
            return;
        numbers.push_back(name.number);
    }
    const long long step = stepOf(numbers);
    if (step == 0 || (numbers.back() - numbers.front()) / step >= mostFrames)
        return;
    constexpr int mostNamed = 5;
    std::string named;
    for (std::size_t k = 1; k < numbers.size(); ++k)
        for (long long number = numbers[k - 1] + step; number < numbers[k]; number += step) {
            frames.missing.push_back(static_cast<int>((number - numbers.front()) / step));
            if (const std::size_t count = frames.missing.size(); count <= mostNamed)
                named += (count == 1 ? "" : ", ") + std::to_string(number);
        }
    if (frames.missing.empty())
        return;
    const std::size_t count = frames.missing.size();
    frames.missingText = (count == 1 ? "1 frame is missing" : std::to_string(count) + " frames are missing") +
                         " in the numbers of the files '" + like.before + "…" + like.after +
                         files.front().extension().string() + "' (" + named + (count > mostNamed ? ", …" : "") + ")";
}

std::vector<TiffFrame> tiffFramesIn(const std::vector<fs::path>& files, const std::stop_token& stop,
                                    std::vector<DamagedFile>* damaged)
{
    constexpr std::size_t mostDamaged = 10; // one of so many files
    // Uses all threads, as there may be tens of thousands of files; the error reported is that of the first faulty
    // file.
    std::vector<std::vector<TiffPage>> pages(files.size());
    std::vector<std::exception_ptr> wrong(files.size());
    parallelFor(0, static_cast<int>(files.size()), [&](int index) {
        const auto k = static_cast<std::size_t>(index);
        try {
            pages[k] = TiffFile(files[k]).pages(stop);
        } catch (const Error&) {
            wrong[k] = std::current_exception();
        }
    });
    std::vector<TiffFrame> frames;
    const bool isPossible =
        damaged &&
        static_cast<std::size_t>(std::ranges::count_if(wrong, [](const auto& one) { return one != nullptr; })) *
                mostDamaged <=
            files.size();
    for (std::size_t k = 0; k < files.size(); ++k) {
        if (wrong[k])
            try {
                std::rethrow_exception(wrong[k]);
            } catch (const Error& error) {
                if (!isPossible || error.kind() != ErrorKind::badFile)
                    throw;
                damaged->push_back({static_cast<int>(k), error.text()});
            }
        for (const TiffPage& page : pages[k])
            frames.push_back({files[k], page});
    }
    for (const TiffFrame& frame : frames)
        if (frame.page.width != frames[0].page.width || frame.page.height != frames[0].page.height)
            throw Error(ErrorKind::badFile, "The frames differ in size: " + fileText(frames[0].file.string()) +
                                                " has " + sizeText(frames[0].page.width, frames[0].page.height) +
                                                " pixels, " + fileText(frame.file.string()) + " has " +
                                                sizeText(frame.page.width, frame.page.height) + ".");
    return frames;
}

namespace
{

// Rows that are stored as they are can be read without libtiff, which reads whole strips: often all rows.
std::optional<StoredFrames> storedOf(const std::vector<TiffFrame>& frames)
{
    const TiffPage& like = frames[0].page;
    const SampleType* type = findSampleType(like.sampleType);
    if (!type)
        return {};
    StoredFrames stored{.type = *type, .bigEndian = like.bigEndian, .bins = like.width, .files = {}, .frames = {}};
    for (const TiffFrame& frame : frames) {
        if (frame.page.plainAt < 0 || frame.page.sampleType != like.sampleType ||
            frame.page.bigEndian != like.bigEndian)
            return {};
        if (stored.files.empty() || stored.files.back() != frame.file)
            stored.files.push_back(frame.file);
        stored.frames.push_back({static_cast<int>(stored.files.size()) - 1, frame.page.plainAt});
    }
    return stored;
}

} // namespace

namespace
{

template <typename Number>
void invert(char* numbers, std::size_t count)
{
    auto* const first = reinterpret_cast<Number*>(numbers);
    std::transform(first, first + count, first, [](Number number) { return static_cast<Number>(~number); });
}

FrameSource sourceOf(std::vector<TiffFrame> frames);

} // namespace

// Whole numbers of 8 and 16 bits whose file says that 0 is white are inverted, so that more light is a larger number.
FrameSource tiffSource(std::vector<TiffFrame> frames)
{
    const bool areInverted = std::ranges::all_of(frames, [](const TiffFrame& frame) { return frame.page.whiteIsZero; });
    const int bins = frames[0].page.width;
    FrameSource source = sourceOf(std::move(frames));
    const std::string type = source.type->name;
    if (!areInverted || (type != "uint8" && type != "uint16"))
        return source;
    source.notes.push_back("The TIFFs specify that 0 is white (WhiteIsZero): their numbers were inverted, so that more "
                           "light is a larger number.");
    source.read = [read = std::move(source.read), bins, isByte = type == "uint8"](int first, int count, RowRange rows,
                                                                                  char* out) {
        read(first, count, rows, out);
        const std::size_t numbers = static_cast<std::size_t>(count) * rows.count * bins;
        isByte ? invert<std::uint8_t>(out, numbers) : invert<std::uint16_t>(out, numbers);
    };
    return source;
}

namespace
{

FrameSource sourceOf(std::vector<TiffFrame> frames)
{
    if (auto stored = storedOf(frames)) {
        FrameSource source = storedFrames(*std::move(stored));
        source.filesMayGrow = false; // a TIFF that has grown was written anew
        return source;
    }
    FrameSource source;
    source.filesMayGrow = false;
    source.frames = static_cast<int>(frames.size());
    for (const TiffFrame& frame : frames)
        source.rowsTogether = std::max(source.rowsTogether, frame.page.rowsTogether);
    // A compressed frame of 2048² may take tens of milliseconds; several small ones are read through one handle.
    source.step = static_cast<int>(
        std::max(1LL, (1LL << 18) / (static_cast<long long>(frames[0].page.width) * frames[0].page.height)));
    source.concurrent = true;
    for (const TiffFrame& frame : frames)
        if (source.files.empty() || source.files.back() != frame.file)
            source.files.push_back(frame.file);
    const bool isAlike = std::ranges::all_of(
        frames, [&](const TiffFrame& frame) { return frame.page.sampleType == frames[0].page.sampleType; });
    if (const SampleType* stored = findSampleType(frames[0].page.sampleType); stored && isAlike)
        source.type = &keptType(*stored);
    source.read = [frames = std::move(frames), type = source.type](int first, int count, RowRange rows, char* out) {
        std::unique_ptr<TiffFile> open;
        const fs::path* opened = nullptr;
        for (int i = first; i < first + count; ++i) {
            const TiffFrame& frame = frames[static_cast<std::size_t>(i)];
            if (!opened || *opened != frame.file)
                open = std::make_unique<TiffFile>(frame.file);
            opened = &frame.file;
            open->select(frame.page);
            if (open->page() != frame.page)
                throw Error(ErrorKind::badFile, fileText(frame.file.string()) + " changed after the scan was opened.");
            open->readRows(rows.first, rows.count, *type, out);
            out += static_cast<std::size_t>(rows.count) * frame.page.width * type->bytes;
        }
    };
    return source;
}

} // namespace

FrameSource tiffFrames(const fs::path& path, int rows, int bins, const std::string& like, const std::stop_token& stop)
{
    if (path.empty())
        return {};
    std::error_code unreadable;
    const std::vector<fs::path> files = fs::is_directory(path, unreadable) ? tiffsIn(path) : std::vector{path};
    if (files.empty())
        throw Error(ErrorKind::badFile, "The folder " + fileText(path.string()) + " has no TIFF files in it.");
    std::vector<TiffFrame> frames = tiffFramesIn(files, stop);
    if (frames[0].page.width != bins || frames[0].page.height != rows)
        throw Error(ErrorKind::badFile, fileText(files[0].string()) + " has " +
                                            sizeText(frames[0].page.width, frames[0].page.height) + " pixels, but '" +
                                            like + "' has " + sizeText(bins, rows) + ".");
    return tiffSource(std::move(frames));
}

} // namespace engine
