// SPDX-License-Identifier: GPL-3.0-or-later
// Previews of data sets.
#include "engine/base/error.h"
#include "engine/io/formats/hdf5_data_sets.h"
#include "engine/io/hdf5/hdf5_file.h"

#include <algorithm>
#include <array>

namespace engine
{

DataSetPicture pictureOf(const std::filesystem::path& path, const std::string& name, int frameAxis, int most)
{
    const Hdf5File file(path);
    const Hdf5Dataset set = file.dataset(name);
    const std::vector<long long>& shape = set.shape();
    const std::size_t rank = shape.size();
    DataSetPicture picture;
    if (rank < 1 || rank > 3 || set.sampleType().empty() || set.size() < 1)
        throw Error(ErrorKind::badFile, fileText(path.string()) + ": " + name + " can't be shown as an image.");
    if (rank == 1) {
        const std::vector<double> numbers = set.numbers();
        const std::size_t step = (numbers.size() + static_cast<std::size_t>(most) - 1) / static_cast<std::size_t>(most);
        for (std::size_t k = 0; k < numbers.size(); k += step)
            picture.values.push_back(static_cast<float>(numbers[k]));
        picture.width = static_cast<int>(picture.values.size());
        picture.height = 1;
        return picture;
    }
    set.requireWritten();
    std::vector<long long> start(rank, 0), count = shape;
    if (rank == 3) {
        const auto axis = static_cast<std::size_t>(std::clamp(frameAxis, 0, 2));
        picture.frames = shape[axis];
        picture.frame = start[axis] = shape[axis] / 2;
        count[axis] = 1;
    }
    const auto isAcross = [&](std::size_t d) {
        return rank == 2 || static_cast<int>(d) != std::clamp(frameAxis, 0, 2);
    };
    std::array<std::size_t, 2> across{};
    for (std::size_t d = 0, k = 0; d < rank; ++d)
        if (isAcross(d))
            across[k++] = d;
    const long long high = shape[across[0]], wide = shape[across[1]];
    const auto every = [&](long long length) { return (length + most - 1) / most; };
    picture.height = static_cast<int>((high + every(high) - 1) / every(high));
    picture.width = static_cast<int>((wide + every(wide) - 1) / every(wide));
    picture.values.resize(static_cast<std::size_t>(picture.height) * static_cast<std::size_t>(picture.width));
    // Reads a few lines at a time, as a frame may have any size, but at least the lines of one chunk.
    const std::vector<long long>& chunk = set.chunk();
    const long long together =
        std::clamp<long long>(std::max(chunk.empty() ? 1 : chunk[across[0]], (4 << 20) / std::max(1LL, wide)), 1, high);
    std::vector<float> lines(static_cast<std::size_t>(std::min(together, high) * wide));
    for (long long first = 0; first < high; first += together) {
        start[across[0]] = first;
        count[across[0]] = std::min(together, high - first);
        set.read(start, count, lines.data());
        for (long long line = (first + every(high) - 1) / every(high) * every(high); line < first + count[across[0]];
             line += every(high))
            for (int x = 0; x < picture.width; ++x)
                picture.values[static_cast<std::size_t>(line / every(high) * picture.width + x)] =
                    lines[static_cast<std::size_t>((line - first) * wide + x * every(wide))];
    }
    return picture;
}

} // namespace engine
