// SPDX-License-Identifier: GPL-3.0-or-later
// The planes and the page in front in sessions: saved and opened again, absent, or outside the volume.
#include "engine/documents/session.h"
#include "tests/ui/jobs.h"
#include "ui/planes/plane_cell.h"
#include "ui/planes/planes_panel.h"

#include <QTabWidget>

using namespace ui;
using namespace fixtures;

class PlanesSessionTest : public QObject
{
    Q_OBJECT

    static PlanesPanel& panelOf(MainWindow& window) { return *window.findChildren<PlanesPanel*>().front(); }

    static bool opens(Window& window)
    {
        return window.opensSimulation(simulationOf(engine::Phantom::sheppLogan3d, 48, 60, 20));
    }

    // The planes as the test turns them; off the middle, and no whole numbers.
    static LinkedPlanes turned(MainWindow& window)
    {
        LinkedPlanes planes = panelOf(window).planes();
        planes.moveTo({13.25, 30, 4.5});
        planes.setAngles(0, {30, -15});
        planes.setAngles(2, {0, 0.125});
        return planes;
    }

    // Stores a session of the window, and returns it.
    engine::Session saved(Window& window) const
    {
        window.saveSession(m_file);
        return engine::readSession(m_file.toStdString());
    }

    bool opensAgain(Window& window, const engine::Session& session) const
    {
        engine::writeSession(session, m_file.toStdString(), true);
        window.open(m_file);
        return settles(window);
    }

  private slots:
    void planesAndPageComeBack()
    {
        LinkedPlanes planes;
        {
            Window window({1280, 800});
            QVERIFY(opens(window));
            planes = turned(window);
            panelOf(window).setPlanes(planes);
            trigger(window, Qt::CTRL | Qt::Key_3);
            QVERIFY(saved(window).planes);
        }
        for (const bool isOverAnother : {false, true}) {
            Window window({1280, 800});
            QVERIFY(!isOverAnother || window.opensSmall());
            window.open(m_file);
            QVERIFY(settles(window));
            QVERIFY2(window.message().isEmpty(), qPrintable(window.message()));
            PlanesPanel& panel = panelOf(window);
            QVERIFY(panel.planes() == planes);
            QVERIFY(panel.isVisible());
            for (int plane = 0; plane < 3; ++plane)
                QVERIFY(comes([&] {
                    const Image& image = panel.cell(plane).image();
                    return image && image->request.place.plane() == planes.plane(plane) &&
                           image->request.place.previewStep == 1;
                }));
        }
    }

    // Each plane has its own, also those that don't fit every image.
    void marksComeBack()
    {
        LinkedPlanes planes;
        std::array<engine::Marks, 3> marks;
        {
            Window window({1280, 800});
            QVERIFY(opens(window));
            trigger(window, Qt::CTRL | Qt::Key_3);
            PlanesPanel& panel = panelOf(window);
            planes = turned(window);
            panel.setPlanes(planes);
            const auto hasImage = [&](int plane) {
                const Image& image = panel.cell(plane).image();
                return image && image->request.place.plane() == planes.plane(plane);
            };
            QVERIFY(comes([&] { return hasImage(0) && hasImage(1) && hasImage(2); }));
            for (const int plane : {0, 1}) {
                engine::Marks next = panel.cell(plane).marks().marks();
                next.add(engine::Line{1, 2.0 + plane, 40, plane == 0 ? 30.0 : 15.0}); // beyond x as it isn't turned
                panel.cell(plane).marks().editMarks(next, false);
                marks[static_cast<std::size_t>(plane)] = next;
            }
            QVERIFY(saved(window).planes->marks == marks);
        }
        Window window({1280, 800});
        window.open(m_file);
        QVERIFY(settles(window));
        QVERIFY2(window.message().isEmpty(), qPrintable(window.message()));
        PlanesPanel& panel = panelOf(window);
        for (int plane = 0; plane < 3; ++plane) {
            QVERIFY(comes([&] {
                const Image& image = panel.cell(plane).image();
                return image && image->request.place.plane() == planes.plane(plane);
            }));
            if (plane < 2)
                QVERIFY(panel.cell(plane).marks().marks() == marks[static_cast<std::size_t>(plane)]);
        }
        QVERIFY(panel.cell(2).givenMarks() == engine::Marks());
        QVERIFY(panel.cell(2).marks().marks().line() && panel.cell(2).marks().marks().area()); // the initial ones
        QVERIFY(saved(window).planes->marks == marks);
    }

    void aSessionWithoutPlanesOpens()
    {
        Window window({1280, 800});
        QVERIFY(opens(window));
        trigger(window, Qt::CTRL | Qt::Key_3);
        const LinkedPlanes planes = panelOf(window).planes();
        engine::Session old = saved(window);
        old.planes.reset();
        old.window.clear();
        QVERIFY(opensAgain(window, old));
        QVERIFY2(window.message().isEmpty(), qPrintable(window.message()));
        QVERIFY(panelOf(window).isVisible()); // such a session chooses no page
        QVERIFY(panelOf(window).planes() == planes);
    }

    void aPointOutsideIsReported()
    {
        Window window({1280, 800});
        QVERIFY(opens(window));
        engine::Session session = saved(window);
        session.planes = engine::SessionPlanes{{13, 30, 20}, {{{30, 0}, {}, {}}}}; // slices 0 to 19
        const LinkedPlanes planes = panelOf(window).planes();
        QVERIFY(opensAgain(window, session));
        QVERIFY2(window.message().contains(QStringLiteral("slice 20")), qPrintable(window.message()));
        QVERIFY(panelOf(window).planes() == planes);
    }

    void thePageOfOneSliceIsNotPlanes()
    {
        Window window({1280, 800});
        QVERIFY(window.opensSimulation(simulationOf(engine::Phantom::sheppLogan, 48, 60)));
        engine::Session session = saved(window);
        QVERIFY(!session.planes);
        session.window = R"({"page": "planes"})";
        QVERIFY(opensAgain(window, session));
        QVERIFY(!panelOf(window).isVisible());
        session.window = R"({"page": ["volume"]})"; // unknown names are ignored
        QVERIFY(opensAgain(window, session));
        QCOMPARE(panelOf(window).isVisible(), false);
    }

  private:
    TemporaryFolder m_folder;
    QString m_file = m_folder.file(QStringLiteral("planes.sinoscope"));
};

SINOSCOPE_TEST(PlanesSessionTest, QApplication)
#include "planes_session_test.moc"
