// SPDX-License-Identifier: GPL-3.0-or-later
// The references of planes: those of the engine, bit for bit, of the same plane, and none that is out of date.
#include "engine/compare/reference_image.h"
#include "engine/io/slices/slice_writer.h"
#include "engine/json/reconstruction_json.h"
#include "engine/reconstruct/plane_request.h"
#include "engine/reconstruct/reconstruct.h"
#include "engine/request/memory_limit.h"
#include "tests/plane_gaps.h"
#include "tests/ui/jobs.h"
#include "ui/planes/linked_planes.h"
#include "ui/planes/plane_references.h"

#include <QTest>

using namespace ui;
using namespace fixtures;

class PlaneReferencesTest : public QObject
{
    Q_OBJECT

    using Kind = ReferenceChoice::Kind;

    std::shared_ptr<const engine::Scan> m_scan = jobs::headOf(48, 60, 16);

    LinkedPlanes middle() const { return LinkedPlanes::inMiddleOf(engine::volumeOf(*m_scan)); }

    engine::Setting settingOf(const char* method) const
    {
        engine::Setting setting;
        setting.kernel.method = method;
        return setting;
    }

    // Two settings: A is chosen, B differs in its filter.
    Comparison settings(Kind kind, int id = 0) const
    {
        Comparison made;
        for (const char* name : {"A", "B"}) {
            Compared& one = made.compared.emplace_back();
            one.name = QLatin1String(name);
            one.id = static_cast<int>(made.compared.size());
            one.request.scan = m_scan;
            one.request.setting = settingOf("cpu");
        }
        made.compared[1].request.setting.filter.window = engine::Window::hann;
        made.against.kind = kind;
        made.against.id = id;
        return made;
    }

    engine::Request requestOf(const engine::Setting& setting, const engine::Plane& plane) const
    {
        engine::Request request;
        request.scan = m_scan;
        request.setting = setting;
        request.place.part = engine::PlanePart{plane, true};
        return request;
    }

    static Image run(const engine::Request& request)
    {
        engine::Reconstructor reconstructor;
        return std::make_shared<engine::Reconstruction>(reconstructor.run(request));
    }

    PlaneReferences::Images imagesOf(const engine::Setting& setting, const LinkedPlanes& planes, int step = 1) const
    {
        PlaneReferences::Images images;
        for (int k = 0; k < 3; ++k) {
            engine::Request request = requestOf(setting, planes.plane(k));
            request.place.previewStep = step;
            images[static_cast<std::size_t>(k)] = run(request);
        }
        return images;
    }

    struct Heard {
        explicit Heard(PlaneReferences& references)
        {
            QObject::connect(
                &references, &PlaneReferences::paired, &references, [this](int plane, const PairedPlane& pair) {
                    last[static_cast<std::size_t>(plane)] = pair;
                    const Compared& a = pair.comparison.a();
                    if (a.reference && (a.reference->request.place.plane() != a.result->request.place.plane() ||
                                        a.reference->image.width != a.result->image.width))
                        ++stale;
                    if (a.metrics && !a.reference)
                        ++stale;
                });
            QObject::connect(&references, &PlaneReferences::finished, &references, [this] { ++finished; });
        }
        const Compared& a(int plane) const { return last[static_cast<std::size_t>(plane)].comparison.a(); }
        bool hasAll() const { return a(0).metrics && a(1).metrics && a(2).metrics; }
        std::array<PairedPlane, 3> last;
        int stale = 0, finished = 0;
    };

  private slots:
    void exactReferencesAreThoseOfTheEngine()
    {
        LinkedPlanes planes = middle();
        planes.setAngles(1, {30, -15});
        PlaneReferences references;
        Heard heard(references);
        references.setComparison(settings(Kind::exact));
        const PlaneReferences::Images images = imagesOf(settingOf("cpu"), planes);
        references.pair(images, false);
        QVERIFY(references.compute());
        QVERIFY(comes([&] { return heard.hasAll() && heard.finished == 1; }));
        for (int k = 0; k < 3; ++k) {
            engine::Setting exact = settingOf("exact");
            exact.axis = {engine::AxisSettings::Mode::given, images[static_cast<std::size_t>(k)]->axisBins};
            const Image expected = run(requestOf(exact, planes.plane(k)));
            const Compared& a = heard.a(k);
            QVERIFY(haveSameBits(a.reference->image, expected->image));
            double sum = 0, most = 0;
            int count = 0;
            for (std::size_t i = 0; i < expected->image.values.size(); ++i) {
                const double off = double(a.result->image.values[i]) - double(expected->image.values[i]);
                if (std::isnan(off)) // a gap
                    continue;
                ++count;
                sum += off * off;
                most = std::max(most, std::abs(off));
            }
            const double rmse = std::sqrt(sum / count);
            QVERIFY(rmse > 0 && std::abs(a.metrics->rmse - rmse) <= 1e-9 * rmse);
            QCOMPARE(a.metrics->maximum, most);
            QVERIFY(heard.last[static_cast<std::size_t>(k)].missing.isEmpty());
        }
    }

