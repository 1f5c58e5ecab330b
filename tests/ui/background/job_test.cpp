// SPDX-License-Identifier: GPL-3.0-or-later
// Reconstruction jobs: what they show, and in which order.
#include "engine/backends/method.h"
#include "engine/compare/metrics.h"
#include "engine/reconstruct/reconstruct.h"
#include "tests/processor_time.h"
#include "tests/ui/jobs.h"
#include "ui/background/background_task.h"
#include "ui/background/exact_reference.h"

#include <QSignalSpy>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <thread>

using namespace ui;
using namespace jobs;
using fixtures::comes;

namespace
{

// A request whose exact reference takes more than a second of one thread, and this reference.
struct Slow {
    JobRequest request;
    engine::Reconstruction expected; // the reference, computed without interruption
    double seconds = 0;              // processor time of the reference
};

const Slow& slowReference()
{
    static const Slow found = [] {
        Slow slow;
        for (const int size : {256, 362, 512, 724, 1024, 1448, 2048}) {
            slow.request = jobFor(headOf(size, size));
            settingOf(slow.request).resources.threads = 1;
            engine::Request alone = settingOf(slow.request);
            alone.setting.kernel.method = engine::referenceMethod().id;
            const double before = processor_time::ofThisProcess();
            std::thread([&] { // with the low priority of the job's own thread, in case other programs run
                giveWayToTheWindow();
                slow.expected = engine::Reconstructor().run(alone);
            })
                .join();
            slow.seconds = processor_time::ofThisProcess() - before;
            if (slow.seconds > 1.2)
                break;
        }
        return slow;
    }();
    return found;
}

} // namespace

class JobTest : public QObject
{
    Q_OBJECT

  private slots:
    // A scan and its open file are released once another scan is shown; small scans alone would never fill the caches.
    void aScanBeforeIsLetGo()
    {
        ReconstructionJob job;
        Listener heard(job);
        auto scan = headOf(32, 30);
        const std::weak_ptr<const engine::Scan> first = scan;
        job.start(jobFor(std::move(scan)));
        QVERIFY(comes([&] { return heard.finished == 1; }));
        QVERIFY(!first.expired());
        job.start(jobFor(headOf(32, 31)));
        QVERIFY(comes([&] { return heard.finished == 2; }));
        heard.shown.clear();
        QVERIFY(comes([&] { return first.expired(); }));
    }

    void showsAThenTheReferenceWithMetrics()
    {
        ReconstructionJob job;
        Listener heard(job);
        job.start(jobFor(headOf(64, 60)));
        QVERIFY(job.busy());
        QTRY_COMPARE(heard.finished, 1);
        QVERIFY(!job.busy());
        QVERIFY2(heard.message.isEmpty(), qPrintable(heard.message));
        QVERIFY(heard.shown.size() >= 2);
        QVERIFY(heard.shown.front().a().result &&
                !heard.shown.front().a().reference); // A doesn't wait for the reference
        const Comparison& last = heard.shown.back();
        QCOMPARE(last.a().result->method, std::string("cpu"));
        QCOMPARE(last.a().reference->method, std::string(engine::referenceMethod().id));
        QVERIFY(last.a().metrics);
        QVERIFY(last.a().metrics->rmse > 0 && last.a().metrics->rmse < 0.1);
        QCOMPARE(last.planeA().title, QStringLiteral("A · cpu · linear · float"));
        QVERIFY(last.planeB().title.contains(QStringLiteral("exact")));
        QCOMPARE(int(last.planeA().values().size()), 64 * 64);
    }

    void metricsAgainstExact()
    {
        const auto measured = headOf(64, 60);
        ReconstructionJob job;
        Listener heard(job);
        JobRequest request = jobFor(measured);
        settingOf(request).setting.kernel.interpolation = engine::Interpolation::nearest;
        job.start(request);
        QTRY_COMPARE(heard.finished, 1);
        const Comparison& last = heard.shown.back();
        QVERIFY(last.a().metrics);
        const engine::Metrics expected =
            engine::compareImages(last.planeA().values(), last.planeB().values(), 64, 64, request.asked.mask);
        QVERIFY(expected.rmse > 0);
        QCOMPARE(last.a().metrics->rmse, expected.rmse);
    }

