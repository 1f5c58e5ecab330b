// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/check/readings.h"

namespace engine
{

namespace fs = std::filesystem;

namespace
{

std::vector<std::string> textsOf(std::span<const SliceSize> sizes)
{
    std::vector<std::string> texts;
    for (const SliceSize& size : sizes)
        texts.insert(texts.end(), {std::to_string(size.width), std::to_string(size.height)});
    return texts;
}

Reading joined(Reading begin, const std::vector<std::string>& end)
{
    begin.insert(begin.end(), end.begin(), end.end());
    return begin;
}

} // namespace

Reading readingOfSlices(const SlicesPath& path, std::span<const SliceSize> fitting)
{
    return joined({"slices", path.file.string(), path.dataset, path.axes}, textsOf(fitting));
}

Reading readingOfFittingSlices(const fs::path& path, std::span<const SliceSize> fitting)
{
    return joined({"fitting slices", path.string()}, textsOf(fitting));
}

Reading readingOfFile(const fs::path& path)
{
    return {"file", path.string()};
}

const std::string& readingFile(const Reading& reading)
{
    return reading.at(1);
}

} // namespace engine
