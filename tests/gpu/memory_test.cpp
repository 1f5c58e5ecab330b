// SPDX-License-Identifier: GPL-3.0-or-later
// A GPU with occupied memory: requests fail with a clear message or run on the processor, nothing leaks, and the next
// request works. The more memory is left, the later the allocation that fails.
#include "tests/gpu/hoard.h"
#include "tests/gpu/plane_cases.h"

#include "engine/reconstruct/reconstruct.h"
#include "tests/fixtures.h"

using namespace engine;
using namespace fixtures;

class MemoryTest : public QObject
{
    Q_OBJECT

  private slots:
    void memoryTaken_data()
    {
        QTest::addColumn<int>("leaveMegabytes");
        for (const int megabytes : {2, 24, 40, 64, 90, 110, 130, 160, 200, 260, 4000})
            QTest::addRow("%d MB left", megabytes) << megabytes;
    }

    void memoryTaken()
    {
        SINOSCOPE_NEEDS_GPU();
        QFETCH(int, leaveMegabytes);
        const Request request = gpuRequestFor(smallScan(1024, 600, 6), "auto", 2);
        static const auto expected = Reconstructor().run(request).image.values;
        const std::size_t before = freeBytes();
        bool fellBack = false;
        {
            const Hoard hoard(static_cast<std::size_t>(leaveMegabytes) << 20);
            Request onGpu = request;
            onGpu.resources.device = {"cuda", 0};
            const auto error = errorOf([&] { Reconstructor().run(onGpu); });
            if (error) {
                QCOMPARE(int(error->kind()), int(ErrorKind::noMemory));
                QVERIFY2(contains(error->what(), "memory"), error->what());
            }
            const Reconstruction automatic = Reconstructor().run(request);
            fellBack = automatic.method == "cpu";
            QCOMPARE(fellBack, error.has_value());
            if (fellBack)
                QVERIFY(contains(automatic.notes.back(), "the processor took over"));
        }
        if (leaveMegabytes < 30)
            QVERIFY(fellBack);
        if (leaveMegabytes > 1000)
            QVERIFY(!fellBack);
        qInfo("%s", fellBack ? "not enough: the processor took over" : "enough");
        const Reconstruction after = Reconstructor().run(request);
        QCOMPARE(after.method, std::string("alu"));
        QCOMPARE(after.image.values, expected);
        QVERIFY(freeBytes() + (std::size_t{8} << 20) > before); // all of the memory is free again
    }

    // The projections that planes hold in the GPU's memory make way for a volume that needs the memory.
    void planesMakeWay()
    {
        SINOSCOPE_NEEDS_GPU();
        const PlaneCase cone(coneOf(256, 800, 8)); // 210 MB of floats
        const Plane plane = planeAcross(PlaneAxis::x, 100.3, cone.volume);
        const auto volumeIn = [&cone](Workspace& workspace, Volume& image) {
            return launch(*findMethod("texture", cone.geometry),
                          {.sinograms = cone.single,
                           .firstRow = cone.rows.first,
                           .geometry = cone.geometry,
                           .grid = cone.grid(),
                           .kernel = {},
                           .image = image},
                          workspace);
        };
        const int size = cone.volume.size;
        Volume expected(size, size, size), image(size, size, size);
        Workspace fresh, workspace;
        volumeIn(fresh, expected);
        fresh = {};
        const Hoard hoard(std::size_t{850} << 20);
        const Volume held = cone.run("texture", plane, {}, workspace);
        cone.run("texture", plane, {}, workspace);
        QCOMPARE(planesOf(workspace).uploadedProjections(), 800LL); // once: they are held
        QVERIFY(volumeIn(workspace, image).notes.empty());
        QCOMPARE(image.values, expected.values);
        QCOMPARE(planesOf(workspace).uploadedProjections(), 0LL); // no longer
        QCOMPARE(cone.run("texture", plane, {}, workspace).values, held.values);
    }
};

SINOSCOPE_TEST(MemoryTest, QCoreApplication)
#include "memory_test.moc"
