// SPDX-License-Identifier: GPL-3.0-or-later
// CIL's NeXus files: cone and parallel beams, whatever the frame of reference and the origin of the panel.
#include "engine/io/open/open_scan.h"
#include "engine/reconstruct/reconstruct.h"
#include "tests/engine/io/bad_files.h"
#include "tests/engine/io/refused.h"

#include <cmath>
#include <functional>

using namespace engine;
using namespace fixtures;
namespace fs = std::filesystem;

namespace
{

constexpr int cilViews = 90, cilSize = 48;
const std::string entry = "/entry1/tomo_entry/", config = entry + "config/";

Simulation cilSimulation(bool isCone)
{
    Simulation made;
    made.phantom = Phantom::sheppLogan3d;
    made.size = made.slices = cilSize;
    made.projections = cilViews;
    made.arcDeg = 360;
    if (!isCone)
        return made;
    ConeOptions& cone = made.cone.emplace();
    cone.sourceAxisMm = 50;
    cone.sourceDetectorMm = 200;
    cone.pixelUMm = 0.4;
    cone.offsetUMm = 0.8;
    return made;
}

struct CilLook {
    std::string origin = "bottom-left", scale = {}, labels = "angle vertical horizontal";
    double startDeg = 0; // by which source and detector are turned in the file's frame of reference
    double initialDeg = 0;
    std::vector<double> axis = {0, 0, 0}, direction = {0, 0, 1}; // of the rotation axis
};

// Writes the line integrals as CIL would: it turns the source clockwise and by default counts rows upwards.
void writeCil(const fs::path& path, const Scan& scan, const CilLook& look)
{
    const auto* cone = std::get_if<ConeBeam>(&scan.geometry);
    const RawRows raw = scan.read({0, scan.rows}, {});
    std::vector<double> values, angles;
    const bool isUp = look.origin.starts_with("bottom"), isRight = look.origin.ends_with("left");
    for (int k = 0; k < raw.projections; ++k)
        for (int row = 0; row < scan.rows; ++row)
            for (int bin = 0; bin < raw.bins; ++bin) {
                const std::size_t pixel = static_cast<std::size_t>(isUp ? scan.rows - 1 - row : row) * raw.bins +
                                          (isRight ? bin : raw.bins - 1 - bin);
                const double dark = raw.darks.empty() ? 0 : raw.darks[pixel];
                values.push_back(
                    -std::log((raw.data[static_cast<std::size_t>(k) * scan.rows * raw.bins + pixel] - dark) /
                              (raw.flats[pixel] - dark)));
            }
    for (const double angle : scan.anglesRad())
        angles.push_back(-angle / degree - look.initialDeg);
    const double start = look.startDeg * degree;
    const auto turned = [&](double x, double y) { // and moved with the axis
        return std::vector<double>{x * std::cos(start) - y * std::sin(start), x * std::sin(start) + y * std::cos(start),
                                   0};
    };
    const auto moved = [&](std::vector<double> at) {
        for (int k = 0; k < 3; ++k)
            at[k] += look.axis[k];
        return at;
    };
    const double pixel = cone ? 0.4 : 0.02, offset = cone ? 0.8 : 0;
    made::Hdf5 file(path);
    const std::string data = entry + "data/data";
    const auto count = [](int number) { return static_cast<hsize_t>(number); };
    file.numbers(data, {count(raw.projections), count(scan.rows), count(raw.bins)}, values, H5T_IEEE_F32LE);
    std::istringstream labels(look.labels);
    int dimension = 0;
    for (std::string label; labels >> label;)
        file.attribute(data, "dim" + std::to_string(dimension++), label);
    file.attribute(data, "data_type", "AcquisitionData");
    file.attribute(data, "geometry", cone ? "cone" : "parallel");
    file.attribute(data, "panel_origin", look.origin);
    for (const char* name : {"pixel_size_h", "pixel_size_v"})
        file.attribute(data, name, std::to_string(pixel));
    if (!look.scale.empty())
        file.attribute(data, "scale", look.scale);
    file.numbers(config + "detector/position", {3}, moved(turned(offset, 150)), H5T_IEEE_F64LE);
    file.numbers(config + "detector/direction_x", {3}, turned(1, 0), H5T_IEEE_F64LE);
    file.numbers(config + "detector/direction_y", {3}, {0, 0, 1}, H5T_IEEE_F64LE);
    if (cone)
        file.numbers(config + "source/position", {3}, moved(turned(0, -50)), H5T_IEEE_F64LE);
    else
        file.numbers(config + "ray/direction", {3}, turned(0, 1), H5T_IEEE_F64LE);
    file.numbers(config + "rotation_axis/position", {3}, look.axis, H5T_IEEE_F64LE);
    file.numbers(config + "rotation_axis/direction", {3}, look.direction, H5T_IEEE_F64LE);
    file.numbers(config + "angles", {count(raw.projections)}, angles, H5T_IEEE_F64LE);
    file.attribute(config + "angles", "angle_unit", "degree");
    file.attribute(config + "angles", "initial_angle", std::to_string(look.initialDeg));
}

Reconstruction middleOf(std::shared_ptr<const Scan> scan)
{
    Request request = requestFor(std::move(scan));
    request.place.setSlices({cilSize / 3, 1});
    return Reconstructor().run(request);
}

// Share of the energy of `exact` that differs.
double apart(const Reconstruction& made, const Reconstruction& exact)
{
    double squares = 0, all = 0;
    for (std::size_t k = 0; k < exact.image.values.size(); ++k) {
        squares += std::pow(made.image.values[k] - exact.image.values[k], 2);
        all += std::pow(exact.image.values[k], 2);
    }
    return squares / all;
}

} // namespace

