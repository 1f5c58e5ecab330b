// SPDX-License-Identifier: GPL-3.0-or-later
// Right scans raise no doubts; scans with one wrong fact raise the doubt about it.
#include "engine/examine/examine_rows.h"
#include "engine/options/options.h"
#include "engine/reconstruct/reconstruct.h"
#include "engine/scan/cone_options.h"
#include "engine/scan/empty_projections.h"
#include "engine/scan/some_projections.h"
#include "tests/fixtures.h"

#include <QTest>

#include <array>
#include <cmath>
#include <functional>
#include <utility>

using namespace engine;
using namespace fixtures;

namespace
{

Simulation simulation(Phantom phantom = Phantom::sheppLogan, int projections = 120, double photons = 0)
{
    Simulation made;
    made.phantom = phantom;
    made.size = 96;
    made.projections = projections;
    made.slices = 3;
    made.photons = photons;
    return made;
}

Simulation coneSimulation(double offsetMm = 0)
{
    Simulation made = simulation(Phantom::sheppLogan3d);
    made.arcDeg = 360;
    made.slices = 1;
    ConeOptions& cone = made.cone.emplace();
    cone.sourceAxisMm = 200;
    cone.sourceDetectorMm = 300;
    cone.pixelUMm = 1.5;
    cone.offsetUMm = offsetMm;
    return made;
}

// Replaces the counts of half a turn by those of three discs without any symmetry.
void drawDiscs(RawRows& raw)
{
    constexpr std::array<std::array<double, 4>, 3> discs = {{{30, 2, 3, 0.02}, {6, 12, -9, 0.05}, {4, -15, 8, 0.08}}};
    Values& numbers = raw.data.floats();
    const double axis = (raw.bins - 1) / 2.0;
    const std::size_t frame = static_cast<std::size_t>(raw.rows.count) * raw.bins;
    for (std::size_t k = 0; k < numbers.size(); ++k) {
        const double angle = std::numbers::pi * static_cast<double>(k / frame) / raw.projections;
        const double t = static_cast<double>(k % raw.bins) - axis;
        double through = 0;
        for (const auto& [radius, x, y, density] : discs) {
            const double off = t - x * std::cos(angle) - y * std::sin(angle);
            through += off * off < radius * radius ? 2 * density * std::sqrt(radius * radius - off * off) : 0;
        }
        const double dark = raw.darks[k % frame], light = raw.flats[k % frame] - dark;
        numbers[k] = static_cast<float>(dark + light * std::exp(-through));
    }
}

// The scan as if it had been recorded, changed by functions.
struct Recorded {
    std::shared_ptr<Scan> scan;
    std::function<void(RawRows&)> draw = [](RawRows&) {}, change = [](RawRows&) {};

    explicit Recorded(const Simulation& simulation) : scan(std::make_shared<Scan>(*simulate(simulation)))
    {
        scan->path = "recorded.h5";
        scan->exactImage = {};
        scan->readFrames = {};
        scan->read = [this, original = scan->read](RowRange rows, std::stop_token stop) {
            RawRows raw = original(rows, stop);
            draw(raw);
            change(raw);
            return raw;
        };
    }

    std::vector<Doubt> doubts() const
    {
        const RawRows raw = scan->read({0, scan->rows}, {});
        return doubtsOf(*scan, raw, emptyProjections(*scan, raw));
    }

    // Returns the only doubt; fails if there are others.
    std::optional<Doubt> doubt() const
    {
        const std::vector<Doubt> all = doubts();
        return all.size() == 1 ? std::optional(all.front()) : std::nullopt;
    }
};

std::size_t frameOf(const RawRows& raw)
{
    return static_cast<std::size_t>(raw.rows.count) * raw.bins;
}

void turnAngles(Recorded& recorded, const std::function<double(double)>& turn)
{
    std::visit(
        [&](auto& beam) {
            for (double& angle : beam.anglesRad)
                angle = turn(angle);
        },
        recorded.scan->geometry);
}

} // namespace

class ExamineRowsTest : public QObject
{
    Q_OBJECT

