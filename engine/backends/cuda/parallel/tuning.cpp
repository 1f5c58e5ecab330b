// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backends/cuda/parallel/tuning.h"

#include "engine/backends/cuda/parallel/texture_steps.h"
#include "engine/base/error.h"
#include "engine/base/named_rows.h"
#include "engine/request/setting.h"

#include <algorithm>
#include <iterator>

namespace engine::cuda
{

namespace
{

std::string notBuilt(const std::string& id)
{
    return "the tuning '" + id + "' of `alu` is not in this build: CMake with -DSINOSCOPE_TUNINGS=ON builds it";
}

} // namespace

AluVariant aluVariantFromText(const std::string& id)
{
    return rowWithId(aluVariants, id, "tuning of `alu`").variant;
}

void requireAluTuning(const std::string& id, bool tuningsBuilt)
{
    const auto* tuning = std::ranges::find_if(aluVariants, [&](const AluVariantName& name) { return id == name.id; });
    if (tuning == std::end(aluVariants))
        return;
    const AluVariant variant = tuning->variant;
    bool here = false, elsewhere = false;
    for (const AluMode mode : {AluMode::nearest, AluMode::linear, AluMode::oversampled, AluMode::cubic})
        for (const Precision precision : {Precision::single, Precision::half})
            for (const int slices : {1, 2, 4}) {
                here |= hasAluVariant(mode, precision, slices, variant, tuningsBuilt);
                elsewhere |= hasAluVariant(mode, precision, slices, variant, true);
            }
    if (elsewhere && !here)
        throw Error(ErrorKind::badRequest, notBuilt(id));
}

std::optional<std::string> aluTuningProblem(const Kernel& kernel, bool tuningsBuilt)
{
    if (kernel.variant.empty())
        return std::nullopt;
    const AluVariant variant = aluVariantFromText(kernel.variant);
    const bool taken = kernel.interpolation != Interpolation::oversampled || kernel.oversampling == 4;
    const auto has = [&](bool built) {
        return taken &&
               hasAluVariant(aluMode(kernel.interpolation), kernel.precision, kernel.slicesPerPass, variant, built);
    };
    if (has(tuningsBuilt))
        return std::nullopt;
    if (has(true))
        return notBuilt(kernel.variant);
    return "the tuning '" + kernel.variant + "' of `alu` does not exist for " + toText(kernel.interpolation) + ", " +
           toText(kernel.precision) + " and " + std::to_string(kernel.slicesPerPass) +
           " slices, or is the default there";
}

TextureStep textureStepFromText(const std::string& id)
{
    return rowWithId(textureSteps, id, "variant of `texture`").step;
}

int tunedEighths(Interpolation interpolation, Precision precision, int slices)
{
    if (interpolation != Interpolation::linear || slices == 1)
        return 1;
    return slices == 2 ? 2 : precision == Precision::half ? 4 : 1;
}

} // namespace engine::cuda
