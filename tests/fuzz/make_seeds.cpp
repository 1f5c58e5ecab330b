// SPDX-License-Identifier: GPL-3.0-or-later
// Seeds of the fuzzers: `fuzz_seeds FOLDER` writes them to FOLDER/TARGET. They are small valid files for a fuzzer to
// change.
#include "engine/documents/recipe.h"
#include "engine/documents/session.h"
#include "engine/io/geometry/geometry_file.h"
#include "engine/io/slices/write_scan.h"
#include "tests/engine/io/mat_files.h"
#include "tests/engine/io/npy_files.h"
#include "tests/engine/io/packed_chunks.h"
#include "tests/engine/io/refused.h"

#include <cstdio>
#include <random>

using namespace engine;
namespace fs = std::filesystem;

namespace
{

class Seeds
{
  public:
    explicit Seeds(fs::path root) : m_root(std::move(root)) {}
    fs::path file(const std::string& target, const std::string& name) const
    {
        fs::create_directories(m_root / target);
        return m_root / target / name;
    }
    void text(const std::string& target, const std::string& name, const std::string& bytes) const
    {
        std::ofstream(file(target, name), std::ios::binary) << bytes;
    }

  private:
    fs::path m_root;
};

ConeOptions smallCone()
{
    ConeOptions cone;
    cone.sourceAxisMm = 100;
    cone.sourceDetectorMm = 150;
    cone.pixelUMm = 0.5;
    return cone;
}

Simulation small(bool cone)
{
    Simulation simulation;
    simulation.size = 8;
    simulation.projections = 6;
    simulation.slices = 3;
    if (cone) {
        simulation.phantom = Phantom::ball;
        simulation.arcDeg = 360;
        simulation.cone = smallCone();
    }
    return simulation;
}

void tiffs(const Seeds& seeds)
{
    const std::vector<std::uint16_t> counts(made::counting(20).size(), 300);
    const std::vector<float> reals(20, 0.5F);
    made::tiff(seeds.file("tiff", "strips"), 5, 4, counts);
    made::tiff(seeds.file("tiff", "big-endian"), 5, 4, counts, {.mode = "wb"});
    made::tiff(seeds.file("tiff", "bigtiff"), 5, 4, counts, {.mode = "w8"});
    made::tiff(seeds.file("tiff", "lzw"), 5, 4, counts, {.compression = COMPRESSION_LZW, .rowsPerStrip = 4});
    made::tiff(seeds.file("tiff", "deflate"), 5, 4, reals,
               {.format = SAMPLEFORMAT_IEEEFP, .compression = COMPRESSION_ADOBE_DEFLATE});
    made::tiff(seeds.file("tiff", "packbits"), 5, 4, counts, {.compression = COMPRESSION_PACKBITS});
    made::tiff(seeds.file("tiff", "tiles"), 20, 4, std::vector<std::uint8_t>(80, 7), {.tile = 16});
    for (const char* mode : {"w", "a", "a"})
        made::tiff(seeds.file("tiff", "pages"), 5, 4, reals, {.format = SAMPLEFORMAT_IEEEFP, .mode = mode});
}

// Writes headers with many messages, a group with many links, and chunks indexed by an array, an extensible array and
// a B-tree.
void newestFormat(made::Hdf5& file)
{
    const hsize_t frames[] = {5, 3, 4}, growing[] = {H5S_UNLIMITED, 3, 4}, all[] = {H5S_UNLIMITED, H5S_UNLIMITED, 4};
    const auto chunked = [&](const char* path, const hsize_t* most) {
        const hsize_t edge[] = {1, 3, 4};
        const hid_t creation = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(3, frames, most);
        H5Pset_chunk(creation, 3, edge);
        H5Pset_deflate(creation, 1);
        const std::vector<double> values = made::counting(60);
        const hid_t set = H5Dcreate2(file.id(), path, H5T_STD_U16LE, space, H5P_DEFAULT, creation, H5P_DEFAULT);
        H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
        H5Dclose(set);
        H5Sclose(space);
        H5Pclose(creation);
    };
    file.numbers("/exchange/theta", {5}, made::counting(5, 36));
    file.attribute("/exchange/theta", "units", "deg");
    chunked("/exchange/data", frames);
    chunked("/exchange/data_white", growing);
    chunked("/exchange/data_dark", all);
    for (int k = 0; k < 12; ++k) {
        file.text("/measurement/sample/text " + std::to_string(k), "of the sample");
        file.attribute("/exchange/data", "attribute " + std::to_string(k), "of the frames");
    }
    file.text("/measurement/sample/name", "a sample");
}

// Writes frames in one chunk, packed as detectors do it.
void packedFrames(made::Hdf5& file, const made::Packing& packing)
{
    const hsize_t shape[] = {5, 3, 4};
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(creation, 3, shape);
    made::addFilter(creation, packing);
    made::dxchange(file);
    H5Ldelete(file.id(), "/exchange/data", H5P_DEFAULT);
    file.numbers("/exchange/data", {5, 3, 4}, {}, H5T_STD_U16LE, creation);
    made::writeChunk(file, "/exchange/data", {0, 0, 0}, made::packed(std::string(120, '\x07'), packing));
    H5Pclose(creation);
}

void hdf5s(const Seeds& seeds)
{
    using enum made::Packing::Filter;
    for (const auto& [name, packing] : {std::pair{"bitshuffle-lz4", made::Packing{bitshuffle, 24, 2, 2}},
                                        {"bitshuffle-zstd", {bitshuffle, 0, 3, 2}},
                                        {"lz4", {lz4, 50}}}) {
        made::Hdf5 file(seeds.file("hdf5", name));
        packedFrames(file, packing);
    }
    {
        made::Hdf5 file(seeds.file("hdf5", "dxchange"));
        made::dxchange(file);
    }
    {
        made::Hdf5 file(seeds.file("hdf5", "nxtomo"));
        made::nxtomo(file, {0, 0, 0, 1, 2});
    }
    {
        made::Hdf5 file(seeds.file("hdf5", "slices"));
        file.numbers("/exchange/data", {3, 5, 5}, made::counting(75), H5T_IEEE_F32LE);
    }
    {
        made::Hdf5 file(seeds.file("hdf5", "newest"), made::Hdf5::Format::newest);
        newestFormat(file);
    }
    for (const bool cone : {false, true}) {
        const Simulation simulation = small(cone);
        writeScan(*simulate(simulation), &simulation, cone ? ScanFormat::nxtomo : ScanFormat::dxchange,
                  seeds.file("hdf5", cone ? "cone" : "simulated"), true);
    }
    std::mt19937 random(1);
    for (int k = 0; k < 12; ++k) {
        std::string choices(1, char(k % 3));
        for (int n = 0; n < 16 * k; ++n)
            choices += char(random() % 64);
        seeds.text("hdf5_made", "choices" + std::to_string(k), choices);
    }
}

void mats(const Seeds& seeds)
{
    made::writeMat(seeds.file("mat", "scan"), {made::scanOf({0, 90, 180, 270})}, MAT_COMPRESSION_NONE);
    made::writeMat(seeds.file("mat", "compressed"), {made::scanOf({0, 90, 180, 270})});
    made::writeMat(seeds.file("mat", "matrix"), {made::sinogramNamed("sinogram")}, MAT_COMPRESSION_NONE);
}

void arrays(const Seeds& seeds)
{
    seeds.text("npy", "sinogram",
               made::npyHeader(made::npyDictionary("<u2", false, "12, 14")) + std::string(336, '\x07'));
    seeds.text("npy", "stack", made::npyHeader(made::npyDictionary(">f4", true, "6, 3, 8")) + std::string(576, '\x41'));
}

// Writes a layout, then numbers: 4 projections of 3 x 5 16-bit numbers after 2 bytes.
void raws(const Seeds& seeds)
{
    for (const int type : {0, 2, 5, 8}) {
        std::string bytes;
        for (const int value : {4, 3, 5, 0})
            bytes += {char(value), 0, 0, 0};
        bytes += std::string{2, 0, 0, 0, 0, 0, 0, 0} + std::string{char(type), char(type & 1), char(type % 4)};
        seeds.text("raw", "type" + std::to_string(type), bytes + std::string(122, '\x07'));
    }
}

void texts(const Seeds& seeds)
{
    seeds.text("angles", "plain", "0\n45\n90.5\n1e2\n");
    seeds.text("angles", "commented", "# degrees\r\n+0.0;\r\n -12.25,\r\n\t3.6e-1\r\n\r\n");

    Simulation simulation = small(true);
    const auto scan = simulate(simulation);
    ConeBeam beam = std::get<ConeBeam>(scan->geometry);
    seeds.text("geometry", "circle.json", geometryJson(beam));
    beam.matrices = projectionMatrices(beam);
    seeds.text("geometry", "matrices.json", geometryJson(beam));
    seeds.text("geometry", "named.json",
               R"({"sourceAxisMm": 100, "sourceDetectorMm": 150, "pixelUMm": 0.5, "pixelVMm": 0.4, "offsetUMm": 0.5,
"offsetVMm": 0.4, "tiltDeg": 1, "rollDeg": 2, "direction": "clockwise", "voxelMm": 0.2, "size": 12, "slices": 5,
"anglesDeg": [0, 10, 20, 30]})");
    std::string rows;
    for (int k = 0; k < 4; ++k)
        rows += "200 0 -2 " + std::to_string(k) + " 0 200 -1 0.5 0 0 1e-1 100\n";
    seeds.text("geometry", "matrices.txt", "# row by row\n" + rows);
    std::string projections;
    for (int k = 0; k < 4; ++k)
        projections += "<Projection><GantryAngle>" + std::to_string(90 * k) +
                       "</GantryAngle><ProjectionOffsetX>0.5</ProjectionOffsetX></Projection>";
    seeds.text("geometry", "rtk.xml",
               "<?xml version=\"1.0\"?><RTKThreeDCircularGeometry version=\"3\"><SourceToIsocenterDistance>100"
               "</SourceToIsocenterDistance><SourceToDetectorDistance>150</SourceToDetectorDistance>" +
                   projections + "</RTKThreeDCircularGeometry>");
    seeds.text("geometry", "nikon.xtekct",
               "[XTekCT]\nName=scan\nVoxelsX=5\nVoxelsY=5\nVoxelsZ=3\nVoxelSizeX=0.1\nDetectorPixelsX=5\n"
               "DetectorPixelsY=3\nDetectorPixelSizeX=0.2\nDetectorPixelSizeY=0.2\nSrcToObject=100\nSrcToDetector=200\n"
               "MaskRadius=1\nProjections=4\nInitialAngle=0\nAngularStep=90\nWhiteLevel=60000\nInputSeparator=_\n"
               "InputFolderName=\nInputDigits=4\n");

