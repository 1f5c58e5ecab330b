#include "engine/io/stored_frames.h"

#include "engine/error.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <memory>
#include <system_error>

namespace engine
{

namespace
{

constexpr std::size_t blockBytes = 4 << 20;      // of one thread, between two looks at the stop token
constexpr std::size_t conversionBytes = 1 << 18; // read and swapped or converted at once, in the second-level cache

// Opened when it is read, so that thousands of files don't use up the descriptors.
class OpenFile
{
  public:
    explicit OpenFile(const std::filesystem::path& path)
        : m_path(path), m_descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC))
    {
        struct stat status = {};
        if (m_descriptor < 0 || ::fstat(m_descriptor, &status) != 0)
            fail(std::generic_category().message(errno));
        m_device = status.st_dev;
        m_inode = status.st_ino;
    }
    ~OpenFile()
    {
        if (m_descriptor >= 0)
            ::close(m_descriptor);
    }
    OpenFile(const OpenFile&) = delete;
    OpenFile& operator=(const OpenFile&) = delete;

    bool isSameAs(const OpenFile& other) const { return m_device == other.m_device && m_inode == other.m_inode; }

    void read(char* to, std::size_t bytes, long long offset, int frame) const
    {
        while (bytes > 0) {
            const ssize_t got = ::pread(m_descriptor, to, bytes, static_cast<off_t>(offset));
            if (got < 0 && errno == EINTR)
                continue;
            if (got < 0)
                fail("frame " + std::to_string(frame) + ": " + std::generic_category().message(errno));
            if (got == 0)
                fail("it ends at byte " + std::to_string(offset) + ", in frame " + std::to_string(frame) +
                     ". It may be damaged, incomplete or still being written");
            to += got, offset += got, bytes -= static_cast<std::size_t>(got);
        }
    }

    [[noreturn]] void fail(const std::string& why) const
    {
        throw Error(ErrorKind::badFile, "'" + m_path.string() + "' can't be read: " + why + ".");
    }

  private:
    std::filesystem::path m_path;
    int m_descriptor;
    dev_t m_device = 0;
    ino_t m_inode = 0;
};

class StoredReader
{
  public:
    explicit StoredReader(StoredFrames stored)
        : m_stored(std::move(stored)), m_swap(m_stored.bigEndian != (std::endian::native == std::endian::big)),
          m_bytesOut(keptType(m_stored.type).bytes)
    {
        if (m_stored.files.size() == 1)
            m_only = std::make_shared<OpenFile>(m_stored.files[0]);
    }

    void read(int first, int count, RowRange rows, char* out) const
    {
        const std::size_t values = static_cast<std::size_t>(rows.count) * m_stored.bins;
        std::vector<char> buffer(m_stored.type.isKept ? 0 : std::min(values * m_stored.type.bytes, conversionBytes));
        std::shared_ptr<const OpenFile> file;
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
    std::shared_ptr<const OpenFile> open(int file) const
    {
        const std::filesystem::path& path = m_stored.files[static_cast<std::size_t>(file)];
        auto opened = std::make_shared<const OpenFile>(path);
        if (m_only && !opened->isSameAs(*m_only))
            opened->fail("another file has taken its place since the scan was opened. Open it again");
        return m_only ? m_only : opened;
    }

    void readValues(const OpenFile& file, long long offset, std::size_t values, int frame, std::vector<char>& buffer,
                    char* out) const
    {
        const auto bytes = static_cast<std::size_t>(m_stored.type.bytes);
        if (m_stored.type.isKept && !m_swap)
            return file.read(out, values * bytes, offset, frame);
        for (std::size_t done = 0; done < values;) {
            const std::size_t now = std::min(values - done, conversionBytes / bytes);
            char* read = m_stored.type.isKept ? out + done * bytes : buffer.data();
            file.read(read, now * bytes, offset + static_cast<long long>(done * bytes), frame);
            if (m_swap)
                m_stored.type.swapBytes(read, now);
            if (!m_stored.type.isKept)
                m_stored.type.toFloats(read, now, reinterpret_cast<float*>(out) + done);
            done += now;
        }
    }

    StoredFrames m_stored;
    bool m_swap;
    std::size_t m_bytesOut;                 // of a number
    std::shared_ptr<const OpenFile> m_only; // kept open where there is but one
};

} // namespace

FrameSource storedFrames(StoredFrames stored)
{
    FrameSource source;
    source.frames = static_cast<int>(stored.frames.size());
    const std::size_t rowBytes = static_cast<std::size_t>(stored.bins) * keptType(stored.type).bytes;
    source.step =
        static_cast<int>(std::clamp<std::size_t>(blockBytes / std::max<std::size_t>(rowBytes, 1), 1, 1 << 20));
    source.files = stored.files;
    source.type = &keptType(*findSampleType(stored.type.name));
    source.concurrent = true;
    const auto reader = std::make_shared<const StoredReader>(std::move(stored));
    source.read = [reader](int first, int count, RowRange rows, char* out) { reader->read(first, count, rows, out); };
    return source;
}

} // namespace engine
