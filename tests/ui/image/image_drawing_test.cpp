// SPDX-License-Identifier: GPL-3.0-or-later
// Drawing of the image panel: values as colours and as text, previews, missing images, values that are not numbers.
#include "tests/ui/image/shown_panel.h"
#include "ui/image/colour_map.h"
#include "ui/image/image_header.h"
#include "ui/image/image_statistics.h"
#include "ui/image/value_text.h"

#include <QCheckBox>
#include <QSignalSpy>
#include <QToolButton>

#include <algorithm>
#include <ctime>
#include <limits>
#include <numeric>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(NDEBUG)
constexpr double slowBuild = 10; // slower than a release build by this factor
#else
constexpr double slowBuild = 1;
#endif

using namespace fixtures;
using Content = ui::ImagePanel::Content;

namespace
{

// A disc with two inserts and some texture, similar to a slice through a sample.
float sampleOf(double x, double y, int size)
{
    const double u = 2 * x / size - 1, v = 2 * y / size - 1;
    const double r = std::hypot(u, v);
    if (r > 0.92)
        return static_cast<float>(0.0004 * std::sin(9 * u + 17 * v));
    double value = 0.021 + 0.0012 * std::sin(31 * u) * std::cos(23 * v);
    if (std::hypot(u - 0.3, v + 0.25) < 0.18)
        value = 0.034;
    if (std::hypot(u + 0.35, v - 0.2) < 0.22)
        value = 0.009;
    return static_cast<float>(value);
}

} // namespace

class ImageDrawingTest : public ShownPanel
{
    Q_OBJECT

  private slots:
    void init() { m_noWarnings.emplace(); }
    void cleanup() { close(); }

    void valuesAsText()
    {
        QCOMPARE(ui::valueText(0.0213), QStringLiteral("0.02130"));
        QCOMPARE(ui::valueText(153.21), QStringLiteral("153.2"));
        QCOMPARE(ui::valueText(-1e-4, 2), QStringLiteral("−1.0e−4"));
        QCOMPARE(ui::valueText(1.25e12, 3), QStringLiteral("1.25e12"));
        QCOMPARE(ui::valueText(0), QStringLiteral("0"));
        QCOMPARE(ui::valueText(std::nan("")), QStringLiteral("NaN"));
        QCOMPARE(ui::valueText(-INFINITY), QStringLiteral("−∞"));
        QCOMPARE(ui::valueFromText(QStringLiteral("−1,5e−3")), -1.5e-3);
        QVERIFY(std::isnan(ui::valueFromText(QStringLiteral("1.5 apples"))));
    }

    void percentilesAreExact()
    {
        std::vector<float> values(1001);
        std::iota(values.begin(), values.end(), 0.0f);
        std::reverse(values.begin(), values.end());
        QCOMPARE(ui::percentile(values, 0.5), 500.0);
        QCOMPARE(ui::percentile(values, 0.0255), 25.5);
        const ui::GreyWindow window = ui::automaticWindow(values);
        QCOMPARE(window.low, 5.0);
        QCOMPARE(window.high, 995.0);
        QCOMPARE(ui::automaticRange({-1000.0f, 1.0f}), 1.0 + 0.999 * 999.0);
    }

    void percentilesComeFromTheDisc()
    {
        // 9 outside the disc, a ramp inside: the corners must not count.
        const ui::GridSlice corners = plane(101, [](double x, double y) {
            return std::hypot(x - 50, y - 50) > 50.5 ? 9.0f : static_cast<float>(x / 100);
        });
        std::vector<float> values = ui::sampleDisc(ui::Pixels(corners));
        QVERIFY(*std::max_element(values.begin(), values.end()) <= 1.0f);
        QCOMPARE(ui::percentile(values, 0.5), 0.5);
        QVERIFY(values.size() > 7900 && values.size() < 8100); // π/4 · 101²
    }

    void coloursAreDistinctAndEven()
    {
        for (const ui::ColourMap& map : ui::colourMaps()) {
            for (int i = 0; i < 256; ++i) {
                const QColor colour(map.colours[i]);
                const QColor odd = ui::notFiniteColour();
                const int distance = std::abs(colour.red() - odd.red()) + std::abs(colour.green() - odd.green()) +
                                     std::abs(colour.blue() - odd.blue());
                QVERIFY2(distance > 100, qPrintable(QStringLiteral("%1 %2").arg(map.name).arg(i)));
            }
        }
        const ui::ColourTable& difference = ui::differenceColours();
        for (int i = 0; i < 128; ++i) // both signs have the same brightness
            QVERIFY(std::abs(qGray(difference[i]) - qGray(difference[255 - i])) < 40);
        QVERIFY(qBlue(difference[0]) > qRed(difference[0]) + 60);
        QVERIFY(qRed(difference[255]) > qBlue(difference[255]) + 60);
    }

