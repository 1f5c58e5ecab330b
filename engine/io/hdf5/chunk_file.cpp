// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/hdf5/chunk_file.h"

#include "engine/base/error.h"

#include <cerrno>
#include <cstdint>
#include <ios>
#include <system_error>

namespace engine
{

namespace fs = std::filesystem;

namespace
{

struct ChunkHead { // before each chunk
    std::int64_t place = 0;
    std::uint64_t bytes = 0;
};

} // namespace

ChunkFile::ChunkFile(const fs::path& output)
    : m_output(output), m_pending(output, true, ProtectedInputs(), false),
      m_file(m_pending.temporary(), std::ios::binary)
{
}

void ChunkFile::add(long long place, std::span<const std::byte> chunk)
{
    const ChunkHead head{place, chunk.size()};
    errno = 0;
    m_file.write(reinterpret_cast<const char*>(&head), sizeof(head));
    m_file.write(reinterpret_cast<const char*>(chunk.data()), static_cast<std::streamsize>(chunk.size()));
    if (!m_file)
        fail();
}

void ChunkFile::store()
{
    errno = 0;
    m_file.close();
    if (!m_file)
        fail();
    m_pending.store();
}

void ChunkFile::fail() const
{
    throw Error(ErrorKind::output, fileText(m_output.string()) + " can't be written: " +
                                       std::generic_category().message(errno != 0 ? errno : EIO) +
                                       ", for its compressed slices in " + fileText(path().string()) + ".");
}

StoredChunks::StoredChunks(const fs::path& path, const fs::path& output)
    : m_path(path), m_output(output), m_file(path, std::ios::binary)
{
    if (!m_file)
        fail();
}

bool StoredChunks::hasMore()
{
    return m_file.peek() != std::ifstream::traits_type::eof();
}

long long StoredChunks::next(std::vector<std::byte>& chunk)
{
    ChunkHead head;
    std::error_code unknown;
    if (!m_file.read(reinterpret_cast<char*>(&head), sizeof(head)) || head.bytes > fs::file_size(m_path, unknown))
        fail();
    chunk.resize(head.bytes);
    if (!m_file.read(reinterpret_cast<char*>(chunk.data()), static_cast<std::streamsize>(head.bytes)))
        fail();
    return head.place;
}

void StoredChunks::fail() const
{
    throw Error(ErrorKind::output, fileText(m_output.string()) + " can't be written: the compressed slices in " +
                                       fileText(m_path.string()) +
                                       " can't be read. Name an output on a file system that all machines share.");
}

} // namespace engine
