// SPDX-License-Identifier: GPL-3.0-or-later
// Input files for the tests of reading, written with HDF5 and libtiff directly
#pragma once

#include "tests/fixtures.h"

#include <hdf5.h>
#include <tiffio.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace made
{

namespace fs = std::filesystem;

// An HDF5 file; writing to a path creates the groups on it
class Hdf5
{
  public:
    enum class Format { usual, newest }; // the newest format has checksums
    explicit Hdf5(const fs::path& path, Format format = Format::usual)
    {
        const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
        if (format == Format::newest)
            H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
        m_file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access);
        H5Pclose(access);
        m_links = H5Pcreate(H5P_LINK_CREATE);
        H5Pset_create_intermediate_group(m_links, 1);
    }
    ~Hdf5()
    {
        H5Pclose(m_links);
        H5Fclose(m_file);
    }
    Hdf5(const Hdf5&) = delete;
    Hdf5& operator=(const Hdf5&) = delete;

    hid_t id() const { return m_file; }

    void numbers(const std::string& path, const std::vector<hsize_t>& shape, const std::vector<double>& values,
                 hid_t type = H5T_IEEE_F64LE, hid_t creation = H5P_DEFAULT)
    {
        const hid_t space = H5Screate_simple(int(shape.size()), shape.data(), nullptr);
        const hid_t set = H5Dcreate2(m_file, path.c_str(), type, space, m_links, creation, H5P_DEFAULT);
        if (!values.empty())
            H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
        H5Dclose(set);
        H5Sclose(space);
    }

    void text(const std::string& path, const std::string& value)
    {
        const hid_t type = textType(value), space = H5Screate(H5S_SCALAR);
        const hid_t set = H5Dcreate2(m_file, path.c_str(), type, space, m_links, H5P_DEFAULT, H5P_DEFAULT);
        H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, value.c_str());
        H5Dclose(set);
        H5Sclose(space);
        H5Tclose(type);
    }

    void attribute(const std::string& path, const std::string& name, const std::string& value)
    {
        const hid_t type = textType(value), space = H5Screate(H5S_SCALAR);
        const hid_t made =
            H5Acreate_by_name(m_file, path.c_str(), name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        H5Awrite(made, type, value.c_str());
        H5Aclose(made);
        H5Sclose(space);
        H5Tclose(type);
    }

    void externalLink(const std::string& path, const std::string& file, const std::string& object)
    {
        H5Lcreate_external(file.c_str(), object.c_str(), m_file, path.c_str(), m_links, H5P_DEFAULT);
    }

  private:
    static hid_t textType(const std::string& value)
    {
        const hid_t type = H5Tcopy(H5T_C_S1);
        H5Tset_size(type, value.size() + 1);
        return type;
    }
    hid_t m_file, m_links;
};

// Writes the bytes of one chunk, given the position of its first element.
inline void writeChunk(Hdf5& file, const std::string& path, const std::vector<hsize_t>& at, const std::string& bytes)
{
    const hid_t set = H5Dopen2(file.id(), path.c_str(), H5P_DEFAULT);
    H5Dwrite_chunk(set, H5P_DEFAULT, 0, at.data(), bytes.size(), bytes.data());
    H5Dclose(set);
}

// Returns 0, 1, 2, …, multiplied by a step.
inline std::vector<double> counting(std::size_t count, double step = 1)
{
    std::vector<double> values(count);
    for (std::size_t i = 0; i < count; ++i)
        values[i] = double(i) * step;
    return values;
}

struct TiffLook {
    int format = SAMPLEFORMAT_UINT;
    int compression = COMPRESSION_NONE;
    int rowsPerStrip = 3;
    int tile = 0;           // > 0: tiles with this side length
    const char* mode = "w"; // "wb" big-endian, "w8" BigTIFF, "a" appends a page
    int photometric = PHOTOMETRIC_MINISBLACK;
};

// Writes an image whose sample type is the type of `values`.
template <typename Sample>
void tiff(const fs::path& path, int width, int height, const std::vector<Sample>& values, const TiffLook& look = {})
{
    TIFF* out = TIFFOpen(path.c_str(), look.mode);
    TIFFSetField(out, TIFFTAG_IMAGEWIDTH, width);
    TIFFSetField(out, TIFFTAG_IMAGELENGTH, height);
    TIFFSetField(out, TIFFTAG_BITSPERSAMPLE, int(8 * sizeof(Sample)));
    TIFFSetField(out, TIFFTAG_SAMPLEFORMAT, look.format);
    TIFFSetField(out, TIFFTAG_SAMPLESPERPIXEL, 1);
    TIFFSetField(out, TIFFTAG_PHOTOMETRIC, look.photometric);
    TIFFSetField(out, TIFFTAG_COMPRESSION, look.compression);
    if (look.tile > 0) {
        TIFFSetField(out, TIFFTAG_TILEWIDTH, look.tile);
        TIFFSetField(out, TIFFTAG_TILELENGTH, look.tile);
        for (int top = 0; top < height; top += look.tile)
            for (int left = 0; left < width; left += look.tile) {
                std::vector<Sample> part(std::size_t(look.tile) * look.tile);
                for (int y = 0; y < look.tile && top + y < height; ++y)
                    for (int x = 0; x < look.tile && left + x < width; ++x)
                        part[y * look.tile + x] = values[(top + y) * width + left + x];
                TIFFWriteTile(out, part.data(), left, top, 0, 0);
            }
    } else {
        TIFFSetField(out, TIFFTAG_ROWSPERSTRIP, look.rowsPerStrip);
        for (int row = 0; row < height; ++row) {
            std::vector<Sample> line(values.begin() + row * width, values.begin() + (row + 1) * width);
            TIFFWriteScanline(out, line.data(), row, 0);
        }
    }
    TIFFClose(out);
}

// Returns the default value of frame f, row r, bin b.
inline float value(int f, int r, int b)
{
    return float(f * 100 + r * 10 + b);
}

inline std::vector<double> frames(int count, int rows, int bins, int first = 0)
{
    std::vector<double> values;
    for (int f = first; f < first + count; ++f)
        for (int r = 0; r < rows; ++r)
            for (int b = 0; b < bins; ++b)
                values.push_back(value(f, r, b));
    return values;
}

// Returns the number of bytes that this process has read from files so far; negative if the system does not report it.
inline long long bytesRead()
{
    std::ifstream file("/proc/self/io");
    std::string name;
    long long bytes = -1;
    return file >> name >> bytes && name == "rchar:" ? bytes : -1;
}

// Returns whether the samples are the given rows of the given frames.
inline bool holds(const engine::Samples& samples, const std::vector<int>& frames, engine::RowRange rows, int bins)
{
    engine::Values expected;
    for (const int f : frames)
        for (int r = rows.first; r < rows.first + rows.count; ++r)
            for (int b = 0; b < bins; ++b)
                expected.push_back(value(f, r, b));
    return samples.toFloats() == expected;
}

} // namespace made
