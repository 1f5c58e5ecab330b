// SPDX-License-Identifier: GPL-3.0-or-later
// Requests and reconstructions as JSON text: reports, stored configurations. UTF-8, indented by two;
// figures that are not finite are null.
#pragma once

#include "engine/axis/find_axis.h"
#include "engine/axis/tilt.h"
#include "engine/backproject/method.h"
#include "engine/compare/consistency.h"
#include "engine/compare/metrics.h"
#include "engine/compare/statistics.h"
#include "engine/io/open/open_scan.h"
#include "engine/json/reconstruction_json.h"

#include <string>
#include <vector>

namespace engine
{

std::string requestJson(const Request&);
// The options of such a request, or of a report that holds one; without scan and slices. What isn't there is the
// default. Throws Error(badRequest) that names the option and its value.
Request requestFromJson(const std::string& text);
// Of the ways to open a scan that such a report says, the ids of those that aren't given: "darks", "angles", … .
std::vector<std::string> openedOtherwise(const std::string& report, const OpenOptions& given);
std::string scanJson(const Scan&);
std::string metricsJson(const Metrics&);
// With deviationImage, deviationReference, noiseImage, noiseReference, and the spectra as "fourierRingCorrelation",
// null where there are none.
std::string metricsJson(const Metrics&, const AreaStatistics& image, const AreaStatistics& reference,
                        const std::optional<RingSpectra>& spectra);
// square, and lists of each ring's frequency in cycles per pixel, correlation, threshold of half a bit and powers;
// resolutionPixels.
std::string spectraJson(const RingSpectra&);
// "residual", and "halves" as spectraJson; where one is null, whyNoResidual or whyNoHalves.
std::string consistencyJson(const Consistency&);
std::string methodsJson();
// Of a scan with so many bins, with the numbers of other programs (engine/scan/axis_programs.h).
std::string axisCandidatesJson(const AxisCandidates&, const Scan&);
std::string axisTiltJson(const AxisTilt&, const Scan&);

} // namespace engine
