// SPDX-License-Identifier: GPL-3.0-or-later
// The steps of writing a volume, for a single process and for each of several.
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

// State of a volume that is being written. The referenced objects must outlive it.
struct VolumeSteps {
    // Plans the volume. Throws Error.
    VolumeSteps(const Request& request, const OpenOptions& opened, const VolumeOutput& output, const Warn& warn,
                std::stop_token stop);
    ~VolumeSteps(); // removes temporary files, and warns about those that can't be removed
    VolumeSteps(const VolumeSteps&) = delete;
    VolumeSteps& operator=(const VolumeSteps&) = delete;

    const Request& request;
    const OpenOptions& opened;
    const VolumeOutput& output;
    const Warn& warn;
    const std::stop_token stop;
    const std::filesystem::path path; // of the output, without a trailing slash
    Json madeOf;                      // originOf(), volume_identity.h
    Request part;                     // this process's share of the volume
    WrittenVolume written = {};       // so far
    std::optional<SliceWriter> writer = {};
};

// Returns what is stored with the volume (storedConfiguration()); no object if it isn't complete.
Json storedWith(const VolumeSteps& steps);

// Returns what is stored with the volume if a resuming run finds it complete, reconstructed from the same scan with the
// same settings; else no object. Throws Error(output) if the folder of the output is missing.
Json storedIfThere(const VolumeSteps& steps);

// Returns the result for a volume that was complete already, with the doubts that are stored with it. wasNamed: its
// files had to be renamed.
WrittenVolume asItWas(VolumeSteps& steps, const Json& stored, bool wasNamed);

// Creates the writer: for a single process, and for one of several. identity: identityOf(), volume_identity.h; used
// only if the run can be resumed. Throws Error.
void makeWriter(VolumeSteps& steps, const std::string& identity);
void makeWriter(VolumeSteps& steps, const std::string& identity, const OutputPart& part);

// Called before any work: throws Error if the volume's needs can't be met (volume_needs.h), and warns about what is in
// the output already.
void requirePossible(VolumeSteps& steps);

// Reconstructs this process's slices except the first `done`, and passes each group to `take`. kept: called if a
// resumable run fails; tells for the message which slices are stored; empty: none. Throws Error.
Reconstruction reconstructPart(const VolumeSteps& steps, const WriteGroup& take, const VolumeProgress& progress,
                               int done, const std::function<std::string()>& kept);

// Adds the notes about the whole volume: slices of an earlier run, values changed by storing, older slices in the
// folder. which: words before the number of slices of the earlier run. changed: number of values that the format could
// not hold. older: the note of SliceWriter::olderSlices().
void addNotes(VolumeSteps& steps, const char* which, long long changed, const std::string& older);

// Returns what is stored with the slices of the whole volume.
VolumeDescription descriptionOf(const VolumeSteps& steps);

} // namespace engine
