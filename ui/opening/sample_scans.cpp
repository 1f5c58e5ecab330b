// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/opening/sample_scans.h"

#include <QCoreApplication>

namespace ui
{

std::vector<Sample> samples()
{
    const auto tr = [](const char* text) { return QCoreApplication::translate("ui::Samples", text); };
    using engine::Phantom;
    const auto make = [](Phantom phantom, int size, int projections, int slices) {
        engine::Simulation simulation;
        simulation.phantom = phantom;
        simulation.size = size;
        simulation.projections = projections;
        simulation.slices = slices;
        return simulation;
    };
    std::vector<Sample> list;
    list.push_back(
        {QStringLiteral("shepp-logan"), tr("Shepp-Logan, 512 × 512"), make(Phantom::sheppLogan, 512, 804, 1)});
    list.push_back({QStringLiteral("shepp-logan-original"), tr("Shepp-Logan, original contrast (1974)"),
                    make(Phantom::sheppLoganOriginal, 512, 804, 1)});
    list.push_back({QStringLiteral("shepp-logan-3d"), tr("Shepp-Logan in three dimensions, 64 slices"),
                    make(Phantom::sheppLogan3d, 256, 402, 64)});
    list.push_back({QStringLiteral("resolution"), tr("Resolution pattern"), make(Phantom::resolution, 512, 804, 1)});
    list.push_back({QStringLiteral("disc"), tr("Uniform disc"), make(Phantom::disc, 512, 804, 1)});
    engine::Simulation noisy = make(Phantom::sheppLogan, 512, 804, 1);
    noisy.photons = 2e4;
    list.push_back({QStringLiteral("noisy"), tr("Shepp-Logan with photon noise"), noisy});
    engine::Simulation rings = make(Phantom::sheppLogan, 512, 804, 1);
    rings.rings = 0.01;
    rings.photons = 1e5;
    list.push_back({QStringLiteral("rings"), tr("Shepp-Logan with rings and noise"), rings});
    engine::Simulation shifted = make(Phantom::sheppLogan, 512, 804, 1);
    shifted.axisOffsetBins = 7.25;
    shifted.arcDeg = 360;
    list.push_back({QStringLiteral("off-axis"), tr("Shepp-Logan, 360°, axis 7.25 bins off the middle"), shifted});
    // Cone angle ±5°: 192 bins of 1.5 mm at 1500 mm.
    engine::Simulation cone = make(Phantom::sheppLogan3d, 192, 240, 192);
    cone.arcDeg = 360;
    cone.cone = engine::ConeOptions{};
    cone.cone->sourceAxisMm = 1100;
    cone.cone->sourceDetectorMm = 1650;
    cone.cone->pixelUMm = 1.5;
    list.push_back({QStringLiteral("cone"), tr("3-D Shepp-Logan, cone beam"), cone});
    return list;
}

} // namespace ui
