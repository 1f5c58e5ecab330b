// SPDX-License-Identifier: GPL-3.0-or-later
// Curves of eight settings: distinguishable by colour and stroke in both themes, also by colour-blind users, visible
// where they coincide, and named by legends that fit.
#include "tests/ui/fixtures.h"
#include "ui/widgets/plot_style.h"
#include "ui/widgets/theme.h"

#include <array>
#include <cmath>

using namespace ui;

namespace
{

constexpr int eight = 8; // settings

using Triple = std::array<double, 3>;

struct SimulatedVision {
    const char* name;
    std::array<Triple, 3> matrix; // of linear RGB
};

// Source: Machado, Oliveira and Fernandes 2009, "A physiologically-based model for simulation of color vision
// deficiency", severity 1.
constexpr SimulatedVision simulatedVisions[] = {
    {"normal", {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}},
    {"protanopia",
     {{{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}}},
    {"deuteranopia",
     {{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}}},
    {"tritanopia",
     {{{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}}}};

Triple linearOf(const QColor& colour)
{
    const auto of = [](double part) { return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4); };
    return {of(colour.redF()), of(colour.greenF()), of(colour.blueF())};
}

Triple product(const std::array<Triple, 3>& matrix, const Triple& of)
{
    Triple made{};
    for (std::size_t row = 0; row < 3; ++row)
        made[row] = matrix[row][0] * of[0] + matrix[row][1] * of[1] + matrix[row][2] * of[2];
    return made;
}

// Returns CIELAB for the white point D65.
Triple labOf(const Triple& rgb)
{
    constexpr std::array<Triple, 3> toXyz = {
        {{0.4124564, 0.3575761, 0.1804375}, {0.2126729, 0.7151522, 0.0721750}, {0.0193339, 0.1191920, 0.9503041}}};
    const Triple xyz = product(toXyz, rgb);
    const auto of = [](double part) {
        return part > 216.0 / 24389 ? std::cbrt(part) : (24389.0 / 27 * part + 16) / 116;
    };
    const double x = of(xyz[0] / 0.95047), y = of(xyz[1]), z = of(xyz[2] / 1.08883);
    return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

double labDistance(const QColor& one, const QColor& other, const SimulatedVision& vision)
{
    const auto seen = [&](const QColor& colour) {
        Triple rgb = product(vision.matrix, linearOf(colour));
        for (double& part : rgb)
            part = std::clamp(part, 0.0, 1.0);
        return labOf(rgb);
    };
    const Triple a = seen(one), b = seen(other);
    return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

// Contrast ratio after WCAG 2.1, from 1 to 21.
double contrastOf(const QColor& one, const QColor& other)
{
    const auto luminance = [](const QColor& colour) {
        const Triple rgb = linearOf(colour);
        return 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2] + 0.05;
    };
    const auto [darker, lighter] = std::minmax(luminance(one), luminance(other));
    return lighter / darker;
}

int countNear(const QImage& image, const QColor& colour)
{
    int count = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) {
            const QColor pixel = image.pixelColor(x, y);
            count += std::abs(pixel.red() - colour.red()) + std::abs(pixel.green() - colour.green()) +
                                 std::abs(pixel.blue() - colour.blue()) <
                             60
                         ? 1
                         : 0;
        }
    return count;
}

} // namespace

class CurveColoursTest : public QObject
{
    Q_OBJECT

  private slots:
    void eightSettingsDiffer()
    {
        constexpr double leastDistance = 30; // in CIELAB, between curves with the same stroke
        for (const bool dark : {false, true}) {
            const QPalette palette = paletteOf(dark);
            for (int k = 0; k < eight; ++k)
                for (int other = 0; other < k; ++other) {
                    const QColor one = settingColour(palette, k), two = settingColour(palette, other);
                    QVERIFY(one != two);
                    if (settingStroke(k) != settingStroke(other))
                        continue;
                    for (const SimulatedVision& vision : simulatedVisions) {
                        const double apart = labDistance(one, two, vision);
                        QVERIFY2(apart >= leastDistance, qPrintable(QStringLiteral("%1 and %2, %3, dark %4: %5")
                                                                        .arg(other)
                                                                        .arg(k)
                                                                        .arg(QLatin1String(vision.name))
                                                                        .arg(dark)
                                                                        .arg(apart)));
                    }
                }
        }
        // The check itself: the simulation turns red and green of the same lightness into the same colour.
        QVERIFY(labDistance(QColor(0xb0, 0x60, 0x00), QColor(0x70, 0x80, 0x00), simulatedVisions[0]) > leastDistance);
        QVERIFY(labDistance(QColor(0xb0, 0x60, 0x00), QColor(0x70, 0x80, 0x00), simulatedVisions[2]) < leastDistance);
    }