  private slots:
    void rightScansAreNotDoubted()
    {
        for (const Phantom phantom : phantoms())
            for (const int projections : {40, 121, 180})
                for (const double photons : {0.0, 200.0, 20000.0})
                    for (const double arcDeg : {180.0, 360.0}) {
                        Simulation made = simulation(phantom, projections, photons);
                        made.arcDeg = arcDeg;
                        made.axisOffsetBins = projections % 7;
                        const Recorded recorded(made);
                        for (const Doubt& doubt : recorded.doubts())
                            QFAIL(qPrintable(QString::fromStdString(toText(phantom)) +
                                             QString(": %1 projections, "
                                                     "%2 photons: doubt %3")
                                                 .arg(projections)
                                                 .arg(photons)
                                                 .arg(static_cast<int>(doubt.about))));
                    }
        for (const double offset : {-9.0, 0.0, 5.0})
            QVERIFY(Recorded(coneSimulation(offset)).doubts().empty());
    }

    // As recorded by files; given angles are tested when the scan is opened.
    void anglesThatDoNotFit()
    {
        Recorded recorded(simulation());
        recorded.draw = drawDiscs;
        turnAngles(recorded, [](double angle) { return 2 * angle; }); // numbers of frames, say
        const auto doubt = recorded.doubt();
        QVERIFY(doubt && doubt->about == Doubt::About::angles);
        QVERIFY(contains(doubtText(*recorded.scan, *doubt).in(commandLineStyle()), "--angles 0:180"));
        recorded.scan->sources.angles.given = true; // then others were looked for when the scan was opened
        QVERIFY(recorded.doubt() && !recorded.doubt()->spread);
        recorded.scan->sources.angles.given = false;
        turnAngles(recorded, [](double angle) { return angle / 2 * 180 / std::numbers::pi; }); // degrees as radians
        QVERIFY(recorded.doubt() && recorded.doubt()->about == Doubt::About::angles);
    }

    // Projections in another order than their angles: no even steps fit.
    void projectionsOutOfOrder()
    {
        Recorded recorded(simulation());
        recorded.draw = drawDiscs;
        recorded.change = [](RawRows& raw) {
            const Values before = raw.data.floats();
            const auto frame = static_cast<std::ptrdiff_t>(frameOf(raw));
            for (int k = 0; k < raw.projections; ++k) // every second one first
                std::copy_n(before.begin() + (2 * k % raw.projections + 2 * k / raw.projections) * frame, frame,
                            raw.data.floats().begin() + k * frame);
        };
        const auto doubt = recorded.doubt();
        QVERIFY(doubt && doubt->about == Doubt::About::angles && !doubt->spread);
    }

    void blockedViews()
    {
        Recorded recorded(simulation());
        recorded.draw = drawDiscs;
        recorded.change = [](RawRows& raw) {
            Values& numbers = raw.data.floats();
            for (std::size_t k = 40 * frameOf(raw); k < 60 * frameOf(raw); ++k)
                numbers[k] = raw.darks[0] + 0.01F * (numbers[k] - raw.darks[0]);
        };
        const auto doubt = recorded.doubt();
        QVERIFY(doubt && doubt->about == Doubt::About::light);
        QCOMPARE(rangesToText(rangesOf(doubt->projections)), std::string("40:59"));
        QVERIFY(contains(doubtText(*recorded.scan, *doubt).in(commandLineStyle()), "--leave-out 40:59"));
    }

    void repeatedViews()
    {
        Recorded recorded(simulation(Phantom::sheppLogan, 120, 5000));
        recorded.change = [](RawRows& raw) {
            Values& numbers = raw.data.floats();
            const auto frame = static_cast<std::ptrdiff_t>(frameOf(raw));
            for (const int copy : {31, 32})
                std::copy_n(numbers.begin() + 30 * frame, frame, numbers.begin() + copy * frame);
        };
        const auto doubt = recorded.doubt();
        QVERIFY(doubt && doubt->about == Doubt::About::repeated);
        QCOMPARE(doubt->projections, (std::vector<int>{31, 32}));
    }

    void darksAndFlatsAmongProjections()
    {
        Recorded recorded(simulation());
        recorded.draw = drawDiscs;
        recorded.scan->darkFrames = recorded.scan->flatFrames = 0;
        recorded.change = [](RawRows& raw) {
            Values& numbers = raw.data.floats();
            const std::size_t frame = frameOf(raw);
            for (std::size_t k = 0; k < 3 * frame; ++k) {
                numbers[k] = raw.flats[k % frame];
                numbers[k + 3 * frame] = raw.darks[k % frame];
            }
            raw.darks = raw.flats = {};
            raw.darkFrames = raw.flatFrames = 0;
        };
        const auto doubts = recorded.doubts();
        QVERIFY(!doubts.empty() && doubts.front().about == Doubt::About::sides);
        const std::string text = doubtText(*recorded.scan, doubts.front()).in(commandLineStyle());
        QVERIFY2(contains(text, "--flat-frames 0:2") && contains(text, "--dark-frames 3:5"), text.c_str());
    }

