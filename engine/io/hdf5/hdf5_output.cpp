// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/hdf5/hdf5_output.h"

#include "engine/base/error.h"
#include "engine/base/reserved_memory.h"
#include "engine/io/hdf5/hdf5_library.h"
#include "engine/io/hdf5/hdf5_output_driver.h"

#include <hdf5.h>

#include <algorithm>
#include <cerrno>
#include <limits>
#include <new>
#include <system_error>

namespace engine
{

struct Hdf5Output::Impl {
    std::filesystem::path shownAs;
    Hdf5OutputState state;
    Hdf5Handle driver; // closed after the file
    Hdf5Handle file;

    void require(bool written, const std::string& what) const
    {
        if (written && state.failure == 0)
            return;
        if (state.failure == ENOMEM)
            throw std::bad_alloc();
        const std::string reason = state.failure != 0 ? std::generic_category().message(state.failure) : hdf5Message();
        throw Error(ErrorKind::output,
                    fileText(shownAs.string()) + ": " + what + " can't be written (" + reason + ").");
    }

    Hdf5Handle create(const std::string& path, hid_t type, hid_t space, hid_t creation = H5P_DEFAULT) const
    {
        Hdf5Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
        H5Pset_create_intermediate_group(links.id(), 1);
        Hdf5Handle made(H5Dcreate2(file.id(), path.c_str(), type, space, links.id(), creation, H5P_DEFAULT), H5Dclose);
        require(static_cast<bool>(made), path);
        return made;
    }

