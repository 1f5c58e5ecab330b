// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/tiff/tiff_library.h"

#include "engine/base/error.h"
#include "engine/io/files/input_file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <new>

namespace engine
{

namespace
{

int keepMessage(TIFF*, void* message, const char*, const char* format, va_list arguments)
{
    char text[512];
    std::vsnprintf(text, sizeof text, format, arguments);
    if (auto* kept = static_cast<std::string*>(message); kept->empty())
        *kept = text;
    return 1;
}

int ignoreWarning(TIFF*, void*, const char*, const char*, va_list)
{
    return 1;
}

// An input file for libtiff. Directories are read in small pieces, so the surrounding bytes are cached.
class TiffInput
{
  public:
    TiffInput(const std::filesystem::path& path, std::string& message) : m_file(path), m_message(message) {}
    std::uintmax_t bytes() const { return m_file.bytes(); }

    static tmsize_t read(thandle_t handle, void* to, tmsize_t bytes)
    {
        return static_cast<TiffInput*>(handle)->readOn(static_cast<char*>(to), bytes);
    }
    static tmsize_t write(thandle_t, void*, tmsize_t) { return -1; }
    static toff_t seek(thandle_t handle, toff_t offset, int whence)
    {
        TiffInput& input = *static_cast<TiffInput*>(handle);
        const std::uintmax_t from = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? input.m_at : input.bytes();
        return input.m_at = from + offset;
    }
    static toff_t size(thandle_t handle) { return static_cast<TiffInput*>(handle)->bytes(); }
    static int close(thandle_t handle)
    {
        delete static_cast<TiffInput*>(handle);
        return 0;
    }

  private:
    tmsize_t readOn(char* to, tmsize_t bytes)
    try {
        std::size_t done = 0;
        const auto wanted = static_cast<std::size_t>(bytes);
        if (wanted >= m_kept.size()) {
            done = m_file.read(to, wanted, m_at);
        } else if (bytes > 0) {
            if (m_at < m_keptAt || m_at + wanted > m_keptAt + m_keptBytes) {
                m_keptBytes = 0;
                m_keptBytes = m_file.read(m_kept.data(), m_kept.size(), m_at);
                m_keptAt = m_at;
            }
            done = std::min(wanted, m_keptBytes);
            std::memcpy(to, m_kept.data() + (m_at - m_keptAt), done);
        }
        m_at += done;
        return static_cast<tmsize_t>(done);
    } catch (const Error& error) {
        if (m_message.empty())
            m_message = error.what();
        errno = EIO;
        return -1;
    }

    InputFile m_file;
    std::string& m_message;
    std::uintmax_t m_at = 0, m_keptAt = 0;
    std::size_t m_keptBytes = 0;
    std::array<char, 4096> m_kept;
};

} // namespace

TiffOptions optionsWith(std::string& message)
{
    TiffOptions options(TIFFOpenOptionsAlloc(), &TIFFOpenOptionsFree);
    if (!options)
        throw std::bad_alloc();
    TIFFOpenOptionsSetErrorHandlerExtR(options.get(), keepMessage, &message);
    TIFFOpenOptionsSetWarningHandlerExtR(options.get(), ignoreWarning, nullptr);
    return options;
}

OwnedTiff openTiff(const std::filesystem::path& path, std::string& message, std::uintmax_t& fileBytes)
{
    auto input = std::make_unique<TiffInput>(path, message);
    fileBytes = input->bytes();
    OwnedTiff tiff(TIFFClientOpenExt(path.c_str(), "rm", input.get(), TiffInput::read, TiffInput::write,
                                     TiffInput::seek, TiffInput::close, TiffInput::size, nullptr, nullptr,
                                     optionsWith(message).get()));
    if (tiff)
        input.release(); // closed with it
    return tiff;
}

} // namespace engine
