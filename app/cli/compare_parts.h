// SPDX-License-Identifier: GPL-3.0-or-later
// What the comparisons of two images and of two volumes have in common.
#pragma once

#include "engine/compare/metrics.h"
#include "engine/compare/profile.h"
#include "engine/io/slices/stored_slices.h"

#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace engine
{
class ProtectedInputs;
}

namespace cli
{

class ReportFile;

struct CompareOptions {
    std::string image, reference;
    std::string axes; // order of the axes of volumes that do not state it
    std::string unit; // of the reference; empty: as its file specifies
    std::optional<int> slice;
    std::string slices; // of volumes; empty: all
    double disc = 0;    // 0: not given
    std::string region, area;
    std::string profile, line;
    std::string failAbove, output, csv;
    bool ssim = false; // of volumes
    std::string json;
    bool overwrite = false;
};

// Limits of --fail-above.
using Limits = std::vector<std::pair<const engine::MetricRow*, double>>;
Limits limitsFromText(const std::string& text); // throws Error(badRequest)

// Prints which limits are exceeded; also by figures that can't be measured. Returns the exit status.
int statusOf(const engine::Metrics& metrics, const CompareOptions& options);

std::string figure(double value);

// Describes the pixels that are not finite numbers and how to exclude them. A single one makes every figure of the
// difference meaningless.
std::string notFiniteText(const engine::Metrics& metrics);

// Throws Error(badRequest) if the region or area given extends beyond the image.
void requireInside(const CompareOptions& options, const engine::Volume& image);

// Warns when the two slices have equally many pixels but different pixel sizes: they show different parts of the
// object.
void warnOfPixels(const CompareOptions& options, const engine::PixelSize& image, const engine::PixelSize& reference);

// Returns the factor from the unit of the reference to that of the image if the user has given the unit of either.
// Otherwise warns about different units, and names the unit in which a reference without one would fit.
double factorOf(const CompareOptions& options, bool isGiven, const engine::StoredSlice& image,
                const engine::StoredSlice& reference);

engine::Mask maskOf(const CompareOptions& options);
engine::Line lineFromText(const std::string& text);

void noteOfAxes(const CompareOptions& options, const engine::StoredSlice& reference);

struct Volumes {
    const engine::StoredSlices &image, &reference;
    const engine::ProtectedInputs& inputs;
    bool isUnitGiven; // of either
};

// Compares two volumes. first: a slice of the image. Returns the exit status.
int compareVolumes(const CompareOptions& options, const Volumes& volumes, const engine::StoredSlice& first,
                   ReportFile& report, std::stop_token stop);

} // namespace cli