    void writeAll(const std::string& path, hid_t type, const std::vector<hsize_t>& shape, const void* values) const
    {
        Hdf5Handle space(shape.empty() ? H5Screate(H5S_SCALAR)
                                       : H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr),
                         H5Sclose);
        Hdf5Handle made = create(path, type, space.id());
        require(H5Dwrite(made.id(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0, path);
    }

    static Hdf5Handle spaceOf(const std::vector<long long>& shape)
    {
        const std::vector<hsize_t> dims(shape.begin(), shape.end());
        return {H5Screate_simple(static_cast<int>(dims.size()), dims.data(), nullptr), H5Sclose};
    }

    static Hdf5Handle storedType(OutputFormat::Type type)
    {
        if (type == OutputFormat::Type::half)
            return halfType(H5T_IEEE_F32LE);
        return {H5Tcopy(type == OutputFormat::Type::uint16 ? H5T_STD_U16LE : H5T_IEEE_F32LE), H5Tclose};
    }

    static Hdf5Handle textType(const std::string& value)
    {
        Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
        H5Tset_size(type.id(), value.size() + 1);
        H5Tset_cset(type.id(), H5T_CSET_UTF8);
        return type;
    }
};

Hdf5Output::Hdf5Output(const std::filesystem::path& path, const std::filesystem::path& shownAs, bool keeps)
    : m_impl(std::make_unique<Impl>())
{
    Hdf5Guard guard;
    m_impl->shownAs = shownAs;
    m_impl->state.keeps = keeps;
    Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    H5Pset_alignment(access.id(), 16 << 20, 2 << 20); // large data sets begin on a large page
    m_impl->driver = registerOutputDriver();
    m_impl->require(useOutputDriver(access.id(), m_impl->driver, m_impl->state), "the file");
    const ReservedMemory reserved(4 << 20); // for the file's cache: HDF5 crashes if it can't allocate it
    m_impl->file = Hdf5Handle(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.id()), H5Fclose);
    m_impl->require(static_cast<bool>(m_impl->file), "the file");
}

Hdf5Output::~Hdf5Output()
{
    Hdf5Guard guard;
    m_impl->file.close();
    m_impl->driver.close();
}

void Hdf5Output::group(const std::string& path, const std::string& nexusClass)
{
    {
        Hdf5Guard guard;
        Hdf5Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
        H5Pset_create_intermediate_group(links.id(), 1);
        Hdf5Handle made(H5Gcreate2(m_impl->file.id(), path.c_str(), links.id(), H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
        m_impl->require(static_cast<bool>(made), path);
    }
    attribute(path, "NX_class", nexusClass);
}

void Hdf5Output::text(const std::string& path, const std::string& value)
{
    Hdf5Guard guard;
    m_impl->writeAll(path, Impl::textType(value).id(), {}, value.c_str());
}

void Hdf5Output::number(const std::string& path, double value)
{
    Hdf5Guard guard;
    m_impl->writeAll(path, H5T_NATIVE_DOUBLE, {}, &value);
}

void Hdf5Output::numbers(const std::string& path, const std::vector<double>& values)
{
    Hdf5Guard guard;
    m_impl->writeAll(path, H5T_NATIVE_DOUBLE, {values.size()}, values.data());
}

void Hdf5Output::integers(const std::string& path, const std::vector<int>& values)
{
    Hdf5Guard guard;
    m_impl->writeAll(path, H5T_NATIVE_INT, {values.size()}, values.data());
}

void Hdf5Output::attribute(const std::string& path, const std::string& name, const std::string& value)
{
    Hdf5Guard guard;
    Hdf5Handle type = Impl::textType(value);
    Hdf5Handle space(H5Screate(H5S_SCALAR), H5Sclose);
    Hdf5Handle made(H5Acreate_by_name(m_impl->file.id(), path.c_str(), name.c_str(), type.id(), space.id(), H5P_DEFAULT,
                                      H5P_DEFAULT, H5P_DEFAULT),
                    H5Aclose);
    m_impl->require(made && H5Awrite(made.id(), type.id(), value.c_str()) >= 0, path + "@" + name);
}

void Hdf5Output::attribute(const std::string& path, const std::string& name, const std::vector<std::string>& values)
{
    Hdf5Guard guard;
    Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
    H5Tset_size(type.id(), H5T_VARIABLE);
    H5Tset_cset(type.id(), H5T_CSET_UTF8);
    const hsize_t count = values.size();
    std::vector<const char*> texts;
    for (const std::string& value : values)
        texts.push_back(value.c_str());
    Hdf5Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose);
    Hdf5Handle made(H5Acreate_by_name(m_impl->file.id(), path.c_str(), name.c_str(), type.id(), space.id(), H5P_DEFAULT,
                                      H5P_DEFAULT, H5P_DEFAULT),
                    H5Aclose);
    m_impl->require(made && H5Awrite(made.id(), type.id(), texts.data()) >= 0, path + "@" + name);
}

void Hdf5Output::link(const std::string& existing, const std::string& path)
{
    Hdf5Guard guard;
    Hdf5Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
    H5Pset_create_intermediate_group(links.id(), 1);
    m_impl->require(H5Lcreate_hard(m_impl->file.id(), existing.c_str(), m_impl->file.id(), path.c_str(), links.id(),
                                   H5P_DEFAULT) >= 0,
                    path);
}

void Hdf5Output::attribute(const std::string& path, const std::string& name, double value)
{
    Hdf5Guard guard;
    Hdf5Handle space(H5Screate(H5S_SCALAR), H5Sclose);
    Hdf5Handle made(H5Acreate_by_name(m_impl->file.id(), path.c_str(), name.c_str(), H5T_IEEE_F64LE, space.id(),
                                      H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                    H5Aclose);
    m_impl->require(made && H5Awrite(made.id(), H5T_NATIVE_DOUBLE, &value) >= 0, path + "@" + name);
}

void Hdf5Output::attribute(const std::string& path, const std::string& name, const std::vector<double>& values)
{
    Hdf5Guard guard;
    const hsize_t count = values.size();
    Hdf5Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose);
    Hdf5Handle made(H5Acreate_by_name(m_impl->file.id(), path.c_str(), name.c_str(), H5T_IEEE_F64LE, space.id(),
                                      H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                    H5Aclose);
    m_impl->require(made && H5Awrite(made.id(), H5T_NATIVE_DOUBLE, values.data()) >= 0, path + "@" + name);
}

long long Hdf5Output::numbers(const std::string& path, const std::vector<long long>& shape, OutputFormat::Type type)
{
    Hdf5Guard guard;
    Hdf5Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_fill_time(creation.id(), H5D_FILL_TIME_NEVER); // every number is written anyway
    H5Pset_alloc_time(creation.id(), H5D_ALLOC_TIME_EARLY);
    const Hdf5Handle space = Impl::spaceOf(shape), stored = Impl::storedType(type);
    const Hdf5Handle made = m_impl->create(path, stored.id(), space.id(), creation.id());
    const haddr_t offset = H5Dget_offset(made.id());
    m_impl->require(offset != HADDR_UNDEF, path);
    return static_cast<long long>(offset);
}

void Hdf5Output::images(const std::string& path, const std::vector<long long>& shape)
{
    Hdf5Guard guard;
    std::vector<hsize_t> edges(shape.size(), 1);
    std::copy(shape.end() - 2, shape.end(), edges.end() - 2);
    Hdf5Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    const float missing = std::numeric_limits<float>::quiet_NaN();
    H5Pset_chunk(creation.id(), static_cast<int>(edges.size()), edges.data());
    H5Pset_fill_value(creation.id(), H5T_NATIVE_FLOAT, &missing);
    const Hdf5Handle space = Impl::spaceOf(shape), stored = Impl::storedType(OutputFormat::Type::float32);
    m_impl->create(path, stored.id(), space.id(), creation.id());
}

void Hdf5Output::chunks(const std::string& path, const std::vector<long long>& shape, const OutputFormat& format,
                        const std::vector<long long>& chunk)
{
    Hdf5Guard guard;
    const std::vector<hsize_t> edges(chunk.begin(), chunk.end());
    Hdf5Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_chunk(creation.id(), static_cast<int>(edges.size()), edges.data());
    H5Pset_shuffle(creation.id());
    H5Pset_deflate(creation.id(), static_cast<unsigned>(format.deflateLevel));
    const Hdf5Handle space = Impl::spaceOf(shape), stored = Impl::storedType(format.type);
    m_impl->create(path, stored.id(), space.id(), creation.id());
}

void Hdf5Output::writeChunk(const std::string& path, const std::vector<long long>& start,
                            std::span<const std::byte> deflated)
{
    Hdf5Guard guard;
    const std::vector<hsize_t> from(start.begin(), start.end());
    Hdf5Handle dataset(H5Dopen2(m_impl->file.id(), path.c_str(), H5P_DEFAULT), H5Dclose);
    m_impl->require(H5Dwrite_chunk(dataset.id(), H5P_DEFAULT, 0, from.data(), deflated.size(), deflated.data()) >= 0,
                    path);
    m_impl->require(dataset.close(), path);
}

void Hdf5Output::write(const std::string& path, const std::vector<long long>& start,
                       const std::vector<long long>& count, const float* values)
{
    Hdf5Guard guard;
    const std::vector<hsize_t> from(start.begin(), start.end()), extent(count.begin(), count.end());
    Hdf5Handle dataset(H5Dopen2(m_impl->file.id(), path.c_str(), H5P_DEFAULT), H5Dclose);
    Hdf5Handle space(H5Dget_space(dataset.id()), H5Sclose);
    Hdf5Handle memory(H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr), H5Sclose);
    m_impl->require(H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, from.data(), nullptr, extent.data(), nullptr) >=
                            0 &&
                        H5Dwrite(dataset.id(), H5T_NATIVE_FLOAT, memory.id(), space.id(), H5P_DEFAULT, values) >= 0,
                    path);
    m_impl->require(dataset.close(), path); // writes its last small block to the file
}

void Hdf5Output::close()
{
    Hdf5Guard guard;
    m_impl->require(H5Fflush(m_impl->file.id(), H5F_SCOPE_GLOBAL) >= 0, "the end of the file");
    m_impl->require(m_impl->file.close(), "the end of the file");
}

} // namespace engine