    void wrappedNumbers()
    {
        Recorded recorded(simulation());
        recorded.draw = drawDiscs;
        recorded.change = [](RawRows& raw) {
            const Values floats = raw.data.toFloats();
            Samples numbers(*findSampleType("uint16"), floats.size());
            auto* to = reinterpret_cast<std::uint16_t*>(numbers.bytes());
            const double scale = 20000 / *std::ranges::max_element(raw.flats);
            for (std::size_t k = 0; k < floats.size(); ++k)
                to[k] = k % 50 == 7 ? 65530 : static_cast<std::uint16_t>(scale * floats[k]);
            for (Values* frames : {&raw.flats, &raw.darks})
                for (float& value : *frames)
                    value *= static_cast<float>(scale);
            raw.data = std::move(numbers);
        };
        const auto doubt = recorded.doubt();
        QVERIFY(doubt && doubt->about == Doubt::About::numbers);
        QVERIFY(doubt->count > 100);
    }

    // Sudden changes of the beam: one, and two around half of the light. The air at the margins levels them.
    void jumpsOfLight()
    {
        for (const bool returns : {false, true}) {
            Recorded recorded(simulation());
            recorded.draw = drawDiscs;
            recorded.change = [returns](RawRows& raw) {
                Values& numbers = raw.data.floats();
                for (std::size_t k = 40 * frameOf(raw); k < (returns ? 60 * frameOf(raw) : numbers.size()); ++k)
                    numbers[k] = raw.darks[0] + (returns ? 0.5F : 0.9F) * (numbers[k] - raw.darks[0]);
            };
            const auto doubt = recorded.doubt();
            QVERIFY(doubt && doubt->about == Doubt::About::beam);
            const std::string text = doubtText(*recorded.scan, *doubt).in(commandLineStyle());
            QVERIFY2(contains(text, returns ? "projections 40 and 60, counted" : "projection 40, counted"),
                     text.c_str());
            Request request = requestFor(recorded.scan);
            QCOMPARE(warningsOf(Reconstructor().run(request)).size(), std::size_t(1));
            setField(option("air"), request, "both");
            QVERIFY(warningsOf(Reconstructor().run(request)).empty());
        }
    }

    // The first and the last projection show the same; air has the light of the flats.
    void levelsOfTheBeam()
    {
        for (const bool drifts : {true, false}) {
            Recorded recorded(simulation());
            recorded.draw = drawDiscs;
            recorded.change = [drifts](RawRows& raw) {
                Values& numbers = raw.data.floats();
                for (std::size_t k = 0; k < numbers.size(); ++k) {
                    const auto at = static_cast<float>(k / frameOf(raw)) / static_cast<float>(raw.projections);
                    numbers[k] = raw.darks[0] + (drifts ? 1 - 0.4F * at : 0.5F) * (numbers[k] - raw.darks[0]);
                }
            };
            const auto doubt = recorded.doubt();
            QVERIFY(doubt && doubt->about == (drifts ? Doubt::About::drift : Doubt::About::beam));
            Request request = requestFor(recorded.scan);
            QCOMPARE(warningsOf(Reconstructor().run(request)).size(), std::size_t(1));
            setField(option("flat-field"), request, "interpolated"); // follows a drift, nothing else
            QCOMPARE(warningsOf(Reconstructor().run(request)).empty(), drifts);
            const std::string text = doubtText(*recorded.scan, *doubt).in(commandLineStyle());
            QVERIFY2(contains(text, drifts ? "--flat-field interpolated" : "Both margins have 50 %"), text.c_str());
        }
    }

