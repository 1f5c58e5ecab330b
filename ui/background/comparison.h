// SPDX-License-Identifier: GPL-3.0-or-later
// The compared settings with their results and references. Passed by value from the job to all panels, and from the
// report's measurements to its page.
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

using Image = std::shared_ptr<const engine::Reconstruction>; // finished; shared by everything that shows it

// One slice on its grid. Positions on the screen are in pixels of the whole slice, so that a coarse preview and the
// full image coincide.
struct GridSlice {
    std::shared_ptr<const engine::Volume> volume; // shares the reconstruction's buffer; null: no image yet
    int index = 0;                                // slice within the volume
    engine::SliceGrid grid;
    QString title;         // "A · half"; also set while the image is being computed
    QString unit;          // "1/pixel" or "1/mm"
    QString explanation{}; // of the title, for a tooltip; may be empty

    explicit operator bool() const { return volume != nullptr; }
    std::span<const float> values() const { return volume ? volume->slice(index) : std::span<const float>{}; }
};

// One of the compared settings.
struct Compared {
    QString name;                                // "A"; empty if the title is sufficient
    engine::Request request = {};                // as requested
    Image result = {};                           // null until it is computed
    int id = 0, colour = 0;                      // as in the list of settings
    bool visible = true;                         // invisible ones are computed only if they serve as the reference
    Image reference = {};                        // null until it is available
    std::optional<engine::Metrics> metrics = {}; // against the reference, once both are available
    QString different = {};                      // "A · half": the name with what differs, see namesByDifferences()

    // Returns the name for titles, legends and tables: "A · half", "A", or the title if it has no name.
    QString label() const;
    // Return the name with the title or the description: "A · cpu · linear · half · 4 slices".
    QString wholeTitle() const;
    QString wholeDescription() const;
    // "cpu · linear · half · 4 slices"; names the method that ran, once there is a result.
    QString title() const;
    // The title and other options that differ from their defaults: "cpu · linear · half · hann".
    QString description() const;
    bool isPreview() const { return result && result->request.place.previewStep > 1; } // a coarse one
};

// Returns "A · cpu · linear · half · hann". scan: may be null.
QString wholeDescriptionOf(const NamedSetting& setting, const engine::Scan* scan);

// Returns whether there are reasons to doubt the scan of the image.
bool isDoubtful(const Image& image);

// Returns a slice of the image, or the plane that it shows, which is slice 0. title: name and title of its setting.
GridSlice planeOf(const Image& image, int slice, const QString& title);

struct Comparison {
    int slice = 0;                  // row of the scan
    std::vector<Compared> compared; // in the user's order
    std::size_t chosen = 0;         // index in `compared`: the setting that is edited and shown first
    ReferenceChoice against;        // the reference of all settings
    engine::Mask mask = {};         // the pixels from which the figures are computed
    QString areaName = {};          // of the mask's area; empty if it has none

    // The two columns of the window are the chosen setting (a) and its reference (b).
    const Compared& a() const; // without a result if nothing is compared
    bool hasResult() const { return a().result != nullptr; }
    const Compared* find(int id) const; // null if there is none

    GridSlice planeOf(const Compared& one) const;
    GridSlice planeA() const { return compared.empty() ? GridSlice{} : planeOf(a()); }
    GridSlice planeB() const { return compared.empty() ? GridSlice{} : referenceOf(a()); }
    GridSlice referenceOf(const Compared& one) const;
    // The settings that are shown, and the chosen one, in the user's order.
    std::vector<const Compared*> shown() const;
    bool hasOwnReference() const; // one that isn't the image of a setting

    double heldBytes() const; // of all images; shared images count once

    // Returns the short name of the reference: "exact method", "phantom", "B · half", "recon.h5".
    QString referenceName() const;
    // Returns a shorter name, for lines with several: "exact", "B".
    QString briefReferenceName() const;
    // Describes what the chosen setting and its reference share, which the figures therefore can't show.
    QString sharedText() const;
    // Full name of the reference (engine::referenceText) for the chosen setting, and for another one.
    QString referenceTitle() const;
    QString referenceTitleOf(const Compared& one) const;
};

// Sets the names by what differs between the settings of the list.
void nameByDifferences(Comparison& comparison, const SettingList& list);

// Describes the pixels of a mask: "inside the disc of 90 % of the width"; empty for all pixels.
QString maskText(const engine::Mask& mask);
// Describes the pixels from which figures are computed: "inside rectangle 1", or as maskText() if the area has no name.
QString areaText(const Comparison& comparison);
// Describes what figures refer to, the reference and the pixels: "exact method, double precision, inside rectangle 1".
QString againstText(const Comparison& comparison);

} // namespace ui

Q_DECLARE_METATYPE(ui::Comparison)