    void keepsWhatDidNotChange()
    {
        ReconstructionJob job;
        Listener heard(job);
        JobRequest request = jobFor(headOf(64, 60));
        job.start(request);
        QTRY_COMPARE(heard.finished, 1);
        const auto exact = heard.shown.back().a().reference;
        const auto a = heard.shown.back().a().result;
        settingOf(request).setting.kernel.interpolation = engine::Interpolation::nearest;
        job.start(request);
        QTRY_COMPARE(heard.finished, 2);
        QCOMPARE(heard.shown.back().a().reference, exact); // the reference doesn't depend on the interpolation
        QVERIFY(heard.shown.back().a().result != a);
        const auto nearest = heard.shown.back().a().result;
        addSetting(request, QStringLiteral("B")).setting.kernel.interpolation = engine::Interpolation::cubic;
        job.start(request);
        QTRY_COMPARE(heard.finished, 3);
        QCOMPARE(heard.shown.back().a().result, nearest); // A isn't recomputed for a second setting
        const Compared& b = heard.shown.back().compared[1];
        QCOMPARE(b.result->request.setting.kernel.interpolation, engine::Interpolation::cubic);
        QVERIFY(heard.shown.back().planeOf(b).explanation.startsWith(QStringLiteral("B · cpu · cubic")));
        QVERIFY(b.metrics && b.reference == exact); // the same filter and axis: the same reference
        request.again = true;
        job.start(request);
        QTRY_COMPARE(heard.finished, 4);
        QVERIFY(heard.shown.back().a().result != nearest); // computed again on request
        request.again = false;
        settingOf(request).setting.filter.window = engine::Window::hann;
        job.start(request);
        QTRY_COMPARE(heard.finished, 5);
        QVERIFY(heard.shown.back().a().reference != exact); // another filter needs another reference
    }

    void everyReferenceOfAnImage_data()
    {
        QTest::addColumn<QString>("choice");
        QTest::addColumn<QString>("named");
        for (const char* choice : {"exact", "exact:2", "phantom", "setting:2"})
            QTest::addRow("%s", choice) << QString::fromLatin1(choice)
                                        << QStringLiteral("%1").arg(choice == QByteArray("phantom")   ? "exact phantom"
                                                                    : choice == QByteArray("exact:2") ? "as B"
                                                                    : choice == QByteArray("setting:2")
                                                                        ? "B"
                                                                        : "exact method, double precision");
    }

    // Each image is compared with the chosen reference, which the test computes independently.
    void everyReferenceOfAnImage()
    {
        QFETCH(QString, choice);
        QFETCH(QString, named);
        ReconstructionJob job;
        Listener heard(job);
        JobRequest request = jobFor(headOf(64, 60));
        addSetting(request, QStringLiteral("B")).setting.filter.window = engine::Window::hann;
        request.asked.against = engine::referenceFromText(choice.toStdString());
        QCOMPARE(QString::fromStdString(toText(request.asked.against)), choice);
        job.start(request);
        QTRY_COMPARE(heard.finished, 1);
        const Comparison& last = heard.shown.back();
        QVERIFY2(last.planeB().title.contains(named), qPrintable(last.planeB().title));
        const auto exactly = [&](engine::Window window) {
            engine::Request exact = settingOf(request);
            exact.setting.kernel.method = engine::referenceMethod().id;
            exact.setting.filter.window = window;
            return engine::Reconstructor().run(exact).image;
        };
        using Kind = ReferenceChoice::Kind;
        for (const Compared& one : last.compared) {
            const engine::Window own = one.request.setting.filter.window;
            const Kind kind = request.asked.against.kind;
            const engine::Volume truth = kind == Kind::phantom   ? one.request.scan->exactImage(0, one.result->grid)
                                         : kind == Kind::setting ? last.compared[1].result->image
                                         : kind == Kind::exactOf ? exactly(engine::Window::hann)
                                                                 : exactly(own);
            const bool isItself = kind == Kind::setting && one.id == 2;
            QCOMPARE(one.metrics.has_value(), !isItself);
            QVERIFY(std::ranges::equal(last.referenceOf(one).values(), truth.slice(0)));
            if (!isItself)
                QCOMPARE(
                    one.metrics->rmse,
                    engine::compareImages(one.result->image.slice(0), truth.slice(0), 64, 64, request.asked.mask).rmse);
        }
    }

