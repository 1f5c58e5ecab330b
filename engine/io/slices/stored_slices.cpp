// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/slices/stored_slices.h"

#include "engine/base/error.h"
#include "engine/base/number_text.h"
#include "engine/io/formats/mat_file.h"
#include "engine/io/hdf5/hdf5_file.h"
#include "engine/io/slices/slice_stack.h"
#include "engine/io/tiff/tiff_file.h"
#include "engine/io/tiff/tiff_frames.h"

#include <algorithm>
#include <mutex>
#include <utility>

namespace engine
{

namespace fs = std::filesystem;

namespace
{

// "slices 0 to 4", "slice 7".
std::string slicesOf(const SliceStack& stack)
{
    const auto [first, last] = std::ranges::minmax(stack.slices);
    return first == last ? "slice " + std::to_string(first)
                         : "slices " + std::to_string(first) + " to " + std::to_string(last);
}

std::size_t placeOf(const SliceStack& stack, std::optional<int> slice, bool isOnly)
{
    if (isOnly || (!slice && stack.slices.size() == 1))
        return 0;
    if (!slice)
        throw Error(ErrorKind::badFile, stack.what + " has " + slicesOf(stack) +
                                            "; one image is needed, so specify which" + hint("slice") + ".");
    const auto found = std::ranges::find(stack.slices, *slice);
    if (found == stack.slices.end())
        throw Error(ErrorKind::badFile,
                    stack.what + " has " + slicesOf(stack) + ", but not slice " + std::to_string(*slice) + ".");
    return static_cast<std::size_t>(found - stack.slices.begin());
}

Volume imageOf(const SliceFrame& frame)
{
    Volume image(1, frame.height, frame.width);
    const SampleType& type = *frame.source.type;
    // Reads bands of whole strips or chunks, so that little more memory than the image's is needed.
    const std::size_t rowBytes = static_cast<std::size_t>(frame.width) * static_cast<std::size_t>(type.bytes);
    const int together = std::clamp(frame.source.rowsTogether, 1, frame.height);
    const auto bands = static_cast<int>(std::clamp<std::size_t>((8 << 20) / (rowBytes * together), 1, 1 << 16));
    const int rows = static_cast<int>(std::min<long long>(static_cast<long long>(together) * bands, frame.height));
    Buffer<char> stored(rowBytes * static_cast<std::size_t>(rows));
    for (int row = 0; row < frame.height; row += rows) {
        const int count = std::min(rows, frame.height - row);
        frame.source.read(0, 1, {row, count}, stored.data());
        type.toFloats(stored.data(), static_cast<std::size_t>(count) * frame.width,
                      image.values.data() + static_cast<std::size_t>(row) * frame.width);
    }
    if (frame.scale != 1 || frame.offset != 0)
        for (float& value : image.values)
            value = static_cast<float>(frame.offset + value * frame.scale);
    return image;
}

} // namespace

std::vector<std::string> datasetsThatFit(const fs::path& file, std::span<const SliceSize> fitting)
{
    std::error_code unreadable;
    if (!fs::is_regular_file(file, unreadable))
        return {};
    return Hdf5File::recognises(file) ? hdf5SetsThatFit(file, fitting)
           : isMat5(file)             ? matSetsThatFit(file, fitting)
                                      : std::vector<std::string>();
}

SliceStack slicesIn(const SlicesPath& path, std::span<const SliceSize> fitting)
{
    const Text quoted = fileText(path.file.string());
    std::error_code unreadable;
    const bool isFolder = fs::is_directory(path.file, unreadable);
    if (!isFolder && !fs::is_regular_file(path.file, unreadable))
        throw Error(ErrorKind::badFile, fs::exists(path.file, unreadable) ? quoted + " is neither a file nor a folder."
                                                                          : "There is no file " + quoted + ".");
    if (!isFolder && Hdf5File::recognises(path.file))
        return hdf5Slices(path, fitting);
    if (!isFolder && isMat5(path.file))
        return matSlices(path, fitting);
    if (!isFolder && !isTiff(path.file))
        throw Error(ErrorKind::badFile,
                    quoted + " is neither an HDF5, a MATLAB nor a TIFF file; an image or a volume is needed.");
    if (!path.dataset.empty())
        throw Error(ErrorKind::badFile, quoted + " is not an HDF5 file and has no data set " + path.dataset + ".");
    return tiffSlices(path.file);
}

bool fits(const SliceSize& size, std::span<const SliceSize> fitting)
{
    return fitting.empty() || std::ranges::find(fitting, size) != fitting.end();
}

void throwMisfit(const Text& what, const SliceSize& size, std::span<const SliceSize> fitting, bool isVolume)
{
    throw SizeMisfit(
        what + " has " + sizeText(size.width, size.height) + " pixels per slice, but the slices to compare with have " +
            sizeText(fitting[0].width, fitting[0].height) + ". Choose a file on the same grid" +
            (isVolume ? "; for a volume with its dimensions in another order, specify it: FILE#/DATA/SET@y:z:x." : "."),
        size);
}

struct StoredSlices::Impl {
    SlicesPath path;
    std::vector<SliceSize> fitting;
    SliceStack stack;
    std::mutex opening = {};

    Impl(const SlicesPath& path_, std::vector<SliceSize> fitting_, SliceStack stack_)
        : path(path_), fitting(std::move(fitting_)), stack(std::move(stack_))
    {
    }
};

StoredSlices::StoredSlices(const SlicesPath& path, std::span<const SliceSize> fitting)
    : m_impl(std::make_unique<Impl>(path, std::vector(fitting.begin(), fitting.end()), slicesIn(path, fitting)))
{
}

StoredSlices::~StoredSlices() = default;

const std::vector<int>& StoredSlices::numbers() const
{
    return m_impl->stack.slices;
}

StoredSlice StoredSlices::read(std::optional<int> slice) const
{
    const SliceStack& stack = m_impl->stack;
    StoredSlice made;
    made.isOnly = stack.slices.size() == 1 && !stack.isPlaced;
    const std::size_t place = placeOf(stack, slice, made.isOnly);
    const SliceFrame frame = [&] {
        const std::scoped_lock lock(m_impl->opening);
        return stack.open(place);
    }();
    if (const SliceSize size{frame.width, frame.height}; !fits(size, m_impl->fitting))
        throwMisfit(stack.what, size, m_impl->fitting, stack.slices.size() > 1);
    made.files.add(frame.source.files, false);
    made.image = imageOf(frame);
    made.files.requireUnchanged();
    made.unit = m_impl->path.unit.empty() ? frame.unit : m_impl->path.unit;
    made.pixel = frame.pixel;
    made.axes = stack.guessedAxes;
    made.recordedSlice = frame.recordedSlice;
    if (!made.recordedSlice && stack.isPlaced)
        made.recordedSlice = stack.slices[place];
    made.recordedPlane = frame.recordedPlane;
    if (stack.isByName && !frame.source.files.empty())
        made.byName = frame.source.files.front().filename().string();
    return made;
}

StoredSlice readSlice(const SlicesPath& path, std::optional<int> slice, std::span<const SliceSize> fitting)
{
    return StoredSlices(path, fitting).read(slice);
}

} // namespace engine
