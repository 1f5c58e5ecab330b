// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/frames/turned_frames.h"

#include "engine/base/error.h"
#include "engine/base/number_text.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace engine
{

namespace
{

// Numbers reordered to projections, rows and bins; read at the first access, and again when they have moved.
class TurnedNumbers
{
  public:
    TurnedNumbers(FrameSource stored, const std::array<int, 3>& sizes, const FrameAxes& axes)
        : m_stored(std::move(stored)), m_sizes(sizes), m_axes(axes), m_turned(sizesAlong(axes, sizes))
    {
    }

    void read(int first, int count, RowRange rows, float* out)
    {
        const auto values = current();
        const auto bins = static_cast<std::size_t>(m_turned[2]);
        for (int projection = first; projection < first + count; ++projection)
            for (int row = rows.first; row < rows.first + rows.count; ++row, out += bins)
                std::memcpy(out, values->data() + (static_cast<std::size_t>(projection) * m_turned[1] + row) * bins,
                            bins * sizeof(float));
    }

  private:
    std::shared_ptr<const Values> current()
    {
        const std::lock_guard lock(m_mutex);
        const long long layout = m_stored.layout();
        if (m_values && layout == m_layout)
            return m_values;
        const std::size_t frame = static_cast<std::size_t>(m_sizes[1]) * m_sizes[2];
        Values values(frame * m_sizes[0]);
        std::array<std::size_t, 3> strides{}; // of the stored dimensions in the reordered array
        strides[m_axes.frame] = static_cast<std::size_t>(m_turned[1]) * m_turned[2];
        strides[m_axes.row] = static_cast<std::size_t>(m_turned[2]);
        strides[m_axes.bin] = 1;
        for (int k = 0; k < m_sizes[0]; ++k) {
            Samples numbers(*m_stored.type, frame);
            m_stored.read(k, 1, {0, m_sizes[1]}, numbers.bytes());
            const Values floats = numbers.toFloats();
            for (int i = 0; i < m_sizes[1]; ++i)
                for (int j = 0; j < m_sizes[2]; ++j)
                    values[k * strides[0] + i * strides[1] + j * strides[2]] =
                        floats[static_cast<std::size_t>(i) * m_sizes[2] + j];
        }
        m_layout = layout;
        return m_values = std::make_shared<const Values>(std::move(values));
    }

    FrameSource m_stored;
    std::array<int, 3> m_sizes;
    FrameAxes m_axes;
    std::array<int, 3> m_turned;
    std::mutex m_mutex;
    std::shared_ptr<const Values> m_values;
    long long m_layout = 0; // of the stored numbers when they were read
};

// Returns frames that are transposed as they are read: the stored columns are rows of the detector.
FrameSource turnedImages(FrameSource stored, int height, int width)
{
    constexpr std::size_t mostBytesAStep = 64'000'000;
    const std::size_t bytes = stored.type->bytes, frame = static_cast<std::size_t>(height) * width * bytes;
    FrameSource turned = stored;
    turned.rowsTogether = width;
    turned.stepRows = std::numeric_limits<int>::max();
    turned.step = static_cast<int>(std::clamp<std::size_t>(mostBytesAStep / frame, 1, 256));
    turned.read = [stored = std::move(stored), height, width, bytes, frame](int first, int count, RowRange rows,
                                                                            char* out) {
        std::vector<char> image(frame);
        for (int k = first; k < first + count; ++k) {
            stored.read(k, 1, {0, height}, image.data());
            for (int row = rows.first; row < rows.first + rows.count; ++row)
                for (int bin = 0; bin < height; ++bin, out += bytes)
                    std::memcpy(out, image.data() + (static_cast<std::size_t>(bin) * width + row) * bytes, bytes);
        }
    };
    return turned;
}

} // namespace

FrameAxes axesOfStored(const std::string& text, const Text& who)
{
    if (auto axes = axesFromText(text, 3); axes && axes->row >= 0)
        return *axes;
    const auto axes = axesFromText(text, 2);
    require(axes.has_value(),
            "the axes '" + text + "' don't fit " + who +
                "; give theta:y:x in the order of its dimensions, or theta:x or x:theta for a sinogram" +
                hint("data-axes"));
    return axes->frame == 0 ? FrameAxes{0, 1, 2} : FrameAxes{2, 1, 0};
}

std::array<int, 3> sizesAlong(const FrameAxes& axes, const std::array<int, 3>& sizes)
{
    return {sizes[axes.frame], sizes[axes.row], sizes[axes.bin]};
}

FrameSource turnedFrames(FrameSource stored, const std::array<int, 3>& sizes, const FrameAxes& axes,
                         const std::string& path)
{
    if (axes.frame == 0 && axes.row == 1)
        return stored;
    if (axes.frame == 0)
        return turnedImages(std::move(stored), sizes[1], sizes[2]);
    const double bytes = static_cast<double>(sizes[0]) * sizes[1] * sizes[2] * sizeof(float);
    if (bytes > mostTurnedBytes)
        throw Error(ErrorKind::noMemory, fileText(path) + ": transposing it" + hint("data-axes") + " takes " +
                                             sizeText(bytes) + " of memory, more than the limit of " +
                                             sizeText(mostTurnedBytes) + ". Store it as projections x rows x bins.");
    FrameSource turned;
    turned.frames = sizesAlong(axes, sizes)[0];
    turned.step = turned.chunk = turned.frames;
    turned.files = stored.files;
    turned.filesMayGrow = stored.filesMayGrow;
    turned.notes = stored.notes;
    turned.layout = stored.layout;
    turned.read = [numbers = std::make_shared<TurnedNumbers>(std::move(stored), sizes, axes)](
                      int first, int count, RowRange rows, char* out) {
        numbers->read(first, count, rows, reinterpret_cast<float*>(out));
    };
    return turned;
}

} // namespace engine
