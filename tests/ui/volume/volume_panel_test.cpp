// SPDX-License-Identifier: GPL-3.0-or-later
// The panel of the stack: created when needed, moved, destroyed, and absent without OpenGL.
#include "tests/ui/volume/pictures.h"
#include "ui/background/volume_preview.h"
#include "ui/volume/stack_values.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QProcess>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabWidget>
#include <QWindow>

#include <random>

using namespace fixtures;

class VolumePanelTest : public QObject
{
    Q_OBJECT

  private slots:
    void initTestCase()
    {
        if (!qEnvironmentVariableIsSet("SINOSCOPE_EXPECT_NO_OPENGL") && QGuiApplication::platformName() == "xcb")
            QVERIFY2(hasOpenGl(), "this display should have OpenGL 3.2");
    }
    void init()
    {
        if (!qEnvironmentVariableIsSet("SINOSCOPE_EXPECT_NO_OPENGL")) // Qt warns without OpenGL
            m_noWarnings.emplace();
    }
    void cleanup() { m_noWarnings.reset(); }

    void valueRangeSeparatesObjectFromBackground()
    {
        std::mt19937 random(1);
        std::normal_distribution<float> noise(0, 0.05F);
        std::vector<float> values(500000);
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = (i % 4 == 0 ? 1.0F : 0.0F) + noise(random);
        values[7] = std::numeric_limits<float>::quiet_NaN();
        const ui::StackValues range = ui::stackValuesOf(values);
        QVERIFY(range.low < -0.05 && range.low > -0.25);
        QVERIFY(range.high > 1.05 && range.high < 1.25);
        QVERIFY(range.threshold > 0.3 && range.threshold < 0.7);
    }

    void valueRangeOfOddImages()
    {
        for (const std::vector<float>& values :
             {std::vector<float>{}, std::vector<float>{3}, std::vector<float>(1000, -2.5F),
              std::vector<float>(50, std::numeric_limits<float>::infinity())}) {
            const ui::StackValues range = ui::stackValuesOf(values);
            QVERIFY(std::isfinite(range.low) && std::isfinite(range.threshold));
            QVERIFY(range.low < range.high);
        }
    }

    void emptyPanelAsksForTheStack()
    {
        ShownVolume panel({600, 400}, nullptr);
        QVERIFY(!panel.findChild<QLabel*>("message")->text().isEmpty());
        if (!hasOpenGl())
            QSKIP("no OpenGL here: nothing to ask for");
        QSignalSpy asked(&panel, &ui::VolumePanel::reconstructStackRequested);
        for (QPushButton* const button : panel.findChildren<QPushButton*>())
            if (button->isVisible())
                QTest::mouseClick(button, Qt::LeftButton);
        QCOMPARE(asked.count(), 1);
        QCOMPARE(asked.first().first().toInt(), 2);
        panel.clear("Reconstructing");
        QCOMPARE(panel.findChild<QLabel*>("message")->text(), QString("Reconstructing"));
    }

    // A small stack is shown completely, of a large one every second pixel; the user may choose otherwise.
    void resolutionSuitsTheScan()
    {
        ui::VolumePanel panel;
        const QList<QComboBox*> combos = panel.findChildren<QComboBox*>();
        QList<QComboBox*> choices;
        std::ranges::copy_if(combos, std::back_inserter(choices),
                             [](QComboBox* one) { return one->accessibleName() == "Resolution of the stack"; });
        QCOMPARE(choices.size(), 2);
        const auto scanOf = [](int rows, int bins) {
            auto scan = std::make_shared<engine::Scan>();
            engine::ParallelBeam beam;
            beam.bins = bins;
            beam.anglesRad = {0, 1};
            scan->geometry = beam;
            scan->rows = rows;
            return scan;
        };
        const struct {
            int rows, bins, step;
        } cases[] = {{16, 48, 1}, {256, 512, 1}, {257, 512, 2}, {2048, 2048, 2}, {1, 8000, 1}, {64, 1024, 1}};
        for (const auto& one : cases) {
            panel.setScan(scanOf(one.rows, one.bins));
            for (const QComboBox* choice : choices)
                QCOMPARE(choice->currentData().toInt(), one.step);
        }
        panel.setScan(scanOf(9, 100));
        QVERIFY(choices[0]->itemData(0, Qt::ToolTipRole).toString().contains("100 × 100 × 9 voxels"));
        QVERIFY(choices[1]->itemData(1, Qt::ToolTipRole).toString().contains("50 × 50 × 5 voxels"));
        choices[1]->setCurrentIndex(2);
        QCOMPARE(choices[0]->currentData().toInt(), 4);
        QVERIFY(ui::sizeOfStack(scanOf(9, 100), 4) == (std::array{25, 25, 3}));
    }

