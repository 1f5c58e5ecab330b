// SPDX-License-Identifier: GPL-3.0-or-later
// Figures for publications: size, contents, formats, and what happens if they can't be written.
#include "engine/base/error.h"
#include "tests/ui/drawn_texts.h"
#include "tests/ui/fixtures.h"
#include "ui/background/comparison.h"
#include "ui/image/figure.h"
#include "ui/image/image_panel.h"
#include "ui/numbers/number_tabs.h"
#include "ui/numbers/numbers_panel.h"
#include "ui/profile/profile_panel.h"
#include "ui/saving/figure_dialog.h"
#include "ui/views/views.h"

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QDoubleSpinBox>
#include <QGraphicsView>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>

using namespace ui;
using namespace fixtures;

class FigureTest : public QObject
{
    Q_OBJECT

    // Returns the pixels that differ from white.
    static int drawn(const QImage& image, const QRect& part)
    {
        int count = 0;
        for (int y = part.top(); y <= part.bottom(); ++y)
            for (int x = part.left(); x <= part.right(); ++x)
                count += image.pixel(x, y) != qRgb(255, 255, 255);
        return count;
    }

    // That of the page Slice: planes have another one.
    static ProfilePanel* profileOf(MainWindow& window)
    {
        return qobject_cast<ProfilePanel*>(child<QWidget>(window, "profilePlot")->parentWidget());
    }

  private slots:
    void viewsBecomeFigures()
    {
        Window window({1280, 800});
        QVERIFY(window.opensSmall());
        const Figure three = window.images().figure();
        QCOMPARE(three.images.size(), std::size_t(3));
        QVERIFY(three.images[2].title.contains(QStringLiteral("A − exact")));
        for (const FigureImage& image : three.images)
            QVERIFY(image.part == QRectF(0, 0, 48, 48) && pictureOf(image).size() == QSize(48, 48) &&
                    !image.unit.isEmpty() && !image.title.isEmpty());
        trigger(window, Qt::Key_1);
        QCOMPARE(window.images().figure().images.size(), std::size_t(1));
        window.images().zoomIn();
        window.images().zoomIn();
        window.images().zoomIn();
        window.images().zoomIn();
        const QRectF part = window.images().figure().images.front().part; // what is on screen
        QVERIFY(part.height() < 40 && QRectF(0, 0, 48, 48).contains(part));
        trigger(window, Qt::Key_5); // a composition: the figure has what it is composed of
        QCOMPARE(window.images().figure().images.size(), std::size_t(3));
    }

    void sizeAndParts()
    {
        Window window({1280, 800});
        QVERIFY(window.opensSmall());
        const Figure figure = window.images().figure();
        DrawingLook look{.widthMm = 90, .dotsPerInch = 254};
        const TemporaryFolder folder;
        const auto written = [&] {
            const QString path = folder.file(QStringLiteral("f.png"));
            writeDrawing(path, drawingOf(figure), look);
            return QImage(path);
        };
        const QImage whole = written();
        QCOMPARE(whole.width(), 900); // ten pixels per mm
        QCOMPARE(whole.dotsPerMeterX(), 10000);
        QVERIFY(std::abs(whole.height() - 10 * sizeMmOf(drawingOf(figure), look).height()) <= 1);
        QVERIFY(drawn(whole, {0, 0, 900, 30}) > 100); // titles
        look.titles = false;
        look.colourBars = false;
        look.scaleBar = false;
        const QImage plain = written();
        QVERIFY(plain.height() < whole.height() - 60);
        // The images alone: the picture of A fills the first third.
        const int side = plain.height();
        QVERIFY(std::abs(3 * side - 900) < 90);
        const QColor middle = plain.pixelColor(side / 2, side / 2),
                     expected = pictureOf(figure.images[0]).pixelColor(24, 24);
        QVERIFY2(std::abs(middle.red() - expected.red()) < 12, qPrintable(middle.name() + expected.name()));
        look.scaleBar = true;
        QVERIFY(written() != plain);
        look.scaleBar = false;
        look.marks = true;
        QVERIFY(written() != plain);
    }

