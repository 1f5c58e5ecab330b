// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/made_hdf5.h"

#include "tests/engine/io/refused.h"

#include <algorithm>
#include <array>
#include <limits>

namespace fuzz
{

namespace
{

class Choices
{
  public:
    explicit Choices(Bytes bytes) : m_bytes(bytes) {}
    bool any() const { return !m_bytes.empty(); }
    std::uint8_t byte()
    {
        if (m_bytes.empty())
            return 0;
        const std::uint8_t first = m_bytes.front();
        m_bytes = m_bytes.subspan(1);
        return first;
    }
    template <typename List>
    const auto& of(const List& list)
    {
        return list[byte() % std::size(list)];
    }
    std::string bytes(std::size_t most)
    {
        const Bytes taken = m_bytes.first(std::min(most, m_bytes.size()));
        m_bytes = m_bytes.subspan(taken.size());
        return {taken.begin(), taken.end()};
    }

  private:
    Bytes m_bytes;
};

// Paths that readers look for, and one that they do not.
constexpr std::array<const char*, 24> paths = {"/exchange/data",
                                               "/exchange/data_white",
                                               "/exchange/data_dark",
                                               "/exchange/theta",
                                               "/exchange/reconstruction",
                                               "/measurement/instrument/detector/pixel_size",
                                               "/sinoscope/simulation",
                                               "/sinoscope/geometry",
                                               "/entry/definition",
                                               "/entry/instrument/detector/data",
                                               "/entry/instrument/detector/image_key",
                                               "/entry/instrument/detector/x_pixel_size",
                                               "/entry/instrument/detector/x_rotation_axis_pixel_position",
                                               "/entry/instrument/detector/distance",
                                               "/entry/instrument/source/distance",
                                               "/entry/sample/rotation_angle",
                                               "/entry/sample/name",
                                               "/entry/title",
                                               "/entry/reconstruction/results/data",
                                               "/entry/data/data",
                                               "/entry0000/definition",
                                               "/volume",
                                               "/exchange",
                                               "/other"};
constexpr std::array<const char*, 10> attributes = {"units", "NX_class", "default", "signal",     "target",
                                                    "axes",  "scale",    "offset",  "axis_order", "description"};
constexpr std::array<const char*, 16> texts = {"NXtomo", "NXentry",  "deg",    "rad",      "mm",   "m",
                                               "",       "counts",   "NXdata", "data",     "1/cm", "K",
                                               "pixel",  "\xff\xfe", "{}",     "theta;y;x"};
constexpr std::array<hsize_t, 16> lengths = {
    3, 4, 5, 1, 2, 0, 6, 7, 8, 64, 1000, 1 << 16, (1 << 20) + 1, (1 << 22) + 1, (1ull << 31) - 1, 1ull << 40};
constexpr std::array<double, 12> numbers = {0,
                                            1,
                                            2,
                                            -1,
                                            36,
                                            0.5,
                                            1e-9,
                                            1e308,
                                            -1e308,
                                            4e9,
                                            std::numeric_limits<double>::quiet_NaN(),
                                            std::numeric_limits<double>::infinity()};

std::vector<hsize_t> shape(Choices& choices)
{
    std::vector<hsize_t> edges(choices.of(std::array{3, 1, 2, 0, 4, 5}));
    for (hsize_t& edge : edges)
        edge = choices.of(lengths);
    return edges;
}

hid_t numberType(Choices& choices)
{
    const std::array types = {H5T_STD_U16LE, H5T_IEEE_F64LE, H5T_IEEE_F32LE,     H5T_STD_I32LE,
                              H5T_STD_U8LE,  H5T_STD_U16BE,  H5T_IEEE_F32BE,     H5T_STD_I64LE,
                              H5T_STD_U64LE, H5T_STD_B8LE,   H5T_NATIVE_LDOUBLE, H5T_STD_REF_OBJ};
    return choices.of(types);
}

void numbersOf(Choices& choices, made::Hdf5& file)
{
    const std::string path = choices.of(paths);
    const hid_t type = numberType(choices);
    const std::vector<hsize_t> edges = shape(choices);
    double count = 1;
    for (const hsize_t edge : edges)
        count *= double(edge);
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    const std::uint8_t layout = choices.byte();
    std::vector<hsize_t> chunk;
    if (layout & 1) {
        for (const hsize_t edge : edges)
            chunk.push_back(layout & 2 ? std::max<hsize_t>(edge, 1) : choices.of(lengths));
        if (!chunk.empty())
            H5Pset_chunk(creation, int(chunk.size()), chunk.data());
        if (layout & 4)
            H5Pset_shuffle(creation);
        if (layout & 8)
            H5Pset_deflate(creation, 1);
        if (layout & 16)
            H5Pset_fletcher32(creation);
    } else if (layout & 2 && count < 1000) {
        H5Pset_layout(creation, H5D_COMPACT);
    } else if (layout & 4) {
        H5Pset_external(creation, choices.byte() & 1 ? "input" : "gone.bin", choices.byte(), H5F_UNLIMITED);
    } else if (layout & 8 && !edges.empty()) {
        const hid_t space = H5Screate_simple(int(edges.size()), edges.data(), nullptr);
        H5Pset_virtual(creation, space, choices.byte() & 1 ? "." : "input", choices.of(paths), space);
        H5Sclose(space);
    }
    // Virtual data sets get no values, since HDF5 would never finish writing one that is its own source; external
    // ones get none, since nothing may be written into other files.
    std::vector<double> values;
    if (layout & 32 && H5Pget_layout(creation) != H5D_VIRTUAL && H5Pget_external_count(creation) <= 0 && count > 0 &&
        count < 1000) {
        const double first = choices.of(numbers), step = choices.of(numbers);
        for (int k = 0; k < int(count); ++k)
            values.push_back(first + k * step);
    }
    const bool isNew = H5Oexists_by_name(file.id(), path.c_str(), H5P_DEFAULT) <= 0; // only new data sets get chunks
    file.numbers(path, edges, values, type, creation);
    H5Pclose(creation);
    H5Fflush(file.id(), H5F_SCOPE_LOCAL); // HDF5 crashes at some chunks that are not written yet
    if (const std::string bytes = choices.bytes(layout & 64 ? choices.byte() : 0);
        isNew && values.empty() && !bytes.empty() && !chunk.empty() &&
        H5Oexists_by_name(file.id(), path.c_str(), H5P_DEFAULT) > 0)
        made::writeChunk(file, path, std::vector<hsize_t>(chunk.size()), bytes);
}

void numberAttribute(Choices& choices, made::Hdf5& file)
{
    const std::string path = choices.of(paths), name = choices.of(attributes);
    const std::vector<hsize_t> edges{choices.byte() % 4u};
    const hid_t space = choices.byte() & 1 ? H5Screate(H5S_NULL) : H5Screate_simple(1, edges.data(), nullptr);
    const hid_t made = H5Acreate_by_name(file.id(), path.c_str(), name.c_str(), numberType(choices), space, H5P_DEFAULT,
                                         H5P_DEFAULT, H5P_DEFAULT);
    const std::array<double, 4> values = {choices.of(numbers), 1, 2, 3};
    H5Awrite(made, H5T_NATIVE_DOUBLE, values.data());
    H5Aclose(made);
    H5Sclose(space);
}

void link(Choices& choices, made::Hdf5& file)
{
    const std::string from = choices.of(paths), to = choices.of(paths);
    const std::uint8_t kind = choices.byte() % 4;
    const hid_t links = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(links, 1);
    if (kind == 0)
        H5Lcreate_soft(to.c_str(), file.id(), from.c_str(), links, H5P_DEFAULT);
    else if (kind == 1)
        H5Lcreate_hard(file.id(), to.c_str(), file.id(), from.c_str(), links, H5P_DEFAULT);
    else
        file.externalLink(from, kind == 2 ? "input" : "gone.h5", to);
    H5Pclose(links);
}

// Writes a table (compound type) instead of numbers, or a string of variable length.
void otherType(Choices& choices, made::Hdf5& file)
{
    const bool isText = choices.byte() & 1;
    const hid_t type = isText ? H5Tcopy(H5T_C_S1) : H5Tcreate(H5T_COMPOUND, 8);
    if (isText)
        H5Tset_size(type, H5T_VARIABLE);
    else
        H5Tinsert(type, "a", 0, H5T_IEEE_F64LE);
    const std::string path = choices.of(paths), text = choices.bytes(choices.byte());
    const char* pointer = text.c_str();
    const hsize_t edge = choices.of(lengths);
    const hid_t space = choices.byte() & 1 ? H5Screate_simple(1, &edge, nullptr) : H5Screate(H5S_SCALAR);
    const hid_t links = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(links, 1);
    const hid_t set = H5Dcreate2(file.id(), path.c_str(), type, space, links, H5P_DEFAULT, H5P_DEFAULT);
    if (set >= 0 && isText && H5Sget_simple_extent_npoints(space) == 1)
        H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &pointer);
    H5Dclose(set);
    H5Pclose(links);
    H5Sclose(space);
    H5Tclose(type);
}

} // namespace

