// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backends/opencl/device/opened_device.h"

#include "engine/backends/opencl/device/device_handles.h"
#include "engine/base/error.h"
#include "engine/base/stopwatch.h"

#include <cmath>
#include <cstdint>
#include <vector>

namespace engine::opencl
{

namespace
{

constexpr const char* readerSource = R"(
constant sampler_t sampler = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_LINEAR;
kernel void readQuarters(read_only image2d_t image, global float4* out)
{
    const int k = get_global_id(0);
    out[k] = read_imagef(image, sampler, (float2)(0.25f * k, 0.5f));
}
)";

constexpr int texels = 4, quarters = 4 * (texels + 1);

// The number in a channel of a texel of the trial image.
int trialValue(int texel, int channel)
{
    return (texel + 1) * (texel + 2 + channel);
}

// Returns the bits of a small whole number as a half.
std::uint16_t halfOf(int number)
{
    const int exponent = std::ilogb(number);
    return static_cast<std::uint16_t>(((exponent + 15) << 10) + ((number << (10 - exponent)) & 0x3ff));
}

// Returns the number that linear interpolation gives at a quarter of a texel; 0 beyond the image.
float trialResult(int quarter, int channel)
{
    const float at = 0.25F * static_cast<float>(quarter) - 0.5F;
    const int left = static_cast<int>(std::floor(at));
    const float part = at - static_cast<float>(left);
    const auto value = [&](int texel) {
        return texel < 0 || texel >= texels ? 0.0F : static_cast<float>(trialValue(texel, channel));
    };
    return (1 - part) * value(left) + part * value(left + 1);
}

} // namespace

void Image::reserve(cl_context context, const Shape& shape)
{
    const bool fits = m_shape.channels == shape.channels && m_shape.half == shape.half &&
                      m_shape.width == shape.width && m_shape.height == shape.height &&
                      (m_shape.layers > 0) == (shape.layers > 0) && m_shape.layers >= shape.layers;
    if (m_memory && fits)
        return;
    m_memory = Memory(); // frees first: the old and the new memory need not fit together
    cl_image_format format{};
    format.image_channel_order = shape.channels == 1 ? CL_R : shape.channels == 2 ? CL_RG : CL_RGBA;
    format.image_channel_data_type = shape.half ? CL_HALF_FLOAT : CL_FLOAT;
    cl_image_desc size{};
    size.image_type = shape.layers > 0 ? CL_MEM_OBJECT_IMAGE2D_ARRAY : CL_MEM_OBJECT_IMAGE2D;
    size.image_width = static_cast<std::size_t>(shape.width);
    size.image_height = static_cast<std::size_t>(shape.height);
    size.image_array_size = static_cast<std::size_t>(shape.layers);
    cl_int status = CL_SUCCESS;
    m_memory = Memory(functions().clCreateImage(context, CL_MEM_READ_WRITE, &format, &size, nullptr, &status));
    check(status, "clCreateImage");
    m_shape = shape;
}

Event Image::fill(cl_command_queue queue, cl_mem buffer, int layers) const
{
    const std::size_t origin[3] = {0, 0, 0};
    const std::size_t region[3] = {static_cast<std::size_t>(m_shape.width), static_cast<std::size_t>(m_shape.height),
                                   static_cast<std::size_t>(layers)};
    cl_event copied = nullptr;
    check(functions().clEnqueueCopyBufferToImage(queue, buffer, m_memory.get(), 0, origin, region, 0, nullptr, &copied),
          "clEnqueueCopyBufferToImage");
    return Event(copied);
}

OpenedDevice::OpenedDevice(int index) : m_facts(openClDevices().devices.at(index)), m_device(handleOf(index))
{
    cl_int status = CL_SUCCESS;
    m_context = Context(functions().clCreateContext(nullptr, 1, &m_device, nullptr, nullptr, &status));
    check(status, "clCreateContext");
}

Queue OpenedDevice::makeQueue() const
{
    return opencl::makeQueue(m_context.get(), m_device);
}

Program OpenedDevice::compile(const ProgramText& text)
{
    // PoCL has a cache of its own, and takes longer to hand out a compiled program than to compile it.
    const bool hasCache = m_facts.platform == "Portable Computing Language";
    const Stopwatch watch;
    Program made = compiled(m_context.get(), m_facts.index, text, hasCache ? std::filesystem::path() : programFolder());
    m_compileSeconds += watch.seconds();
    return made;
}

cl_kernel OpenedDevice::kernel(const std::string& source, const std::string& options, const char* name)
{
    auto program = m_programs.find({source, options});
    if (program == m_programs.end())
        program = m_programs.emplace(std::pair(source, options), compile({source, options})).first;
    Kernel& kernel = m_kernels[{&program->second, name}];
    if (!kernel)
        kernel = kernelOf(program->second, name);
    return kernel.get();
}

int OpenedDevice::channelsFor(int values, bool half)
{
    if (!m_facts.hasImages)
        throw Error(ErrorKind::device, "the OpenCL device " + m_facts.name + " has no images");
    for (const int channels : {1, 2, 4}) {
        if (channels < values)
            continue;
        const auto [known, isNew] = m_formats.try_emplace({channels, half}, false);
        if (isNew)
            known->second = isReadRightly(channels, half);
        if (known->second)
            return channels;
    }
    throw Error(ErrorKind::device, "the OpenCL device " + m_facts.name + " reads no images of " +
                                       std::to_string(values) + (half ? " halves" : " floats") + " rightly");
}

bool OpenedDevice::isReadRightly(int channels, bool half)
{
    std::vector<float> floats;
    std::vector<std::uint16_t> halves;
    for (int texel = 0; texel < texels; ++texel)
        for (int channel = 0; channel < channels; ++channel) {
            floats.push_back(static_cast<float>(trialValue(texel, channel)));
            halves.push_back(halfOf(trialValue(texel, channel)));
        }
    const std::size_t bytes = floats.size() * (half ? sizeof(std::uint16_t) : sizeof(float));
    try {
        Image image;
        image.reserve(m_context.get(), {.channels = channels, .half = half, .width = texels, .height = 1});
        Buffer in, out;
        in.reserve(m_context.get(), bytes);
        out.reserve(m_context.get(), quarters * sizeof(cl_float4));
        const Queue queue = makeQueue();
        check(functions().clEnqueueWriteBuffer(queue.get(), in.get(), CL_TRUE, 0, bytes,
                                               half ? static_cast<const void*>(halves.data()) : floats.data(), 0,
                                               nullptr, nullptr),
              "clEnqueueWriteBuffer");
        image.fill(queue.get(), in.get());
        const cl_kernel read = kernel(readerSource, "", "readQuarters");
        setArguments(read, image.get(), out.get());
        enqueue(queue.get(), read, {quarters}, 1);
        std::vector<cl_float4> results(quarters);
        check(functions().clEnqueueReadBuffer(queue.get(), out.get(), CL_TRUE, 0, quarters * sizeof(cl_float4),
                                              results.data(), 0, nullptr, nullptr),
              "clEnqueueReadBuffer");
        for (int quarter = 0; quarter < quarters; ++quarter)
            for (int channel = 0; channel < channels; ++channel)
                if (!(std::abs(results[quarter].s[channel] - trialResult(quarter, channel)) < 0.1F))
                    return false;
    } catch (const Error&) {
        return false; // the format is not supported
    }
    return true;
}

} // namespace engine::opencl