    // A wide gap is a doubt, a narrow one, an end left out and a short scan of a cone aren't.
    void limitedArcs()
    {
        for (const auto& [isCone, arcDeg, missing] :
             {std::tuple(false, 120.0, "61.5°"), {false, 169.5, ""}, {true, 150.0, "58.2°"}, {true, 210.0, ""}}) {
            Simulation limited = isCone ? coneSimulation() : simulation();
            limited.arcDeg = isCone ? arcDeg : 180;
            Recorded recorded(limited);
            if (!isCone) { // the first ones alone
                std::vector<int> kept(static_cast<std::size_t>(arcDeg / 1.5));
                std::iota(kept.begin(), kept.end(), 0);
                recorded.scan->geometry = withProjections(recorded.scan->geometry, kept);
                recorded.change = [&kept](RawRows& raw) {
                    raw.projections = static_cast<int>(kept.size());
                    Values some = raw.data.floats();
                    some.resize(kept.size() * frameOf(raw));
                    raw.data = Samples(std::move(some));
                };
            }
            const std::vector<Doubt> doubts = recorded.doubts();
            const auto found = std::ranges::find(doubts, Doubt::About::arc, &Doubt::about);
            QCOMPARE(found != doubts.end(), *missing != 0);
            QCOMPARE(doubts.size(), std::size_t(*missing ? 1 : 0));
            if (*missing)
                QVERIFY2(contains(found->text.in(commandLineStyle()), missing),
                         found->text.in(commandLineStyle()).c_str());
        }
    }

    // Flats before and after a scan: a beam that fades and bends is no doubt, the object in the later ones is one, even
    // if it hardly absorbs.
    void flatsOfDifferentTimes()
    {
        for (const double absorption : {0.0, 1.0, 0.03}) { // of the object in the flats; 0: the beam changes
            Recorded recorded(simulation());
            recorded.draw = drawDiscs;
            recorded.scan->flatPlaces = {-0.5, 119.5};
            recorded.scan->flatFrames = 2;
            recorded.change = [absorption](RawRows& raw) {
                const std::size_t frame = frameOf(raw);
                Values& numbers = raw.data.floats();
                raw.flatFrames = 2;
                raw.flats.resize(2 * frame);
                for (std::size_t k = 0; k < numbers.size() && absorption > 0; ++k) {
                    const float light = raw.flats[k % frame] - raw.darks[k % frame];
                    const float share = (numbers[k] - raw.darks[k % frame]) / light;
                    numbers[k] = raw.darks[k % frame] + light * std::pow(share, static_cast<float>(absorption));
                }
                for (std::size_t k = 0; k < frame; ++k) {
                    const float along = static_cast<float>(k % raw.bins) / static_cast<float>(raw.bins);
                    const float beam = 0.9F + 0.05F * along - 0.04F * along * along;
                    raw.flats[frame + k] =
                        absorption > 0 ? numbers[k] : raw.darks[k] + beam * (raw.flats[k] - raw.darks[k]);
                }
            };
            const std::vector<Doubt> doubts = recorded.doubts();
            QCOMPARE(doubts.size(), std::size_t(absorption > 0 ? 1 : 0));
            if (absorption > 0)
                QVERIFY(contains(doubts[0].text.in(commandLineStyle()), "after the projections differ from the first"));
        }
    }

    void darksOfTwoKinds()
    {
        Recorded recorded(simulation());
        recorded.draw = drawDiscs;
        recorded.change = [](RawRows& raw) {
            raw.darks.resize(2 * frameOf(raw));
            raw.darkFrames = 2;
            std::copy_n(raw.flats.begin(), frameOf(raw), raw.darks.begin() + static_cast<std::ptrdiff_t>(frameOf(raw)));
        };
        const std::vector<Doubt> doubts = recorded.doubts();
        QVERIFY(std::ranges::find(doubts, Doubt::About::unlike, &Doubt::about) != doubts.end());
    }

    // Pixels differ by some percent, in the same way in flats and projections; or the flats are of other pixels.
    void patternOfTheFlats()
    {
        for (const int shift : {0, 6}) {
            Recorded recorded(simulation(Phantom::sheppLogan, 120, 20000));
            recorded.change = [shift](RawRows& raw) {
                const auto gain = [&](std::size_t pixel, int shift) {
                    const auto bin = static_cast<double>((pixel + shift) % raw.bins);
                    return static_cast<float>(1 + 0.03 * std::sin(12.9898 * bin * bin));
                };
                for (std::size_t k = 0; k < raw.data.size(); ++k)
                    raw.data.floats()[k] = raw.darks[0] + gain(k, 0) * (raw.data.floats()[k] - raw.darks[0]);
                const std::size_t frames = std::max<std::size_t>(2, raw.flats.size() / frameOf(raw));
                raw.flats.resize(frames * frameOf(raw), raw.flats[0]);
                raw.flatFrames = static_cast<int>(frames);
                for (std::size_t k = 0; k < raw.flats.size(); ++k)
                    raw.flats[k] = raw.darks[0] + gain(k, shift) * (raw.flats[k] - raw.darks[0]);
            };
            const std::vector<Doubt> doubts = recorded.doubts();
            const bool isUnlike = std::ranges::find(doubts, Doubt::About::unlike, &Doubt::about) != doubts.end();
            QCOMPARE(isUnlike, shift != 0);
        }
    }

