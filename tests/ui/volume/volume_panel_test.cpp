// The stack in three dimensions: drawn, shared, resized, replaced, and absent where OpenGL is.
#include "engine/scan/scan.h"
#include "ui/volume/value_range.h"
#include "ui/volume/volume_panel.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QProcess>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>
#include <QTabWidget>
#include <QTest>
#include <QTimer>
#include <QWindow>

#include <cmath>
#include <random>

namespace
{

constexpr float ballValue = 1.0F;

// A ball of radius 0.35 of the width in the middle of nothing.
std::shared_ptr<engine::Reconstruction> ball(int slices, int size, std::optional<double> pixelSizeMm = {})
{
    auto scan = std::make_shared<engine::Scan>();
    engine::ParallelBeam beam;
    beam.bins = size;
    beam.pixelSizeMm = pixelSizeMm;
    scan->geometry = beam;
    scan->rows = slices;
    auto result = std::make_shared<engine::Reconstruction>();
    result->request.scan = scan;
    result->request.place.slices = {0, slices};
    result->grid = {size, 0, 0, size, size, 1};
    result->unit = pixelSizeMm ? "1/mm" : "1/pixel";
    result->image = engine::Volume(slices, size, size);
    std::size_t i = 0;
    for (int z = 0; z < slices; ++z)
        for (int y = 0; y < size; ++y)
            for (int x = 0; x < size; ++x, ++i) {
                const double r = std::hypot(x - (size - 1) / 2.0, y - (size - 1) / 2.0, z - (slices - 1) / 2.0);
                result->image.values[i] = r < 0.35 * size ? ballValue : 0.0F;
            }
    return result;
}

QWidget* viewOf(const QWidget& panel)
{
    return panel.findChild<QWidget*>(QStringLiteral("stackView"));
}

QImage picture(const QWidget& panel)
{
    QWidget* const view = viewOf(panel);
    return view ? view->grab().toImage().convertToFormat(QImage::Format_RGB32) : QImage();
}

QList<QCheckBox*> switches(const QWidget& panel)
{
    return panel.findChildren<QCheckBox*>(); // volume, slices, open corner
}

bool differs(QRgb a, QRgb b)
{
    return std::abs(qRed(a) - qRed(b)) + std::abs(qGreen(a) - qGreen(b)) + std::abs(qBlue(a) - qBlue(b)) > 24;
}

// What the stack covers of the view: where it differs from the same view with volume and slices
// switched off. Part of all pixels, and whether the middle is covered.
struct Cover {
    double part = 0;
    bool middle = false;
};

Cover cover(const QWidget& panel)
{
    const QImage with = picture(panel);
    QList<bool> before;
    for (QCheckBox* const box : switches(panel)) {
        before.append(box->isChecked());
        box->setChecked(false);
    }
    const QImage without = picture(panel);
    for (int i = 0; i < before.size(); ++i)
        switches(panel)[i]->setChecked(before[i]);
    if (with.isNull() || with.size() != without.size())
        return {};
    long count = 0;
    for (int y = 0; y < with.height(); ++y)
        for (int x = 0; x < with.width(); ++x)
            count += differs(with.pixel(x, y), without.pixel(x, y));
    const QPoint middle = with.rect().center();
    return {static_cast<double>(count) / (static_cast<double>(with.width()) * with.height()),
            differs(with.pixel(middle), without.pixel(middle))};
}

// Mean difference of two views, 0…255. Rays are spread as time allows, so that pictures of the same
// scene differ at edges.
double meanDifference(const QImage& a, const QImage& b)
{
    if (a.isNull() || a.size() != b.size())
        return std::numeric_limits<double>::quiet_NaN();
    double sum = 0;
    for (int y = 0; y < a.height(); ++y)
        for (int x = 0; x < a.width(); ++x)
            sum += std::abs(qGreen(a.pixel(x, y)) - qGreen(b.pixel(x, y)));
    return sum / (static_cast<double>(a.width()) * a.height());
}

QSlider* slider(const QWidget& panel, const QString& name)
{
    for (QSlider* const candidate : panel.findChildren<QSlider*>())
        if (candidate->accessibleName().startsWith(name))
            return candidate;
    return nullptr;
}

} // namespace

class VolumePanelTest : public QObject
{
    Q_OBJECT

    bool hasOpenGl() const { return m_hasOpenGl; }
    bool m_hasOpenGl = false;