    void viewIsMadeOnlyWhenNeeded()
    {
        if (!hasOpenGl())
            QSKIP("no OpenGL here");
        QTabWidget tabs;
        auto* const panel = new ui::VolumePanel;
        tabs.addTab(new QWidget, "first");
        tabs.addTab(panel, "3D");
        tabs.resize(600, 400);
        tabs.show();
        QVERIFY(isExposed(&tabs));
        panel->setVolume(ball(16, 16));
        QVERIFY(!viewOf(*panel));
        tabs.setCurrentIndex(1);
        QVERIFY(viewOf(*panel));
        QTRY_VERIFY(viewOf(*panel)->isVisible());
    }

    void windowStaysAsItIs_data()
    {
        QTest::addColumn<bool>("maximised");
        QTest::newRow("normal") << false;
        QTest::newRow("maximised") << true;
    }

    // Qt recreates a window for its first QOpenGLWidget, and then composes the whole window by OpenGL.
    void windowStaysAsItIs()
    {
        if (!hasOpenGl())
            QSKIP("no OpenGL here");
        QFETCH(bool, maximised);
        QTabWidget tabs;
        auto* const panel = new ui::VolumePanel;
        tabs.addTab(new QWidget, "first");
        tabs.addTab(panel, "3D");
        tabs.setGeometry(130, 90, 600, 400);
        maximised ? tabs.showMaximized() : tabs.show();
        QVERIFY(isExposed(&tabs));
        QVERIFY(isLaidOut(tabs));
        const QWindow* const window = tabs.windowHandle();
        const WId id = tabs.winId();
        const QRect geometry = tabs.geometry();
        int hides = 0;
        class Watch : public QObject
        {
          public:
            Watch(int& h) : hides(h) {}
            bool eventFilter(QObject*, QEvent* event) override
            {
                hides += event->type() == QEvent::Hide || event->type() == QEvent::WinIdChange;
                return false;
            }
            int& hides;
        } watch(hides);
        tabs.installEventFilter(&watch);
        tabs.setCurrentIndex(1);
        panel->setVolume(ball(24, 24));
        QTRY_VERIFY(viewOf(*panel) && viewOf(*panel)->isVisible());
        QVERIFY(cover(*panel).middle);
        QVERIFY(isLaidOut(tabs));
        QCOMPARE(tabs.windowHandle(), window);
        QCOMPARE(tabs.winId(), id);
        QCOMPARE(tabs.geometry(), geometry);
        QCOMPARE(tabs.isMaximized(), maximised);
        QCOMPARE(hides, 0);
        QCOMPARE(window->surfaceType(), QSurface::RasterSurface);
    }

    void bufferIsSharedAndReleased()
    {
        if (!hasOpenGl())
            QSKIP("no OpenGL here");
        ui::VolumePanel panel;
        panel.resize(500, 300);
        panel.show();
        auto first = ball(24, 24);
        const std::weak_ptr<engine::Reconstruction> watched = first;
        panel.setVolume(std::move(first));
        QVERIFY(isExposed(&panel));
        QVERIFY(!picture(panel).isNull());
        QVERIFY(!watched.expired());
        panel.setVolume(ball(24, 24));
        QVERIFY(watched.expired());
        QVERIFY(!picture(panel).isNull());
    }

