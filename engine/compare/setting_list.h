// SPDX-License-Identifier: GPL-3.0-or-later
// What is compared: any number of named settings, and what they are measured against. Plain values, so that a step
// back is the value before.
#pragma once

#include "engine/io/slices/stored_slices.h"
#include "engine/request/setting.h"

#include <string>
#include <vector>

namespace engine
{

// One of them. Slice, region, device and memory are no settings: they are the same for all.
struct NamedSetting {
    int id = 0;          // its own in the list
    std::string name;    // "A", or the user's, UTF-8
    int colour = 0;      // of its curve: the first free number
    bool visible = true; // others aren't computed
    Setting setting;
    bool operator==(const NamedSetting&) const = default;
};

// What an image is measured against, and shown beside.
struct ReferenceChoice {
    enum class Kind {
        exact,   // the exact method with the setting's own preparation, filter and axis: what the kernel costs
        exactOf, // the same with those of one setting for all: what a choice costs
        phantom, // of a simulated scan
        setting, // the image of one of the list
        file     // an image, or the slices of a volume, from elsewhere
    };
    Kind kind = Kind::exact;
    int id = 0;           // of the setting, where there is one
    SlicesPath file = {}; // where there is one
    bool operator==(const ReferenceChoice&) const = default;
};

// "exact", "exact:2", "phantom", "setting:2", "file:recon.h5", "file:recon.h5#/exchange/data"; ids are those of the
// list. Throws Error(badRequest).
std::string toText(const ReferenceChoice& choice);
ReferenceChoice referenceFromText(const std::string& text);
inline constexpr const char* referenceForms =
    "exact, exact:ID, phantom, setting:ID, file:FILE, file:FILE#/DATA/SET or file:FILE#/DATA/SET@y:z:x";

struct SettingList {
    std::vector<NamedSetting> settings; // in the user's order; never empty
    int chosenId = 0;                   // the one that is edited, and shown first
    ReferenceChoice reference;
    bool operator==(const SettingList&) const = default;

    SettingList(); // one, "A", of defaults
    std::size_t chosenIndex() const;
    NamedSetting& chosen() { return settings[chosenIndex()]; }
    const NamedSetting& chosen() const { return settings[chosenIndex()]; }
    const NamedSetting* find(int id) const; // null when it isn't there

    // Behind the last one, with the next free letter and colour; it is not chosen. The reference stays.
    NamedSetting& add(const Setting& setting, const std::string& name = {});
    void remove(int id);       // unless it is the last; what leant on it leans on `exact` again
    void move(int id, int by); // earlier or later, as far as there is room

    // Positions of the axis are a scan's own: for another scan they become automatic. Settings that differed in nothing
    // else become one, with the next free letter: a name such as "−2 bins" isn't true any more.
    void forgetAxes();
};

} // namespace engine
