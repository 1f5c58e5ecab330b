// SPDX-License-Identifier: GPL-3.0-or-later
// What computes: the processor, a GPU, several of them.
#pragma once

#include "engine/cuda/devices.h"
#include "ui/settings/choice_combo.h"

namespace ui
{

class DeviceCombo : public ChoiceCombo
{
    Q_OBJECT
  public:
    explicit DeviceCombo(QWidget* parent = nullptr);

    void offer(const engine::CudaDevices& devices); // no signal
    std::string text() const;                       // as the option has it
    void setText(const std::string& text);          // kept until the devices are known; no signal
    const std::string& wanted() const { return m_wanted; }

  signals:
    void chosen(); // by the user

  private:
    void selectWanted();
    static QString sharedTip();

    std::string m_wanted = "auto"; // asked for before the devices were known
};

} // namespace ui