    void anotherSettingIsTheReference()
    {
        const LinkedPlanes planes = middle();
        PlaneReferences references;
        Heard heard(references);
        const Comparison against = settings(Kind::setting, 2);
        references.setComparison(against);
        references.pair(imagesOf(settingOf("cpu"), planes), false);
        QVERIFY(references.compute());
        QVERIFY(comes([&] { return heard.hasAll(); }));
        for (int k = 0; k < 3; ++k)
            QCOMPARE(heard.a(k).reference->image.values,
                     run(requestOf(against.compared[1].request.setting, planes.plane(k)))->image.values);
    }

    void aSettingThatIsTheReferenceIsNotComputedAgain()
    {
        PlaneReferences references;
        Heard heard(references);
        references.setComparison(settings(Kind::setting, 1));
        references.pair(imagesOf(settingOf("cpu"), middle()), false);
        QVERIFY(!references.compute());
        for (int k = 0; k < 3; ++k)
            QVERIFY(heard.a(k).reference && heard.a(k).reference == heard.a(k).result);
    }

    void onlyMovedPlanesLoseTheirReference()
    {
        LinkedPlanes planes = middle();
        PlaneReferences references;
        Heard heard(references);
        references.setComparison(settings(Kind::exact));
        PlaneReferences::Images images = imagesOf(settingOf("cpu"), planes);
        references.pair(images, false);
        references.compute();
        QVERIFY(comes([&] { return heard.hasAll(); }));
        const Image before = heard.a(1).reference;
        planes.step(0, 5);
        images[0] = run(requestOf(settingOf("cpu"), planes.plane(0)));
        references.pair(images, true);
        QVERIFY(!heard.a(0).reference && !heard.a(0).metrics);
        QVERIFY(heard.last[0].missing.isEmpty()); // it moves: nothing is computed
        QVERIFY(!references.busy());
        QCOMPARE(heard.a(1).reference, before);
        QVERIFY(heard.a(1).metrics && heard.a(2).metrics);
        references.pair(images, false);
        QVERIFY(references.compute());
        QVERIFY(comes([&] { return heard.hasAll(); }));
        QVERIFY(heard.a(0).reference->request.place.plane() == planes.plane(0));
        QCOMPARE(heard.a(1).reference, before);
    }

    void coarseImagesHaveNoReference()
    {
        PlaneReferences references;
        Heard heard(references);
        references.setComparison(settings(Kind::exact));
        references.pair(imagesOf(settingOf("cpu"), middle(), 2), false);
        QVERIFY(!references.compute());
        for (int k = 0; k < 3; ++k)
            QVERIFY(!heard.a(k).reference);
    }

    // The exact method doesn't depend on the kernel.
    void anotherKernelHasTheSameReference()
    {
        PlaneReferences references;
        Heard heard(references);
        Comparison all = settings(Kind::exact);
        references.setComparison(all);
        references.pair(imagesOf(all.compared[0].request.setting, middle()), false);
        references.compute();
        QVERIFY(comes([&] { return heard.hasAll(); }));
        const Image reference = heard.a(0).reference;
        const double rmse = heard.a(0).metrics->rmse;
        all.compared[0].request.setting.kernel.interpolation = engine::Interpolation::nearest;
        references.setComparison(all);
        references.pair(imagesOf(all.compared[0].request.setting, middle()), false);
        QVERIFY(!heard.a(0).metrics); // those of the other kernel
        QCOMPARE(heard.a(0).reference, reference);
        QVERIFY(references.compute());
        QVERIFY(comes([&] { return heard.hasAll(); }));
        QCOMPARE(heard.a(0).reference, reference);
        QVERIFY(heard.a(0).metrics->rmse > 2 * rmse);
        // Another filter has another one.
        all.compared[0].request.setting.filter.window = engine::Window::hann;
        references.setComparison(all);
        references.pair(imagesOf(all.compared[0].request.setting, middle()), false);
        QVERIFY(!heard.a(0).reference);
    }