  private slots:
    void initTestCase();
    void valueRangeSeparatesObjectFromBackground();
    void valueRangeOfOddImages();
    void emptyPanelAsksForTheStack();
    void viewIsMadeOnlyWhenNeeded();
    void windowStaysAsItIs_data();
    void windowStaysAsItIs();
    void ballIsInTheMiddle();
    void volumeAloneIsDrawn();
    void thresholdAboveEverythingClearsTheVolume();
    void resizeFillsTheView();
    void secondVolumeReplacesTheFirst();
    void cameraStaysForTheSameSize();
    void bufferIsSharedAndReleased();
    void thinStacksShowPlanesAndSayWhy();
    void controlDragMovesTheSlice();
    void movedToAnotherWindow();
    void destroyedWhileRendering();
    void withoutOpenGlTheViewSaysSo_data();
    void withoutOpenGlTheViewSaysSo();
    void missingOpenGl(); // run by the one above, in a process of its own
};

void VolumePanelTest::initTestCase()
{
    ui::VolumePanel panel;
    m_hasOpenGl = panel.available();
    if (!qEnvironmentVariableIsSet("SINOSCOPE_EXPECT_NO_OPENGL") && QGuiApplication::platformName() == "xcb")
        QVERIFY2(m_hasOpenGl, "this display should have OpenGL 3.2");
}

void VolumePanelTest::valueRangeSeparatesObjectFromBackground()
{
    std::mt19937 random(1);
    std::normal_distribution<float> noise(0, 0.05F);
    std::vector<float> values(500000);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = (i % 4 == 0 ? 1.0F : 0.0F) + noise(random);
    values[7] = std::numeric_limits<float>::quiet_NaN();
    const ui::ValueRange range = ui::valueRange(values);
    QVERIFY(range.low < -0.05 && range.low > -0.25);
    QVERIFY(range.high > 1.05 && range.high < 1.25);
    QVERIFY(range.threshold > 0.3 && range.threshold < 0.7);
}

void VolumePanelTest::valueRangeOfOddImages()
{
    for (const std::vector<float>& values :
         {std::vector<float>{}, std::vector<float>{3}, std::vector<float>(1000, -2.5F),
          std::vector<float>(50, std::numeric_limits<float>::infinity())}) {
        const ui::ValueRange range = ui::valueRange(values);
        QVERIFY(std::isfinite(range.low) && std::isfinite(range.threshold));
        QVERIFY(range.low < range.high);
    }
}

void VolumePanelTest::emptyPanelAsksForTheStack()
{
    ui::VolumePanel panel;
    panel.resize(600, 400);
    panel.show();
    QVERIFY(QTest::qWaitForWindowExposed(&panel));
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

void VolumePanelTest::viewIsMadeOnlyWhenNeeded()
{
    if (!hasOpenGl())
        QSKIP("no OpenGL here");
    QTabWidget tabs;
    auto* const panel = new ui::VolumePanel;
    tabs.addTab(new QWidget, "first");
    tabs.addTab(panel, "3D");
    tabs.resize(600, 400);
    tabs.show();
    QVERIFY(QTest::qWaitForWindowExposed(&tabs));
    panel->setVolume(ball(16, 16));
    QVERIFY(!viewOf(*panel));
    tabs.setCurrentIndex(1);
    QVERIFY(viewOf(*panel));
    QTRY_VERIFY(viewOf(*panel)->isVisible());
}

void VolumePanelTest::windowStaysAsItIs_data()
{
    QTest::addColumn<bool>("maximised");
    QTest::newRow("normal") << false;
    QTest::newRow("maximised") << true;
}

// Qt would make a window anew for a first QOpenGLWidget, and compose all of it by OpenGL from then on.
void VolumePanelTest::windowStaysAsItIs()
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
    QVERIFY(QTest::qWaitForWindowExposed(&tabs));
    QTest::qWait(100);
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
    QTest::qWait(300);
    QCOMPARE(tabs.windowHandle(), window);
    QCOMPARE(tabs.winId(), id);
    QCOMPARE(tabs.geometry(), geometry);
    QCOMPARE(tabs.isMaximized(), maximised);
    QCOMPARE(hides, 0);
    QCOMPARE(window->surfaceType(), QSurface::RasterSurface);
}

void VolumePanelTest::ballIsInTheMiddle()
{
    if (!hasOpenGl())
        QSKIP("no OpenGL here");
    ui::VolumePanel panel;
    panel.resize(800, 500);
    panel.show();
    panel.setVolume(ball(48, 48, 0.01));
    QVERIFY(QTest::qWaitForWindowExposed(&panel));
    const Cover covered = cover(panel);
    QVERIFY(covered.middle);
    QVERIFY2(covered.part > 0.05 && covered.part < 0.7, qPrintable(QString::number(covered.part)));
}