    void greyMapEndpoints()
    {
        open();
        m_panel->show(comparison(plane(64, ramp)));
        setWindow(0, 1);
        const QImage image = m_panel->rendered(Content::a);
        QCOMPARE(image.size(), QSize(64, 64));
        QCOMPARE(image.pixel(0, 5), qRgb(0, 0, 0));
        QCOMPARE(image.pixel(63, 5), qRgb(255, 255, 255));
        QVERIFY(std::abs(qGray(image.pixel(21, 60)) - 85) <= 1); // 21/63 of the window
        m_panel->setColourMap(QStringLiteral("Inverted grey"));
        QCOMPARE(m_panel->rendered(Content::a).pixel(0, 5), qRgb(255, 255, 255));
        setWindow(0.5, 0.6);
        QCOMPARE(m_panel->rendered(Content::a).pixel(0, 5), qRgb(255, 255, 255));
        QCOMPARE(m_panel->rendered(Content::a).pixel(63, 5), qRgb(0, 0, 0));
        QVERIFY(m_panel->rendered(Content::b).isNull());
        QVERIFY(m_panel->rendered(Content::difference).isNull());
    }

    void screenShowsThePixels()
    {
        open();
        const auto checker = [](double x, double y) { return std::fmod(x + y, 2) < 0.5 ? 1.0f : 0.0f; };
        m_panel->show(comparison(plane(16, checker)));
        setWindow(0, 1);
        m_panel->setMarksVisible(false);
        const QImage screen = viewport("imageA")->grab().toImage();
        const double ratio = screen.devicePixelRatio();
        for (int y = 0; y < 16; ++y)
            for (int x = 0; x < 16; ++x) {
                const QPointF at = view("imageA")->toViewport(QPointF(x, y)) * ratio;
                QCOMPARE(qGray(screen.pixel(at.toPoint())), checker(x, y) > 0 ? 255 : 0);
            }
        // Scaled down to less than one device pixel per pixel, a fine chequerboard is an even grey.
        const ui::Frame frame = ui::resample(ui::Pixels(plane(64, checker)), 0.25, QPointF(0.125, 0.125), {16, 16});
        QCOMPARE(frame.width, 16);
        QCOMPARE(frame.height, 16);
        for (const float value : frame.values)
            QVERIFY(std::abs(value - 0.5f) < 1e-5f);
    }

    void reducedImageKeepsTheMeanAndShowsNaN()
    {
        const ui::GridSlice image = plane(64, [](double x, double y) {
            return x == 20 && y == 40 ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(x);
        });
        const double scale = 0.3;
        const ui::Frame frame = ui::resample(ui::Pixels(image), scale, QPointF(scale / 2, scale / 2), {19, 19});
        int nan = 0;
        for (int y = 0; y < frame.height; ++y)
            for (int x = 0; x < frame.width; ++x) {
                const float value = frame.values[static_cast<std::size_t>(y) * frame.width + x];
                nan += std::isnan(value);
                const double expected = (x + 0.5) / scale - 0.5; // the middle of the device pixel
                if (!std::isnan(value))
                    QVERIFY(std::abs(value - expected) < 0.1); // a staircase would differ from the ramp by more
            }
        QVERIFY(nan >= 1 && nan <= 4);
    }

    void notFiniteIsMagenta()
    {
        open();
        m_panel->show(comparison(plane(64, [](double x, double y) {
            return x == 3 && y == 4   ? std::numeric_limits<float>::quiet_NaN()
                   : x == 5 && y == 6 ? std::numeric_limits<float>::infinity()
                                      : ramp(x, y);
        })));
        const QImage image = m_panel->rendered(Content::a);
        QCOMPARE(image.pixel(3, 4), ui::notFiniteColour().rgb());
        QCOMPARE(image.pixel(5, 6), ui::notFiniteColour().rgb());
        QVERIFY(image.pixel(4, 4) != ui::notFiniteColour().rgb());
        QCOMPARE(child<ui::ImageHeader>(*m_panel, "imageAHeader")->note(), QStringLiteral("2 not finite"));
        QSignalSpy moved(m_panel.get(), &ui::ImagePanel::pointerMoved);
        point(viewport("imageA"), view("imageA")->toViewport({3, 4}));
        // A move that was still pending may be reported first.
        QVERIFY(comes([&] { return !moved.isEmpty() && moved.last()[0].toString().contains("A NaN"); }));
    }

