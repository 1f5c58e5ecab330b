// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backends/cuda/cuda_session.h"

#include "engine/backends/cuda/parallel/exact_sums.h"
#include "engine/base/named_rows.h"

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
template <class Made>
Made& made(std::unique_ptr<Made>& pipeline, int device)
{
    if (!pipeline)
        pipeline = std::make_unique<Made>(device);
    return *pipeline;
}

} // namespace

PlanePipeline& CudaSession::planes()
{
    return made(m_planes, m_device);
}

LaunchReport CudaSession::run(const Method& method, const LaunchArguments& arguments)
{
    if (arguments.plane)
        return planes().run(arguments);
    if (takesConeBeam(arguments.geometry))
        return made(m_cone, m_device).run(rowWithId(coneKernels, method.id, "method").kernel, arguments);
    if (method.filterPrecision == FilterPrecision::float64)
        return exactSumsOnGpu(arguments, intoImage(arguments.image));
    return made(m_slices, m_device).run(*rowWithId(sliceKernels, method.id, "method").kernels, arguments);
}

} // namespace engine::cuda
