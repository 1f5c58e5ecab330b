#include "engine/backproject/cuda/tuning.h"

#include "engine/error.h"

namespace engine::cuda
{

AluVariant aluVariantFromText(const std::string& id)
{
    std::string known;
    for (const AluVariantName& name : aluVariants) {
        if (id == name.id)
            return name.variant;
        known += (known.empty() ? "" : ", ") + std::string(name.id);
    }
    throw Error(ErrorKind::badRequest, "unknown tuning '" + id + "' of `alu`; choose one of " + known);
}

std::optional<std::string> aluTuningProblem(const Request& request)
{
    const AluVariant variant = aluVariantFromText(request.aluTuning);
    if (hasAluVariant(aluMode(request.interpolation), request.precision, request.slicesPerPass, variant) &&
        (variant == AluVariant::tuned || request.interpolation != Interpolation::oversampled ||
         request.oversampling == 4))
        return std::nullopt;
    return "the tuning '" + request.aluTuning + "' of `alu` is not in the build for " + toText(request.interpolation) +
           ", " + toText(request.precision) + " and " + std::to_string(request.slicesPerPass) +
           " slices, or is what is used there anyway";
}

} // namespace engine::cuda