    void differenceIsSymmetric()
    {
        open();
        const auto shifted = [](float by) {
            return [by](double x, double y) { return ramp(x, y) + (x < 32 ? by : -by); };
        };
        m_panel->show(comparison(plane(64, shifted(0.25f)), plane(64, ramp)));
        const QImage image = m_panel->rendered(Content::difference);
        const ui::ColourTable& colours = ui::differenceColours();
        QCOMPARE(image.pixel(5, 30), colours[255]);
        QCOMPARE(image.pixel(60, 30), colours[0]);
        QCOMPARE(child<ui::ImageHeader>(*m_panel, "imageDifferenceHeader")->note(), QStringLiteral("± 0.25 1/mm"));

        // The automatic range follows the difference; a typed range stays.
        auto* range = child<ui::ValueSpinBox>(*m_panel, "differenceRange");
        m_panel->show(comparison(plane(64, shifted(0.125f)), plane(64, ramp)));
        QVERIFY(std::abs(range->value() - 0.125) < 1e-6);
        range->setValue(0.5);
        QVERIFY(!child<QToolButton>(*m_panel, "differenceAutomatic")->isChecked());
        m_panel->show(comparison(plane(64, shifted(0.25f)), plane(64, ramp)));
        QCOMPARE(range->value(), 0.5);
        const QRgb half = m_panel->rendered(Content::difference).pixel(5, 30);
        QCOMPARE(half, colours[191]); // 0.25 of ±0.5
        child<QToolButton>(*m_panel, "differenceAutomatic")->click();
        QVERIFY(std::abs(range->value() - 0.25) < 1e-6);
    }

    void missingImagesAreKeptDimmed()
    {
        open();
        const ui::GridSlice a = plane(64, ramp), b = plane(64, [](double x, double y) { return ramp(x, y) / 2; });
        m_panel->show(comparison(a, b));
        auto* difference = view("imageDifference");
        const QPoint at = difference->toViewport({50, 20}).toPoint();
        const auto colourThere = [&] {
            const QImage screen = difference->viewport()->grab().toImage();
            return screen.pixel((QPointF(at) * screen.devicePixelRatio()).toPoint());
        };
        const QRgb before = colourThere();
        m_panel->show(comparison(plane(64, ramp, 4), b));
        QVERIFY(m_panel->rendered(Content::difference).isNull());
        QCOMPARE(colourThere(), before); // no flicker
        QVERIFY(comes([&] { return colourThere() != before; }));
        m_panel->show(comparison(a, b));
        QCOMPARE(colourThere(), before);
        QVERIFY(!m_panel->rendered(Content::difference).isNull());
    }

    void saysWhatComesAndWhatDoesNot()
    {
        open();
        const ui::GridSlice a = plane(64, ramp), b = plane(64, ramp);
        const ui::Comparison first = comparison(a);
        m_panel->show(first);
        const auto said = [this] { return view("imageB")->message(); };
        QCOMPARE(said(), QStringLiteral("computing exact method, double precision…"));
        m_panel->showExpected(QStringLiteral("12 s left"));
        QCOMPARE(said(), QStringLiteral("computing: 12 s left"));
        m_panel->showStopped(QStringLiteral("Cancelled"), false);
        QCOMPARE(said(), QStringLiteral("Cancelled"));
        m_panel->showStopped(QStringLiteral("Cancelled again"), false);
        m_panel->showComputing();
        QCOMPARE(said(), QStringLiteral("computing: 12 s left"));
        QVERIFY(view("imageA")->message().isEmpty()); // image A is there
        m_panel->show(comparison(a, b));
        m_panel->showExpected(QStringLiteral("7 s left"));
        m_panel->showStopped(QStringLiteral("Cancelled"), false);
        QVERIFY(said().isEmpty()); // no image is missing

        // Over an image that remains visible, the text appears when the image is dimmed, not before.
        m_panel->show(sample::previewed(first));
        m_panel->showExpected(QStringLiteral("9 s left"));
        QVERIFY(said().isEmpty());
        QVERIFY(comes([&] { return said() == QStringLiteral("computing: 9 s left"); }));
        m_panel->showExpected(QStringLiteral("8 s left"));
        QCOMPARE(said(), QStringLiteral("computing: 8 s left"));
    }

