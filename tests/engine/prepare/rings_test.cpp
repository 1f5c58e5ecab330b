// SPDX-License-Identifier: GPL-3.0-or-later
// Rings of simulated scans with stripes of all the kinds in Vo 2018, and of a published scan: the rings are removed,
// and everything else stays.
#include "engine/io/open/open_scan.h"
#include "engine/options/options.h"
#include "engine/prepare/prepare.h"
#include "engine/prepare/rings.h"
#include "engine/reconstruct/reconstruct.h"
#include "engine/resolve/resolve.h"
#include "tests/fixtures.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

using namespace engine;
using namespace fixtures;

namespace
{

// A disc of the object, in bins from the axis.
struct Disc {
    double x, y, radius, density;
};

// A scan of grains beside the axis, as in stones and foams: exact line integrals with noise, and optional stripes
struct Striped {
    static constexpr int size = 300, projections = 480;
    std::vector<Disc> discs;
    std::shared_ptr<const Scan> simulated; // a simulated scan with the same geometry
    std::shared_ptr<RawRows> raw;

    Striped()
    {
        std::mt19937 generator(7);
        std::uniform_real_distribution<double> uniform(0, 1);
        discs.push_back({5, -3, 125, 0.006});
        for (int k = 0; k < 14; ++k) {
            const double place = 80 * std::sqrt(uniform(generator)), angle = 2 * std::numbers::pi * uniform(generator);
            discs.push_back({place * std::cos(angle), place * std::sin(angle), 10 + 30 * uniform(generator),
                             0.006 * uniform(generator) - 0.002});
        }
        simulated = smallScan(size, projections);
        raw = std::make_shared<RawRows>();
        raw->rows = {0, 1};
        raw->bins = size;
        raw->projections = projections;
        std::normal_distribution<double> noise(0, 0.04);
        Values values;
        for (int p = 0; p < projections; ++p)
            for (int bin = 0; bin < size; ++bin) {
                double sum = noise(generator);
                for (const Disc& disc : discs) {
                    const double angle = std::numbers::pi * p / projections;
                    const double t = bin - (size - 1) / 2.0 - disc.x * std::cos(angle) - disc.y * std::sin(angle);
                    sum += 2 * disc.density * std::sqrt(std::max(0.0, disc.radius * disc.radius - t * t));
                }
                values.push_back(static_cast<float>(sum));
            }
        raw->data = Samples(std::move(values));
    }

    // Returns the exact image, as means over 4 × 4 points per pixel.
    Volume truth() const
    {
        Volume image(1, size, size);
        for (int row = 0; row < size; ++row)
            for (int column = 0; column < size; ++column)
                for (int point = 0; point < 16; ++point) {
                    const double x = column + (point % 4 - 1.5) / 4 - (size - 1) / 2.0;
                    const double y = (size - 1) / 2.0 - row - (point / 4 - 1.5) / 4;
                    for (const Disc& disc : discs)
                        if (std::hypot(x - disc.x, y - disc.y) < disc.radius)
                            image.values[static_cast<std::size_t>(row) * size + column] +=
                                static_cast<float>(disc.density / 16);
                }
        return image;
    }

    float& at(int projection, int bin) { return raw->data.floats()[static_cast<std::size_t>(projection) * size + bin]; }

    void add(const std::string& kind)
    {
        std::mt19937 generator(11);
        std::normal_distribution<float> noise(0, 0.4F);
        for (int p = 0; p < projections; ++p) {
            if (contains(kind, "full"))
                at(p, 60) += 0.08F, at(p, 151) -= 0.06F, at(p, 199) += 0.05F;
            if (contains(kind, "strong"))
                at(p, 60) += 0.32F, at(p, 151) -= 0.24F, at(p, 199) += 0.2F;
            if (contains(kind, "partial") && p > 120 && p < 300)
                at(p, 90) += 0.1F;
            if (contains(kind, "large"))
                for (int bin = 170; bin < 177; ++bin)
                    at(p, bin) += 0.25F;
            if (contains(kind, "fluctuating"))
                at(p, 110) += noise(generator);
            if (contains(kind, "dead"))
                at(p, 45) = 1.1F;
        }
    }