    // Flats among the projections of a scan that has others.
    void viewsWithoutTheObject()
    {
        Recorded recorded(simulation());
        recorded.draw = drawDiscs;
        recorded.change = [](RawRows& raw) {
            const std::size_t frame = frameOf(raw);
            std::copy_n(raw.flats.begin(), frame, raw.data.floats().begin() + static_cast<std::ptrdiff_t>(30 * frame));
        };
        const auto doubt = recorded.doubt();
        QVERIFY(doubt && doubt->about == Doubt::About::bare);
        QCOMPARE(doubt->projections, std::vector<int>{30});
    }

    void saturatedFlats()
    {
        for (const bool isNormalised : {false, true}) { // flats of nothing but 65535, with darker projections
            Recorded recorded(simulation());
            recorded.draw = drawDiscs;
            recorded.change = [isNormalised](RawRows& raw) {
                const float most = *std::ranges::max_element(raw.flats), scale = isNormalised ? 0.9F : 1.1F;
                Samples numbers(*findSampleType("uint16"), raw.data.size());
                auto* to = reinterpret_cast<std::uint16_t*>(numbers.bytes());
                for (std::size_t k = 0; k < numbers.size(); ++k)
                    to[k] = static_cast<std::uint16_t>(std::min(65535.0F, 65535 / most * scale * raw.data[k]));
                for (float& value : raw.flats)
                    value = isNormalised ? 65535 : std::min(65535.0F, 65535 / most * scale * value);
                raw.data = std::move(numbers);
            };
            const auto doubt = recorded.doubt();
            QCOMPARE(doubt.has_value(), !isNormalised);
            QVERIFY(!doubt || contains(doubt->text.in(commandLineStyle()), "are 65535"));
        }
    }

    // Counts from 32768 on that were stored with a sign, and flats with a quarter of the light.
    void unlikelyLevels()
    {
        for (const bool isSigned : {true, false}) {
            Recorded recorded(simulation());
            recorded.draw = drawDiscs;
            recorded.change = [isSigned](RawRows& raw) {
                if (!isSigned) {
                    for (float& value : raw.flats)
                        value /= 4;
                    return;
                }
                const float scale = 60000 / *std::ranges::max_element(raw.flats);
                Samples numbers(*findSampleType("int16"), raw.data.size());
                auto* to = reinterpret_cast<std::int16_t*>(numbers.bytes());
                for (std::size_t k = 0; k < numbers.size(); ++k)
                    to[k] = static_cast<std::int16_t>(static_cast<std::uint16_t>(scale * raw.data[k]));
                for (float& value : raw.flats)
                    value = static_cast<std::int16_t>(static_cast<std::uint16_t>(scale * value));
                raw.data = std::move(numbers);
            };
            bool isDoubted = false;
            for (const Doubt& doubt : recorded.doubts())
                isDoubted |=
                    doubt.about == (isSigned ? Doubt::About::numbers : Doubt::About::unlike) &&
                    contains(doubt.text.in(commandLineStyle()), isSigned ? "far below 0" : "brighter than the flats");
            QVERIFY(isDoubted);
        }
    }

    void directionOfCones()
    {
        for (const double offset : {0.0, 6.0}) {
            Recorded recorded(coneSimulation(offset));
            turnAngles(recorded, [](double angle) { return -angle; });
            const auto doubt = recorded.doubt();
            QVERIFY(doubt && doubt->about == Doubt::About::direction);
            QVERIFY(contains(doubtText(*recorded.scan, *doubt).in(commandLineStyle()), "--direction clockwise"));
        }
    }

