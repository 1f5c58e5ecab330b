// SPDX-License-Identifier: GPL-3.0-or-later
// Speeds of the methods on this machine, measured by `tune`, from which `auto` chooses.
#pragma once

#include "engine/backends/method.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace engine
{

struct MeasuredSpeed {
    std::string device;   // its name: "NVIDIA H200"
    std::string geometry; // id of geometryKinds()
    std::string method;
    Interpolation interpolation = Interpolation::linear;
    Precision precision = Precision::single;
    int slicesPerPass = 1;
    double kernelGups = 0;
    std::string variant = {}; // a tuning of the method (Variant::isTuning); empty: the one measured on an H200
};

// Returns the name of the backend's device that the request would use; empty if there is none.
std::string deviceNameFor(const Backend& backend, const Request& request, const Machine& machine = thisMachine());

// Returns the measured kernel speed, in GU/s, of a method for the request's geometry, interpolation, precision and
// slices per pass on its device, with the variant that measuredVariant returns; nothing if it wasn't measured.
std::optional<double> measuredGups(const Method& method, const Request& request,
                                   const Machine& machine = thisMachine());

// Returns the tuning with which `auto` runs the method for the request: one that was measured clearly faster than the
// default, else empty. Empty too if the request names a method or a variant, or if the build lacks the tuning.
std::string measuredVariant(const Method& method, const Request& request, const Machine& machine = thisMachine());

// Measured speeds vary by some per cent from run to run: less is no reason to take another method, mode or tuning.
inline constexpr double clearlyFaster = 1.03;

// Returns the speeds that this process uses. The first call reads measuredSpeedsFile(). May be called from any thread.
std::shared_ptr<const std::vector<MeasuredSpeed>> measuredSpeeds();
// Replaces the speeds that this process uses, without changing the file.
void useMeasuredSpeeds(std::vector<MeasuredSpeed> speeds);

// The file that keeps the speeds from run to run: speeds.json in cacheFolder(); empty if there is no such folder.
std::filesystem::path measuredSpeedsFile();
std::string measuredSpeedsJson(const std::vector<MeasuredSpeed>& speeds);
// Returns the speeds in such a text; none if it is something else, or of another version of the program.
std::vector<MeasuredSpeed> measuredSpeedsFrom(const std::string& json);

} // namespace engine
