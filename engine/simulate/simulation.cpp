// SPDX-License-Identifier: GPL-3.0-or-later
// Validation of simulations, and their text forms.
#include "engine/base/error.h"
#include "engine/base/json_text.h"
#include "engine/scan/cone_fields.h"
#include "engine/simulate/ellipses.h"

#include <cmath>
#include <cstdlib>
#include <sstream>

namespace engine
{

namespace
{

constexpr int mostPixels = 65536;

template <typename Value>
void requireValue(bool good, const char* what, Value value, const char* allowed)
{
    if (good)
        return;
    std::ostringstream text;
    text << "The simulated scan's " << what << " is " << value << ": it must be " << allowed << ".";
    throw Error(ErrorKind::badRequest, text.str());
}

int wholeNumber(const nlohmann::json& json)
{
    const auto value = wholeNumberIn<std::int64_t>(json);
    requireValue(value >= -mostPixels && value <= mostPixels, "number", value, "at most 65536");
    return static_cast<int>(value);
}

} // namespace

void validate(const Simulation& s)
{
    requireValue(s.size >= 1 && s.size <= mostPixels, "size", s.size, "1 to 65536 bins");
    requireValue(s.projections >= 1 && s.projections <= mostPixels, "number of projections", s.projections,
                 "1 to 65536");
    requireValue(s.slices >= 1 && s.slices <= mostPixels, "number of slices", s.slices, "1 to 65536");
    if (s.cone)
        requireValue(s.arcDeg > 0 && s.arcDeg <= 3600, "arc", s.arcDeg, "above 0 and at most 3600 degrees");
    else
        requireValue(s.arcDeg == 180 || s.arcDeg == 360, "arc", s.arcDeg, "180 or 360 degrees");
    requireValue(!s.cone || s.sampling == Sampling::ray, "sampling", toText(s.sampling), "ray for a cone beam");
    requireValue(s.photons >= 0 && s.photons <= 1e9, "number of photons", s.photons, "0 (no noise) to 1e9");
    requireValue(s.rings >= 0 && s.rings <= 1, "strength of rings", s.rings, "0 (none) to 1");
    requireValue(std::abs(s.axisOffsetBins) <= s.size / 2.0, "axis offset", s.axisOffsetBins,
                 "at most half the size, so that the axis is on the detector");
    requireValue(s.attenuation >= 0 && s.attenuation <= 1e6, "attenuation", s.attenuation,
                 "0 (chosen from the size) to 1e6 per pixel");
}

std::vector<Phantom> phantoms()
{
    return {Phantom::sheppLogan,   Phantom::sheppLoganOriginal,
            Phantom::sheppLogan3d, Phantom::sheppLogan3dOriginal,
            Phantom::resolution,   Phantom::disc,
            Phantom::ball};
}

std::string toText(Phantom phantom)
{
    switch (phantom) {
    case Phantom::sheppLogan:
        return "shepp-logan";
    case Phantom::sheppLoganOriginal:
        return "shepp-logan-original";
    case Phantom::sheppLogan3d:
        return "shepp-logan-3d";
    case Phantom::sheppLogan3dOriginal:
        return "shepp-logan-3d-original";
    case Phantom::resolution:
        return "resolution";
    case Phantom::disc:
        return "disc";
    case Phantom::ball:
        return "ball";
    }
    return {};
}

Phantom phantomFromText(const std::string& text)
{
    std::string known;
    for (Phantom phantom : phantoms()) {
        if (toText(phantom) == text)
            return phantom;
        known += (known.empty() ? "" : ", ") + toText(phantom);
    }
    throw Error(ErrorKind::badRequest, "There is no phantom \"" + text + "\". Known: " + known + ".");
}

std::string toText(Sampling sampling)
{
    return sampling == Sampling::binMean ? "binMean" : "ray";
}

Sampling samplingFromText(const std::string& text)
{
    for (Sampling sampling : {Sampling::ray, Sampling::binMean})
        if (toText(sampling) == text)
            return sampling;
    throw Error(ErrorKind::badRequest, "There is no sampling \"" + text + "\". Known: ray, binMean.");
}

std::string toJson(const Simulation& s)
{
    nlohmann::ordered_json json{{"phantom", toText(s.phantom)},
                                {"size", s.size},
                                {"projections", s.projections},
                                {"slices", s.slices},
                                {"arcDeg", s.arcDeg},
                                {"photons", s.photons},
                                {"rings", s.rings},
                                {"axisOffsetBins", s.axisOffsetBins},
                                {"attenuation", s.attenuation},
                                {"sampling", toText(s.sampling)},
                                {"counts", s.counts},
                                {"seed", s.seed}};
    if (s.cone)
        json["cone"] = coneOptionsJson(*s.cone);
    return json.dump(2);
}

Simulation simulationFromJson(const std::string& text)
try {
    const auto json = parsedJson<nlohmann::json>(text);
    require(!json.is_discarded(), "It is not valid JSON, is cut off, or is nested too deeply.");
    Simulation s;
    s.phantom = phantomFromText(json.at("phantom").get<std::string>());
    s.size = wholeNumber(json.at("size"));
    s.projections = wholeNumber(json.at("projections"));
    s.slices = wholeNumber(json.value("slices", nlohmann::json(s.slices)));
    s.arcDeg = json.value("arcDeg", s.arcDeg);
    s.photons = json.value("photons", s.photons);
    s.rings = json.value("rings", s.rings);
    s.axisOffsetBins = json.value("axisOffsetBins", s.axisOffsetBins);
    s.attenuation = json.value("attenuation", s.attenuation);
    s.sampling = samplingFromText(json.value("sampling", toText(s.sampling)));
    s.counts = json.value("counts", s.counts);
    s.seed = wholeNumberIn<std::uint64_t>(json.value("seed", nlohmann::json(s.seed)));
    if (json.contains("cone")) {
        nlohmann::ordered_json cone(json.at("cone"));
        s.cone = takeConeOptions(cone);
    }
    validate(s);
    return s;
} catch (const nlohmann::json::exception& error) {
    throw Error(ErrorKind::badFile, std::string("The description of the simulation can't be read: ") + error.what());
} catch (const Error& error) {
    throw Error(ErrorKind::badFile, "The description of the simulation can't be used. " + error.text());
}

} // namespace engine
