// SPDX-License-Identifier: GPL-3.0-or-later
// The job of the planes: full images as the engine's, coarse ones during a drag, and the newest request wins.
#include "engine/reconstruct/plane_request.h"
#include "engine/reconstruct/reconstruct.h"
#include "engine/request/memory_limit.h"
#include "engine/scan/some_projections.h"
#include "tests/plane_gaps.h"
#include "tests/ui/jobs.h"
#include "ui/planes/linked_planes.h"
#include "ui/planes/plane_job.h"

#include <QTest>

using namespace ui;
using namespace fixtures;

class PlaneJobTest : public QObject
{
    Q_OBJECT

    static PlaneRequest requestFor(const std::shared_ptr<const engine::Scan>& scan, const LinkedPlanes& planes)
    {
        PlaneRequest request;
        for (int k = 0; k < LinkedPlanes::count; ++k) {
            engine::Request& one = request.planes[static_cast<std::size_t>(k)];
            one.scan = scan;
            one.setting.kernel.method = "cpu";
            one.place.part = engine::PlanePart{planes.plane(k), true};
        }
        return request;
    }

    static LinkedPlanes middleOf(const engine::Scan& scan) { return LinkedPlanes::inMiddleOf(engine::volumeOf(scan)); }

    struct Heard {
        explicit Heard(PlaneJob& job)
        {
            QObject::connect(&job, &PlaneJob::updated, &job, [this](const PlaneImages& images) {
                for (std::size_t k = 0; k < 3; ++k) {
                    if (images.planes[k]) {
                        last[k] = images.planes[k];
                        if (count[k] == 0)
                            first[k] = last[k];
                        ++count[k];
                        sawCoarse = sawCoarse || last[k]->request.place.previewStep > 1;
                    }
                    if (!images.refusals[k].isEmpty())
                        refusals[k] = images.refusals[k];
                }
            });
            QObject::connect(&job, &PlaneJob::failed, &job, [this](const QString& text) { message = text; });
            QObject::connect(&job, &PlaneJob::finished, &job, [this] { ++finished; });
        }
        std::array<Image, 3> first, last;
        std::array<int, 3> count{};
        std::array<QString, 3> refusals;
        QString message;
        bool sawCoarse = false;
        int finished = 0;
    };

    static bool equals(const Image& image, const engine::Request& request)
    {
        engine::Reconstructor reconstructor;
        return image && image->request.place.previewStep == 1 &&
               haveSameBits(image->image, reconstructor.run(request).image);
    }

  private slots:
    void imagesAreThoseOfTheEngine()
    {
        const auto scan = jobs::headOf(48, 60, 16);
        PlaneJob job;
        Heard heard(job);
        LinkedPlanes planes = middleOf(*scan);
        planes.setAngles(1, {30, -15});
        const PlaneRequest request = requestFor(scan, planes);
        job.start(request);
        QVERIFY(job.busy());
        QVERIFY(comes([&] { return heard.finished == 1; }));
        QVERIFY(!job.busy());
        QVERIFY2(heard.message.isEmpty(), qPrintable(heard.message));
        for (std::size_t k = 0; k < 3; ++k)
            QVERIFY(equals(heard.last[k], request.planes[k]));
    }

    void onlyMovedPlanesAreComputed()
    {
        const auto scan = jobs::headOf(48, 60, 16);
        PlaneJob job;
        Heard heard(job);
        LinkedPlanes planes = middleOf(*scan);
        job.start(requestFor(scan, planes));
        QVERIFY(comes([&] { return heard.finished == 1; }));
        const std::array<int, 3> before = heard.count;
        planes.step(0, 3);
        const PlaneRequest request = requestFor(scan, planes);
        job.start(request);
        QVERIFY(comes([&] { return heard.finished == 2; }));
        QVERIFY(heard.count[0] > before[0]);
        QCOMPARE(heard.count[1], before[1]);
        QCOMPARE(heard.count[2], before[2]);
        QVERIFY(equals(heard.last[0], request.planes[0]));
    }

