// SPDX-License-Identifier: GPL-3.0-or-later
// Settings of a list, reconstructed and measured: what the window shows, without a window.
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

// A setting as a request whose group of slices has this slice of the scan; the last group is moved back to be whole.
Request requestShowing(const std::shared_ptr<const Scan>& scan, const Setting& setting, const Resources& resources,
                       int slice);

struct ComparedSetting {
    NamedSetting setting;
    std::shared_ptr<const Reconstruction> result, reference;
    std::optional<Metrics> metrics;              // nothing where it is the reference itself
    std::optional<Consistency> consistency = {}; // nothing until it was asked for (measureConsistency)
};

// Figures of an image against another, both finished; nothing while either is missing or coarse, or where they are one.
// Throws Error.
std::optional<Metrics> measured(const Reconstruction* image, const Reconstruction* reference, int slice,
                                const Mask& mask);

// The visible ones and what others are measured against, in the order of the list; equal references are made once.
// progress: of all. Throws Error.
std::vector<ComparedSetting> compareSettings(const std::shared_ptr<const Scan>& scan, const SettingList& list,
                                             const Resources& resources, int slice, const Mask& mask,
                                             const std::function<void(double)>& progress = {},
                                             const std::stop_token& stop = {});

// Figures that need no reference, of images that lack them; equal images share theirs. progress: of all. Throws Error.
void measureConsistency(std::vector<ComparedSetting>& all, int slice, const std::function<void(double)>& progress = {},
                        const std::stop_token& stop = {});

// The reference of a list in words (reference_image.h); `made`: that of one of its settings, where there is one.
std::string referenceText(const SettingList& list, const Reconstruction* made);

} // namespace engine