    Reconstruction image(const std::vector<std::pair<std::string, std::string>>& options) const
    {
        auto scan = std::make_shared<Scan>(*simulated);
        scan->quantity = Quantity::attenuation;
        scan->read = [raw = raw](RowRange, std::stop_token) { return *raw; };
        Request request = requestFor(scan);
        request.setting.axis = {AxisSettings::Mode::middle, 0};
        for (const auto& [id, text] : options)
            setField(option(id), request, text);
        return Reconstructor().run(request);
    }
};

// Energy of the difference of two images. rings: the squared mean over each quarter circle around the axis, summed
// over the pixels; rest: the energy without this part
struct RingEnergy {
    double rings = 0, rest = 0;
};

RingEnergy energyOf(const Volume& image, const Volume& than)
{
    struct Sector {
        double sum = 0, squares = 0;
        int pixels = 0;
    };
    std::map<std::pair<int, int>, Sector> sectors;
    const int size = image.width;
    for (int row = 0; row < size; ++row)
        for (int column = 0; column < size; ++column) {
            const double x = column - (size - 1) / 2.0, y = row - (size - 1) / 2.0, r = std::hypot(x, y);
            if (r >= size / 2 - 2)
                continue;
            Sector& sector = sectors[{static_cast<int>(2 * r), (x > 0) + 2 * (y > 0)}];
            const double difference = image.values[static_cast<std::size_t>(row) * size + column] -
                                      than.values[static_cast<std::size_t>(row) * size + column];
            sector.sum += difference, sector.squares += difference * difference, ++sector.pixels;
        }
    RingEnergy energy;
    for (const auto& [place, sector] : sectors) {
        const double ring = sector.sum * sector.sum / sector.pixels;
        energy.rings += ring;
        energy.rest += sector.squares - ring;
    }
    return energy;
}

// Returns the median of 5 neighbouring bins, fewer at the ends.
double medianOfNeighbours(const std::vector<double>& row, int at)
{
    const int first = std::max(0, at - 2), end = std::min(static_cast<int>(row.size()), at + 3);
    std::vector<double> window(row.begin() + first, row.begin() + end);
    std::ranges::sort(window);
    return window[window.size() / 2];
}

using Given = std::vector<std::pair<std::string, std::string>>;

} // namespace

class RingsTest : public QObject
{
    Q_OBJECT

  private slots:
    void ringsGo_data()
    {
        QTest::addColumn<QString>("kinds");
        QTest::addColumn<QString>("way");
        QTest::addColumn<QString>("more"); // option value, …
        QTest::addColumn<double>("least"); // factor by which the rings' energy falls
        QTest::addColumn<double>("most");  // factor for the error of the rest
        const auto add = [](const char* kinds, const char* way, const char* more, double least, double most) {
            QTest::addRow("%s: %s", way, kinds) << kinds << way << more << least << most;
        };
        add("full partial large fluctuating dead", "all", "ring-size 5 ring-large-size 31", 10, 1.02);
        add("full partial", "sorting", "", 10, 1.02);
        add("full", "filtering", "", 10, 1.02);
        add("strong", "fitting", "ring-size 7 ring-order 0", 10, 1.02);
        add("large", "large", "ring-large-size 31", 10, 1.02);
        add("fluctuating dead", "dead", "ring-large-size 31", 10, 1.02);
        add("strong", "wavelet", "", 10, 1.02);
        add("full", "wavelet", "", 2.5, 1.02);    // weak stripes
        add("large", "wavelet", "", 1.2, 1.05);   // wide stripes, meant for `large`
        add("partial", "wavelet", "", 0.9, 1.02); // not meant for wavelets either, but no worse
        add("strong", "titarenko", "", 10, 1.02);
    }

    // If the sinogram can't be halved as often as requested, there are fewer levels, and a note reports their number.
    void fewerLevels()
    {
        const Striped clean;
        const auto notes = [&](const std::string& levels) {
            Request request;
            setField(option("rings"), request, "wavelet");
            setField(option("ring-levels"), request, levels);
            const auto preparation = preparationOf(Quantity::attenuation, request.setting.preparation);
            return prepareRows(*clean.raw, Quantity::attenuation, preparation, 0).notes;
        };
        const int most = waveletLevels(10, Striped::projections, Striped::size);
        QVERIFY(most >= 1 && most < 10);
        QVERIFY(mentions(notes("10"), "Rings: only " + std::to_string(most) + " of the 10 wavelet levels"));
        QVERIFY(!mentions(notes(std::to_string(most)), "levels"));
    }

    void ringsGo()
    {
        QFETCH(QString, kinds);
        QFETCH(QString, way);
        QFETCH(QString, more);
        QFETCH(double, least);
        QFETCH(double, most);
        const Striped clean;
        Striped striped;
        striped.add(kinds.toStdString());
        Given given{{"rings", way.toStdString()}};
        const QStringList words = more.split(' ', Qt::SkipEmptyParts);
        for (int k = 0; k + 1 < words.size(); k += 2)
            given.push_back({words[k].toStdString(), words[k + 1].toStdString()});
        const Reconstruction without = clean.image({}), before = striped.image({}), treated = striped.image(given);
        const RingEnergy first = energyOf(before.image, without.image), second = energyOf(treated.image, without.image);
        // Ratio of two errors against the truth, both without the rings' part: that of the treated image, and that of
        // an image that never had stripes.
        const Volume truth = clean.truth();
        const double rest = std::sqrt(energyOf(treated.image, truth).rest / energyOf(without.image, truth).rest);
        // The method's effect on a scan without stripes.
        const double harm = relativeError(clean.image(given).image, truth) / relativeError(without.image, truth);
        qInfo("%s: rings %.1f times less, rest × %.4f, without stripes × %.4f", qPrintable(way),
              first.rings / second.rings, rest, harm);
        QVERIFY(first.rings / second.rings > least);
        QVERIFY(rest < most);
        QVERIFY(harm < most);
        QVERIFY(mentions(treated.notes, "1 slice had rings removed"));
    }