void VolumePanelTest::volumeAloneIsDrawn()
{
    if (!hasOpenGl())
        QSKIP("no OpenGL here");
    ui::VolumePanel panel;
    panel.resize(800, 500);
    panel.show();
    panel.setVolume(ball(48, 48));
    QVERIFY(QTest::qWaitForWindowExposed(&panel));
    switches(panel)[1]->setChecked(false);
    const Cover covered = cover(panel);
    QVERIFY(covered.middle);
    QVERIFY2(covered.part > 0.02 && covered.part < 0.5, qPrintable(QString::number(covered.part)));
    switches(panel)[0]->setChecked(false);
    QVERIFY(!cover(panel).middle);
}

void VolumePanelTest::thresholdAboveEverythingClearsTheVolume()
{
    if (!hasOpenGl())
        QSKIP("no OpenGL here");
    ui::VolumePanel panel;
    panel.resize(800, 500);
    panel.show();
    panel.setVolume(ball(48, 48));
    QVERIFY(QTest::qWaitForWindowExposed(&panel));
    switches(panel)[1]->setChecked(false);
    QSlider* const threshold = slider(panel, "Threshold");
    QVERIFY(threshold);
    threshold->setValue(threshold->maximum() / 2);
    const double before = cover(panel).part;
    threshold->setValue(threshold->maximum());
    const double after = cover(panel).part;
    QVERIFY2(after < before / 10, qPrintable(QString("%1 → %2").arg(before).arg(after)));
}

void VolumePanelTest::resizeFillsTheView()
{
    if (!hasOpenGl())
        QSKIP("no OpenGL here");
    ui::VolumePanel panel;
    panel.resize(500, 300);
    panel.show();
    panel.setVolume(ball(32, 32));
    QVERIFY(QTest::qWaitForWindowExposed(&panel));
    for (const QSize size : {QSize(900, 700), QSize(460, 380), QSize(800, 300)}) {
        panel.resize(size);
        QWidget* const view = viewOf(panel);
        QTRY_COMPARE(panel.size(), size);
        QCOMPARE(picture(panel).size(), view->size() * view->devicePixelRatio());
        QVERIFY(cover(panel).middle);
    }
}

void VolumePanelTest::secondVolumeReplacesTheFirst()
{
    if (!hasOpenGl())
        QSKIP("no OpenGL here");
    ui::VolumePanel panel;
    panel.resize(800, 500);
    panel.show();
    panel.setVolume(ball(40, 40));
    QVERIFY(QTest::qWaitForWindowExposed(&panel));
    const QImage first = picture(panel);
    panel.setVolume(ball(20, 56));
    QVERIFY(meanDifference(first, picture(panel)) > 5);
    QCOMPARE(slider(panel, "Slice")->maximum(), 19);
    QCOMPARE(slider(panel, "Column")->maximum(), 55);
    panel.clear();
    QVERIFY(panel.findChild<QLabel*>("message")->isVisible());
    panel.setVolume(ball(40, 40));
    QVERIFY(meanDifference(first, picture(panel)) < 1.5);
}

void VolumePanelTest::cameraStaysForTheSameSize()
{
    if (!hasOpenGl())
        QSKIP("no OpenGL here");
    ui::VolumePanel panel;
    panel.resize(800, 500);
    panel.show();
    panel.setVolume(ball(32, 32));
    QVERIFY(QTest::qWaitForWindowExposed(&panel));
    QWidget* const view = viewOf(panel);
    const QImage before = picture(panel);
    const QPoint middle = view->rect().center();
    QTest::mousePress(view, Qt::LeftButton, {}, middle);
    QTest::mouseMove(view, middle + QPoint(60, 25));
    QTest::mouseRelease(view, Qt::LeftButton, {}, middle + QPoint(60, 25));
    const QImage turned = picture(panel);
    QVERIFY(meanDifference(turned, before) > 3);
    slider(panel, "Opacity")->setValue(800);
    panel.setVolume(ball(32, 32));
    QCOMPARE(slider(panel, "Opacity")->value(), 800);
    slider(panel, "Opacity")->setValue(500);
    QVERIFY(meanDifference(turned, picture(panel)) < 1.5);
}

void VolumePanelTest::bufferIsSharedAndReleased()
{
    if (!hasOpenGl())
        QSKIP("no OpenGL here");
    ui::VolumePanel panel;
    panel.resize(500, 300);
    panel.show();
    auto first = ball(24, 24);
    const std::weak_ptr<engine::Reconstruction> watched = first;
    panel.setVolume(std::move(first));
    QVERIFY(QTest::qWaitForWindowExposed(&panel));
    QVERIFY(!picture(panel).isNull());
    QVERIFY(!watched.expired());
    panel.setVolume(ball(24, 24));
    QVERIFY(watched.expired());
    QVERIFY(!picture(panel).isNull());
}

