// What the window shows at one time: values, handed from the job to every panel.
#pragma once

#include "engine/compare/metrics.h"
#include "engine/compare/profile.h"
#include "engine/reconstruction.h"

#include <QMetaType>
#include <QString>

#include <memory>
#include <optional>

namespace ui {

// One slice on its grid. Positions on screen are pixels of the whole slice, so that a coarse
// preview and the full image lie on each other.
struct Plane {
    std::shared_ptr<const engine::Volume> volume; // shares the reconstruction's buffer; null: nothing yet
    int index = 0;                                // slice within the volume
    engine::SliceGrid grid;
    QString title;  // "A · cpu · linear · half"; given also while it is being computed
    QString unit;   // "1/pixel" or "1/mm"
    QString explanation{}; // what the title stands for, for a tooltip; may be empty

    explicit operator bool() const { return volume != nullptr; }
    std::span<const float> values() const { return volume ? volume->slice(index) : std::span<const float>{}; }
};

struct Comparison {
    std::shared_ptr<const engine::Reconstruction> a; // the setting; null before the first result
    std::shared_ptr<const engine::Reconstruction> b; // a second setting; null when B is the reference
    std::shared_ptr<const engine::Reconstruction> exact; // null until it is computed
    std::shared_ptr<const engine::Volume> phantom;   // exact image of a simulated scan, else null
    int slice = 0;          // row of the scan that is shown
    bool preview = false;   // A is a coarse preview of what is coming
    bool referenceIsPhantom = false; // metrics are against the phantom, else against the exact method

    Plane planeA, planeB, planeExact;
    std::optional<engine::Metrics> metricsA, metricsB; // against the reference, once it is there
    engine::Mask mask;                // the pixels that they count
};

} // namespace ui

Q_DECLARE_METATYPE(ui::Comparison)
