// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backends/opencl/parallel/variants.h"

#include "engine/backends/parallel/hybrid_share.h"
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

int textureEighths(const std::string& variant, Interpolation interpolation, int slices)
{
    if (!variant.empty())
        return eighthsFromText(variant);
    if (interpolation == Interpolation::nearest)
        return 1;
    if (interpolation == Interpolation::oversampled)
        return 2;
    return slices == 1 ? 2 : slices == 2 ? 3 : 4;
}

} // namespace engine::opencl