    seeds.text("simulation", "parallel.json", toJson(small(false)));
    seeds.text("simulation", "cone.json", toJson(small(true)));

    Recipe recipe;
    seeds.text("recipe", "plain.json", recipeJson(recipe));
    recipe.plane = "centre=12,10,3;u=1,0.5,0;v=0,0,1;width=30;height=8;pixel=0.5";
    seeds.text("recipe", "plane.json", recipeJson(recipe));
    recipe.plane.clear();
    recipe.setting.filter = {.window = Window::butterworth, .cutoff = 0.5, .order = 3, .padMode = PadMode::edge};
    recipe.setting.axis = {AxisSettings::Mode::given, 12.5};
    recipe.setting.kernel.interpolation = Interpolation::oversampled;
    recipe.choosesPasses = false;
    recipe.opened.cone = smallCone();
    recipe.opened.angleSteps = engine::AngleSteps{0, 0.5};
    recipe.opened.raw = RawLayout{4, 3, 5};
    seeds.text("recipe", "opened.json", recipeJson(recipe));

    Session session;
    session.simulation = small(false);
    seeds.text("session", "simulated.json", sessionJson(session, "/session"));
    session.simulation.reset();
    session.scan = "scan.h5";
    session.opened.cone = smallCone();
    session.opened.anglesRad = {0, 1, 2};
    session.opened.raw = RawLayout{4, 3, 5};
    Setting half;
    half.kernel.precision = Precision::half;
    session.list.add(half, "half").visible = false;
    session.marks.add(Line{1.5, 2, 30, 40.25}).width = 5;
    session.marks.add(Circle{20, 21, 7.5}, "round");
    session.window = R"({"view":"lens"})";
    seeds.text("session", "opened.json", sessionJson(session, "/session"));
    seeds.text("session", "version1.json",
               R"({"format": "Sinoscope session", "version": 1, "scan": {"path": "a.h5"}, "slice": 0,
"settings": [{"id": 1, "name": "a", "colour": 0, "visible": true}], "chosen": 1, "reference": "none",
"resources": {}, "area": "disc 0.9", "line": [1, 2, 3, 4]})");
}

} // namespace

int main(int argc, char** argv)
{
    if (argc != 2) {
        std::fprintf(stderr, "Usage: %s FOLDER\n", argv[0]);
        return 2;
    }
    const Seeds seeds(argv[1]);
    tiffs(seeds);
    hdf5s(seeds);
    mats(seeds);
    arrays(seeds);
    raws(seeds);
    texts(seeds);
}
