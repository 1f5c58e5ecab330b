// SPDX-License-Identifier: GPL-3.0-or-later
// A list of devices: the processor, one GPU, or several GPUs.
#pragma once

#include "engine/cuda/devices.h"
#include "engine/opencl/devices.h"
#include "ui/settings/choice_combo.h"

namespace ui
{

class DeviceCombo : public ChoiceCombo
{
    Q_OBJECT
  public:
    explicit DeviceCombo(QWidget* parent = nullptr);

    void offer(const engine::CudaDevices& devices); // emits no signal
    // Replaces the entry for OpenCL by its devices. Emits chosen() if one of them was wanted.
    void offerOpenCl(const engine::OpenClDevices& devices);
    std::string text() const;              // value of the option; "auto" until a wanted OpenCL device is known
    void setText(const std::string& text); // doesn't emit chosen(); remembered until the devices are known
    const std::string& wanted() const { return m_wanted; }

  signals:
    void chosen(); // by the user
    // OpenCL's drivers are needed: they are loaded only for users who ask for them.
    void openClWanted();

  private:
    void selectWanted();
    void askForOpenCl();
    void addOpenCl();
    static QString sharedTip();

    std::string m_wanted = "auto"; // requested before the devices were known
    engine::CudaDevices m_cuda;
    std::optional<engine::OpenClDevices> m_openCl; // once the drivers are loaded
    bool m_isAsked = false;                        // for them
};

} // namespace ui