    // Texts don't overlap in narrow figures: titles are wrapped, and units have a line of their own.
    void narrowFiguresStayLegible()
    {
        Figure figure;
        GridSlice plane;
        plane.volume = std::make_shared<engine::Volume>(1, 64, 64);
        plane.grid = {64, 0, 0, 64, 64, 1};
        const auto add = [&](const char* title) {
            figure.images.push_back({QString::fromUtf8(title),
                                     Pixels(plane),
                                     {.window = {-0.00141, 0.00877}},
                                     QStringLiteral("1/pixel"),
                                     QRectF(0, 0, 64, 64),
                                     64});
        };
        const auto drawnAt = [&](double widthMm) {
            const Drawing drawing = drawingOf(figure);
            const DrawingLook look{.widthMm = widthMm};
            TextRecorder recorder(pointsOf(sizeMmOf(drawing, look)));
            QPainter painter(&recorder);
            drawing.draw(painter, pointsOf(sizeMmOf(drawing, look)), look);
            return recorder.drawn();
        };
        add("A · oversampled ×2");
        add("exact method, double precision");
        add("A · oversampled ×2 − exact method");
        for (const double widthMm : {160.0, 85.0}) {
            const DrawnTexts texts = drawnAt(widthMm);
            QVERIFY2(texts.fault().isEmpty(), qPrintable(texts.fault()));
            QVERIFY2(!texts.all().contains(QChar(0x2026)), qPrintable(texts.all()));
            QCOMPARE(texts.all().count(QStringLiteral("1/pixel")), 3);
            QCOMPARE(texts.all().count(QStringLiteral("0.00877")), 3);
            QVERIFY2(texts.all().contains(QStringLiteral("precision")), qPrintable(texts.all()));
        }
        add("B · half");
        add("C · nearest");
        for (const int across : {3, 4, 5}) {
            figure.across = across;
            for (const double widthMm : {160.0, 85.0, 60.0}) {
                const DrawnTexts texts = drawnAt(widthMm);
                QVERIFY2(texts.fault().isEmpty(),
                         qPrintable(QStringLiteral("%1 across, %2 mm: ").arg(across).arg(widthMm) + texts.fault()));
            }
        }
    }

    void formats()
    {
        Window window({1280, 800});
        QVERIFY(window.opensSmall());
        const Figure figure = window.images().figure();
        const TemporaryFolder folder;
        for (const char* name : {"f.pdf", "f.svg", "f.png"}) {
            const QString path = folder.file(QLatin1String(name));
            writeDrawing(path, drawingOf(figure), {});
            QFile file(path);
            QVERIFY(file.open(QIODevice::ReadOnly) && file.size() > 1000);
            const QByteArray text = file.readAll();
            const char* begins = path.endsWith("pdf") ? "%PDF" : path.endsWith("svg") ? "<?xml" : "\x89PNG";
            QVERIFY2(text.startsWith(begins), name);
            QVERIFY(!text.contains("DCTDecode")); // a PDF without JPEGs: no value is changed
            if (path.endsWith("svg"))
                QVERIFY(text.contains("A − exact") && text.contains("</svg>"));
        }
        QCOMPARE(QDir(folder.file({})).entryList(QDir::Files).size(), 3); // no temporary file stays
        const auto refused = [&](const QString& path, const char* why) {
            try {
                writeDrawing(path, drawingOf(figure), {});
            } catch (const engine::Error& error) {
                return std::string(error.what()).find(why) != std::string::npos &&
                       std::string(error.what()).find(path.toStdString()) != std::string::npos;
            }
            return false;
        };
        QVERIFY(refused(folder.file("f.gif"), "end the name in"));
        QVERIFY(refused(folder.file("missing/f.png"), "choose another folder"));
        QVERIFY_THROWS_EXCEPTION(engine::Error, writeDrawing(folder.file("none.png"), drawingOf(Figure()), {}));
        QVERIFY(!QFile::exists(folder.file("none.png")));
    }

    // A click with the right button on an image offers to copy and save it; a drag doesn't.
    void menuOfAnImage()
    {
        Window window({1280, 800});
        QVERIFY(window.opensSmall());
        auto* menu = child<QMenu>(window, "imageMenu");
        QWidget* viewport = child<QGraphicsView>(window, "imageA")->viewport();
        QTest::mousePress(viewport, Qt::RightButton, {}, {60, 60});
        QTest::mouseRelease(viewport, Qt::RightButton, {}, {60, 60});
        QTRY_VERIFY(menu->isVisible());
        menu->hide();
        menu->actions().front()->trigger();
        const QImage copied = QGuiApplication::clipboard()->image();
        QVERIFY2(std::abs(copied.width() - 3 * 48) <= 1, qPrintable(QString::number(copied.width())));
        QVERIFY(copied.height() < 48);
    }