    // If there is no noise, all deviations exceed the noise: the edges of an object must not be interpreted as dead
    // bins.
    void withoutNoiseEdgesStay()
    {
        const auto scan = smallScan(256, 384);
        const auto errorOf = [&](const char* way) {
            Request request = requestFor(scan);
            setField(option("rings"), request, way);
            const Volume made = Reconstructor().run(request).image, truth = scan->exactImage(0, whole(256));
            double sum = 0; // without the corners, which are empty
            for (int row = 0; row < 256; ++row)
                for (int column = 0; column < 256; ++column)
                    if (std::hypot(row - 127.5, column - 127.5) < 115)
                        sum += std::pow(made.values[row * 256 + column] - truth.values[row * 256 + column], 2);
            return std::sqrt(sum);
        };
        const double off = errorOf("off"), dead = errorOf("dead"), all = errorOf("all"), large = errorOf("large");
        qInfo("error %.5f, with large %.5f, with dead %.5f, with all %.5f", off, large, dead, all);
        QVERIFY(dead < 1.1 * large);
        QVERIFY(all < 1.2 * large);
    }

    // The published neutron scan, known for its rings: the difference between a bin's mean over the projections and
    // the median of its neighbours.
    void neutronSinogram()
    {
        const std::filesystem::path path = realData / "neutron-360-sinogram/sinogram_360_neutron_image.tif";
        if (!std::filesystem::exists(path))
            QSKIP("the published neutron sinogram is not here");
        OpenOptions options;
        options.sinogram = true;
        const auto scan = openScan(path, options);
        const RawRows recorded = scan->read({0, 1}, {});
        const auto stripes = [&](const char* way) {
            Request request;
            setField(option("rings"), request, way);
            const Sinograms made =
                prepareRows(recorded, scan->quantity, preparationOf(*scan, request.setting.preparation), 0).sinograms;
            std::vector<double> mean(made.bins, 0.0);
            for (std::size_t k = 0; k < made.values.size(); ++k)
                mean[k % made.bins] += made.values[k] / made.projections;
            double sum = 0;
            for (int bin = 0; bin < made.bins; ++bin)
                sum += std::pow(mean[bin] - medianOfNeighbours(mean, bin), 2);
            return std::sqrt(sum / made.bins);
        };
        const double before = stripes("off");
        for (const auto& [way, most] :
             {std::pair("all", 0.12), std::pair("sorting", 0.45), std::pair("filtering", 0.6)}) {
            const double left = stripes(way);
            qInfo("stripes of the neutron sinogram: %.4g, by %s %.4g", before, way, left);
            QVERIFY2(left < most * before, way);
        }
    }

    void sameBitsWithAnyThreads()
    {
        Striped striped;
        striped.add("full partial large fluctuating dead");
        for (const char* way : {"all", "filtering", "fitting", "wavelet", "titarenko"}) {
            Request request;
            setField(option("rings"), request, way);
            const Preparation preparation = preparationOf(Quantity::attenuation, request.setting.preparation);
            QVERIFY2(prepareRows(*striped.raw, Quantity::attenuation, preparation, 1).sinograms.values ==
                         prepareRows(*striped.raw, Quantity::attenuation, preparation, 3).sinograms.values,
                     way);
        }
    }

    // Isolated rods stay as they are: only the rings change in the slice. Windows of 61 bins change it 1.5 times as
    // much.
    void neutronSlice()
    {
        const std::filesystem::path path = realData / "neutron-360-sinogram/sinogram_360_neutron_image.tif";
        if (!std::filesystem::exists(path))
            QSKIP("the published neutron sinogram is not here");
        OpenOptions options;
        options.sinogram = true;
        options.angleRangeRad = {0, 2 * std::numbers::pi};
        const auto scan = openScan(path, options);
        const auto sliceBy = [&](const char* way, const char* large) {
            Request request = requestFor(scan);
            setField(option("rings"), request, way);
            if (*large)
                setField(option("ring-large-size"), request, large);
            return Reconstructor().run(request).image;
        };
        const Volume before = sliceBy("off", "");
        const double changed = relativeError(sliceBy("all", ""), before);
        const double harmed = relativeError(sliceBy("all", "61"), before);
        qInfo("the neutron slice changes by %.3f, with windows of 61 bins by %.3f", changed, harmed);
        QVERIFY(changed < 0.75 * harmed);
    }

    void evenWindowsAreRefused()
    {
        Request request = requestFor(smallScan());
        setField(option("rings"), request, "sorting");
        setField(option("ring-size"), request, "8");
        QVERIFY(fails(ErrorKind::badRequest, {"--ring-size 8", "odd"}, [&] { validate(request); }));
    }
};

SINOSCOPE_TEST(RingsTest, QCoreApplication)
#include "rings_test.moc"
