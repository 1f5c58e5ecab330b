// SPDX-License-Identifier: GPL-3.0-or-later
// Early ends of a job: a newer request, cancelling, an error, lack of memory, destruction.
#include "engine/backends/method.h"
#include "engine/reconstruct/reconstruct.h"
#include "tests/ui/jobs.h"

#include <QElapsedTimer>
#include <QSignalSpy>

#include <algorithm>
#include <atomic>
#include <new>

using namespace ui;
using namespace jobs;
using fixtures::comes;

class JobEndsTest : public QObject
{
    Q_OBJECT

  private slots:
    void newestWins()
    {
        const auto scan = headOf(128, 128);
        ReconstructionJob job;
        Listener heard(job);
        JobRequest request = jobFor(scan);
        for (int k = 1; k <= 20; ++k) {
            settingOf(request).setting.filter.cutoff = k / 20.0;
            job.start(request);
            if (k % 3 == 0)
                QVERIFY(comes([&, before = heard.shown.size()] { return heard.shown.size() > before; }));
        }
        QTRY_VERIFY(!job.busy());
        QVERIFY(heard.finished >= 1); // more if a request is done before the next one
        QVERIFY2(heard.message.isEmpty(), qPrintable(heard.message));
        QCOMPARE(heard.shown.back().a().result->request.setting.filter.cutoff, 1.0);
        QCOMPARE(heard.shown.back().a().reference->request.setting.filter.cutoff, 1.0);
        // Results never go back to an older request.
        for (std::size_t k = 1; k < heard.shown.size(); ++k)
            QVERIFY(heard.shown[k].a().result->request.setting.filter.cutoff >=
                    heard.shown[k - 1].a().result->request.setting.filter.cutoff);
    }

    void nothingOfTheScanBefore()
    {
        ReconstructionJob job;
        Listener heard(job);
        const auto first = headOf(256, 256);
        const auto second = headOf(32, 30);
        job.start(jobFor(first));
        QVERIFY(comes([&] { return !heard.shown.empty(); }));
        const std::size_t before = heard.shown.size();
        job.start(jobFor(second));
        QTRY_VERIFY(!job.busy());
        QVERIFY(heard.shown.size() > before);
        for (std::size_t k = before; k < heard.shown.size(); ++k)
            QCOMPARE(heard.shown[k].a().result->request.scan, second);
    }

    void cancels()
    {
        ReconstructionJob job;
        Listener heard(job);
        const JobRequest slow = slowRequest();
        job.start(slow);
        QVERIFY(comes([&] { return !heard.shown.empty(); }));
        QVERIFY(heard.shown.back().a().isPreview()); // the full image is being computed
        const std::size_t shown = heard.shown.size();
        job.cancel();
        QVERIFY(!job.busy());
        QCOMPARE(heard.cancelled, 1);
        QCOMPARE(heard.finished, 1);
        const auto small = headOf(32, 30);
        job.start(jobFor(small));
        QVERIFY(comes([&] { return !job.busy(); }));
        QVERIFY(heard.shown.size() > shown);
        for (std::size_t k = shown; k < heard.shown.size(); ++k)
            QCOMPARE(heard.shown[k].a().result->request.scan, small);
        job.cancel(); // nothing is running, so it sends no signal
        QCOMPARE(heard.cancelled, 1);
        QVERIFY(heard.progressed > 0 && heard.fractionsRight);
        // The earlier work was stopped and did not finish unnoticed: otherwise its image would be in the cache and be
        // shown immediately, without a preview.
        const std::size_t before = heard.shown.size();
        job.start(slow);
        QVERIFY(comes([&] { return heard.shown.size() > before; }));
        QVERIFY(heard.shown[before].a().isPreview());
    }

    void newRequestStopsTheOneBefore()
    {
        const Endless endless;
        ReconstructionJob job;
        Listener heard(job);
        job.start(jobFor(endless.scan));
        QVERIFY(comes([&] { return endless.reading->load(); }));
        const auto small = headOf(32, 30);
        job.start(jobFor(small));
        QVERIFY(comes([&] { return !job.busy(); }));
        QCOMPARE(heard.finished, 1);
        QVERIFY2(heard.message.isEmpty(), qPrintable(heard.message));
        QCOMPARE(heard.shown.back().a().result->request.scan, small);
    }

    // The method reports every row; at most one report in 50 ms is passed on.
    void progressIsThrottled()
    {
        ReconstructionJob job;
        Listener heard(job);
        QElapsedTimer timer;
        timer.start();
        job.start(jobFor(headOf(256, 256), "exact"));
        QTRY_COMPARE(heard.finished, 1);
        QVERIFY(heard.progressed > 0);
        QVERIFY(heard.progressed <= timer.elapsed() / 50 + 1);
    }

    void failsInWordsAndGoesOn()
    {
        ReconstructionJob job;
        Listener heard(job);
        JobRequest request = jobFor(headOf(32, 30));
        settingOf(request).place.setSlices({7, 1});
        request.asked.slice = 7;
        job.start(request);
        QTRY_COMPARE(heard.finished, 1);
        QVERIFY(!heard.message.isEmpty());
        QVERIFY(heard.shown.empty());
        settingOf(request).place.setSlices({0, 1});
        request.asked.slice = 0;
        job.start(request);
        QTRY_COMPARE(heard.finished, 2);
        QVERIFY(heard.shown.back().a().reference);
    }

    void memoryRunsOut()
    {
        auto scan = std::make_shared<engine::Scan>(*headOf(32, 30));
        scan->read = [](engine::RowRange, std::stop_token) -> engine::RawRows { throw std::bad_alloc(); };
        ReconstructionJob job;
        Listener heard(job);
        job.start(jobFor(scan));
        QTRY_COMPARE(heard.finished, 1);
        QVERIFY2(heard.message.contains(QStringLiteral("memory"), Qt::CaseInsensitive), qPrintable(heard.message));
    }

    // Destroying a job does not wait for work that would take long, or for ever.
    void diesWhileRunning()
    {
        const Endless endless;
        auto job = std::make_unique<ReconstructionJob>();
        job->start(jobFor(endless.scan));
        QVERIFY(comes([&] { return endless.reading->load(); }));
        job = std::make_unique<ReconstructionJob>();
        Listener heard(*job);
        std::optional<JobRequest> slow = slowRequest();
        const std::weak_ptr<const engine::Scan> scan = settingOf(*slow).scan;
        job->start(*slow);
        QVERIFY(comes([&] { return !heard.shown.empty(); }));
        job.reset();
        QVERIFY(heard.shown.back().a().isPreview());
        slow.reset();
        heard.shown.clear();
        QVERIFY(comes([&] { return scan.expired(); })); // the work has ended; it emits no signals
        QCOMPARE(heard.finished, 0);
    }
};

SINOSCOPE_TEST(JobEndsTest, QCoreApplication)
#include "job_ends_test.moc"