    void theNewestPlanesWin()
    {
        PlaneReferences references;
        Heard heard(references);
        references.setComparison(settings(Kind::exact));
        LinkedPlanes planes = middle();
        for (int k = 0; k < 12; ++k) {
            planes.moveTo({4.0 * k, 44.0 - 3 * k, 1.0 * k});
            references.pair(imagesOf(settingOf("cpu"), planes), false);
            references.compute();
            QCoreApplication::processEvents();
        }
        QVERIFY(comes([&] { return heard.hasAll() && !references.busy(); }));
        QCOMPARE(heard.stale, 0);
        for (int k = 0; k < 3; ++k)
            QVERIFY(heard.a(k).reference->request.place.plane() == planes.plane(k));
    }

    // Reading takes long; planes that are moved meanwhile don't begin it again.
    void movingDoesNotStopReading()
    {
        const auto isOpen = std::make_shared<std::atomic<bool>>(true);
        const auto isReading = std::make_shared<std::atomic<bool>>(false);
        const auto stopped = std::make_shared<std::atomic<int>>(0);
        const auto before = m_scan;
        auto gated = std::make_shared<engine::Scan>(*m_scan);
        gated->read = [isOpen, isReading, stopped, before](engine::RowRange rows, std::stop_token stop) {
            *isReading = true;
            while (!*isOpen && !stop.stop_requested())
                QThread::msleep(1);
            if (stop.stop_requested())
                ++*stopped;
            return before->read(rows, stop);
        };
        m_scan = gated;
        LinkedPlanes planes = middle();
        const PlaneReferences::Images first = imagesOf(settingOf("cpu"), planes);
        planes.moveTo({13, 31, 6});
        const PlaneReferences::Images second = imagesOf(settingOf("cpu"), planes);
        PlaneReferences references;
        Heard heard(references);
        references.setComparison(settings(Kind::exact));
        *isOpen = *isReading = false;
        references.pair(first, false);
        QVERIFY(references.compute());
        QVERIFY(comes([&] { return isReading->load(); }));
        references.pair(second, true);
        references.pair(second, false);
        QVERIFY(references.compute());
        *isOpen = true;
        QVERIFY(comes([&] { return heard.hasAll() && heard.finished == 1; }));
        QCOMPARE(stopped->load(), 0);
        QCOMPARE(heard.stale, 0);
        for (int k = 0; k < 3; ++k)
            QVERIFY(heard.a(k).reference->request.place.plane() == planes.plane(k));
        m_scan = before;
    }

    // Nothing is reconstructed for it.
    void aPhantomIsSampledInEachPlane()
    {
        LinkedPlanes planes = middle();
        planes.setAngles(1, {30, -15});
        PlaneReferences references;
        Heard heard(references);
        references.setComparison(settings(Kind::phantom));
        const PlaneReferences::Images images = imagesOf(settingOf("cpu"), planes);
        references.pair(images, false);
        QVERIFY(references.compute());
        QVERIFY(comes([&] { return heard.hasAll(); }));
        for (int k = 0; k < 3; ++k) {
            const Compared& a = heard.a(k);
            QCOMPARE(a.reference->image.values, m_scan->exactImage(planes.plane(k)).values);
            QVERIFY(heard.last[static_cast<std::size_t>(k)].missing.isEmpty());
            QVERIFY(a.metrics->rmse > 0 && a.metrics->rmse < 0.02); // of about 0.08 per pixel
        }
        planes.step(2, 3);
        PlaneReferences::Images next = images;
        next[2] = run(requestOf(settingOf("cpu"), planes.plane(2)));
        references.pair(next, true);
        QVERIFY(!heard.a(2).reference && heard.a(0).reference);
        references.pair(next, false);
        references.compute();
        QVERIFY(comes([&] { return heard.hasAll(); }));
        QVERIFY(heard.a(2).reference->image.values == m_scan->exactImage(planes.plane(2)).values);
        QCOMPARE(heard.stale, 0);
        references.setComparison(settings(Kind::exact));
        references.pair(next, false);
        QVERIFY(!heard.a(0).reference); // the phantom is none any more
    }

