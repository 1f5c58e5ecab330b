// What users, geometry files and reports call the values of ConeOptions, each once.
#pragma once

#include "engine/base/json_text.h"
#include "engine/scan/cone_options.h"

#include <span>
#include <string>

namespace engine
{

// One of them on a command line: --id FORM.
struct ConeWord {
    const char* id = "";                              // "source-axis"
    const char* form = "";                            // "MM"
    const char* summary = "";                         // one sentence
    bool ofVolume = false;                            // of what is made of the scan, not of how it was taken
    std::string (*get)(const ConeOptions&) = nullptr; // empty: not said
    void (*set)(ConeOptions&, const std::string& text) = nullptr; // throws Error(badRequest) that names the text
};
std::span<const ConeWord> coneWords();

// {"sourceAxisMm": …, "tiltDeg": …, "direction": "clockwise", …}; what isn't said has no key.
nlohmann::ordered_json coneOptionsJson(const ConeOptions& options);

// Takes those keys out of an object and leaves the others in it. Throws Error(badRequest) that names the key and its
// value.
ConeOptions takeConeOptions(nlohmann::ordered_json& json);

} // namespace engine
