// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/frames/stored_frames.h"

#include "engine/io/files/input_file.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <string>

namespace engine
{

namespace
{

constexpr std::size_t bytesBetweenChecks = 4 << 20; // per thread, between two checks of the stop token
constexpr std::size_t conversionBytes = 1 << 18;    // read and converted together, to stay in the second-level cache

// Files are opened when they are read, so that thousands of files don't use up the descriptors.
using OpenFile = std::shared_ptr<const InputFile>;

void readWhole(const InputFile& file, char* to, std::size_t bytes, long long offset, int frame)
{
    const std::size_t got = file.read(to, bytes, static_cast<std::uintmax_t>(offset));
    if (got < bytes)
        file.fail("it ends at byte " + std::to_string(offset + static_cast<long long>(got)) + ", in frame " +
                  std::to_string(frame) + ". It may be damaged, incomplete or still being written");
}

class StoredReader
{
  public:
    explicit StoredReader(StoredFrames stored)
        : m_stored(std::move(stored)), m_swap(m_stored.bigEndian != (std::endian::native == std::endian::big)),
          m_bytesOut(keptType(m_stored.type).bytes)
    {
        if (m_stored.files.size() == 1)
            m_only = std::make_shared<const InputFile>(m_stored.files[0]);
    }

    void read(int first, int count, RowRange rows, char* out) const
    {
        const std::size_t values = static_cast<std::size_t>(rows.count) * m_stored.bins;
        std::vector<char> buffer(m_stored.type.isKept ? 0 : std::min(values * m_stored.type.bytes, conversionBytes));
        OpenFile file;
        int opened = -1;
        for (int frame = first; frame < first + count; ++frame, out += values * m_bytesOut) {
            const StoredFrames::Place& place = m_stored.frames[static_cast<std::size_t>(frame)];
            if (place.file != opened)
                file = open(place.file);
            opened = place.file;
            const long long rowBytes = static_cast<long long>(m_stored.bins) * m_stored.type.bytes;
            readValues(*file, place.offset + rows.first * rowBytes, values, frame, buffer, out);
        }
    }

  private:
    OpenFile open(int file) const
    {
        const std::filesystem::path& path = m_stored.files[static_cast<std::size_t>(file)];
        auto opened = std::make_shared<const InputFile>(path);
        if (m_only && !opened->isSameAs(*m_only))
            opened->fail("another file has taken its place since the scan was opened. Open it again");
        return m_only ? m_only : opened;
    }

    void readValues(const InputFile& file, long long offset, std::size_t values, int frame, std::vector<char>& buffer,
                    char* out) const
    {
        const auto bytes = static_cast<std::size_t>(m_stored.type.bytes);
        if (m_stored.type.isKept && !m_swap)
            return readWhole(file, out, values * bytes, offset, frame);
        for (std::size_t done = 0; done < values;) {
            const std::size_t now = std::min(values - done, conversionBytes / bytes);
            char* read = m_stored.type.isKept ? out + done * bytes : buffer.data();
            readWhole(file, read, now * bytes, offset + static_cast<long long>(done * bytes), frame);
            if (m_swap)
                m_stored.type.swapBytes(read, now);
            if (!m_stored.type.isKept)
                m_stored.type.toFloats(read, now, reinterpret_cast<float*>(out) + done);
            done += now;
        }
    }

    StoredFrames m_stored;
    bool m_swap;
    std::size_t m_bytesOut; // per number
    OpenFile m_only;        // set, and kept open, if there is only one file
};

} // namespace

FrameSource storedFrames(StoredFrames stored)
{
    FrameSource source;
    source.frames = static_cast<int>(stored.frames.size());
    const std::size_t rowBytes = static_cast<std::size_t>(stored.bins) * keptType(stored.type).bytes;
    source.step =
        static_cast<int>(std::clamp<std::size_t>(bytesBetweenChecks / std::max<std::size_t>(rowBytes, 1), 1, 1 << 20));
    source.files = stored.files;
    source.type = &keptType(*findSampleType(stored.type.name));
    source.concurrent = true;
    const auto reader = std::make_shared<const StoredReader>(std::move(stored));
    source.read = [reader](int first, int count, RowRange rows, char* out) { reader->read(first, count, rows, out); };
    return source;
}

} // namespace engine
