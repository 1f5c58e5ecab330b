// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backends/opencl/parallel/variants.h"

#include "engine/base/named_rows.h"

namespace engine::opencl
{

TextureStep textureStepFromText(const std::string& id)
{
    return id.empty() ? TextureStep::all : rowWithId(textureSteps, id, "variant of `texture-opencl`").step;
}

AluVariant aluVariantFromText(const std::string& id)
{
    return id.empty() ? AluVariant::tuned : rowWithId(aluVariants, id, "variant of `alu-opencl`").variant;
}

} // namespace engine::opencl
