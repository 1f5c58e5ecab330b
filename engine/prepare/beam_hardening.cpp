// SPDX-License-Identifier: GPL-3.0-or-later
// Beam-hardening correction: turns line integrals of a polychromatic beam into those of a monochromatic one by a
// polynomial.
#include "engine/base/number_text.h"
#include "engine/prepare/steps.h"

#include <array>
#include <string>
#include <vector>

namespace engine
{

namespace
{

constexpr const char *hardeningId = "beam-hardening", *squareId = "hardening-square", *cubeId = "hardening-cube";
constexpr std::array hardeningWays = {"polynomial"};
std::span<const StepField> hardeningParameters()
{
    static const std::vector<StepField> fields =
        stepFields({{.id = hardeningId,
                     .label = "Beam hardening",
                     .summary = "Corrects line integrals that grow more slowly than the object's thickness",
                     .kind = FieldKind::choice,
                     .choices = {{"off", "Off", "The line integrals stay unchanged"},
                                 {"polynomial", "Polynomial",
                                  "p + a·p² + b·p³, with p the line integral: raises the values of thick parts"}}},
                    {.id = squareId,
                     .label = "Hardening, square",
                     .summary = "Coefficient a of p + a·p² + b·p³, with p the line integral",
                     .form = "A",
                     .kind = FieldKind::real,
                     .least = -10,
                     .most = 10,
                     .step = 0.01,
                     .use = {.standard = 0.1, .ways = hardeningWays}},
                    {.id = cubeId,
                     .label = "Hardening, cube",
                     .summary = "Coefficient b of p + a·p² + b·p³, with p the line integral",
                     .form = "B",
                     .kind = FieldKind::real,
                     .least = -10,
                     .most = 10,
                     .step = 0.01,
                     .use = {.ways = hardeningWays}}});
    return fields;
}

StepAtWork startBeamHardening(const StepArguments& arguments)
{
    const auto a = static_cast<float>(arguments.planned.value(squareId));
    const auto b = static_cast<float>(arguments.planned.value(cubeId));
    const std::string note = "Line integrals p became p + " + numberToText(arguments.planned.value(squareId)) +
                             "·p² + " + numberToText(arguments.planned.value(cubeId)) +
                             "·p³ to correct beam hardening.";
    return {.apply =
                [a, b](LineAtWork& line) {
                    for (float& p : line.values)
                        p = p > 0 ? p * (1 + p * (a + p * b)) : p; // noise around 0 keeps its mean
                },
            .notes = [note] { return std::vector<Note>{note}; }};
}

} // namespace

extern constinit const Step beamHardeningStep{
    .id = "beam-hardening",
    .label = "Beam hardening",
    .summary = "Converts line integrals of a polychromatic beam into those of a monochromatic one by a polynomial.",
    .reference = "Herman, Correction for beam hardening in computed tomography, Phys. Med. Biol. 24, 81, 1979",
    .from = {.quantity = Quantity::attenuation, .gaps = Gaps::mended},
    .isByDefault = false,
    .parameters = hardeningParameters,
    .start = startBeamHardening,
};

} // namespace engine
