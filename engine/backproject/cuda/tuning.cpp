#include "engine/backproject/cuda/tuning.h"

#include "engine/error.h"

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
    std::string known;
    for (const AluVariantName& name : aluVariants) {
        if (id == name.id)
            return name.variant;
        known += (known.empty() ? "" : ", ") + std::string(name.id);
    }
    throw Error(ErrorKind::badRequest, "unknown tuning '" + id + "' of `alu`; choose one of " + known);
}

void requireAluTuning(const std::string& id, bool tuningsBuilt)
{
    const AluVariant variant = aluVariantFromText(id);
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

std::optional<std::string> aluTuningProblem(const Request& request, bool tuningsBuilt)
{
    const AluVariant variant = aluVariantFromText(request.aluTuning);
    const bool taken = variant == AluVariant::tuned || request.interpolation != Interpolation::oversampled ||
                       request.oversampling == 4;
    const auto has = [&](bool built) {
        return taken &&
               hasAluVariant(aluMode(request.interpolation), request.precision, request.slicesPerPass, variant, built);
    };
    if (has(tuningsBuilt))
        return std::nullopt;
    if (has(true))
        return notBuilt(request.aluTuning);
    return "the tuning '" + request.aluTuning + "' of `alu` does not exist for " + toText(request.interpolation) +
           ", " + toText(request.precision) + " and " + std::to_string(request.slicesPerPass) +
           " slices, or is what is used there anyway";
}

} // namespace engine::cuda
