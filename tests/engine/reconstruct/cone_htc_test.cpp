// SPDX-License-Identifier: GPL-3.0-or-later
// A published fan beam (Helsinki Tomography Challenge 2022, 01a and ta): our image equals the published one in scale,
// position and orientation.
#include "engine/io/open/open_scan.h"
#include "engine/reconstruct/reconstruct.h"
#include "tests/fixtures.h"

#include <matio.h>

#include <QTest>

using namespace engine;
using namespace fixtures;
namespace fs = std::filesystem;

namespace
{

constexpr int htcSize = 512;
constexpr double effectivePixelMm = 0.1483223173330444; // unit of length of the published attenuations

// Reads the published image, row by row.
std::vector<double> publishedImage(const fs::path& path)
{
    std::vector<double> image(htcSize * htcSize);
    mat_t* file = Mat_Open(path.c_str(), MAT_ACC_RDONLY);
    matvar_t* variable = Mat_VarReadNext(file);
    for (int column = 0; column < htcSize; ++column)
        for (int row = 0; row < htcSize; ++row)
            image[std::size_t(row) * htcSize + column] =
                static_cast<const double*>(variable->data)[std::size_t(column) * htcSize + row];
    Mat_VarFree(variable);
    Mat_Close(file);
    return image;
}

Reconstruction reconstructed(const fs::path& path)
{
    OpenOptions options;
    options.cone.size = htcSize;
    return Reconstructor().run(requestFor(openScan(path, options), "exact"));
}

struct Agreement {
    double correlation = 0, scale = 0; // our values are `scale` times the published ones, inside the disc
};

Agreement agreementOf(const Values& ours, const std::vector<double>& theirs)
{
    double a = 0, b = 0, aa = 0, bb = 0, ab = 0, count = 0;
    for (int row = 0; row < htcSize; ++row)
        for (int column = 0; column < htcSize; ++column) {
            const double middle = (htcSize - 1) / 2.0;
            if (std::hypot(row - middle, column - middle) > 0.95 * htcSize / 2)
                continue;
            const double x = ours[std::size_t(row) * htcSize + column], y = theirs[std::size_t(row) * htcSize + column];
            a += x, b += y, aa += x * x, bb += y * y, ab += x * y, ++count;
        }
    return {(ab - a * b / count) / std::sqrt((aa - a * a / count) * (bb - b * b / count)), ab / bb};
}

// Returns the position from the start of a line of pixels where it first crosses half of its maximum.
template <typename At>
double edgeOf(const At& at)
{
    std::vector<double> line;
    for (int k = 0; k < htcSize; ++k) // smoothed against noise
        line.push_back((at(std::max(0, k - 1)) + at(k) + at(std::min(htcSize - 1, k + 1))) / 3);
    const double half = *std::max_element(line.begin(), line.end()) / 2;
    for (int k = 1; k < htcSize; ++k)
        if (line[std::size_t(k)] >= half)
            return k - (line[std::size_t(k)] - half) / (line[std::size_t(k)] - line[std::size_t(k) - 1]);
    return std::numeric_limits<double>::quiet_NaN();
}

} // namespace

class ConeHtcTest : public QObject
{
    Q_OBJECT
  private slots:
    void full_data()
    {
        QTest::addColumn<QString>("scan");
        QTest::addColumn<QString>("image");
        QTest::newRow("01a") << "htc2022_01a_full.mat"
                             << "htc2022_01a_recon_fbp.mat";
        QTest::newRow("ta") << "htc2022_ta_full.mat"
                            << "htc2022_ta_full_recon_fbp.mat";
    }

    void full()
    {
        QFETCH(const QString, scan);
        QFETCH(const QString, image);
        const fs::path folder = realData / "htc2022-fanbeam";
        if (!fs::exists(folder / scan.toStdString()) || !fs::exists(folder / image.toStdString()))
            QSKIP("the published scan of HTC 2022 is not here");
        if (sanitized)
            QSKIP("too slow under the sanitizers");
        const Reconstruction made = reconstructed(folder / scan.toStdString());
        QCOMPARE(made.unit, std::string("1/mm"));
        const Values& ours = made.image.values;
        const std::vector<double> theirs = publishedImage(folder / image.toStdString());
        const Agreement found = agreementOf(ours, theirs);
        const double scale = found.scale * effectivePixelMm;
        qInfo("correlation %.7f, scale %.6f", found.correlation, scale);
        QVERIFY(found.correlation > 0.9995);
        QVERIFY(std::abs(scale - 1) < 1e-3);
        // Compares the disc's edge from all four sides, over several rows and columns.
        for (int k = 200; k <= 310; k += 10)
            for (const bool down : {false, true})
                for (const bool back : {false, true}) {
                    const auto at = [&](const auto& values, int step) {
                        const int along = back ? htcSize - 1 - step : step;
                        return double(values[std::size_t(down ? along : k) * htcSize + std::size_t(down ? k : along)]);
                    };
                    const double here = edgeOf([&](int step) { return at(ours, step); });
                    const double there = edgeOf([&](int step) { return at(theirs, step); });
                    QVERIFY2(std::abs(here - there) < 0.5, qPrintable(QString::number(here - there)));
                }
    }

    void limited()
    {
        const fs::path file = realData / "htc2022-fanbeam/htc2022_01a_limited.mat";
        if (!fs::exists(file))
            QSKIP("the published scan of HTC 2022 is not here");
        if (sanitized)
            QSKIP("too slow under the sanitizers");
        const Reconstruction made = reconstructed(file);
        QVERIFY(mentions(made.notes, "limited angle"));
        QVERIFY(std::ranges::all_of(made.image.values, [](float value) { return std::isfinite(value); }));
    }
};

SINOSCOPE_TEST(ConeHtcTest, QCoreApplication)
#include "cone_htc_test.moc"
