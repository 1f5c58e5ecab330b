// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backends/cuda/cuda_session.h"

#include "engine/backends/cuda/parallel/exact_sums.h"
#include "engine/base/error.h"
#include "engine/base/named_rows.h"

#include <utility>

namespace engine::cuda
{

namespace
{

// What the methods launch, by their ids. `exact-cuda` keeps nothing, and has a function of its own.
struct SliceKernels {
    const char* id;
    const Kernels* kernels;
};
const SliceKernels sliceKernels[] = {{"standard", &standardKernels},
                                     {"texture", &textureKernels},
                                     {"hybrid", &hybridKernels},
                                     {"alu", &aluKernels},
                                     {"tensor", &tensorKernels}};

struct ConeKernelOf {
    const char* id;
    ConeKernel kernel;
};
constexpr ConeKernelOf coneKernels[] = {{"standard", ConeKernel::standard},
                                        {"shuffle", ConeKernel::shuffle},
                                        {"texture", ConeKernel::texture},
                                        {"columns", ConeKernel::columns}};

// Returns the pipeline, which is made if there is none.
template <class Made, class... Arguments>
Made& made(std::unique_ptr<Made>& pipeline, Arguments&&... arguments)
{
    if (!pipeline)
        pipeline = std::make_unique<Made>(std::forward<Arguments>(arguments)...);
    return *pipeline;
}

} // namespace

PlanePipeline& CudaSession::planes()
{
    return made(m_planes, m_device, [this] { return freeAllBut(m_planes.get()); });
}

bool CudaSession::freeAllBut(const void* pipeline)
{
    bool any = false;
    const auto free = [&](auto& other) {
        if (other && other.get() != pipeline) {
            other.reset();
            any = true;
        }
    };
    free(m_slices);
    free(m_cone);
    free(m_planes);
    return any;
}

// What other launches left in the GPU's memory makes later ones faster. A launch that lacks the memory needs it more.
LaunchReport CudaSession::run(const Method& method, const LaunchArguments& arguments)
{
    try {
        return runHere(method, arguments);
    } catch (const Error& error) {
        const void* used = arguments.plane                     ? static_cast<const void*>(m_planes.get())
                           : takesConeBeam(arguments.geometry) ? static_cast<const void*>(m_cone.get())
                                                               : m_slices.get();
        if (error.kind() != ErrorKind::noMemory || !freeAllBut(used))
            throw;
    }
    return runHere(method, arguments);
}

LaunchReport CudaSession::runHere(const Method& method, const LaunchArguments& arguments)
{
    if (arguments.plane)
        return planes().run(arguments);
    if (takesConeBeam(arguments.geometry))
        return made(m_cone, m_device, [this] { return freeAllBut(m_cone.get()); })
            .run(rowWithId(coneKernels, method.id, "method").kernel, arguments);
    if (method.filterPrecision == FilterPrecision::float64)
        return exactSumsOnGpu(arguments, intoImage(arguments.image));
    return made(m_slices, m_device).run(*rowWithId(sliceKernels, method.id, "method").kernels, arguments);
}

} // namespace engine::cuda
