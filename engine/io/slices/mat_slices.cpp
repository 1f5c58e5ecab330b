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

SliceSize sizeOf(const MatArray& array, const std::filesystem::path& file)
{
    const auto count = [&](std::size_t size, const char* what) {
        return checkedCount(static_cast<long long>(std::min<std::size_t>(size, 1LL << 40)), file.string(),
                            std::string("the number of ") + what + " of " + array.name, mostAcross);
    };
    return {count(array.columns, "columns"), count(array.rows, "rows")};
}

std::string inWords(const std::vector<MatArray>& arrays, const std::filesystem::path& file)
{
    std::string text;
    for (const MatArray& one : arrays) {
        const SliceSize size = sizeOf(one, file);
        text += (text.empty() ? "/" : ", /") + one.name + " (" + sizeText(size.width, size.height) +
                (one.slices > 1 ? " x " + std::to_string(one.slices) : "") + ")";
    }
    return text;
}

// Returns the array that the path names, else the only one that fits.
MatArray theOneIn(MatContents& contents, const SlicesPath& path, std::span<const SliceSize> fitting)
{
    const std::vector<MatArray> all = matArraysIn(contents);
    const Text quoted = fileText(path.file.string());
    if (all.empty())
        throw Error(ErrorKind::badFile,
                    quoted + " has no image: a matrix of real numbers, or an array of them with three dimensions, is "
                             "needed.");
    const auto isOther = [&](const MatArray& one) {
        return path.dataset.empty() ? !fits(sizeOf(one, path.file), fitting) : '/' + one.name != path.dataset;
    };
    std::vector<MatArray> wanted = all;
    std::erase_if(wanted, isOther);
    if (wanted.size() == 1)
        return std::move(wanted.front());
    if (!path.dataset.empty())
        throw Error(ErrorKind::badFile, quoted + " has no image " + path.dataset + ", but " + inWords(all, path.file) +
                                            ". Name one of these.");
    if (wanted.empty() && all.size() == 1)
        throwMisfit(quoted + ": /" + all[0].name, sizeOf(all[0], path.file), fitting, all[0].slices > 1);
    if (wanted.empty())
        throw Error(ErrorKind::badFile, quoted + " has no slices of " + sizeText(fitting[0].width, fitting[0].height) +
                                            " pixels, but " + inWords(all, path.file) +
                                            ". Choose a file on the same grid.");
    throw Error(ErrorKind::badFile, quoted + " has several images or volumes: " + inWords(wanted, path.file) +
                                        ". Name one: " + toText({path.file, '/' + wanted[0].name}));
}

// Writes rows of a slice, which is stored by columns.
void copyRows(const MatArray& array, const std::vector<float>& all, std::size_t slice, const RowRange& rows, float* out)
{
    const float* numbers = all.data() + slice * array.rows * array.columns;
    for (int row = rows.first; row < rows.first + rows.count; ++row)
        for (std::size_t column = 0; column < array.columns; ++column)
            *out++ = numbers[column * array.rows + static_cast<std::size_t>(row)];
}

} // namespace

std::vector<std::string> matSetsThatFit(const std::filesystem::path& file, std::span<const SliceSize> fitting)
{
    MatContents contents(file);
    std::vector<std::string> names;
    for (const MatArray& one : matArraysIn(contents))
        if (fits(sizeOf(one, file), fitting))
            names.push_back('/' + one.name);
    return names;
}

SliceStack matSlices(const SlicesPath& path, std::span<const SliceSize> fitting)
{
    MatContents contents(path.file);
    const MatArray array = theOneIn(contents, path, fitting);
    const auto numbers = std::make_shared<const std::vector<float>>(contents.floats(*array.variable));
    SliceStack stack;
    stack.what = fileText(path.file.string()) + ": /" + array.name;
    stack.slices.resize(static_cast<std::size_t>(checkedCount(static_cast<long long>(array.slices), path.file.string(),
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
