// SPDX-License-Identifier: GPL-3.0-or-later
// Files that a user may open: valid scans of several kinds, and invalid files.
#pragma once

#include "engine/io/slices/slice_writer.h"
#include "engine/io/slices/write_scan.h"
#include "tests/ui/fixtures.h"

#include <random>

namespace soak
{

inline engine::ConeOptions coneOf(double sourceAxisMm, double sourceDetectorMm, double pixelMm)
{
    engine::ConeOptions made;
    made.sourceAxisMm = sourceAxisMm;
    made.sourceDetectorMm = sourceDetectorMm;
    made.pixelUMm = pixelMm;
    return made;
}

inline engine::Simulation simulationBy(std::mt19937& random)
{
    const auto below = [&](int n) { return int(random() % unsigned(n)); };
    const std::vector<engine::Phantom> phantoms = engine::phantoms();
    engine::Simulation made = fixtures::simulationOf(phantoms[std::size_t(below(int(phantoms.size())))], 16 + below(49),
                                                     20 + below(60), 1 + below(16));
    made.photons = below(3) == 0 ? 2e4 : 0;
    made.rings = below(3) == 0 ? 0.01 : 0;
    made.counts = made.photons > 0 || made.rings > 0 || below(2) == 0;
    made.arcDeg = below(2) ? 180 : 360;
    made.seed = random();
    if (below(3) == 0) {
        made.arcDeg = 360;
        made.cone = coneOf(280, 420, 1.5);
    } else {
        made.axisOffsetBins = below(3) == 0 ? 2.25 : 0;
    }
    return made;
}

inline void write(const std::filesystem::path& path, const QByteArray& bytes)
{
    QFile file(QString::fromStdString(path.string()));
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
        qFatal("can't write %s", path.c_str());
}

// Returns names in the folder; some of these files do not exist.
inline QStringList filesIn(const fixtures::TemporaryFolder& folder, std::mt19937& random)
{
    QStringList names;
    const auto put = [&](const QString& name, const QByteArray& bytes) {
        write(folder / name.toStdString(), bytes);
        names << name;
    };
    const auto scan = fixtures::smallScan(48, 60, 16);
    engine::writeScan(*scan, nullptr, engine::ScanFormat::dxchange, folder / "scan.h5", false);
    engine::writeScan(*fixtures::smallScan(33, 41, 7), nullptr, engine::ScanFormat::nxtomo, folder / "tomo.nxs", false);
    engine::Simulation cone = fixtures::simulationOf(engine::Phantom::sheppLogan3d, 24, 30, 24);
    cone.arcDeg = 360;
    cone.cone = coneOf(280, 420, 1.5);
    engine::writeScan(*engine::simulate(cone), &cone, engine::ScanFormat::dxchange, folder / "cone.h5", false);
    engine::Simulation lines = fixtures::simulationOf(engine::Phantom::sheppLogan, 48, 60);
    lines.counts = false;
    engine::Volume sinogram(1, lines.projections, lines.size);
    sinogram.values = engine::simulate(lines)->read({0, 1}, {}).data.floats();
    engine::writeTiffImage(folder / "lines.tif", sinogram, 0, true, {});
    std::filesystem::create_directory(folder / "stack");
    for (int k = 0; k < 12; ++k)
        engine::writeTiffImage(folder / ("stack/" + std::to_string(k) + ".tif"), sinogram, 0, true, {});
    std::filesystem::create_directory(folder / "empty");
    names << "scan.h5"
          << "tomo.nxs"
          << "cone.h5"
          << "lines.tif"
          << "stack"
          << "empty"
          << "missing.h5";

    const QByteArray good = fixtures::contentOf(folder.file("scan.h5"));
    const QByteArray image = fixtures::contentOf(folder.file("lines.tif"));
    put("none.h5", {});
    put("text.h5", "this is no HDF5");
    put("cut.h5", good.first(good.size() / 2));
    put("cut.tif", image.first(image.size() / 2));
    put("text.sinoscope", "{\"version\": 2");
    for (int k = 0; k < 8; ++k) {
        QByteArray wrong = k % 2 ? good : image;
        for (int byte = 0; byte < 8; ++byte)
            wrong[qsizetype(random() % unsigned(std::min<qsizetype>(wrong.size(), 4096)))] = char(random());
        put(QStringLiteral("wrong%1.%2").arg(k).arg(k % 2 ? "h5" : "tif"), wrong);
    }
    return names;
}

} // namespace soak