    // A file of slices is for planes z that aren't turned.
    void aFileIsTheReferenceOfItsPlane()
    {
        const TemporaryFolder folder;
        const LinkedPlanes planes = middle();
        engine::Setting smooth = settingOf("cpu");
        smooth.filter.window = engine::Window::hann;
        const Image saved = run(requestOf(smooth, planes.plane(0)));
        engine::writeTiffImage(folder / "x.tif", saved->image, 0, false, {}, saved->unit,
                               engine::sliceFacts(*saved, 0, {}));
        Comparison all = settings(Kind::file);
        all.against.file.file = folder / "x.tif";
        PlaneReferences references;
        Heard heard(references);
        references.setComparison(all);
        PlaneReferences::Images images = imagesOf(settingOf("cpu"), planes);
        references.pair(images, false);
        references.compute();
        QVERIFY(comes([&] { return heard.a(0).metrics && !heard.last[1].missing.isEmpty(); }));
        QVERIFY(haveSameBits(heard.a(0).reference->image, saved->image));
        for (const std::size_t k : {1U, 2U})
            QVERIFY2(heard.last[k].missing.contains(QStringLiteral("x.tif")), qPrintable(heard.last[k].missing));
        // That of a slice is of any slice of the volume.
        const Image slice = run(requestOf(smooth, planes.plane(2)));
        engine::writeTiffImage(folder / "z.tif", slice->image, 0, false, {}, slice->unit,
                               engine::sliceFacts(*slice, 0, {}));
        all.against.file.file = folder / "z.tif";
        references.setComparison(all);
        references.pair(images, false);
        references.compute();
        QVERIFY(comes([&] { return heard.a(2).metrics && !heard.last[0].missing.isEmpty(); }));
        QVERIFY(std::ranges::equal(heard.last[2].comparison.planeB().values(), slice->image.values));
        QVERIFY(heard.a(2).metrics->rmse > 0);
        // Another reference has another reason.
        references.setComparison(settings(Kind::phantom));
        references.pair(images, false);
        references.compute();
        QVERIFY(comes([&] { return heard.hasAll(); }));
    }

    void aRefusedReferenceTellsWhy()
    {
        LinkedPlanes planes = middle();
        planes.setAngles(0, {20, 0});
        Comparison all = settings(Kind::setting, 2);
        all.compared[1].request.setting.kernel.interpolation = engine::Interpolation::cubic;
        PlaneReferences references;
        Heard heard(references);
        references.setComparison(all);
        references.pair(imagesOf(settingOf("cpu"), planes), false);
        references.compute();
        QVERIFY(comes([&] { return heard.a(1).metrics && heard.a(2).metrics; }));
        QVERIFY(!heard.a(0).reference);
        QVERIFY2(heard.last[0].missing.contains(QStringLiteral("cubic")), qPrintable(heard.last[0].missing));
    }

    // References take the memory that the planes leave, in parts; what doesn't fit tells why.
    void theMemoryLimitIsObeyed()
    {
        const PlaneReferences::Images images = imagesOf(settingOf("cpu"), middle());
        engine::Request exact = engine::exactRequest(images[0]->request, 0, *images[0]);
        const double needed = engine::programBytes + engine::bytesForPlane(exact);
        for (const bool fits : {true, false}) {
            PlaneReferences references;
            Heard heard(references);
            Comparison all = settings(Kind::exact);
            const double kept = 1e6;
            for (Compared& one : all.compared)
                one.request.resources.memoryLimitBytes = fits ? kept + needed - 1e5 : kept + engine::programBytes;
            references.setComparison(all, kept);
            references.pair(images, false);
            QVERIFY(references.compute());
            QVERIFY(comes([&] { return heard.finished == 1 && (heard.hasAll() || !fits); }));
            if (!fits) {
                QVERIFY2(heard.last[0].missing.contains(QStringLiteral("in use")), qPrintable(heard.last[0].missing));
                continue;
            }
            const auto& notes = heard.a(0).reference->notes;
            QVERIFY(std::ranges::any_of(notes, [](const engine::Note& note) {
                return note.text().plain().find(" parts, because") != std::string::npos;
            }));
            exact.place = images[0]->request.place;
            QVERIFY(haveSameBits(heard.a(0).reference->image, run(exact)->image));
        }
    }

    void releasedReferencesCanBeComputedAgain()
    {
        PlaneReferences references;
        Heard heard(references);
        references.setComparison(settings(Kind::exact));
        const PlaneReferences::Images images = imagesOf(settingOf("cpu"), middle());
        references.pair(images, false);
        references.compute();
        QVERIFY(comes([&] { return heard.hasAll(); }));
        references.release();
        QVERIFY(!references.busy());
        references.pair(images, false);
        QVERIFY(!heard.a(0).reference);
        QVERIFY(references.compute());
        QVERIFY(comes([&] { return heard.hasAll(); }));
    }
};

SINOSCOPE_TEST(PlaneReferencesTest, QCoreApplication)
#include "plane_references_test.moc"
