// SPDX-License-Identifier: GPL-3.0-or-later
// A scan that another program is still writing: new projections are added in the window, and the user's changes stay.
#include "engine/io/slices/slice_writer.h"
#include "engine/reconstruct/reconstruct.h"
#include "tests/ui/fixtures.h"
#include "ui/planes/plane_cell.h"
#include "ui/planes/planes_panel.h"

#include <QDir>
#include <QLabel>
#include <QSpinBox>

using namespace ui;
using namespace fixtures;

class GrowingTest : public QObject
{
    Q_OBJECT

    // Writes frames `first` to `last` of a stack of TIFFs, one file each, renamed into place when complete.
    void write(int first, int last) const
    {
        for (int k = first; k <= last; ++k) {
            engine::Volume frame(1, 6, 32);
            for (std::size_t i = 0; i < frame.values.size(); ++i)
                frame.values[i] = float(1000 + 10 * k) + float(i % 32);
            const std::filesystem::path name = m_folder / ("p_" + std::to_string(1000 + k) + ".tif");
            engine::writeTiffImage(m_folder / "part", frame, 0, true, {});
            std::filesystem::rename(m_folder / "part", name);
        }
    }

    // Starts with a folder of the projections 0 to last only.
    void beginWith(Window& window, int last)
    {
        StartOptions start;
        start.scan = QString::fromStdString(m_folder.path().string());
        start.open.angleSteps = engine::AngleSteps{0, 6 * degree};
        start.open.values = engine::Quantity::counts;
        QDir(start.scan).removeRecursively();
        QDir().mkpath(start.scan);
        write(0, last);
        window.begin(start);
    }

  private slots:
    void projectionsJoin()
    {
        Window window;
        beginWith(window, 19);
        QVERIFY2(showsImage(window), qPrintable(window.message()));
        QCOMPARE(window.scan()->projections(), 20);
        child<QSpinBox>(window, "sliceNumber")->setValue(4);
        QVERIFY(showsImage(window));
        write(20, 29);
        QVERIFY2(comes([&] { return window.scan()->projections() == 30; }), qPrintable(window.message()));
        QVERIFY2(window.message().contains(QStringLiteral("being written")), qPrintable(window.message()));
        QVERIFY(showsImage(window));
        QCOMPARE(child<QSpinBox>(window, "sliceNumber")->value(), 4);
        QVERIFY(std::abs(window.scan()->anglesRad()[29] - 29 * 6 * degree) < 1e-9);
    }

    // While there are too few projections to find the axis, the middle is used, and a text over the images says so.
    void axisComesWithTheArc()
    {
        Window window;
        beginWith(window, 9);
        QVERIFY2(showsImage(window), qPrintable(window.message()));
        QVERIFY2(window.message().contains(QStringLiteral("is a guess, the middle of the detector")),
                 qPrintable(window.message()));
        QCOMPARE(window.shown().a().result->axisSource, std::string("guess"));
        QVERIFY(child<QLabel>(window, "axisUsed")->text().contains(QStringLiteral("a guess")));
        write(10, 19);
        QVERIFY2(comes([&] { return window.scan()->projections() == 20; }), qPrintable(window.message()));
        QVERIFY2(showsImage(window), qPrintable(window.message()));
        QCOMPARE(window.shown().a().result->axisSource, std::string("automatic"));
    }

    // The page Planes shows the new projections; its point and angles stay, and its images until new ones come.
    void planesFollow()
    {
        Window window;
        beginWith(window, 19);
        QVERIFY2(showsImage(window), qPrintable(window.message()));
        trigger(window, Qt::CTRL | Qt::Key_3);
        PlanesPanel& panel = *window.findChildren<PlanesPanel*>().front();
        LinkedPlanes planes = panel.planes();
        planes.moveTo({9, 20, 4});
        planes.setAngles(0, {30, 0});
        panel.setPlanes(planes);
        // The full images of the present scan.
        const auto isShown = [&] {
            for (int plane = 0; plane < 3; ++plane)
                if (const Image& image = panel.cell(plane).image(); !image || image->request.scan != window.scan() ||
                                                                    image->request.place.previewStep != 1 ||
                                                                    image->request.place.plane() != planes.plane(plane))
                    return false;
            return true;
        };
        QVERIFY(comes(isShown));
        write(20, 29);
        QVERIFY2(comes([&] { return window.scan()->projections() == 30; }), qPrintable(window.message()));
        for (int plane = 0; plane < 3; ++plane)
            QVERIFY(panel.cell(plane).image());
        QVERIFY2(window.message().contains(QStringLiteral("being written")), qPrintable(window.message()));
        QVERIFY(panel.isVisible());
        QVERIFY(panel.planes() == planes);
        QVERIFY(comes(isShown));
        for (int plane = 0; plane < 3; ++plane) {
            engine::Reconstructor reconstructor;
            engine::Request request = window.settings().request(0);
            request.place.part = engine::PlanePart{planes.plane(plane), true};
            QVERIFY(panel.cell(plane).image()->image.values == reconstructor.run(request).image.values);
        }
    }

  private:
    TemporaryFolder m_folder;
};

SINOSCOPE_TEST(GrowingTest, QApplication)
#include "growing_test.moc"