    void theNewestRequestWins()
    {
        const auto scan = jobs::headOf(64, 90, 24);
        PlaneJob job;
        Heard heard(job);
        LinkedPlanes planes = middleOf(*scan);
        for (int k = 0; k < 60; ++k) { // a drag, faster than images can come
            planes.moveTo({static_cast<double>(k), 63.0 - k, k / 3.0});
            PlaneRequest moving = requestFor(scan, planes);
            moving.isMoving = true;
            job.start(moving);
        }
        const PlaneRequest request = requestFor(scan, planes);
        job.start(request);
        QVERIFY(comes([&] { return heard.finished == 1; })); // replaced requests don't finish
        for (std::size_t k = 0; k < 3; ++k) {
            QVERIFY(equals(heard.last[k], request.planes[k]));
            QVERIFY(heard.count[k] < 60);
        }
    }

    // Nothing of the scan stays in memory; the next request reads it again.
    void releasesTheRows()
    {
        auto scan = jobs::headOf(48, 60, 16);
        const std::weak_ptr<const engine::Scan> watched = scan;
        PlaneJob job;
        {
            Heard heard(job);
            job.start(requestFor(scan, middleOf(*scan)));
            QVERIFY(comes([&] { return heard.finished == 1; }));
            job.disconnect();
        }
        scan.reset();
        QVERIFY(!watched.expired());
        job.release().wait();
        QVERIFY(comes([&] { return watched.expired(); }));
        QVERIFY(!job.busy());

        scan = jobs::headOf(48, 60, 16);
        Heard heard(job);
        const PlaneRequest request = requestFor(scan, middleOf(*scan));
        job.start(request);
        job.release().wait(); // while it runs
        QVERIFY(!job.busy());
        job.start(request);
        QVERIFY(comes([&] { return heard.finished == 2; })); // cancelled and done
        for (std::size_t k = 0; k < 3; ++k)
            QVERIFY(equals(heard.last[k], request.planes[k]));
    }

    // The first images are coarse ones of every eighth projection, the last ones are full; a scan that is cached gets
    // no such images again.
    void fewProjectionsFirst()
    {
        const auto scan = jobs::headOf(64, 90, 24), few = engine::withEvery(*scan, 8);
        PlaneJob job;
        job.readFewFirst(1);
        Heard heard(job);
        LinkedPlanes planes = middleOf(*scan);
        planes.setAngles(1, {30, -15});
        const PlaneRequest request = requestFor(scan, planes);
        job.start(request);
        QVERIFY(comes([&] { return heard.finished == 1; }));
        for (std::size_t k = 0; k < 3; ++k) {
            QVERIFY(heard.first[k] && heard.first[k]->request.scan == scan);
            engine::Request coarse = heard.first[k]->request;
            QVERIFY(coarse.place.previewStep > 1);
            coarse.scan = few;
            QVERIFY(haveSameBits(heard.first[k]->image, engine::Reconstructor().run(coarse).image));
            QVERIFY(equals(heard.last[k], request.planes[k]));
        }
        heard.count = {};
        planes.setAngles(2, {10, 5});
        job.start(requestFor(scan, planes));
        QVERIFY(comes([&] { return heard.finished == 2; }));
        QVERIFY(heard.count[2] > 0);
        engine::Request coarse = heard.first[2]->request;
        QVERIFY(haveSameBits(heard.first[2]->image, engine::Reconstructor().run(coarse).image));
    }

