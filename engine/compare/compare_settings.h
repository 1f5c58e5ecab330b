// SPDX-License-Identifier: GPL-3.0-or-later
// Comparison of the settings of a list: their images and figures, as the window shows them.
#pragma once

#include "engine/compare/consistency.h"
#include "engine/compare/metrics.h"
#include "engine/compare/setting_list.h"
#include "engine/reconstruct/reconstruct.h"

#include <memory>
#include <optional>
#include <vector>

namespace engine
{

// Returns the request of a setting whose group of slices contains this slice of the scan; the last group is moved
// back so that it is complete.
Request requestShowing(const std::shared_ptr<const Scan>& scan, const Setting& setting, const Resources& resources,
                       int slice);

struct ComparedSetting {
    NamedSetting setting;
    std::shared_ptr<const Reconstruction> result, reference;
    std::optional<Metrics> metrics;              // nothing for the reference itself
    std::optional<Consistency> consistency = {}; // nothing until requested (measureConsistency)
};

// Returns the figures of an image compared with another; both must be finished. Nothing if either is missing or
// coarse, or if they are the same image. slice: without meaning for planes; leavesOut: see compareImages(). Throws
// Error.
std::optional<Metrics> measured(const Reconstruction* image, const Reconstruction* reference, int slice,
                                const Mask& mask, bool leavesOut = false);

// Reconstructs the visible settings, the chosen setting, and the setting that is the reference, if there is one, in the
// order of the list; and the reference image of each of them. Equal references are computed once. progress: of the
// whole. Throws Error.
std::vector<ComparedSetting> compareSettings(const std::shared_ptr<const Scan>& scan, const SettingList& list,
                                             const Resources& resources, int slice, const Mask& mask,
                                             const std::function<void(double)>& progress = {},
                                             const std::stop_token& stop = {});

// Computes the figures that need no reference, for images without them; equal images share them. progress: of the
// whole. Throws Error.
void measureConsistency(std::vector<ComparedSetting>& all, int slice, const std::function<void(double)>& progress = {},
                        const std::stop_token& stop = {});

// Describes the list's reference (see reference_image.h). made: the reference of one of its settings, if any.
std::string referenceText(const SettingList& list, const Reconstruction* made);

} // namespace engine