    void movedToAnotherWindow()
    {
        if (!hasOpenGl())
            QSKIP("no OpenGL here");
        QWidget first, second;
        for (QWidget* const window : {&first, &second}) {
            new QHBoxLayout(window);
            window->resize(700, 400);
            window->show();
            QVERIFY(isExposed(window));
        }
        auto* const panel = new ui::VolumePanel;
        first.layout()->addWidget(panel);
        panel->setVolume(ball(32, 32));
        QTRY_VERIFY(viewOf(*panel) && viewOf(*panel)->isVisible());
        QVERIFY(cover(*panel).middle);
        second.layout()->addWidget(panel);
        QTRY_VERIFY(panel->isVisible() && viewOf(*panel)->isVisible());
        QVERIFY(cover(*panel).middle);
    }

    void destroyedWhileRendering()
    {
        if (!hasOpenGl())
            QSKIP("no OpenGL here");
        for (int i = 0; i < 4; ++i) {
            auto panel = std::make_unique<ui::VolumePanel>();
            panel->resize(500, 300);
            panel->show();
            panel->setVolume(ball(32, 32));
            QVERIFY(isExposed(panel.get()));
            if (i % 2)
                QVERIFY(!picture(*panel).isNull());
            viewOf(*panel)->update();
            slider(*panel, "Opacity")->setValue(900);
            if (i >= 2)
                QTimer::singleShot(0, panel.get(), [&panel] { panel.reset(); });
            else
                panel.reset();
            QCoreApplication::processEvents();
            QVERIFY(!panel);
        }
    }

    void withoutOpenGlTheViewSaysSo_data()
    {
        QTest::addColumn<QStringList>("environment");
        QTest::newRow("no display") << QStringList{"QT_QPA_PLATFORM=offscreen"};
        if (QGuiApplication::platformName() != "xcb")
            return;
        QTest::newRow("no GLX") << QStringList{"QT_QPA_PLATFORM=xcb", "QT_XCB_GL_INTEGRATION=none"};
        QTest::newRow("too old") << QStringList{"QT_QPA_PLATFORM=xcb", "LIBGL_ALWAYS_SOFTWARE=1",
                                                "MESA_GL_VERSION_OVERRIDE=2.1"};
    }

    void withoutOpenGlTheViewSaysSo()
    {
        if (qEnvironmentVariableIsSet("SINOSCOPE_EXPECT_NO_OPENGL"))
            QSKIP("this is that process");
        QFETCH(QStringList, environment);
        QProcess process;
        process.setProcessEnvironment(QProcessEnvironment::systemEnvironment());
        QProcessEnvironment variables = process.processEnvironment();
        for (const QString& line : environment)
            variables.insert(line.section('=', 0, 0), line.section('=', 1));
        variables.insert("SINOSCOPE_EXPECT_NO_OPENGL", "1");
        process.setProcessEnvironment(variables);
        process.setProcessChannelMode(QProcess::MergedChannels);
        process.start(QCoreApplication::applicationFilePath(), {"ui/volume/volume_panel_test", "missingOpenGl"});
        QVERIFY(process.waitForFinished(patienceMs));
        const QByteArray output = process.readAll();
        QVERIFY2(process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0, output.constData());
    }

    void missingOpenGl()
    {
        if (!qEnvironmentVariableIsSet("SINOSCOPE_EXPECT_NO_OPENGL"))
            QSKIP("run in a process of its own");
        QVERIFY(!hasOpenGl());
        ShownVolume panel({600, 400}, nullptr);
        panel.setVolume(ball(16, 16));
        panel.setVolume(ball(20, 20));
        QCoreApplication::processEvents();
        QVERIFY(!panel.available());
        QVERIFY(!viewOf(panel));
        auto* const message = panel.findChild<QLabel*>("message");
        QVERIFY(message->isVisible() && message->text().contains("OpenGL"));
        panel.clear();
        QVERIFY(message->text().contains("OpenGL"));
        for (const QPushButton* const button : panel.findChildren<QPushButton*>())
            QVERIFY(!button->isVisible());
    }

  private:
    std::optional<NoWarnings> m_noWarnings;
};

SINOSCOPE_TEST(VolumePanelTest, QApplication)
#include "volume_panel_test.moc"
