// SPDX-License-Identifier: GPL-3.0-or-later
// A setting that was tried in this session: its runs, and the errors of its images.
#pragma once

#include "engine/base/device.h"
#include "engine/measure/limits.h"
#include "engine/measure/speed_spread.h"
#include "ui/background/comparison.h"

#include <memory>
#include <optional>
#include <vector>

namespace ui
{

struct Speeds {
    engine::Spread kernelGups, totalGups, totalSeconds;
    std::optional<std::vector<engine::Limit>> limits = {}; // none: not measured yet; empty: not known for this kernel
    engine::DeviceState gpu = {};                          // after the last repeated runs
};

struct TimedRun {
    double kernelGups = 0, totalGups = 0, totalSeconds = 0;
};

// What was measured while the program was idle.
struct IdleMeasurement {
    std::vector<TimedRun> runs; // may be empty
    std::vector<engine::Limit> limits;
    engine::DeviceState gpu = {};
    bool inTurns = false; // with other settings, so that only these runs can be compared with theirs
};

// A run that reconstructed an image.
struct ImageRun : TimedRun {
    std::weak_ptr<const engine::Reconstruction> image; // empty if the run was for its time alone
    bool isReplaced = false;                           // by later runs in turns with other settings
};

// Everything that an error depends on besides the request of the image. setting: the setting whose image, or whose
// exact image, is the reference; empty for other references.
struct MeasuredAgainst {
    int slice = 0;
    engine::Mask mask;
    ReferenceChoice::Kind kind = ReferenceChoice::Kind::exact;
    engine::SlicesPath file;
    std::optional<engine::Setting> setting;
    bool operator==(const MeasuredAgainst&) const = default;
};

// An error, and what it was measured against.
struct MeasuredError {
    MeasuredAgainst against;
    double rmse;
};

struct TriedSetting {
    std::weak_ptr<const engine::Scan> scan; // keeps the control block, so no other scan can be mistaken for it
    engine::Setting setting;
    std::optional<engine::Region> region;
    engine::DeviceSettings device;
    int threads = 0;
    QString name, description;
    int colour = 0;
    std::vector<ImageRun> runs;
    std::vector<MeasuredError> qualities;
    std::optional<std::vector<engine::Limit>> limits;
    engine::DeviceState gpu;

    bool isPlacedAs(const engine::Request& request) const; // compares all but the setting
    bool isOf(const engine::Request& request) const;
    Speeds speeds() const;
};

MeasuredAgainst againstOf(const Comparison& comparison);

// Returns whether both pointers refer to the same object, even if that is gone.
template <typename T>
bool isSameObject(const std::weak_ptr<T>& known, const std::shared_ptr<T>& now)
{
    return !known.owner_before(now) && !now.owner_before(known);
}

} // namespace ui