    void oneChangeRestartsNoOther()
    {
        ReconstructionJob job;
        Listener heard(job);
        JobRequest request = jobFor(headOf(64, 60));
        addSetting(request, QStringLiteral("B")).setting.kernel.precision = engine::Precision::half;
        addSetting(request, QStringLiteral("C")).setting.kernel.interpolation = engine::Interpolation::cubic;
        job.start(request);
        QTRY_COMPARE(heard.finished, 1);
        const Comparison before = heard.shown.back();
        settingOf(request, 1).setting.kernel.interpolation = engine::Interpolation::nearest;
        request.asked.chosen = 2;
        job.start(request);
        QTRY_COMPARE(heard.finished, 2);
        const Comparison& now = heard.shown.back();
        QCOMPARE(now.compared[0].result, before.compared[0].result);
        QVERIFY(now.compared[1].result != before.compared[1].result);
        QCOMPARE(now.compared[2].result, before.compared[2].result);
        for (const Compared& one : now.compared)
            QCOMPARE(one.reference, before.compared[0].reference);
        request.asked.compared[1].visible = false; // hidden and not chosen: computed only as a reference
        settingOf(request, 1).setting.kernel.oversampling = 7;
        settingOf(request, 1).setting.kernel.interpolation = engine::Interpolation::oversampled;
        job.start(request);
        QTRY_COMPARE(heard.finished, 3);
        QVERIFY(!heard.shown.back().compared[1].result);
    }

    void aSettingThatGoesGivesItsMemoryBack()
    {
        ReconstructionJob job;
        Listener heard(job);
        JobRequest request = jobFor(headOf(64, 60));
        addSetting(request, QStringLiteral("B")).setting.kernel.interpolation = engine::Interpolation::cubic;
        job.start(request);
        QTRY_COMPARE(heard.finished, 1);
        const std::weak_ptr<const engine::Reconstruction> b = heard.shown.back().compared[1].result;
        QVERIFY(!b.expired());
        request.asked.compared.pop_back();
        job.start(request);
        QTRY_COMPARE(heard.finished, 2);
        heard.shown.clear();
        QTRY_VERIFY(b.expired());
    }

    // The reference is completed even if the kernel's options change again and again, though each change interrupts it.
    void referenceGoesOnBetweenChanges()
    {
        const Slow& slow = slowReference();
        ReconstructionJob job;
        Listener heard(job);
        JobRequest request = slow.request;
        int changes = 0;
        double done = 0, before = 0; // fractions of the reference; a continued one doesn't begin at 0
        bool wentOn = true;
        connect(&job, &ReconstructionJob::progressed, &job, [&](const QString& text, double fraction) {
            if (!text.startsWith(QStringLiteral("exact")) ||
                !(text.endsWith(QStringLiteral("left")) || text.contains(QStringLiteral("back-projecting"))))
                return;
            wentOn = wentOn && fraction >= before;
            done = std::max(done, fraction);
        });
        const auto there = [&] { return !heard.shown.empty() && heard.shown.back().a().reference; };
        while (!there() && changes < 40) {
            settingOf(request).setting.kernel.interpolation =
                changes++ % 2 == 0 ? engine::Interpolation::nearest : engine::Interpolation::linear;
            before = std::max(0.0, done - 0.3); // an interrupted band is lost
            job.start(request);
            const auto hasA = [&] {
                return !heard.shown.empty() && !heard.shown.back().a().isPreview() &&
                       heard.shown.back().a().result->request.setting.kernel.interpolation ==
                           settingOf(request).setting.kernel.interpolation;
            };
            QTRY_VERIFY(hasA()); // A is computed first
            QVERIFY(comes([&] { return there() || done > before + 0.4 || !job.busy(); }));
        }
        QVERIFY(wentOn);
        QVERIFY(there());
        QVERIFY(changes > 1);
        QTRY_VERIFY(!job.busy());
        const Comparison& last = heard.shown.back();
        const std::span<const float> values = last.planeB().values();
        QVERIFY(std::ranges::equal(values, slow.expected.image.values));
        QVERIFY(last.planeB().title.contains(QStringLiteral("double precision")));
        QVERIFY(last.planeB().explanation.contains(QStringLiteral("linear")));
    }