    void theyContrastWithTheBackground()
    {
        for (const bool dark : {false, true})
            for (int k = 0; k < eight; ++k) {
                const QPalette palette = paletteOf(dark);
                QVERIFY2(contrastOf(settingColour(palette, k), palette.color(QPalette::Base)) >= 3,
                         qPrintable(QStringLiteral("%1, dark %2").arg(k).arg(dark)));
            }
        QVERIFY(std::abs(contrastOf(Qt::white, Qt::black) - 21) < 1e-9);
    }

    // More settings than colours repeat no pair of colour and stroke.
    void pensRepeatLate()
    {
        const QPalette palette = paletteOf(false);
        std::vector<QPen> pens;
        for (int k = 0; k < 4 * eight; ++k) {
            const QPen pen = settingPen(palette, k, 1.5);
            QVERIFY(std::ranges::find(pens, pen) == pens.end());
            QVERIFY(std::abs(settingPen(palette, k, 3).dashPattern().value(0) * 2 - pen.dashPattern().value(0)) < 1e-9);
            pens.push_back(pen);
        }
    }

    void samplesShowColourAndStroke()
    {
        const QPalette palette = paletteOf(true);
        for (int k = 0; k < eight; ++k) {
            const QImage sample = strokeSample(palette, k, 2).toImage();
            QCOMPARE(sample.size(), 2 * strokeSampleSize);
            const int coloured = countNear(sample, settingColour(palette, k));
            QVERIFY(coloured > 60);
            if (settingStroke(k) != Stroke::solid)
                QVERIFY(coloured < 0.9 * countNear(strokeSample(palette, 0, 2).toImage(), settingColour(palette, 0)));
        }
    }

    // Curves that coincide are all visible, whichever is drawn first.
    void coincidingCurvesAreVisible()
    {
        for (const auto& [first, second] : {std::pair(0, 1), std::pair(1, 0), std::pair(0, 4), std::pair(4, 0),
                                            std::pair(2, 6), std::pair(7, 2), std::pair(5, 1)}) {
            Plot plot;
            plot.resize(400, 200);
            plot.setPlottingHint(QCP::phFastPolylines, true);
            for (const int k : {first, second}) {
                QCPGraph* graph = plot.addCurve(plot.xAxis, plot.yAxis);
                graph->setData({0, 1, 2}, {0.2, 0.8, 0.4});
                plot.drawAsSetting(graph, plot.palette(), k);
            }
            plot.xAxis->setRange(0, 2);
            const QImage image = plot.toPixmap(400, 200, 2).toImage();
            for (const int k : {first, second})
                QVERIFY2(countNear(image, settingColour(plot.palette(), k)) > 150,
                         qPrintable(QStringLiteral("%1 of %2 and %3").arg(k).arg(first).arg(second)));
        }
    }

    // Fast drawing puts the dashes where slow drawing puts them, and ends lines at numbers that are missing.
    void dashesAreTheSame()
    {
        std::vector<QImage> images;
        for (const bool isFast : {false, true}) {
            Plot plot;
            plot.resize(400, 200);
            plot.setPlottingHint(QCP::phFastPolylines, isFast);
            QCPGraph* graph = plot.addCurve(plot.xAxis, plot.yAxis);
            graph->setData({0, 1, 2, 2.5, 3, 4}, {0.2, 0.8, 0.4, qQNaN(), 0.4, 1e9});
            plot.drawAsSetting(graph, plot.palette(), 3);
            plot.xAxis->setRange(0, 4);
            plot.yAxis->setRange(0, 1);
            plot.replot();
            images.push_back(plot.grab().toImage());
        }
        const QColor colour = settingColour(QPalette(), 3);
        const int slow = countNear(images[0], colour), fast = countNear(images[1], colour);
        QVERIFY2(slow > 100 && std::abs(fast - slow) < 0.2 * slow,
                 qPrintable(QStringLiteral("%1 and %2 pixels").arg(slow).arg(fast)));
    }

