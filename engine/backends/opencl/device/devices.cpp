// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backends/opencl/device/devices.h"

#include "engine/backends/opencl/device/device_handles.h"
#include "engine/backends/opencl/device/time_limit.h"

#include <algorithm>
#include <memory>

namespace engine::opencl
{

namespace
{

constexpr std::size_t groupThreads = 256; // of all kernels

// A device and its handle. The handles stay valid as long as the program runs.
struct Found {
    Device facts;
    cl_device_id handle = nullptr;
};

struct Answer {
    Devices list;
    std::vector<cl_device_id> handles; // in the order of the list
};

template <typename T>
T fact(cl_device_id device, cl_device_info what)
{
    T value{};
    functions().clGetDeviceInfo(device, what, sizeof(value), &value, nullptr);
    return value;
}

template <typename Object, typename Ask>
std::string textOf(Object object, cl_uint what, Ask ask)
{
    std::size_t bytes = 0;
    if (ask(object, what, 0, nullptr, &bytes) != CL_SUCCESS || bytes == 0)
        return {};
    std::string text(bytes, '\0');
    if (ask(object, what, bytes, text.data(), nullptr) != CL_SUCCESS)
        return {};
    text.resize(text.find('\0') == std::string::npos ? text.size() : text.find('\0'));
    const auto first = text.find_first_not_of(' ');
    return first == std::string::npos ? std::string() : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

std::string problemOf(cl_device_id device)
{
    if (!fact<cl_bool>(device, CL_DEVICE_AVAILABLE))
        return "the driver reports that it is not available";
    if (!fact<cl_bool>(device, CL_DEVICE_COMPILER_AVAILABLE))
        return "its driver has no compiler";
    if (!fact<cl_bool>(device, CL_DEVICE_ENDIAN_LITTLE))
        return "its bytes are in another order than the processor's";
    if (fact<std::size_t>(device, CL_DEVICE_MAX_WORK_GROUP_SIZE) < groupThreads)
        return "it has groups of " + std::to_string(fact<std::size_t>(device, CL_DEVICE_MAX_WORK_GROUP_SIZE)) +
               " threads; 256 are needed";
    if (fact<cl_ulong>(device, CL_DEVICE_LOCAL_MEM_SIZE) < 32 * 1024)
        return "it has less than 32 KB of local memory";
    return {};
}

Device factsOf(cl_device_id device, cl_platform_id platform)
{
    const auto ofDevice = [&](cl_uint what) { return textOf(device, what, functions().clGetDeviceInfo); };
    const auto ofPlatform = [&](cl_uint what) { return textOf(platform, what, functions().clGetPlatformInfo); };
    Device facts;
    facts.name = ofDevice(CL_DEVICE_NAME);
    facts.isGpu = (fact<cl_device_type>(device, CL_DEVICE_TYPE) & CL_DEVICE_TYPE_GPU) != 0;
    facts.computeUnits = static_cast<int>(fact<cl_uint>(device, CL_DEVICE_MAX_COMPUTE_UNITS));
    facts.clockMhz = fact<cl_uint>(device, CL_DEVICE_MAX_CLOCK_FREQUENCY);
    facts.memoryBytes = static_cast<double>(fact<cl_ulong>(device, CL_DEVICE_GLOBAL_MEM_SIZE));
    facts.largestBufferBytes = static_cast<double>(fact<cl_ulong>(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE));
    facts.localBytes = static_cast<double>(fact<cl_ulong>(device, CL_DEVICE_LOCAL_MEM_SIZE));
    facts.constantBytes = static_cast<double>(fact<cl_ulong>(device, CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE));
    facts.hasImages = fact<cl_bool>(device, CL_DEVICE_IMAGE_SUPPORT) != 0;
    facts.mostImageWidth = static_cast<int>(fact<std::size_t>(device, CL_DEVICE_IMAGE2D_MAX_WIDTH));
    facts.mostImageHeight = static_cast<int>(fact<std::size_t>(device, CL_DEVICE_IMAGE2D_MAX_HEIGHT));
    facts.mostImageLayers = static_cast<int>(fact<std::size_t>(device, CL_DEVICE_IMAGE_MAX_ARRAY_SIZE));
    facts.hasHalfArithmetic = ofDevice(CL_DEVICE_EXTENSIONS).find("cl_khr_fp16") != std::string::npos;
    facts.unusable = problemOf(device);
    facts.platform = ofPlatform(CL_PLATFORM_NAME);
    facts.driver = ofDevice(CL_DRIVER_VERSION) + ", " + ofPlatform(CL_PLATFORM_VERSION);
    facts.details = facts.platform + " (" + facts.driver + "), " + std::to_string(facts.computeUnits) +
                    (facts.computeUnits == 1 ? " compute unit" : " compute units") +
                    (facts.hasImages || !facts.unusable.empty() ? "" : "; without images: only alu-opencl");
    return facts;
}

std::vector<Found> devicesOf(cl_platform_id platform)
{
    cl_uint count = 0;
    if (functions().clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count) != CL_SUCCESS || count == 0)
        return {};
    std::vector<cl_device_id> handles(count);
    if (functions().clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, handles.data(), nullptr) != CL_SUCCESS)
        return {};
    std::vector<Found> found;
    for (cl_device_id handle : handles)
        found.push_back({factsOf(handle, platform), handle});
    return found;
}

Answer askDrivers()
{
    Answer answer;
    cl_uint count = 0;
    const cl_int status = functions().clGetPlatformIDs(0, nullptr, &count);
    std::vector<cl_platform_id> platforms(status == CL_SUCCESS ? count : 0);
    if (platforms.empty() || functions().clGetPlatformIDs(count, platforms.data(), nullptr) != CL_SUCCESS) {
        answer.list.reason = "no OpenCL driver is installed";
        return answer;
    }
    std::vector<Found> found;
    for (cl_platform_id platform : platforms)
        for (Found& one : devicesOf(platform))
            found.push_back(std::move(one));
    // Not std::ranges: Clang 14 can't compile it with this library.
    std::stable_partition(found.begin(), found.end(), [](const Found& one) { return one.facts.isGpu; });
    for (Found& one : found) {
        one.facts.index = static_cast<int>(answer.handles.size());
        answer.handles.push_back(one.handle);
        answer.list.devices.push_back(std::move(one.facts));
    }
    if (found.empty())
        answer.list.reason = "the installed OpenCL drivers have no device";
    return answer;
}

Answer ask()
{
    try {
        const double allowed = secondsAllowed(30);
        return withinSeconds(
            allowed, "an OpenCL driver didn't answer within " + std::to_string(static_cast<int>(allowed)) + " s",
            askDrivers);
    } catch (const Error& error) {
        Answer answer;
        answer.list.reason = error.what();
        return answer;
    }
}

const Answer& answered()
{
    static const Answer answer = ask();
    return answer;
}

} // namespace

cl_device_id handleOf(int index)
{
    const std::vector<cl_device_id>& handles = answered().handles;
    if (index < 0 || index >= static_cast<int>(handles.size()))
        throw Error(ErrorKind::device, "there is no OpenCL device " + std::to_string(index));
    return handles[index];
}

} // namespace engine::opencl

const engine::Devices& engine::openClDevices()
{
    return opencl::answered().list;
}
