// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/library/input_driver.h"

#include "engine/base/error.h"
#include "engine/io/files/growing_file.h"
#include "engine/io/files/input_file.h"
#include "engine/io/hdf5/hdf5_driver.h"

#include <hdf5.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>

namespace engine
{

namespace
{

struct InputAccess { // in the file access property list, copied byte by byte
    Hdf5Inputs* inputs;
};

struct OpenInput {
    OpenInput(std::unique_ptr<InputFile> opened, std::shared_ptr<Hdf5Inputs> of)
        : owned(std::move(opened)), file(*owned), inputs(std::move(of))
    {
    }
    H5FD_t shared = {}; // HDF5's part; must come first
    std::unique_ptr<InputFile> owned;
    const InputFile& file;
    std::shared_ptr<Hdf5Inputs> inputs;
    haddr_t allocated = 0; // end of the space that HDF5 has allocated
};

OpenInput& inputOf(H5FD_t* file)
{
    return *reinterpret_cast<OpenInput*>(file);
}
const OpenInput& inputOf(const H5FD_t* file)
{
    return *reinterpret_cast<const OpenInput*>(file);
}

H5FD_t* openInput(const char* name, unsigned flags, hid_t fileAccess, haddr_t)
{
    const auto* access = static_cast<const InputAccess*>(H5Pget_driver_info(fileAccess));
    if (!access || (flags & (H5F_ACC_RDWR | H5F_ACC_TRUNC | H5F_ACC_CREAT)) != 0)
        return nullptr;
    try {
        Hdf5Inputs& inputs = *access->inputs;
        std::unique_ptr<InputFile> file =
            inputs.ready && inputs.ready->path() == name ? std::move(inputs.ready) : inputs.access.open(name);
        if (!file) // HDF5 tries several places for each link
            return nullptr;
        return &std::make_unique<OpenInput>(std::move(file), inputs.shared_from_this()).release()->shared;
    } catch (const std::bad_alloc&) {
        access->inputs->noMemory = true;
    } catch (const std::exception&) { // whoever needs the file finds out why
    }
    return nullptr;
}

herr_t closeInput(H5FD_t* opened)
{
    delete &inputOf(opened);
    return 0;
}

int compareInputs(const H5FD_t* a, const H5FD_t* b)
{
    const OpenInput &first = inputOf(a), &second = inputOf(b);
    if (first.inputs == second.inputs && first.file.isSameAs(second.file))
        return 0;
    return a < b ? -1 : 1;
}

// Returns the access data for files that HDF5 opens on behalf of this file; HDF5 frees it.
void* accessOf(H5FD_t* opened)
{
    auto* access = static_cast<InputAccess*>(std::malloc(sizeof(InputAccess)));
    if (access)
        access->inputs = inputOf(opened).inputs.get();
    return access;
}

herr_t inputFeatures(const H5FD_t*, unsigned long* features)
{
    // Without ACCUMULATE_METADATA: if a damaged file makes HDF5 1.10 jump back and forth, it copies out of an
    // accumulator that it couldn't allocate.
    *features = H5FD_FEAT_DATA_SIEVE | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE | H5FD_FEAT_SUPPORTS_SWMR_IO;
    return 0;
}

haddr_t inputAllocated(const H5FD_t* file, H5FD_mem_t)
{
    return inputOf(file).allocated;
}

herr_t setInputAllocated(H5FD_t* file, H5FD_mem_t, haddr_t end)
{
    inputOf(file).allocated = end;
    return 0;
}

haddr_t inputEnd(const H5FD_t* file, H5FD_mem_t)
{
    return inputOf(file).file.bytes();
}

thread_local std::size_t mostSampleBytes = SIZE_MAX, sampleBytesWanted = 0; // set by SamplesLimit
thread_local bool isNoting = false;                                         // set by SamplesPlace
thread_local std::optional<ChunkPlace> noted;

herr_t readInput(H5FD_t* opened, H5FD_mem_t type, hid_t, haddr_t at, std::size_t size, void* buffer)
try {
    const OpenInput& input = inputOf(opened);
    if (type == H5FD_MEM_DRAW) {
        sampleBytesWanted = size;
        if (isNoting) {
            noted = ChunkPlace{.offset = at, .bytes = size, .state = ChunkPlace::State::stored};
            return 0;
        }
        if (size > mostSampleBytes)
            return -1;
    }
    if (at > static_cast<haddr_t>(INT64_MAX) - size) // in a damaged file
        return -1;
    if (input.file.read(static_cast<char*>(buffer), size, at) == size)
        return 0;
    if (at + size <= input.file.bytes())
        input.file.fail("it has become shorter since it was opened. Open it again");
    return -1;
} catch (const std::bad_alloc&) {
    inputOf(opened).inputs->noMemory = true;
    return -1;
} catch (const std::exception& error) {
    if (std::string& failure = inputOf(opened).inputs->failure; failure.empty())
        failure = error.what();
    return -1;
}

// HDF5 rejects a driver without this function.
herr_t refuseWrite(H5FD_t*, H5FD_mem_t, hid_t, haddr_t, std::size_t, const void*)
{
    return -1;
}

H5FD_class_t inputDriver()
{
    H5FD_class_t driver = plainDriver("sinoscope-input", 512, sizeof(InputAccess));
    driver.fapl_get = accessOf;
    driver.open = openInput;
    driver.close = closeInput;
    driver.cmp = compareInputs;
    driver.query = inputFeatures;
    driver.get_eoa = inputAllocated;
    driver.set_eoa = setInputAllocated;
    driver.get_eof = inputEnd;
    driver.read = readInput;
    driver.write = refuseWrite;
    return driver;
}

} // namespace

Hdf5Handle openHdf5(const std::shared_ptr<Hdf5Inputs>& inputs, const std::filesystem::path& path)
{
    // Never unregistered: otherwise HDF5 1.10, when it closes the last file of the driver, first frees the driver and
    // then calls it.
    static const hid_t driver = [] {
        const H5FD_class_t description = inputDriver(); // copied by the library
        const hid_t registered = H5FDregister(&description);
        return registered >= 0 ? registered : throw std::bad_alloc();
    }();
    const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    const InputAccess info{inputs.get()};
    if (H5Pset_driver(access.id(), driver, &info) < 0)
        return {};
    constexpr unsigned filesHeldOpen = 16; // behind external links; they would be reopened for each object
    H5Pset_elink_file_cache_size(access.id(), filesHeldOpen);
    inputs->ready = inputs->access.open(path);
    const unsigned growing = inputs->ready && isWrittenBySwmr(*inputs->ready) ? H5F_ACC_SWMR_READ : 0;
    constexpr unsigned readAttempts = 25; // for a block that is being written; the pauses add up to 33 ms
    if (growing != 0)
        H5Pset_metadata_read_attempts(access.id(), readAttempts);
    Hdf5Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY | growing, access.id()), H5Fclose);
    if (!file)
        inputs->refusal = hdf5Message(); // the next call clears it
    inputs->ready.reset();
    return file;
}

SamplesLimit::SamplesLimit(std::size_t bytes)
{
    mostSampleBytes = bytes;
    sampleBytesWanted = 0;
}

SamplesLimit::~SamplesLimit()
{
    mostSampleBytes = SIZE_MAX;
}

std::size_t SamplesLimit::wanted() const
{
    return sampleBytesWanted;
}

SamplesPlace::SamplesPlace()
{
    isNoting = true;
    noted.reset();
}

SamplesPlace::~SamplesPlace()
{
    isNoting = false;
}

const std::optional<ChunkPlace>& SamplesPlace::last() const
{
    return noted;
}

void SamplesPlace::clear()
{
    noted.reset();
}

} // namespace engine