    void timeLeftIsSaidTwiceASecond()
    {
        QStringList texts;
        QString stage;
        int progressed = 0;
        JobRequest request = slowReference().request;
        // The scan grows until the reference takes long enough for two reports, whatever else the machine does.
        for (int size = settingOf(request).scan->bins(); texts.size() < 2 && size <= 4096; size = size * 3 / 2) {
            request = jobFor(headOf(size, size));
            settingOf(request).resources.threads = 1;
            texts.clear();
            ReconstructionJob job;
            Listener heard(job);
            connect(&job, &ReconstructionJob::referenceExpected, &job, [&](const QString& left) { texts << left; });
            connect(&job, &ReconstructionJob::progressed, &job, [&](const QString& text) { stage = text; });
            job.start(request);
            QTRY_COMPARE(heard.finished, 1);
            progressed = heard.progressed;
        }
        QVERIFY(texts.size() >= 2);
        QVERIFY(texts.size() <= progressed / 2); // progress is reported up to twenty times a second
        for (const QString& text : texts)
            QVERIFY2(text.endsWith(QStringLiteral("left")), qPrintable(text));
        QVERIFY2(stage.endsWith(texts.back()), qPrintable(stage)); // the speed panel shows the same
    }

    void showsTheSliceOfItsGroup()
    {
        const auto scan = headOf(48, 40, 16);
        ReconstructionJob job;
        Listener heard(job);
        JobRequest request = jobFor(scan);
        settingOf(request).place.setSlices({4, 4});
        settingOf(request).setting.kernel.slicesPerPass = 4;
        request.asked.slice = 6;
        job.start(request);
        QTRY_COMPARE(heard.finished, 1);
        const Comparison& last = heard.shown.back();
        QCOMPARE(last.planeA().index, 2);
        QCOMPARE(last.planeB().index, 0);
        engine::Request alone = settingOf(request);
        alone.place.setSlices({6, 1});
        alone.setting.kernel.slicesPerPass = 1;
        const engine::Reconstruction expected = engine::Reconstructor().run(alone);
        const engine::Metrics same = engine::compareImages(last.planeA().values(), expected.image.slice(0), 48, 48);
        QVERIFY(same.maximum < 1e-6);
    }

    void coarsePreviewFirst()
    {
        ReconstructionJob job;
        Listener heard(job);
        job.start(jobFor(headOf(384, 400))); // 0.06 GU: first estimated to take more than 100 ms
        QTRY_COMPARE(heard.finished, 1);
        QVERIFY(heard.shown.size() >= 3);
        QVERIFY(heard.shown.front().a().isPreview());
        QCOMPARE(heard.shown.front().planeA().grid.step, 4.0);
        QCOMPARE(heard.shown.front().planeA().grid.size, 384);
        QVERIFY(!heard.shown.front().a().metrics); // no metrics for a preview
        QVERIFY(!heard.shown.back().a().isPreview());
        QCOMPARE(heard.shown.back().planeA().grid.step, 1.0);
    }
};

SINOSCOPE_TEST(JobTest, QCoreApplication)
#include "job_test.moc"
