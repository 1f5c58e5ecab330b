// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/formats/hdf5_scan_parts.h"

#include "engine/base/error.h"
#include "engine/base/number_text.h"
#include "engine/io/formats/hdf5_data_sets.h"
#include "engine/scan/reduction.h"
#include "engine/scan/some_projections.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace engine
{

KeyedFrames sortFrames(const Hdf5File& file, const std::string& key, const std::string& data, long long count,
                       std::vector<Note>& notes)
{
    KeyedFrames frames;
    if (key.empty()) {
        notes.push_back("There is no image key; every frame is used as a projection.");
        for (long long i = 0; i < count; ++i)
            frames.projections.push_back(i);
        return frames;
    }
    const std::vector<double> keys = file.dataset(key).numbers();
    if (static_cast<long long>(keys.size()) != count)
        throw Error(ErrorKind::badFile, fileText(file.path().string()) + ": " + key + " has " +
                                            std::to_string(keys.size()) + " values for the " + std::to_string(count) +
                                            " frames of " + data + ".");
    std::map<int, int> leftOut;
    for (long long i = 0; i < count; ++i) {
        const double kind = keys[static_cast<std::size_t>(i)];
        if (kind == 0)
            frames.projections.push_back(i);
        else if (kind == 1)
            frames.flats.push_back(i);
        else if (kind == 2)
            frames.darks.push_back(i);
        else
            ++leftOut[std::isfinite(kind) && std::abs(kind) < 1e6 ? static_cast<int>(kind) : 3];
    }
    for (const auto& [kind, number] : leftOut)
        notes.push_back(std::to_string(number) + " frames with the image key " + std::to_string(kind) +
                        (kind == 3    ? " (invalid)"
                         : kind == -1 ? " (alignment)"
                                      : " (unknown)") +
                        " are left out.");
    if (frames.projections.empty())
        throw Error(ErrorKind::badFile, fileText(file.path().string()) + " has no projections: none of the " +
                                            std::to_string(count) + " values of " + key + " is 0.");
    return frames;
}

namespace
{

// Tells whether all of a frame was written, by looking up each of its chunks once.
class WrittenFrames
{
  public:
    WrittenFrames(const Hdf5Dataset& dataset, int frameAxis)
        : m_dataset(dataset), m_axis(static_cast<std::size_t>(frameAxis)), m_starts{{}}
    {
        for (std::size_t d = 0; d < dataset.shape().size(); ++d) {
            std::vector<std::vector<long long>> longer;
            for (const std::vector<long long>& start : m_starts)
                for (long long at = 0; at < (d == m_axis ? 1 : dataset.shape()[d]); at += dataset.chunk()[d]) {
                    longer.push_back(start);
                    longer.back().push_back(at);
                }
            m_starts = std::move(longer);
        }
    }

    static bool areTooMany(const Hdf5Dataset& dataset, int frameAxis, std::size_t frames)
    {
        constexpr double most = 1e6; // takes 0.3 s
        double looks = static_cast<double>(frames);
        for (std::size_t d = 0; d < dataset.shape().size(); ++d)
            if (d != static_cast<std::size_t>(frameAxis))
                looks *= std::ceil(static_cast<double>(dataset.shape()[d]) / static_cast<double>(dataset.chunk()[d]));
        return looks > most;
    }

    bool operator()(long long frame)
    {
        const auto [known, isNew] = m_known.try_emplace(frame / m_dataset.chunk()[m_axis], true);
        if (isNew)
            known->second = std::ranges::all_of(m_starts, [&](std::vector<long long> position) {
                position[m_axis] = frame;
                return m_dataset.isWritten(position);
            });
        return known->second;
    }

  private:
    const Hdf5Dataset& m_dataset;
    std::size_t m_axis;
    std::vector<std::vector<long long>> m_starts; // of the chunks that frame 0 lies in
    std::map<long long, bool> m_known;            // by the chunk's position along the frames
};

} // namespace

std::vector<long long> writtenFrames(const Hdf5Dataset& dataset, FrameAxes axes, std::vector<long long> indices,
                                     std::vector<Note>& notes)
{
    if (dataset.chunk().empty() || axes.frame < 0 || indices.empty() || dataset.isWhole())
        return indices;
    std::vector<int> missing;
    std::vector<long long> written;
    if (WrittenFrames::areTooMany(dataset, axes.frame, indices.size())) { // examines the end only
        const auto hasFirst = [&](long long frame) {
            std::vector<long long> position(dataset.shape().size(), 0);
            position[static_cast<std::size_t>(axes.frame)] = frame;
            return dataset.isWritten(position);
        };
        const auto end = hasFirst(indices.back()) ? indices.end() : std::ranges::partition_point(indices, hasFirst);
        written.assign(indices.begin(), end);
        missing.assign(end, indices.end());
    } else {
        WrittenFrames isWritten(dataset, axes.frame);
        for (const long long frame : indices)
            isWritten(frame) ? written.push_back(frame) : missing.push_back(static_cast<int>(frame));
    }
    if (missing.empty())
        return indices;
    if (written.empty()) {
        notes.push_back("Every frame of " + dataset.path() +
                        " was never, or not completely, written; missing values are " +
                        numberToText(dataset.facts().fillValue) + ", the file's fill value.");
        return indices;
    }
    const bool isEnd = missing.front() > written.back();
    notes.push_back("Frames " + rangesInWords(rangesOf(missing)) + " of " + dataset.path() + " are left out: " +
                    (isEnd ? "they were never written. The scan is still being written, or was stopped."
                           : "they, or parts of them, were never written, or the file is damaged."));
    return written;
}

std::vector<double> anglesOfFrames(const Hdf5File& file, const std::string& path, const Hdf5Dataset& frames,
                                   std::vector<long long>& projections, long long count, std::vector<Note>& notes)
{
    const std::string name = file.path().string();
    if (path.empty())
        return {};
    const Hdf5Dataset set = file.dataset(path);
    const std::vector<double> all = anglesInRadians(set.numbers(), file.attribute(path, "units"), path, notes);
    const auto known = static_cast<long long>(all.size());
    std::vector<double> angles;
    if (known == count || (known < count && known > 1 && frames.facts().canGrow && set.facts().canGrow)) {
        const std::size_t before = projections.size();
        std::erase_if(projections, [known](long long frame) { return frame >= known; });
        if (projections.size() < before)
            notes.push_back(path + " has no angles yet for " + std::to_string(before - projections.size()) +
                            " projections, which are left out: the scan is still being written, or was stopped.");
        for (const long long frame : projections)
            angles.push_back(all[static_cast<std::size_t>(frame)]);
    } else if (all.size() == projections.size())
        angles = all;
    else
        throw Error(ErrorKind::badFile, "'" + name + "': " + path + " has " + std::to_string(all.size()) +
                                            " angles for " + std::to_string(count) +
                                            " frames. Give the angles yourself.");
    requireAngles(angles, static_cast<int>(projections.size()), name, path);
    return angles;
}

std::string join(const std::string& group, const std::string& name)
{
    return group == "/" ? "/" + name : group + "/" + name;
}

std::string lastName(const std::string& path)
{
    return path.substr(path.rfind('/') + 1);
}

std::string shapeText(const std::vector<long long>& shape)
{
    std::string text;
    for (const long long length : shape)
        text += (text.empty() ? "" : " x ") + std::to_string(length);
    return text.empty() ? "a single value" : text;
}

FrameSource flatsAmong(const Hdf5Dataset& dataset, FrameAxes axes, const KeyedFrames& sorted, std::vector<Note>& notes)
{
    const std::vector<long long> flats = writtenFrames(dataset, axes, sorted.flats, notes);
    FrameSource source = hdf5Frames(dataset, axes, flats);
    source.places = placesAmong({flats.begin(), flats.end()}, {sorted.projections.begin(), sorted.projections.end()});
    return source;
}

FrameSource sideFrames(const Hdf5File& file, const std::string& path, FrameAxes axes, int rows, int bins)
{
    if (file.node(path) == Hdf5File::Node::none)
        return {};
    const Hdf5Dataset frames = file.dataset(path);
    const std::vector<long long>& shape = frames.shape();
    const std::size_t across = axes.row < 0 ? 1 : 2; // dimensions of a frame
    if (shape.size() == across)
        axes = {-1, static_cast<int>(across) - 2, static_cast<int>(across) - 1};
    else if (const auto own = axesFromText(file.attribute(path, "axes").value_or(""), across + 1))
        axes = *own;
    const auto along = [&](int axis) { return axis < 0 ? 1 : shape[static_cast<std::size_t>(axis)]; };
    if (shape.size() == across + 1 && along(axes.frame) == 0) // reserved and never filled: the same as none
        return {};
    if (shape.size() < across || shape.size() > across + 1 || frames.sampleType().empty() || along(axes.row) != rows ||
        along(axes.bin) != bins)
        throw Error(ErrorKind::badFile, fileText(file.path().string()) + ": " + path + " is " + shapeText(shape) +
                                            ", but the projections have " + std::to_string(rows) + " rows of " +
                                            std::to_string(bins) + " bins.");
    if (axes.frame >= 0)
        checkedCount(along(axes.frame), file.path().string(), "the number of frames in " + path, mostFrames);
    std::vector<Note> notes; // dropped, as the projections have the same ones
    return hdf5Frames(frames, axes, writtenFrames(frames, axes, allFrames(frames, axes), notes));
}

} // namespace engine