    // Rows that don't fit into memory: a drag is followed by planes of some projections; at rest, those of all come,
    // with the axis that all projections have.
    void somePlanesThenAll()
    {
        const auto scan = jobs::headOf(64, 90, 24);
        PlaneJob job;
        Heard heard(job);
        LinkedPlanes planes = middleOf(*scan);
        planes.setAngles(1, {30, -15});
        PlaneRequest request = requestFor(scan, planes);
        request.some = engine::everyNth(*scan, 4);
        for (engine::Request& one : request.planes) {
            one.setting.axis.mode = engine::AxisSettings::Mode::find;
            std::get<engine::PlanePart>(one.place.part).othersFollow = false;
            one.resources.memoryLimitBytes = engine::programBytes + 0.4 * engine::bytesForPlane(request.planes[1]);
        }
        request.isMoving = true;
        job.start(request);
        QVERIFY(comes([&] { return heard.finished == 1; }));
        for (std::size_t k = 0; k < 3; ++k)
            QVERIFY(heard.last[k] && heard.last[k]->request.scan == request.some);
        request.isMoving = false;
        job.start(request);
        QVERIFY(comes([&] { return heard.finished == 2; }));
        QVERIFY2(heard.message.isEmpty(), qPrintable(heard.message));
        for (std::size_t k = 0; k < 3; ++k) {
            QVERIFY(heard.refusals[k].isEmpty());
            engine::Request whole = request.planes[k];
            whole.resources.memoryLimitBytes = 0;
            QVERIFY(heard.last[k]->request.scan == scan && heard.last[k]->request.place.previewStep == 1);
            const auto closed = [&](const engine::Volume& image) {
                return closeGaps(*whole.place.plane(), scan->slices(), image);
            };
            const engine::Volume expected = closed(engine::Reconstructor().run(whole).image);
            QVERIFY(relativeError(closed(heard.last[k]->image).values, expected.values) < 1e-6);
            QCOMPARE(heard.first[k]->axisBins, heard.last[k]->axisBins);
        }
        // Planes that stay keep their images.
        heard.count = {};
        planes.setAngles(1, {10, 5});
        request.planes[1].place.part = engine::PlanePart{planes.plane(1), true};
        request.isMoving = true;
        job.start(request);
        QVERIFY(comes([&] { return heard.finished == 3; }));
        QVERIFY(heard.count[1] > 0 && heard.last[1]->request.scan == request.some);
        QVERIFY(heard.count[0] == 0 && heard.count[2] == 0);
    }

    // The first request of a drag can't know how long full planes take.
    void aDragShowsCoarsePlanesFirst()
    {
        const auto scan = jobs::headOf(64, 90, 24);
        PlaneJob job;
        Heard heard(job);
        PlaneRequest moving = requestFor(scan, middleOf(*scan));
        moving.isMoving = true;
        job.start(moving);
        QVERIFY(comes([&] { return heard.finished == 1; }));
        QVERIFY(heard.sawCoarse);
        for (const Image& image : heard.last)
            QVERIFY(image && image->request.place.previewStep > 1 && image->image.width < 64);
        job.start(requestFor(scan, middleOf(*scan)));
        QVERIFY(comes([&] { return heard.finished == 2; }));
        for (const Image& image : heard.last)
            QVERIFY(image->request.place.previewStep == 1);
    }

    // Rows filtered for one axis serve every axis of a parallel beam.
    void aStepOfTheAxisCostsOnlyABackProjection()
    {
        const auto scan = jobs::headOf(48, 60, 16);
        PlaneJob job;
        Heard heard(job);
        PlaneRequest request = requestFor(scan, middleOf(*scan));
        const auto reconstruct = [&](double axisBins) {
            for (engine::Request& one : request.planes)
                one.setting.axis = {engine::AxisSettings::Mode::given, axisBins};
            job.start(request);
            return comes([&, next = heard.finished + 1] { return heard.finished == next; });
        };
        QVERIFY(reconstruct(23.5));
        request.isMoving = true;
        QVERIFY(reconstruct(25.25));
        request.isMoving = false;
        QVERIFY(reconstruct(25.5));
        for (std::size_t k = 0; k < 3; ++k) {
            const engine::Timings& times = heard.last[k]->timings;
            QVERIFY(times.read.reused && times.prepare.reused && times.filter.reused);
            QCOMPARE(heard.last[k]->axisBins, 25.5);
            QVERIFY(equals(heard.last[k], request.planes[k]));
        }
    }