class CilNexusTest : public QObject
{
    Q_OBJECT

  private slots:
    void init() { m_folder.emplace(); }

    // The slice is that of the phantom, in the frame of reference of the file.
    void cone()
    {
        const std::shared_ptr<const Scan> simulated = simulate(cilSimulation(true));
        for (const CilLook& look :
             {CilLook{}, CilLook{.origin = "top-left"}, CilLook{.initialDeg = 30}, CilLook{.axis = {3, -2, 1}}}) {
            writeCil(at("a.nxs"), *simulated, look);
            const auto scan = openIntegrals("a.nxs");
            QCOMPARE(scan->format, std::string("CIL NeXus"));
            const auto& beam = std::get<ConeBeam>(scan->geometry);
            QVERIFY(std::abs(beam.sourceAxisMm - 50) < 1e-6 && std::abs(beam.sourceDetectorMm - 200) < 1e-6);
            const double off = apart(middleOf(scan), middleOf(simulated));
            QVERIFY2(off < 0.001, qPrintable(QString::number(off)));
            fs::remove(at("a.nxs"));
        }
    }

    // A frame of reference that is turned by half a turn turns the slice.
    void turned()
    {
        const std::shared_ptr<const Scan> simulated = simulate(cilSimulation(true));
        const Reconstruction exact = middleOf(simulated);
        writeCil(at("turned.nxs"), *simulated, {.startDeg = 180});
        Reconstruction turned = middleOf(openIntegrals("turned.nxs"));
        std::ranges::reverse(turned.image.values);
        QVERIFY2(apart(turned, exact) < 0.001, qPrintable(QString::number(apart(turned, exact))));
    }

    void parallel()
    {
        const std::shared_ptr<const Scan> simulated = simulate(cilSimulation(false));
        writeCil(at("a.nxs"), *simulated, {.axis = {0.1, 0, 0}});
        const auto scan = openIntegrals("a.nxs");
        QVERIFY(std::holds_alternative<ParallelBeam>(scan->geometry));
        QVERIFY(std::abs(*scan->pixelSizeMm() - 0.02) < 1e-9);
        Reconstruction made = middleOf(scan), exact = middleOf(simulated);
        for (float& value : made.image.values) // per mm
            value *= static_cast<float>(exact.unit == made.unit ? 1 : 0.02);
        QVERIFY2(apart(made, exact) < 0.001, qPrintable(QString::number(apart(made, exact))));
    }

    void refused()
    {
        const std::shared_ptr<const Scan> simulated = simulate(cilSimulation(true));
        const auto bad = [&](const CilLook& look, const std::vector<std::string>& words) {
            fs::remove(at("a.nxs"));
            writeCil(at("a.nxs"), *simulated, look);
            return made::refused(at("a.nxs"), words);
        };
        QVERIFY(bad({.direction = {0, 0.1, 1}}, {"a.nxs", "tilted"}));
        QVERIFY(bad({.scale = "3.5"}, {"scale", "compression"}));
        QVERIFY(bad({.labels = "channel vertical horizontal"}, {"channel"}));
        QVERIFY(bad({.labels = "vertical vertical horizontal"}, {"angle"}));
    }

  private:
    std::shared_ptr<const Scan> openIntegrals(const std::string& name) const
    {
        OpenOptions options;
        options.values = Quantity::attenuation;
        return openScan(at(name), options);
    }
    fs::path at(const std::string& name) const { return *m_folder / name; }

    std::optional<TemporaryFolder> m_folder;
};

SINOSCOPE_TEST(CilNexusTest, QCoreApplication)
#include "cil_nexus_test.moc"