void VolumePanelTest::thinStacksShowPlanesAndSayWhy()
{
    if (!hasOpenGl())
        QSKIP("no OpenGL here");
    ui::VolumePanel panel;
    panel.resize(800, 500);
    panel.show();
    for (const int slices : {1, 2}) {
        panel.setVolume(ball(slices, 64));
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        QVERIFY(cover(panel).middle);
        auto* const note = panel.findChild<QLabel*>("note");
        QVERIFY(note->isVisible() && !note->text().isEmpty());
        QVERIFY(!slider(panel, "Opacity")->isEnabled());
    }
    panel.setVolume(ball(16, 16));
    QVERIFY(!panel.findChild<QLabel*>("note")->isVisible());
    QVERIFY(slider(panel, "Opacity")->isEnabled());
}

void VolumePanelTest::controlDragMovesTheSlice()
{
    if (!hasOpenGl())
        QSKIP("no OpenGL here");
    ui::VolumePanel panel;
    panel.resize(800, 500);
    panel.show();
    panel.setVolume(ball(64, 64));
    QVERIFY(QTest::qWaitForWindowExposed(&panel));
    QWidget* const view = viewOf(panel);
    QVERIFY(!picture(panel).isNull());
    const auto positions = [&panel] {
        return std::array{slider(panel, "Column")->value(), slider(panel, "Row")->value(),
                          slider(panel, "Slice")->value()};
    };
    const auto before = positions();
    const QPoint middle = view->rect().center();
    QTest::mousePress(view, Qt::LeftButton, Qt::ControlModifier, middle);
    QMouseEvent move(QEvent::MouseMove, middle + QPoint(40, -40), view->mapToGlobal(middle + QPoint(40, -40)),
                     Qt::NoButton, Qt::LeftButton, Qt::ControlModifier);
    QCoreApplication::sendEvent(view, &move);
    QTest::mouseRelease(view, Qt::LeftButton, Qt::ControlModifier, middle + QPoint(40, -40));
    const auto after = positions();
    int moved = 0;
    for (int k = 0; k < 3; ++k)
        moved += before[k] != after[k];
    QCOMPARE(moved, 1);
}

void VolumePanelTest::movedToAnotherWindow()
{
    if (!hasOpenGl())
        QSKIP("no OpenGL here");
    QWidget first, second;
    for (QWidget* const window : {&first, &second}) {
        new QHBoxLayout(window);
        window->resize(700, 400);
        window->show();
        QVERIFY(QTest::qWaitForWindowExposed(window));
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

void VolumePanelTest::destroyedWhileRendering()
{
    if (!hasOpenGl())
        QSKIP("no OpenGL here");
    for (int i = 0; i < 4; ++i) {
        auto panel = std::make_unique<ui::VolumePanel>();
        panel->resize(500, 300);
        panel->show();
        panel->setVolume(ball(32, 32));
        QVERIFY(QTest::qWaitForWindowExposed(panel.get()));
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

void VolumePanelTest::withoutOpenGlTheViewSaysSo_data()
{
    QTest::addColumn<QStringList>("environment");
    QTest::newRow("no display") << QStringList{"QT_QPA_PLATFORM=offscreen"};
    if (QGuiApplication::platformName() != "xcb")
        return;
    QTest::newRow("no GLX") << QStringList{"QT_QPA_PLATFORM=xcb", "QT_XCB_GL_INTEGRATION=none"};
    QTest::newRow("too old") << QStringList{"QT_QPA_PLATFORM=xcb", "LIBGL_ALWAYS_SOFTWARE=1",
                                            "MESA_GL_VERSION_OVERRIDE=2.1"};
}

void VolumePanelTest::withoutOpenGlTheViewSaysSo()
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
    process.start(QCoreApplication::applicationFilePath(), {"missingOpenGl"});
    QVERIFY(process.waitForFinished(60000));
    const QByteArray output = process.readAll();
    QVERIFY2(process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0, output.constData());
}

void VolumePanelTest::missingOpenGl()
{
    if (!qEnvironmentVariableIsSet("SINOSCOPE_EXPECT_NO_OPENGL"))
        QSKIP("run in a process of its own");
    QVERIFY(!hasOpenGl());
    ui::VolumePanel panel;
    panel.resize(600, 400);
    panel.show();
    QVERIFY(QTest::qWaitForWindowExposed(&panel));
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

QTEST_MAIN(VolumePanelTest)
#include "volume_panel_test.moc"
