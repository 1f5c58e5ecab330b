// SPDX-License-Identifier: GPL-3.0-or-later
// Slices in MATLAB files of version 5: a matrix is an image, an array of three dimensions a volume of slices.
#include "engine/base/error.h"
#include "engine/base/number_text.h"
#include "engine/io/formats/mat_file.h"
#include "engine/io/slices/slice_stack.h"
#include "engine/io/tiff/tiff_frames.h"

#include <algorithm>
#include <memory>
#include <numeric>

namespace engine
{

namespace
{

SliceSize sizeOf(const MatVariable& array, const std::filesystem::path& file)
{
    const auto count = [&](std::size_t size, const char* what) {
        return checkedCount(static_cast<long long>(std::min<std::size_t>(size, 1LL << 40)), file.string(),
                            std::string("the number of ") + what + " of " + array.name, mostAcross);
    };
    return {count(array.shape[1], "columns"), count(array.shape[0], "rows")};
}

std::size_t slicesOf(const MatVariable& array)
{
    return array.shape.size() > 2 ? array.shape[2] : 1;
}

std::string inWords(const std::vector<MatVariable>& arrays, const std::filesystem::path& file)
{
    std::string text;
    for (const MatVariable& one : arrays) {
        const SliceSize size = sizeOf(one, file);
        text += (text.empty() ? "/" : ", /") + one.name + " (" + sizeText(size.width, size.height) +
                (slicesOf(one) > 1 ? " x " + std::to_string(slicesOf(one)) : "") + ")";
    }
    return text;
}

// Returns the array that the path names, else the only one that fits.
MatVariable theOneIn(const MatContents& contents, const SlicesPath& path, std::span<const SliceSize> fitting)
{
    const std::vector<MatVariable> all = matArraysIn(contents);
    const Text quoted = fileText(path.file.string());
    if (all.empty())
        throw Error(ErrorKind::badFile,
                    quoted + " has no image: a matrix of real numbers, or an array of them with three dimensions, is "
                             "needed.");
    const auto isOther = [&](const MatVariable& one) {
        return path.dataset.empty() ? !fits(sizeOf(one, path.file), fitting) : '/' + one.name != path.dataset;
    };
    std::vector<MatVariable> wanted = all;
    std::erase_if(wanted, isOther);
    if (wanted.size() == 1)
        return std::move(wanted.front());
    if (!path.dataset.empty())
        throw Error(ErrorKind::badFile, quoted + " has no image " + path.dataset + ", but " + inWords(all, path.file) +
                                            ". Name one of these.");
    if (wanted.empty() && all.size() == 1)
        throwMisfit(quoted + ": /" + all[0].name, sizeOf(all[0], path.file), fitting, slicesOf(all[0]) > 1);
    if (wanted.empty())
        throw Error(ErrorKind::badFile, quoted + " has no slices of " + sizeText(fitting[0].width, fitting[0].height) +
                                            " pixels, but " + inWords(all, path.file) +
                                            ". Choose a file on the same grid.");
    throw Error(ErrorKind::badFile, quoted + " has several images or volumes: " + inWords(wanted, path.file) +
                                        ". Name one: " + toText({path.file, '/' + wanted[0].name}));
}

// Writes rows of a slice, which is stored by columns.
void copyRows(const MatVariable& array, const std::vector<float>& all, std::size_t slice, const RowRange& rows,
              float* out)
{
    const std::size_t height = array.shape[0], width = array.shape[1];
    const float* numbers = all.data() + slice * height * width;
    for (int row = rows.first; row < rows.first + rows.count; ++row)
        for (std::size_t column = 0; column < width; ++column)
            *out++ = numbers[column * height + static_cast<std::size_t>(row)];
}

} // namespace

std::vector<std::string> matSetsThatFit(const std::filesystem::path& file, std::span<const SliceSize> fitting)
{
    MatContents contents(file);
    std::vector<std::string> names;
    for (const MatVariable& one : matArraysIn(contents))
        if (fits(sizeOf(one, file), fitting))
            names.push_back('/' + one.name);
    return names;
}

SliceStack matSlices(const SlicesPath& path, std::span<const SliceSize> fitting)
{
    MatContents contents(path.file);
    const MatVariable array = theOneIn(contents, path, fitting);
    const auto numbers = std::make_shared<const std::vector<float>>(contents.floats(array));
    SliceStack stack;
    stack.what = fileText(path.file.string()) + ": /" + array.name;
    stack.slices.resize(
        static_cast<std::size_t>(checkedCount(static_cast<long long>(slicesOf(array)), path.file.string(),
                                              "the number of slices of " + array.name, mostFrames)));
    std::iota(stack.slices.begin(), stack.slices.end(), 0);
    const SliceSize size = sizeOf(array, path.file);
    stack.open = [array, numbers, size, file = path.file](std::size_t place) {
        SliceFrame frame{.source = {}, .width = size.width, .height = size.height, .unit = {}};
        frame.source.frames = 1;
        frame.source.files = {file};
        frame.source.filesMayGrow = false;
        frame.source.read = [array, numbers, place](int, int, RowRange rows, char* out) {
            copyRows(array, *numbers, place, rows, reinterpret_cast<float*>(out));
        };
        return frame;
    };
    return stack;
}

} // namespace engine