    // An image of an earlier request is not shown as if it were the requested one.
    void whatDidNotComeIsNoLongerShown()
    {
        open();
        const auto header = [this](const char* of) { return child<ui::ImageHeader>(*m_panel, of); };
        const ui::GridSlice a = plane(64, ramp), b = plane(64, [](double x, double y) { return ramp(x, y) + 1; });
        m_panel->show(comparison(a, b));
        QVERIFY(view("imageDifference")->pixels());
        m_panel->show(comparison(a)); // another reference, still being computed
        m_panel->showStopped(QStringLiteral("other.h5 is gone"), false);
        QVERIFY(!view("imageB")->pixels());
        QVERIFY(!view("imageDifference")->pixels());
        QVERIFY(view("imageDifference")->caption().isEmpty());
        QCOMPARE(view("imageB")->message(), QStringLiteral("other.h5 is gone"));
        QVERIFY(view("imageA")->pixels() && view("imageA")->message().isEmpty());
        QVERIFY(header("imageAHeader")->note().isEmpty());

        m_panel->show(comparison(a, b));
        m_panel->showStopped(QStringLiteral("no memory"), true); // another image, which did not come at all
        for (const char* each : {"imageA", "imageB"}) {
            QVERIFY(view(each)->pixels());
            QCOMPARE(view(each)->message(), QStringLiteral("no memory"));
        }
        QCOMPARE(header("imageAHeader")->note(), QStringLiteral("outdated"));
        QVERIFY(m_panel->rendered(Content::a).isNull());
        m_panel->show(comparison(a, b));
        QVERIFY(header("imageAHeader")->note().isEmpty());
        QVERIFY(view("imageA")->message().isEmpty());
        QVERIFY(!m_panel->rendered(Content::a).isNull());
    }

    void previewAndFullCoverTheSameRectangle()
    {
        const ui::Pixels full(plane(64, ramp));
        QCOMPARE(full.area(), QRectF(-0.5, -0.5, 64, 64));
        for (const int step : {2, 3, 4, 5, 8}) // 3 and 5 don't divide 64
            QCOMPARE(ui::Pixels(plane(64, ramp, step)).area(), full.area());
        ui::GridSlice corner = plane(64, ramp, 4); // sampled at 0, 4, 8 … instead of in the middle
        corner.grid.x0 = corner.grid.y0 = 0;
        QCOMPARE(ui::Pixels(corner).area(), full.area());
        QCOMPARE(*ui::Pixels(corner).at({5.5, 10}), *ui::Pixels(corner).at({4, 10}));
        ui::GridSlice region = plane(64, ramp);
        region.grid = {64, 10, 20, 64, 64, 0.25};
        QCOMPARE(ui::Pixels(region).area(), QRectF(9.875, 19.875, 16, 16));
        QVERIFY(!ui::Pixels(region).at({9, 25}));
    }

    void emptyAndOddInput()
    {
        open();
        m_panel->clear(QStringLiteral("The axis lies outside the detector."));
        m_panel->show(ui::Comparison{});
        m_panel->fit();
        m_panel->zoomIn();
        m_panel->actualPixels();
        m_panel->autoWindow();
        m_panel->show(comparison(plane(1, [](double, double) { return 1.0f; })));
        QVERIFY(!m_panel->rendered(Content::a).isNull());
        m_panel->show(comparison(plane(7, [](double, double) { return std::numeric_limits<float>::quiet_NaN(); })));
        QCOMPARE(m_panel->rendered(Content::a).pixel(3, 3), ui::notFiniteColour().rgb());
        ui::GridSlice wrong = plane(8, ramp);
        wrong.grid.width = 9; // does not match its volume
        m_panel->show(comparison(wrong));
        QVERIFY(m_panel->rendered(Content::a).isNull());
        m_panel->clear();
        QVERIFY(m_panel->rendered(Content::a).isNull());
        QVERIFY(!m_panel->grab().isNull());
    }

