// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/formats/given_sides.h"

#include "engine/base/error.h"
#include "engine/base/number_text.h"
#include "engine/io/formats/hdf5_data_sets.h"
#include "engine/io/formats/hdf5_scan_parts.h"
#include "engine/io/tiff/tiff_frames.h"

#include <algorithm>
#include <system_error>
#include <utility>
#include <vector>

namespace engine
{

namespace fs = std::filesystem;

namespace
{

// Splits "FILE:/data/set" or "FILE#/data/set"; a file of that name takes precedence.
std::pair<fs::path, std::string> splitPath(const fs::path& path)
{
    std::error_code unreadable;
    const std::string text = path.string();
    const std::size_t colon = std::min(text.rfind(":/"), text.rfind("#/")); // as for images that are compared
    if (colon == std::string::npos || fs::exists(path, unreadable))
        return {path, {}};
    return {text.substr(0, colon), text.substr(colon + 1)};
}

// Returns the only data set with frames of this size.
std::string fittingSet(const fs::path& file, int rows, int bins, const std::string& like, const std::stop_token& stop)
{
    std::vector<std::string> fitting;
    for (const DataSetFound& set : dataSetsIn(file, stop).found) {
        const std::size_t rank = set.shape.size();
        if (!set.sampleType.empty() && (rank == 2 || rank == 3) && set.shape[rank - 1] == bins &&
            set.shape[rank - 2] == rows)
            fitting.push_back(set.path);
    }
    if (fitting.size() == 1)
        return fitting.front();
    throw Error(fitting.empty() ? ErrorKind::badFile : ErrorKind::badRequest,
                fileText(file.string()) +
                    (fitting.empty() ? " has no data set of " + sizeText(bins, rows) + " pixels, as '" + like + "' has."
                                     : " has several data sets of " + sizeText(bins, rows) + " pixels, " +
                                           listed(fitting) + ": choose one by FILE:/data/set."));
}

} // namespace

FrameSource givenSides(const fs::path& path, int rows, int bins, const std::string& like, const std::stop_token& stop)
{
    if (path.empty())
        return {};
    std::error_code unreadable;
    const auto [file, set] = splitPath(path);
    if (fs::is_directory(file, unreadable))
        return tiffFrames(file, rows, bins, like, stop);
    if (Hdf5File::recognises(file)) {
        const Hdf5File opened(file, stop);
        const std::string name = set.empty() ? fittingSet(file, rows, bins, like, stop) : set;
        FrameSource source = sideFrames(opened, name, {}, rows, bins);
        if (source.frames == 0)
            throw Error(ErrorKind::badFile, fileText(file.string()) + " has no frames in " + name + ".");
        if (source.files.empty())
            source.files = {file};
        return source;
    }
    return isNpy(file) ? npySides(file, rows, bins, like) : tiffFrames(file, rows, bins, like, stop);
}

FrameSource whiteFrame(double white, int bins)
{
    FrameSource source;
    source.frames = 1;
    source.read = [white, bins](int, int count, RowRange rows, char* out) {
        std::fill_n(reinterpret_cast<float*>(out), static_cast<std::size_t>(count) * rows.count * bins,
                    static_cast<float>(white));
    };
    return source;
}

} // namespace engine
