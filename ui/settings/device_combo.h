// SPDX-License-Identifier: GPL-3.0-or-later
// A list of devices: the processor, one GPU, or several GPUs.
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

    void offer(const engine::CudaDevices& devices); // emits no signal
    std::string text() const;                       // value of the option
    void setText(const std::string& text);          // emits no signal; remembered until the devices are known
    const std::string& wanted() const { return m_wanted; }

  signals:
    void chosen(); // by the user

  private:
    void selectWanted();
    static QString sharedTip();

    std::string m_wanted = "auto"; // requested before the devices were known
};

} // namespace ui
