// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backends/opencl/device/program.h"

#include "engine/backends/opencl/device/device_handles.h"
#include "engine/backends/opencl/device/devices.h"
#include "engine/backends/opencl/device/time_limit.h"
#include "engine/base/digest.h"
#include "engine/base/machine.h"
#include "engine/base/own_file.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <set>
#include <span>

namespace engine::opencl
{

namespace
{

namespace fs = std::filesystem;

// Begins each file of the cache, followed by a checksum and the compiled program.
std::string keyOf(const Device& device, const ProgramText& text)
{
    return device.platform + '\n' + device.name + '\n' + device.driver + '\n' + text.options + '\n' + text.source +
           '\0';
}

std::string digestOf(const std::string& text)
{
    Digest digest;
    digest.add(std::as_bytes(std::span(text)));
    return digest.text();
}

fs::path fileFor(const fs::path& folder, const std::string& key)
{
    return folder / (digestOf(key) + ".bin");
}

// Returns the compiled program of a file; empty if there is none for this key, or a damaged one: PoCL 3.1 aborts on
// these.
std::string cachedBinary(const fs::path& file, const std::string& key)
{
    constexpr std::size_t largest = 64 << 20;
    const std::string contents = readCached(file, largest, WrittenBy::thisUser);
    const std::size_t ofDigest = digestOf({}).size();
    if (!contents.starts_with(key) || contents.size() < key.size() + ofDigest)
        return {};
    std::string binary = contents.substr(key.size() + ofDigest);
    return contents.compare(key.size(), ofDigest, digestOf(binary)) == 0 ? binary : std::string();
}

std::string binaryOf(cl_program program)
{
    std::size_t bytes = 0;
    if (functions().clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof(bytes), &bytes, nullptr) != CL_SUCCESS)
        return {};
    std::string binary(bytes, '\0');
    char* start = binary.data();
    if (functions().clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof(start), &start, nullptr) != CL_SUCCESS)
        return {};
    return binary;
}

// Returns the line of the compiler's messages that names an error, or the first line.
std::string firstError(cl_program program, cl_device_id device)
{
    std::size_t bytes = 0;
    functions().clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &bytes);
    std::string log(bytes, '\0');
    functions().clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, bytes, log.data(), nullptr);
    const std::size_t error = log.find("error");
    const std::size_t before = error == std::string::npos ? std::string::npos : log.rfind('\n', error);
    const std::size_t first = before == std::string::npos ? 0 : before + 1;
    std::string line = log.substr(first, log.find_first_of(std::string("\n\0", 2), first) - first);
    return line.empty() ? "the compiler gives no reason" : line;
}

// Devices whose compiler didn't end: nobody waits for them twice.
class Hung
{
  public:
    bool has(int device)
    {
        const std::lock_guard lock(m_mutex);
        return m_devices.contains(device);
    }
    void add(int device)
    {
        const std::lock_guard lock(m_mutex);
        m_devices.insert(device);
    }

  private:
    std::mutex m_mutex;
    std::set<int> m_devices; // by their indices
};

Hung& hung()
{
    static Hung devices;
    return devices;
}

// Builds on a thread that may stay behind, which then owns the program.
cl_int build(const std::shared_ptr<Program>& program, const Device& facts, const std::string& options)
{
    const double allowed = secondsAllowed(120);
    const std::string problem = "the compiler of the OpenCL device " + facts.name + " didn't end within " +
                                std::to_string(static_cast<int>(allowed)) + " s";
    if (hung().has(facts.index))
        throw Error(ErrorKind::device, problem);
    const auto ended = std::make_shared<std::atomic<bool>>(false);
    const auto work = [program, device = handleOf(facts.index), options, ended] {
        const cl_int status = functions().clBuildProgram(program->get(), 1, &device, options.c_str(), nullptr, nullptr);
        *ended = true;
        return status;
    };
    try {
        return withinSeconds(allowed, problem, work);
    } catch (const Error&) {
        if (!*ended)
            hung().add(facts.index);
        throw;
    }
}

} // namespace

std::filesystem::path programFolder()
{
    const fs::path folder = cacheFolder();
    return folder.empty() ? folder : folder / "opencl";
}

Program compiled(cl_context context, int deviceIndex, const ProgramText& text, const std::filesystem::path& folder)
{
    const Device& facts = openClDevices().devices.at(deviceIndex);
    const cl_device_id device = handleOf(deviceIndex);
    const std::string key = keyOf(facts, text);
    const fs::path file = folder.empty() ? folder : fileFor(folder, key);
    cl_int status = CL_SUCCESS;
    if (const std::string binary = file.empty() ? std::string() : cachedBinary(file, key); !binary.empty()) {
        const auto* start = reinterpret_cast<const unsigned char*>(binary.data());
        const std::size_t bytes = binary.size();
        cl_int loaded = CL_SUCCESS;
        auto program = std::make_shared<Program>(
            functions().clCreateProgramWithBinary(context, 1, &device, &bytes, &start, &loaded, &status));
        if (status == CL_SUCCESS && loaded == CL_SUCCESS && build(program, facts, text.options) == CL_SUCCESS)
            return std::move(*program);
    }
    const char* source = text.source.c_str();
    auto program =
        std::make_shared<Program>(functions().clCreateProgramWithSource(context, 1, &source, nullptr, &status));
    check(status, "clCreateProgramWithSource");
    status = build(program, facts, text.options);
    if (status != CL_SUCCESS)
        throw Error(ErrorKind::device, "the compiler of the OpenCL device " + facts.name +
                                           " refuses a kernel: " + firstError(program->get(), device));
    if (const std::string binary = file.empty() ? std::string() : binaryOf(program->get()); !binary.empty())
        writeCached(file, key + digestOf(binary) + binary);
    return std::move(*program);
}

Kernel kernelOf(const Program& program, const char* name)
{
    cl_int status = CL_SUCCESS;
    Kernel kernel(functions().clCreateKernel(program.get(), name, &status));
    check(status, "clCreateKernel");
    return kernel;
}

} // namespace engine::opencl
