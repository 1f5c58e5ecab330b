// SPDX-License-Identifier: GPL-3.0-or-later
// Requests and reconstructions as JSON text: reports, stored configurations. UTF-8, indented by two; figures that are
// not finite are null.
#pragma once

#include "engine/axis/find_axis.h"
#include "engine/axis/tilt.h"
#include "engine/backends/method.h"
#include "engine/compare/compare_volumes.h"
#include "engine/compare/consistency.h"
#include "engine/compare/metrics.h"
#include "engine/compare/statistics.h"
#include "engine/io/open/open_scan.h"
#include "engine/json/reconstruction_json.h"

#include <optional>
#include <string>
#include <vector>

namespace engine
{

std::string requestJson(const Request&);
// Reads a request from its JSON, or from a report that contains it. Reads the options only: scan and slices are not
// set. Missing options get default values. Throws Error(badRequest) that names the option and its value.
Request requestFromJson(const std::string& text);
// Returns the ids of options for opening a scan that the report specifies but `given` lacks, such as "darks" and
// "angles".
std::vector<std::string> openedOtherwise(const std::string& report, const OpenOptions& given);
// doubts: what the examination found; unset: the scan wasn't examined.
std::string scanJson(const Scan&, const std::optional<std::vector<Doubt>>& doubts = {});
std::string metricsJson(const Metrics&);
// Returns the metrics with deviationImage, deviationReference, noiseImage, noiseReference, and the spectra as
// "fourierRingCorrelation", null if there are none.
std::string metricsJson(const Metrics&, const AreaStatistics& image, const AreaStatistics& reference,
                        const std::optional<RingSpectra>& spectra);
// Returns "whole", and "slices" with the number of each; as metricsJson().
std::string volumeDifferencesJson(const VolumeDifferences&);
// Returns the square, lists of each ring's frequency in cycles per pixel, correlation, half-bit threshold and powers,
// and resolutionPixels.
std::string spectraJson(const RingSpectra&);
// Returns "residual", and "halves" as spectraJson(); if one is null, also whyNoResidual or whyNoHalves.
std::string consistencyJson(const Consistency&);
std::string methodsJson();
// Returns the candidates for a scan's axis, with the corresponding numbers of other programs
// (engine/scan/axis_programs.h).
std::string axisCandidatesJson(const AxisCandidates&, const Scan&);
std::string axisTiltJson(const AxisTilt&, const Scan&);

} // namespace engine