void makeHdf5(Bytes bytes, const std::filesystem::path& path)
{
    H5E_auto2_t report = nullptr;
    void* to = nullptr;
    H5Eget_auto2(H5E_DEFAULT, &report, &to);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); // many of the choices are invalid
    {
        Choices choices(bytes);
        made::Hdf5 file(path);
        const std::uint8_t begin = choices.byte() % 3; // an empty file, or a valid scan to damage
        if (begin == 1)
            made::dxchange(file);
        else if (begin == 2)
            made::nxtomo(file, {0, 0, 0, 1, 2});
        for (int k = 0; k < 40 && choices.any(); ++k)
            switch (choices.byte() % 8) {
            case 0:
            case 1:
                numbersOf(choices, file);
                break;
            case 2:
                file.text(choices.of(paths), choices.of(texts));
                break;
            case 3:
                file.attribute(choices.of(paths), choices.of(attributes), choices.of(texts));
                break;
            case 4:
                numberAttribute(choices, file);
                break;
            case 5:
                link(choices, file);
                break;
            case 6:
                H5Ldelete(file.id(), choices.of(paths), H5P_DEFAULT);
                break;
            default:
                otherType(choices, file);
            }
    }
    H5Eset_auto2(H5E_DEFAULT, report, to);
}

} // namespace fuzz
