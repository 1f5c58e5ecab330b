// What is compared: any number of named settings, and what they are measured against. Plain values, so that a step
// back is the value before.
#pragma once

#include "engine/setting.h"

#include <QString>

#include <vector>

namespace ui
{

// One of them. Slice, region, device and memory are no settings: they are the same for all.
struct NamedSetting {
    int id = 0;          // its own in the list
    QString name;        // "A", or the user's
    int colour = 0;      // of its curve, see settingColour
    bool visible = true; // others aren't computed
    engine::Setting setting;
    bool operator==(const NamedSetting&) const = default;
};

// What an image is measured against, and shown beside.
struct ReferenceChoice {
    enum class Kind {
        exact,   // the exact method with the setting's own filter and axis: what the kernel costs
        exactOf, // the same with those of one setting for all: what a choice costs
        phantom, // of a simulated scan
        setting  // the image of one of the list
    };
    Kind kind = Kind::exact;
    int id = 0; // of the setting, where there is one
    bool operator==(const ReferenceChoice&) const = default;
};

// "exact", "exact:2", "phantom", "setting:2"; ids are those of the list. Throws engine::Error(badRequest).
QString toText(const ReferenceChoice& choice);
ReferenceChoice referenceFromText(const QString& text);

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
    NamedSetting& add(const engine::Setting& setting, const QString& name = {});
    void remove(int id);       // unless it is the last; what leant on it leans on `exact` again
    void move(int id, int by); // earlier or later, as far as there is room
};

// What each differs in from the others, in the order of the list: "half · hann", from the table of options; what all
// share isn't said. One that is like another says so: "as A".
std::vector<QString> differences(const SettingList& list);

} // namespace ui
