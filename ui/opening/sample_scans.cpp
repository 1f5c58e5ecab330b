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
    const auto addKind = [&](const char* id, const QString& kind, const QString& label,
                             const engine::Simulation& simulation) {
        list.push_back({QLatin1String(id), QStringLiteral("%1: %2").arg(kind, label), simulation, kind});
    };
    const auto add = [&](const char* id, const QString& label, const engine::Simulation& simulation) {
        list.push_back({QLatin1String(id), label, simulation});
    };
    const engine::Simulation plain = make(Phantom::sheppLogan, 512, 804, 1);
    addKind("shepp-logan", tr("Phantom"), tr("Shepp-Logan, 512 × 512"), plain);
    // Cone angle ±5°: 192 rows of 1.5 mm at 1650 mm.
    engine::Simulation cone = make(Phantom::sheppLogan3d, 192, 240, 192);
    cone.arcDeg = 360;
    cone.cone = engine::ConeOptions{};
    cone.cone->sourceAxisMm = 1100;
    cone.cone->sourceDetectorMm = 1650;
    cone.cone->pixelUMm = 1.5;
    addKind("cone", tr("Cone beam"), tr("Shepp-Logan in three dimensions, 192 slices"), cone);
    engine::Simulation noisy = plain;
    noisy.photons = 2e4;
    addKind("noisy", tr("Noisy scan"), tr("Shepp-Logan with photon noise"), noisy);
    engine::Simulation rings = plain;
    rings.rings = 0.01;
    rings.photons = 1e5;
    addKind("rings", tr("Scan with rings"), tr("Shepp-Logan with rings and noise"), rings);
    add("shepp-logan-original", tr("Shepp-Logan, original contrast (1974)"),
        make(Phantom::sheppLoganOriginal, 512, 804, 1));
    add("shepp-logan-3d", tr("Shepp-Logan in three dimensions, 64 slices"), make(Phantom::sheppLogan3d, 256, 402, 64));
    add("resolution", tr("Resolution pattern"), make(Phantom::resolution, 512, 804, 1));
    add("disc", tr("Uniform disc"), make(Phantom::disc, 512, 804, 1));
    engine::Simulation shifted = plain;
    shifted.axisOffsetBins = 7.25;
    shifted.arcDeg = 360;
    add("off-axis", tr("Shepp-Logan, 360°, axis 7.25 bins off the middle"), shifted);
    return list;
}

} // namespace ui