    // Every plot becomes a figure, black on white, and its values can be copied.
    void plotsBecomeFigures()
    {
        Window window({1280, 800});
        QVERIFY(window.opensSmall());
        auto* pages = child<NumberTabs>(window, "numberTabs");
        auto* menu = child<QMenu>(window, "pageMenu");
        int plots = 0, tables = 0;
        for (int page = 0; page < pages->count(); ++page) {
            pages->showPage(pages->widget(page));
            const auto* drawnPage = dynamic_cast<const DrawnPage*>(pages->widget(page));
            QCOMPARE(pages->drawnPage(), drawnPage);
            if (!drawnPage)
                continue;
            QVERIFY2(comes([&] { return !drawnPage->values().isEmpty(); }), qPrintable(pages->tabText(page)));
            pages->widget(page)->setFocus();
            QContextMenuEvent event(QContextMenuEvent::Mouse, {20, 60},
                                    pages->widget(page)->mapToGlobal(QPoint(20, 60)));
            QApplication::sendEvent(pages->widget(page), &event);
            QTRY_VERIFY(menu->isVisible());
            menu->hide();
            menu->actions().back()->trigger();
            QCOMPARE(QGuiApplication::clipboard()->text(), drawnPage->values());
            const Drawing drawing = drawnPage->drawing();
            QCOMPARE(menu->actions().front()->isEnabled(), static_cast<bool>(drawing));
            if (!drawing) {
                ++tables;
                continue;
            }
            ++plots;
            const DrawingLook look{.widthMm = 120, .heightMm = 60, .dotsPerInch = 254};
            const QImage image = imageOf(drawing, look);
            QCOMPARE(image.width(), 1200);
            QVERIFY(drawing.of == Drawing::Of::picture || image.height() == 600);
            QCOMPARE(image.pixelColor(0, 0), QColor(Qt::white));
            QVERIFY2(drawn(image, image.rect()) > 1000, qPrintable(pages->tabText(page)));
            QVERIFY(drawn(image, {1100, 0, 100, image.height()}) > 0); // the plot is as wide as the figure
            if (const QByteArray keep = qgetenv("SINOSCOPE_PICTURES"); !keep.isEmpty())
                image.save(QString::fromUtf8(keep) + u'/' + drawing.name + QStringLiteral(".png"));
            // Vectors: the letters of an SVG are text.
            const TemporaryFolder folder;
            writeDrawing(folder.file("plot.svg"), drawing, look);
            QFile file(folder.file("plot.svg"));
            QVERIFY(file.open(QIODevice::ReadOnly));
            const QByteArray svg = file.readAll();
            QVERIFY2(svg.count("<text") >= 2 && !svg.contains("<image"), qPrintable(pages->tabText(page)));
        }
        QCOMPARE(plots, 5);
        QCOMPARE(tables, 2);
    }

    // The entry of the menu is disabled, and says why, while the page on top never has a plot.
    void tablesHaveNoPlotToSave()
    {
        Window window({1280, 800});
        QVERIFY(window.opensSmall());
        auto* pages = child<NumberTabs>(window, "numberTabs");
        QAction* save = nullptr;
        for (const QMenu* menu : window.menuBar()->findChildren<QMenu*>())
            for (QAction* action : menu->actions())
                if (action->text() == QStringLiteral("Save p&lot…"))
                    save = action;
        QVERIFY(save && save->isEnabled());
        pages->showPage(window.findChild<NumbersPanel*>());
        QVERIFY(!save->isEnabled());
        QVERIFY2(save->toolTip().contains(QStringLiteral("The page Numbers has no plot")), qPrintable(save->toolTip()));
        pages->showPage(profileOf(window));
        QVERIFY(save->isEnabled() && !save->toolTip().contains(QStringLiteral("no plot")));
        pages->setFolded(true);
        QVERIFY(!save->isEnabled() && save->toolTip().contains(QStringLiteral("F8")));
        pages->setFolded(false);
        QVERIFY(save->isEnabled());
    }

