// SPDX-License-Identifier: GPL-3.0-or-later
// A setting that was tried in this session: its runs, and how far its images were from what they were measured against.
#pragma once

#include "ui/background/comparison.h"
#include "ui/widgets/measurements.h"

#include <memory>
#include <optional>
#include <vector>

namespace ui
{

struct Speeds {
    Spread kernelGups, totalGups, totalSeconds;
};

struct TimedRun {
    double kernelGups = 0, totalGups = 0, totalSeconds = 0;
};

// A run that made an image.
struct ImageRun : TimedRun {
    std::weak_ptr<const engine::Reconstruction> image; // of nobody where it was run for its time alone
};

// What an error depends on beside the image's own request. The setting: the one that all lean on, where there is.
struct MeasuredAgainst {
    int slice = 0;
    engine::Mask mask;
    ReferenceChoice::Kind kind = ReferenceChoice::Kind::exact;
    engine::SlicesPath file;
    std::optional<engine::Setting> setting;
    bool operator==(const MeasuredAgainst&) const = default;
};

// Against that.
struct MeasuredError {
    MeasuredAgainst against;
    double rmse;
};

struct TriedSetting {
    std::weak_ptr<const engine::Scan> scan; // its control block stays, so that no other scan is taken for it
    engine::Setting setting;
    std::optional<engine::Region> region;
    engine::DeviceSettings device;
    int threads = 0;
    QString name, description;
    int colour = 0;
    std::vector<ImageRun> runs;
    std::vector<MeasuredError> qualities;

    bool isPlacedAs(const engine::Request& request) const; // whatever its setting
    bool isOf(const engine::Request& request) const;
    Speeds speeds() const;
};

MeasuredAgainst againstOf(const Comparison& comparison);

// Whether what is known, or was, is what there is now.
template <typename T>
bool isSameObject(const std::weak_ptr<T>& known, const std::shared_ptr<T>& now)
{
    return !known.owner_before(now) && !now.owner_before(known);
}

} // namespace ui
