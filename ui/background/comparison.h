// SPDX-License-Identifier: GPL-3.0-or-later
// What is compared: settings, each with what it is measured against. Values, handed from the job to every panel, and
// from the report's measurements to its page.
#pragma once

#include "engine/compare/metrics.h"
#include "engine/compare/profile.h"
#include "engine/compare/setting_list.h"
#include "engine/reconstruct/reconstruction.h"

#include <QMetaType>
#include <QString>

#include <memory>
#include <optional>
#include <vector>

namespace ui
{

using engine::NamedSetting, engine::ReferenceChoice, engine::SettingList;

using Image = std::shared_ptr<const engine::Reconstruction>; // a finished one, shared by all that show it

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
    QString name;                                // "A"; empty where the title says enough
    engine::Request request = {};                // as asked for
    Image result = {};                           // null until there is one
    int id = 0, colour = 0;                      // as in the list of settings
    bool visible = true;                         // others aren't computed for their own sake
    Image reference = {};                        // what it is measured against; null until there is one
    std::optional<engine::Metrics> metrics = {}; // against it, once both are there

    // "cpu · linear · half · 4 slices": by the method that ran, once it has.
    QString title() const;
    // The title, and what else of the setting isn't the default: "cpu · linear · half · hann".
    QString description() const;
    bool isPreview() const { return result && result->request.place.previewStep > 1; } // a coarse one of what is coming
};

// A slice of an image; the title is that of its setting, with its name.
Plane planeOf(const Image& image, int slice, const QString& title);

struct Comparison {
    int slice = 0;                  // row of the scan
    std::vector<Compared> compared; // in the user's order
    std::size_t chosen = 0;         // among them: the one that is edited, shown first
    ReferenceChoice against;        // of all
    engine::Mask mask = {};         // the pixels that figures count
    QString areaName = {};          // of the area that they are in; empty where it has none

    // The window's two columns: the chosen setting, and what it is measured against.
    const Compared& a() const; // without a result when nothing is compared
    bool hasResult() const { return a().result != nullptr; }
    const Compared* find(int id) const; // null when it isn't there

    Plane planeOf(const Compared& one) const;
    Plane planeA() const { return compared.empty() ? Plane{} : planeOf(a()); }
    Plane planeB() const { return compared.empty() ? Plane{} : referenceOf(a()); }
    Plane referenceOf(const Compared& one) const;

    double heldBytes() const; // of all images, each counted once

    // What all are measured against: "exact", "phantom", "B", "recon.h5".
    QString referenceName() const;
    // What the chosen setting and its reference have in common, and what the figures therefore can't show.
    QString sharedText() const;
    // The same in full (engine::referenceText), for the chosen one and for another.
    QString referenceTitle() const;
    QString referenceTitleOf(const Compared& one) const;
};

// Which pixels a mask has: "inside the disc of 90 % of the width"; empty for all.
QString maskText(const engine::Mask& mask);
// Which pixels figures count: "inside rectangle 1", or as above where their area has no name of its own.
QString areaText(const Comparison& comparison);
// What figures are against, and of which pixels: "exact, double precision, inside rectangle 1".
QString againstText(const Comparison& comparison);

} // namespace ui

Q_DECLARE_METATYPE(ui::Comparison)