    // Another arc; every second view on the way there, the others on the way back.
    void anglesOfCones()
    {
        Recorded twice(coneSimulation());
        turnAngles(twice, [](double angle) { return 2 * angle / 3; });
        const auto arc = twice.doubt();
        QVERIFY(arc && arc->about == Doubt::About::angles);
        const std::string text = arc->text.in(commandLineStyle());
        QVERIFY2(contains(text, "--angles 0:360 --angles-end-excluded"), text.c_str());
        Recorded mixed(coneSimulation());
        mixed.change = [](RawRows& raw) {
            const Values before = raw.data.floats();
            const auto frame = static_cast<std::ptrdiff_t>(frameOf(raw));
            for (int k = 0; k < raw.projections; ++k)
                std::copy_n(before.begin() + (2 * k < raw.projections ? 2 * k : 2 * (raw.projections - k) - 1) * frame,
                            frame, raw.data.floats().begin() + k * frame);
        };
        const std::vector<Doubt> doubts = mixed.doubts();
        QVERIFY(std::ranges::any_of(
            doubts, [](const Doubt& doubt) { return doubt.about == Doubt::About::angles && !doubt.spread; }));
    }

    // The object slips by six bins; the stage stands still for a quarter of the scan.
    void movedAndStill()
    {
        for (const bool slips : {true, false}) {
            Recorded recorded(simulation(Phantom::sheppLogan, 120, 20000));
            recorded.draw = drawDiscs;
            recorded.change = [slips](RawRows& raw) {
                Values& numbers = raw.data.floats();
                const auto frame = static_cast<std::ptrdiff_t>(frameOf(raw));
                for (int k = 60; k < (slips ? raw.projections : 90); ++k)
                    for (std::ptrdiff_t at = 0; at < frame; ++at)
                        numbers[k * frame + at] =
                            slips ? numbers[k * frame + std::min(frame - 1, at + 6)]
                                  : numbers[59 * frame + at] +
                                        static_cast<float>((k * 7 + at * 13) % 11 - 5) * 0.001F * numbers[at];
            };
            const auto doubt = recorded.doubt();
            QVERIFY(doubt && doubt->about == (slips ? Doubt::About::moved : Doubt::About::still));
            if (slips)
                QVERIFY2(contains(doubt->text.in(commandLineStyle()), "at projection 60"), "where it slips");
            else
                QCOMPARE(rangesToText(rangesOf(doubt->projections)), std::string("60:89"));
        }
    }

    // Light in the darks, the object or bytes of another order in the flats, darks and flats exchanged.
    void wrongDarksAndFlats()
    {
        const std::vector<std::pair<const char*, std::function<void(RawRows&)>>> all{
            {"light when these",
             [](RawRows& raw) {
                 for (std::size_t k = 0; k < raw.darks.size(); ++k)
                     raw.darks[k] += 0.4F * (raw.flats[k % frameOf(raw)] - raw.darks[k]);
             }},
            {"brighter than the flats",
             [](RawRows& raw) {
                 for (std::size_t k = 0; k < raw.flats.size(); ++k)
                     if (k % raw.bins > 30 && k % raw.bins < 60)
                         raw.flats[k] = raw.darks[0] + 0.15F * (raw.flats[k] - raw.darks[0]);
             }},
            {"from pixel to pixel",
             [](RawRows& raw) {
                 for (std::size_t k = 0; k < raw.flats.size(); ++k)
                     raw.flats[k] *= static_cast<float>(0.5 + k * 7919 % 101 / 50.0);
             }},
            {"exchanged", [](RawRows& raw) {
                 std::swap(raw.darks, raw.flats);
                 std::swap(raw.darkFrames, raw.flatFrames);
             }}};
        for (const auto& [words, change] : all) {
            Recorded recorded(simulation());
            recorded.draw = drawDiscs;
            recorded.change = change;
            const auto doubt = recorded.doubt();
            QVERIFY2(doubt && doubt->about == Doubt::About::unlike, words);
            QVERIFY2(contains(doubt->text.in(commandLineStyle()), words),
                     (words + doubt->text.in(commandLineStyle())).c_str());
        }
    }

    // The doubt goes with the image.
    void imagesAreDoubted()
    {
        Recorded recorded(simulation());
        recorded.draw = drawDiscs;
        turnAngles(recorded, [](double angle) { return 2 * angle; });
        const Reconstruction made = Reconstructor().run(requestFor(recorded.scan));
        QCOMPARE(warningsOf(made).size(), std::size_t(1));
    }
};

SINOSCOPE_TEST(ExamineRowsTest, QCoreApplication)
#include "examine_rows_test.moc"
