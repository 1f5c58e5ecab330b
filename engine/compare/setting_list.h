// SPDX-License-Identifier: GPL-3.0-or-later
// The settings that are compared, and their reference. They are plain values, so that undo restores the previous
// value.
#pragma once

#include "engine/io/slices/stored_slices.h"
#include "engine/request/setting.h"

#include <set>
#include <string>
#include <vector>

namespace engine
{

// A setting with its name. Slice, region, device and memory are not part of settings: they are the same for all.
struct NamedSetting {
    int id = 0;          // unique in the list
    std::string name;    // "A", or the user's name, UTF-8
    int colour = 0;      // of its curve: the first free number
    bool visible = true; // hidden settings aren't computed
    Setting setting;
    bool isNamedAfterValues = false; // by a preset: "half" is true of these values only
    bool operator==(const NamedSetting&) const = default;
};

// Returns whether a name is one that a new setting gets: "A" to "Z", "A1" and so on.
bool isLetterName(const std::string& name);

// The reference that an image is compared with.
struct ReferenceChoice {
    enum class Kind {
        exact,   // the exact method with the setting's own preparation, filter and axis: shows the error of the kernel
        exactOf, // the exact method with those of one setting, for all images: shows the effect of other choices
        phantom, // of a simulated scan
        setting, // the image of a setting of the list
        file     // an image, or the slices of a volume, from a file
    };
    Kind kind = Kind::exact;
    int id = 0;                                          // of the setting, for exactOf and setting
    SlicesPath file = {};                                // for file
    Interpolation interpolation = Interpolation::linear; // of exact: linear or cubic
    bool operator==(const ReferenceChoice&) const = default;
};

// Returns "exact", "exact-cubic", "exact:2", "phantom", "setting:2", "file:recon.h5" or "file:recon.h5#/exchange/data";
// ids are those of the list. referenceFromText() throws Error(badRequest).
std::string toText(const ReferenceChoice& choice);
ReferenceChoice referenceFromText(const std::string& text);
inline constexpr const char* referenceForms =
    "exact, exact-cubic (cubic interpolation), exact:ID, phantom, setting:ID, file:FILE, file:FILE#/DATA/SET or "
    "file:FILE#/DATA/SET@y:z:x, "
    "each of the last three also with the unit of its values, such as file:FILE@1/pixel";

struct SettingList {
    std::vector<NamedSetting> settings; // in the user's order; never empty
    int chosenId = 0;                   // the one that is edited, and shown first
    ReferenceChoice reference;
    bool operator==(const SettingList&) const = default;

    SettingList(); // contains one setting, "A", with defaults
    std::size_t chosenIndex() const;
    NamedSetting& chosen() { return settings[chosenIndex()]; }
    const NamedSetting& chosen() const { return settings[chosenIndex()]; }
    const NamedSetting* find(int id) const; // null if there is none

    // Appends a setting with the next free letter and colour, without choosing it. The reference stays.
    NamedSetting& add(const Setting& setting, const std::string& name = {});
    void remove(int id);       // except the last one; a reference to it becomes `exact`
    void move(int id, int by); // by places; stops at the ends of the list

    // Replaces the values of a setting. A name after its old values becomes the next free letter.
    void edit(NamedSetting& one, const Setting& setting);
    // Drops what belongs to one scan, see forAnotherScan(). Settings that then are equal are merged; the merged setting
    // gets the next free letter, as a name such as "−2 bins" isn't true any more.
    void forgetScan();
    // Merges each of these settings with one that is equal, as forgetScan() does. changed: ids.
    void mergeEqual(const std::set<int>& changed);
};

// Returns the setting without what belongs to one scan: a given position of the axis becomes automatic, its tilt and
// the other parameters that are `isOfScan` (engine/prepare/steps.h) get their defaults.
Setting forAnotherScan(Setting setting);

} // namespace engine