    void bigImagesAreQuick()
    {
        open(1200, 500);
        constexpr int size = 2048;
        std::vector<ui::GridSlice> planes;
        for (int i = 0; i < 4; ++i)
            planes.push_back(plane(size, [i](double x, double y) {
                return sampleOf(x, y, size) + static_cast<float>(1e-4 * i * std::sin(x * y));
            }));
        // Processor time, the minimum of several runs, compared with that of colouring three images in the simplest
        // way: other programs may keep the machine busy, which slows memory down, too.
        const auto milliseconds = [](const std::function<void()>& work) {
            const std::clock_t start = std::clock();
            work();
            return 1000.0 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
        };
        std::array<QRgb, 256> colours;
        for (int k = 0; k < 256; ++k)
            colours[std::size_t(k)] = qRgb(k, 255 - k, k / 2);
        double coloured = INFINITY, shown = INFINITY, painted = INFINITY, rendered = INFINITY;
        for (int i = 0; i < 6; ++i) {
            coloured = std::min(coloured, milliseconds([&] {
                                    for (int k = 0; k < 3; ++k) {
                                        QImage image(size, size, QImage::Format_RGB32);
                                        auto* pixel = reinterpret_cast<QRgb*>(image.bits());
                                        for (const float value : planes[std::size_t(k)].volume->values)
                                            *pixel++ = colours[std::size_t(std::clamp(value, 0.0F, 1.0F) * 255.0F)];
                                    }
                                }));
            shown = std::min(shown, milliseconds([&] { m_panel->show(comparison(planes[i % 2], planes[2 + i % 2])); }));
            painted = std::min(painted, milliseconds([&] {
                                   for (const char* name : {"imageA", "imageB", "imageDifference"})
                                       viewport(name)->repaint();
                               }));
            rendered = std::min(rendered, milliseconds([&] { m_panel->rendered(Content::a); }));
        }
        qInfo("2048²: colouring three %.1f ms, show %.1f ms, painting all three %.1f ms, one coloured pixel by pixel "
              "%.1f ms",
              coloured, shown, painted, rendered);
        QVERIFY(shown < 6 * coloured * slowBuild);
        QVERIFY(painted < 8 * coloured * slowBuild);
        QVERIFY(rendered < 3 * coloured * slowBuild);
    }

    // Pictures for inspection: SINOSCOPE_PICTURES names the folder.
    void pictures()
    {
        const QString folder = qEnvironmentVariable("SINOSCOPE_PICTURES");
        if (folder.isEmpty())
            QSKIP("SINOSCOPE_PICTURES is not set");
        constexpr int size = 640;
        const auto noisy = [](double x, double y) {
            return sampleOf(x, y, size) + static_cast<float>(2e-5 * std::sin(x * 1.7) * std::cos(y * 0.9 + x * 0.2));
        };
        for (const bool dark : {false, true}) {
            QPalette palette;
            if (dark) {
                palette = QPalette(QColor(53, 55, 60), QColor(38, 40, 44));
                palette.setColor(QPalette::Base, QColor(28, 29, 32));
                palette.setColor(QPalette::Highlight, QColor(62, 140, 230));
            }
            qApp->setPalette(palette);
            open(1280, 800);
            ui::GridSlice a = plane(size, noisy, 1, QStringLiteral("A · cpu · linear · half"));
            const ui::GridSlice b = plane(
                size, [](double x, double y) { return sampleOf(x, y, size); }, 1, QStringLiteral("B · exact"));
            m_panel->show(comparison(a));
            m_panel->grab().save(folder + (dark ? "/waiting-dark.png" : "/waiting-light.png"));
            m_panel->show(comparison(a, b));
            ui::ImageView* const shown = view("imageA");
            drag(shown->viewport(), shown->toViewport({400, 120}).toPoint(), shown->toViewport({520, 260}).toPoint(),
                 Qt::ControlModifier);
            point(shown->viewport(), shown->toViewport({200, 400}));
            QVERIFY(isLaidOut(*m_panel));
            m_panel->grab().save(folder + (dark ? "/dark.png" : "/light.png"));
            m_panel->resize(800, 420);
            m_panel->setColourMap(dark ? "Ember" : "Lagoon");
            child<QCheckBox>(*m_panel, "windowShared")->click();
            for (int i = 0; i < 5; ++i)
                m_panel->zoomIn();
            QVERIFY(isLaidOut(*m_panel));
            m_panel->grab().save(folder + (dark ? "/narrow-dark.png" : "/narrow-light.png"));
        }
        qApp->setPalette(QPalette());
    }
};

SINOSCOPE_TEST(ImageDrawingTest, QApplication)
#include "image_drawing_test.moc"
