// SPDX-License-Identifier: GPL-3.0-or-later
// The steps of writing a volume, as one process takes them and each of several.
#pragma once

#include "engine/base/json_text.h"
#include "engine/io/slices/slice_writer.h"
#include "engine/volume/write_volume.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>

namespace engine
{

using Warn = std::function<void(const Text&)>;

// A volume on its way. References outlive it.
struct VolumeSteps {
    // Plans it. Throws Error.
    VolumeSteps(const Request& request, const OpenOptions& opened, const VolumeOutput& output, const Warn& warn,
                std::stop_token stop);

    const Request& request;
    const OpenOptions& opened;
    const VolumeOutput& output;
    const Warn& warn;
    const std::stop_token stop;
    const std::filesystem::path path; // of the output, without a slash at its end
    Json madeOf;                      // of volume_identity.h
    Request part;                     // what this process makes
    WrittenVolume written = {};       // so far
    std::optional<SliceWriter> writer = {};
};

// Whether a run that resumes finds all of it, made of the same. Throws Error where there is nothing to resume.
bool isThere(const VolumeSteps& steps);

// What is given back of a volume that was there. wasNamed: but for the names of its files.
WrittenVolume asItWas(VolumeSteps& steps, bool wasNamed);

// Of one process, and of several. identity: of volume_identity.h; used where the run resumes. Throws Error.
void makeWriter(VolumeSteps& steps, const std::string& identity);
void makeWriter(VolumeSteps& steps, const std::string& identity, const OutputPart& part);

// Before any work: throws Error where there isn't room for it, and warns of what is in the output.
void requirePossible(VolumeSteps& steps);

// The part's slices but the first `done`, each group handed to `take`. kept: of what failed, what a run that resumes
// keeps of it; empty: nothing. Throws Error.
Reconstruction reconstructPart(const VolumeSteps& steps, const WriteGroup& take, const VolumeProgress& progress,
                               int done, const std::function<std::string()>& kept);

// Notes of the whole: slices of an earlier run, what storing has changed, older slices in the folder. `changed` values
// are no longer what was computed.
void addNotes(VolumeSteps& steps, const char* which, long long changed, const std::string& older);

// What is stored with the slices.
std::string configurationOf(const VolumeSteps& steps);

} // namespace engine
