// What a command line calls the values of OpenOptions, each once; those of its cone are in engine/scan/cone_words.h.
#pragma once

#include "engine/io/open/open_scan.h"

#include <span>
#include <string>
#include <vector>

namespace engine
{

// One of them: --id FORM, or --id alone.
struct OpenWord {
    const char* id = "";
    std::string form = {};    // "PATH"; empty: it has no value, and text is empty
    const char* summary = ""; // one sentence
    const char* needs = "";   // id of the one that it means nothing without
    bool ofGeometry = false;  // of how the scan was taken, not of how it is stored
    // As often as it is to be said.
    std::vector<std::string> (*get)(const OpenOptions&) = nullptr;
    // Throws Error(badRequest) that names the text. What it needs is set before it.
    void (*set)(OpenOptions&, const std::string& text) = nullptr;
};

// THE table, in the order in which they are to be set.
std::span<const OpenWord> openWords();

// What `said` leaves open as `rest` has it; what means nothing without a word of `said` is not taken from `rest`.
OpenOptions openedOver(const OpenOptions& rest, const OpenOptions& said);

// Those that name files: of one scan, and of one place on the disk.
inline constexpr std::filesystem::path OpenOptions::*openedPaths[] = {&OpenOptions::anglesFile,
                                                                      &OpenOptions::shiftsFile, &OpenOptions::darks,
                                                                      &OpenOptions::flats, &OpenOptions::geometryFile};

} // namespace engine
