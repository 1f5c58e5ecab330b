// What is compared: settings with each other and with a reference. Values, handed from the job to every panel, and from
// the report's measurements to its page.
#pragma once

#include "engine/compare/metrics.h"
#include "engine/compare/profile.h"
#include "engine/reconstruction.h"

#include <QMetaType>
#include <QString>

#include <memory>
#include <optional>
#include <vector>

namespace ui
{

// One slice on its grid. Positions on screen are pixels of the whole slice, so that a coarse
// preview and the full image lie on each other.
struct Plane {
    std::shared_ptr<const engine::Volume> volume; // shares the reconstruction's buffer; null: nothing yet
    int index = 0;                                // slice within the volume
    engine::SliceGrid grid;
    QString title;         // "A · cpu · linear · half"; given also while it is being computed
    QString unit;          // "1/pixel" or "1/mm"
    QString explanation{}; // what the title stands for, for a tooltip; may be empty

    explicit operator bool() const { return volume != nullptr; }
    std::span<const float> values() const { return volume ? volume->slice(index) : std::span<const float>{}; }
};

// One of them.
struct Compared {
    QString name;                                                          // "A"; empty where the title says enough
    engine::Request request;                                               // as asked for
    std::shared_ptr<const engine::Reconstruction> result = {};             // null until there is one
    std::optional<engine::Metrics> againstExact = {}, againstPhantom = {}; // once both are there

    // "cpu · linear · half · 4 slices": by the method that ran, once it has.
    QString title() const;
    bool isPreview() const { return result && result->request.place.previewStep > 1; } // a coarse one of what is coming
};

struct Comparison {
    int slice = 0;                  // row of the scan
    std::vector<Compared> compared; // in the user's order: A, and B where it is a setting
    Compared reference;             // what all are measured against
    // Truth of a simulated scan, else null: one slice on the grid and in the unit of the results.
    std::shared_ptr<const engine::Volume> phantom = {};
    engine::Mask mask = {}; // the pixels that figures count

    // Of the window's two columns: the first setting, and the second one, or the reference in its place.
    const Compared& a() const { return compared.empty() ? reference : compared.front(); }
    const Compared& b() const { return compared.size() > 1 ? compared[1] : reference; }
    bool hasResult() const { return !compared.empty() && a().result; }
    bool hasSecond() const { return compared.size() > 1; } // B is a setting

    Plane planeOf(const Compared& one) const;
    Plane planeA() const { return compared.empty() ? Plane{} : planeOf(compared.front()); }
    Plane planeB() const; // titled as B, the reference too
    Plane planeOfPhantom() const;

    // Those to show: against the phantom where there is one.
    const std::optional<engine::Metrics>& metricsOf(const Compared& one) const
    {
        return phantom ? one.againstPhantom : one.againstExact;
    }
    // Fills in the metrics to show of what is there and no preview; those that are there already stay.
    void measure();
    // Of one of these, against the phantom where there is one, else against the reference; `both`: against both.
    void measure(Compared& one, bool both) const;
};

// The phantom's slice as `like` would show it. Its scan has an exact image.
engine::Volume phantomLike(const engine::Reconstruction& like, int slice);

} // namespace ui

Q_DECLARE_METATYPE(ui::Comparison)