    void legendsFit()
    {
        for (const int width : {260, 420, 900}) {
            Plot plot;
            plot.resize(width, 500);
            auto* rect = new QCPAxisRect(&plot);
            plot.plotLayout()->clear();
            auto* legend = new CurveLegend(&plot);
            plot.plotLayout()->addElement(1, 0, rect);
            QStringList names;
            for (int k = 0; k < eight + 1; ++k) {
                names << QStringLiteral("%1 · a long name that ends in the number %2").arg(QChar(u'A' + k)).arg(k);
                legend->add(plot.addGraph(rect->axis(QCPAxis::atBottom), rect->axis(QCPAxis::atLeft)), names.back(),
                            names.back().left(1));
            }
            legend->fit({width, 500}, curveColours(plot.palette()), plotFont(plot.font()));
            plot.toPixmap(width, 500);
            QStringList found;
            for (int k = 0; k < legend->itemCount(); ++k)
                if (const QCPAbstractLegendItem* item = legend->item(k)) {
                    const QRect place = item->outerRect();
                    QVERIFY2(place.left() >= 0 && place.right() < width && place.bottom() < rect->top(),
                             qPrintable(QString::number(width)));
                    const QString shown = plot.graph(static_cast<int>(found.size()))->name();
                    QVERIFY2(shown.startsWith(names[found.size()].left(1)) &&
                                 shown.contains(QChar(0x2026)) == (width < 900) &&
                                 shown.endsWith(names[found.size()].right(1)),
                             qPrintable(shown)); // elided in the middle, if there is no room
                    found << legend->tipAt(place.center());
                }
            QCOMPARE(found, names);
            QVERIFY(rect->height() > 320);
            legend->fit({width, 100}, curveColours(plot.palette()), plotFont(plot.font())); // with brief names
            QVERIFY(legend->rowCount() <= (width < 500 ? 3 : 1) && plot.graph(0)->name() == QStringLiteral("A"));
            legend->clear();
            legend->add(plot.graph(0), QStringLiteral("A"));
            legend->fit({width, 500}, curveColours(plot.palette()), plotFont(plot.font()));
            QCOMPARE(plot.graph(0)->name(), QStringLiteral("A"));
        }
    }

    // A long name is whole if short ones leave room for it, and rows are higher than their letters.
    void legendNamesAreWhole()
    {
        Plot plot;
        plot.resize(620, 200);
        plot.plotLayout()->clear();
        auto* rect = new QCPAxisRect(&plot);
        auto* legend = new CurveLegend(&plot);
        plot.plotLayout()->addElement(1, 0, rect);
        const QStringList names{"A · linear", "B · gypqj(half)", "C · oversampled ×2, gypqj",
                                "D · cubic",  "E · gypqj",       "exact method"};
        for (const QString& name : names)
            legend->add(plot.addGraph(rect->axis(QCPAxis::atBottom), rect->axis(QCPAxis::atLeft)), name);
        const CurveColours colours = curveColours(plot.palette());
        legend->fit({620, 200}, colours, plotFont(plot.font()));
        QStringList found;
        for (int k = 0; k < plot.graphCount(); ++k)
            found << plot.graph(k)->name();
        QCOMPARE(found, names);
        QCOMPARE(legend->rowCount(), 2);
        plot.toPixmap(620, 200);
        const int letters = QFontMetrics(plotFont(plot.font())).height();
        for (int k = 0; k < plot.graphCount(); ++k) // letters without hinting extend further down than their metrics
            QVERIFY(legend->itemWithPlottable(plot.graph(k))->outerRect().height() > letters);
    }
};

SINOSCOPE_TEST(CurveColoursTest, QApplication)
#include "curve_colours_test.moc"