    // Turned back by another tilt, projections are prepared and filtered again, once for all planes.
    void aStepOfTheTiltPreparesOnce()
    {
        const auto scan = jobs::headOf(48, 60, 16);
        PlaneJob job;
        Heard heard(job);
        PlaneRequest request = requestFor(scan, middleOf(*scan));
        Image atFirst;
        for (const double tiltDeg : {0.5, 1.25}) {
            atFirst = heard.last[0];
            for (engine::Request& one : request.planes) {
                one.setting.axis = {engine::AxisSettings::Mode::given, 23.5};
                one.setting.preparation.values["axis-tilt"] = tiltDeg;
            }
            job.start(request);
            QVERIFY(comes([&, finished = heard.finished + 1] { return heard.finished == finished; }));
        }
        QVERIFY2(heard.message.isEmpty(), qPrintable(heard.message));
        for (std::size_t k = 0; k < 3; ++k) {
            QVERIFY(k == 0 || heard.last[k]->timings.prepare.reused);
            QVERIFY(equals(heard.last[k], request.planes[k]));
        }
        QVERIFY(heard.last[0]->image.values != atFirst->image.values);
    }

    void aRefusedPlaneLeavesTheOthers()
    {
        const auto scan = jobs::headOf(48, 60, 16);
        PlaneJob job;
        Heard heard(job);
        LinkedPlanes planes = middleOf(*scan);
        planes.setAngles(0, {20, 0});
        PlaneRequest request = requestFor(scan, planes);
        for (engine::Request& one : request.planes)
            one.setting.kernel.interpolation = engine::Interpolation::cubic;
        job.start(request);
        QVERIFY(comes([&] { return heard.finished == 1; }));
        QVERIFY2(!heard.refusals[0].isEmpty(), "cubic interpolation has no tilted planes");
        QVERIFY(heard.refusals[1].isEmpty() && heard.refusals[2].isEmpty());
        QVERIFY(equals(heard.last[1], request.planes[1]));
        QVERIFY(equals(heard.last[2], request.planes[2]));
    }

    // At whatever moment a request is cancelled, the same one shows its images later.
    void cancelledPlanesComeAgain()
    {
        const auto scan = jobs::headOf(48, 60, 16);
        PlaneJob job;
        Heard heard(job);
        LinkedPlanes planes = middleOf(*scan);
        for (int k = 0; k < 150; ++k) {
            planes.moveTo({static_cast<double>(k % 48), static_cast<double>(47 - k % 48), static_cast<double>(k % 16)});
            const PlaneRequest request = requestFor(scan, planes);
            job.start(request);
            QThread::usleep(static_cast<unsigned long>(40 * (k % 50)));
            if (k % 2 == 0)
                QCoreApplication::processEvents();
            job.cancel();
            job.start(request);
            QVERIFY(comes([&] { return !job.busy(); }));
            for (std::size_t n = 0; n < 3; ++n)
                QVERIFY2(heard.last[n] && heard.last[n]->request.place == request.planes[n].place,
                         qPrintable(QString::number(k)));
        }
    }

    void cancelledReadingShowsNothing()
    {
        const jobs::Endless endless;
        PlaneJob job;
        Heard heard(job);
        job.start(requestFor(endless.scan, middleOf(*endless.scan)));
        QVERIFY(comes([&] { return endless.reading->load(); }));
        job.cancel();
        QVERIFY(!job.busy());
        QCOMPARE(heard.finished, 1);
        // The thread is free for another scan.
        const auto scan = jobs::headOf(32, 30, 4);
        job.start(requestFor(scan, middleOf(*scan)));
        QVERIFY(comes([&] { return heard.finished == 2; }));
        QVERIFY(heard.message.isEmpty());
        QVERIFY(heard.last[0] && heard.last[0]->request.scan == scan);
    }
};

SINOSCOPE_TEST(PlaneJobTest, QCoreApplication)
#include "plane_job_test.moc"