    // A figure may show the images of another view than the one on screen, or of all settings.
    void dialogOffersTheImagesOfEachView()
    {
        Window window({1280, 800});
        QVERIFY(window.opensSmall());
        trigger(window, Qt::Key_1);
        window.settings().addSetting();
        QVERIFY(settles(window));
        const Figure three = window.images().figure(*findView(QStringLiteral("all")));
        QCOMPARE(three.images.size(), std::size_t(3));
        QVERIFY2(three.images[2].title.contains(QStringLiteral("− exact")), qPrintable(three.images[2].title));
        const Figure every = window.images().figure(*findView(QStringLiteral("grid")));
        QCOMPARE(every.images.size(), std::size_t(3)); // two settings and the exact image
        QCOMPARE(every.across, 3);
        QVERIFY(every.images[0].title.startsWith(u'A') && every.images[1].title.startsWith(u'B'));
        QStringList offered;
        triggerAndLook<FigureDialog>(window, Qt::CTRL | Qt::SHIFT | Qt::Key_F, [&](FigureDialog& dialog) {
            auto* images = child<QComboBox>(dialog, "figureImages");
            QVERIFY(images->isVisible());
            QCOMPARE(images->currentText(), findView(QStringLiteral("a"))->text());
            const auto preview = [&] { return child<QLabel>(dialog, "figurePreview")->pixmap().toImage(); };
            const QImage one = preview();
            images->setCurrentText(findView(QStringLiteral("grid"))->text());
            const QImage withReference = preview();
            QVERIFY(withReference != one);
            images->setCurrentText(QStringLiteral("Settings without the reference"));
            QVERIFY(preview() != withReference && preview() != one);
            for (int k = 0; k < images->count(); ++k)
                offered << images->itemText(k);
        });
        QCOMPARE(offered.size(), 6);
    }

    void dialogShowsItLive()
    {
        Window window({1280, 800});
        QVERIFY(window.opensSmall());
        FigureDialog dialog(drawingOf(window.images().figure()), {.widthMm = 120, .marks = true});
        QCOMPARE(dialog.look(), (DrawingLook{.widthMm = 120, .marks = true}));
        const auto preview = [&] { return child<QLabel>(dialog, "figurePreview")->pixmap().toImage(); };
        const QImage before = preview();
        child<QCheckBox>(dialog, "figureTitles")->setChecked(false);
        QVERIFY(preview() != before);
        QVERIFY(!dialog.look().titles);
        child<QDoubleSpinBox>(dialog, "figureWidth")->setValue(85);
        QCOMPARE(dialog.look().widthMm, 85.0);
        QVERIFY(child<QDoubleSpinBox>(dialog, "figureHeight")->isHidden()); // images keep their shape
        FigureDialog ofPlot(profileOf(window)->drawing(), {.heightMm = 70});
        QVERIFY(!child<QDoubleSpinBox>(ofPlot, "figureHeight")->isHidden());
        QVERIFY(child<QCheckBox>(ofPlot, "figureTitles")->isHidden());
        child<QDoubleSpinBox>(ofPlot, "figureHeight")->setValue(90);
        QCOMPARE(ofPlot.look().heightMm, 90.0);
        // The lower plot of a profile can be left out.
        QVERIFY(child<QCheckBox>(dialog, "figureDifferences")->isHidden());
        QVERIFY(!child<QCheckBox>(ofPlot, "figureDifferences")->isHidden() && ofPlot.look().differences);
        const QImage both = child<QLabel>(ofPlot, "figurePreview")->pixmap().toImage();
        child<QCheckBox>(ofPlot, "figureDifferences")->setChecked(false);
        QVERIFY(!ofPlot.look().differences);
        QVERIFY(child<QLabel>(ofPlot, "figurePreview")->pixmap().toImage() != both);
        child<QCheckBox>(ofPlot, "figureDifferences")->setChecked(true);
        QVERIFY(child<QLabel>(ofPlot, "figurePreview")->pixmap().toImage() == both);
    }
};

SINOSCOPE_TEST(FigureTest, QApplication)
#include "figure_test.moc"
