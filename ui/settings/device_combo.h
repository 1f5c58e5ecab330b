// SPDX-License-Identifier: GPL-3.0-or-later
// A list of devices: the processor, one of another backend, or several.
#pragma once

#include "engine/backends/backend.h"
#include "ui/settings/choice_combo.h"

#include <map>
#include <set>
#include <string>

namespace ui
{

class DeviceCombo : public ChoiceCombo
{
    Q_OBJECT
  public:
    explicit DeviceCombo(QWidget* parent = nullptr);

    // Replaces the backend's entry by its devices. Emits chosen() if one of them was wanted before they were known.
    void offer(const engine::Backend& backend, const engine::Devices& devices);
    std::string text() const;              // value of the option; "auto" until a wanted device is known
    void setText(const std::string& text); // doesn't emit chosen(); remembered until the devices are known
    const std::string& wanted() const { return m_wanted; }

  signals:
    void chosen(); // by the user
    // The backend's drivers are needed: those of a backend that isn't automatic are loaded only for users who ask.
    void devicesWanted(const engine::Backend* backend);

  private:
    void offerAll();
    void addBackend(const engine::Backend& backend);
    void addDevices(const engine::Backend& backend, const engine::Devices& found);
    void selectWanted();
    // Returns the backend whose devices the text names although they aren't known yet; nullptr: there is none.
    const engine::Backend* unknownIn(const std::string& text) const;
    void askForUnknown();
    static QString sharedTip();

    std::string m_wanted = "auto"; // requested before the devices were known
    std::map<const engine::Backend*, engine::Devices> m_found;
    std::set<const engine::Backend*> m_asked;
};

} // namespace ui
