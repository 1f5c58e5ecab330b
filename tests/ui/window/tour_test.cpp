// SPDX-License-Identifier: GPL-3.0-or-later
// The guided tour over a sample, and the inset of the large image.
#include "tests/ui/fixtures.h"
#include "ui/image/image_panel.h"
#include "ui/image/inset.h"
#include "ui/widgets/manual_page.h"
#include "ui/window/tour.h"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QTextBrowser>

using namespace ui;
using namespace fixtures;

class TourTest : public QObject
{
    Q_OBJECT

  private slots:
    void sixStepsOverASample()
    {
        Window window({1280, 800});
        auto* tour = child<Tour>(window, "tour");
        QVERIFY(!tour->isVisible());
        tour->begin();
        QVERIFY(settles(window));
        QSet<QString> texts;
        for (int step = 0; step < 6; ++step) {
            QCOMPARE(tour->step(), step);
            QVERIFY(tour->isVisible() && window.rect().contains(tour->geometry()));
            texts << child<QLabel>(*tour, "tourText")->text();
            // The frame is around something visible, which the card doesn't cover unless it fills the window.
            const auto* frame = child<QFrame>(window, "tourFrame");
            QVERIFY2(frame->isVisible(), qPrintable(QString::number(step)));
            const QRect seen = frame->geometry().adjusted(10, 10, -10, -10);
            const QRect both = tour->geometry().intersected(seen);
            QVERIFY2(both.width() * both.height() < seen.width() * seen.height() / 2,
                     qPrintable(QString::number(step)));
            child<QPushButton>(*tour, "tourNext")->click();
            QVERIFY(settles(window));
            QCoreApplication::processEvents();
        }
        QCOMPARE(texts.size(), 6);
        QCOMPARE(tour->step(), -1);
        QVERIFY(!tour->isVisible());
    }

    // What was open comes back: scan, slice, settings and reference.
    void whatWasOpenComesBack()
    {
        Window window({1280, 800});
        QVERIFY(window.opensSmall());
        window.setSlice(5);
        engine::Request request = window.settings().request(5);
        request.setting.filter.window = engine::Window::hann;
        window.settings().setRequest(request);
        window.settings().addSetting();
        QVERIFY(settles(window));
        const SettingList before = window.settings().list();
        const int slices = window.scan()->slices();
        auto* tour = child<Tour>(window, "tour");
        tour->begin();
        QVERIFY(settles(window));
        QVERIFY(window.scan()->slices() == 1 && window.settings().list().settings.size() == 1);
        child<QPushButton>(*tour, "tourNext")->click();
        QVERIFY(settles(window));
        QCOMPARE(window.settings().list().settings.size(), std::size_t(2));
        QVERIFY(window.settings().list().chosen().setting.kernel.precision == engine::Precision::half);
        trigger(window, Qt::Key_Escape);
        QVERIFY(comes([&] { return !window.busy() && window.scan()->slices() == slices; }));
        QVERIFY(settles(window));
        QCOMPARE(window.slice(), 5);
        QVERIFY(window.settings().list() == before);
    }

    void canBeLeft()
    {
        Window window({1280, 800});
        auto* tour = child<Tour>(window, "tour");
        tour->begin();
        QVERIFY(settles(window));
        child<QPushButton>(*tour, "tourNext")->click();
        QVERIFY(!child<QPushButton>(*tour, "tourBack")->isHidden());
        trigger(window, Qt::Key_Escape);
        QVERIFY(!tour->isVisible() && tour->step() == -1);
        tour->begin(); // again, from the beginning
        QCOMPARE(tour->step(), 0);
        QCOMPARE(window.settings().list().settings.size(), std::size_t(1));
        child<QPushButton>(*tour, "tourLeave")->click();
        QVERIFY(!tour->isVisible());
        QVERIFY(settles(window));
    }

    // F1 opens the page about the control with the focus.
    void helpForAControl()
    {
        Window window({1280, 800});
        QVERIFY(window.opensSmall());
        const std::pair<const char*, const char*> expected[] = {{"precision", "half-precision.md"},
                                                                {"axisMode", "rotation-axis.md"},
                                                                {"rings", "rings.md"},
                                                                {"method", "window.md"},
                                                                {"profilePlot", "window.md"},
                                                                {"quantity", "opening-scans.md"},
                                                                {"kernelGups", "gus.md"},
                                                                {"sourceAxis", "cone-and-fan-beams.md"}};
        for (const auto& [name, page] : expected) {
            const auto* control = window.findChild<QWidget*>(QLatin1String(name));
            if (!control) // not in every build
                continue;
            QVERIFY2(manualPageOf(control) == QLatin1String(page), name);
            QVERIFY2(QFile::exists(QStringLiteral(":/manual/") + QLatin1String(page)), page);
        }
        window.settings().setFocus();
        child<QComboBox>(window, "precision")->setFocus();
        trigger(window, Qt::Key_F1);
        auto* pages = child<QTextBrowser>(window, "manualPages");
        QVERIFY2(pages->source().path().endsWith("half-precision.md"), qPrintable(pages->source().toString()));
        QVERIFY(pages->toPlainText().size() > 500);
        child<QComboBox>(window, "method")->setFocus();
        trigger(window, Qt::Key_F1);
        QVERIFY(pages->source().path().endsWith("window.md"));
        // A click on a tab moves the focus away from the field: the page is that of the tab.
        auto* tabs = child<QTabWidget>(window, "numberTabs");
        const int numbers = 1;
        QTest::mouseClick(tabs->tabBar(), Qt::LeftButton, {}, tabs->tabBar()->tabRect(numbers).center());
        QCOMPARE(tabs->currentIndex(), numbers);
        trigger(window, Qt::Key_F1);
        QVERIFY2(pages->source().path().endsWith("quality.md"), qPrintable(pages->source().toString()));
    }

    // The inset shows the difference, then the reference, beside the slice if there is room.
    void insetOfTheImage()
    {
        Window window({1280, 800});
        QVERIFY(window.opensSmall());
        const auto* inset = child<Inset>(window, "inset");
        QVERIFY(!inset->isVisible()); // the view shows reference and difference
        trigger(window, Qt::Key_1);
        QTRY_VERIFY(inset->isVisible());
        QTRY_VERIFY2(inset->accessibleName().contains(QStringLiteral("A − exact")),
                     qPrintable(inset->accessibleName()));
        const auto coloured = [&] {
            const QImage picture = const_cast<Inset*>(inset)->grab().toImage();
            int count = 0;
            for (int y = 30; y < picture.height() - 2; ++y)
                for (int x = 2; x < picture.width() - 2; ++x)
                    count += QColor(picture.pixel(x, y)).saturation() > 20;
            return count;
        };
        QTRY_VERIFY(coloured() > 100); // the difference is blue and red
        const_cast<Inset*>(inset)->click();
        QCOMPARE(window.images().inset(), InsetKind::reference);
        QTRY_VERIFY(coloured() < 20); // grey
        trigger(window, Qt::Key_I);
        QCOMPARE(window.images().inset(), InsetKind::none);
        QVERIFY(!inset->isVisible());
        trigger(window, Qt::Key_I);
        QCOMPARE(window.images().inset(), InsetKind::difference);
        const QWidget* image = child<QWidget>(window, "imageA");
        const int side = std::min(image->width(), image->height());
        const QRect slice(image->x() + (image->width() - side) / 2, image->y(), side, side);
        QVERIFY(!inset->geometry().intersects(slice));
    }

    // The inset names the area of its figures, and says why the reference itself has no difference.
    void insetSaysWhatItShows()
    {
        Window window({1280, 800});
        QVERIFY(window.opensSmall());
        trigger(window, Qt::Key_1);
        const auto* difference = child<ImageView>(window, "imageDifference");
        QTRY_VERIFY(difference->caption().endsWith(QStringLiteral("inside disc")));
        child<QToolButton>(window, "addSetting")->click();
        chooseValue(child<QComboBox>(window, "precision"), "half");
        chooseValue(child<QComboBox>(window, "reference"), "setting:2");
        QVERIFY(settles(window));
        QCOMPARE(difference->message(), QStringLiteral("B · half is the reference itself"));
        QVERIFY(!difference->pixels());
        child<QListWidget>(window, "settingList")->setCurrentRow(0);
        QVERIFY(settles(window));
        QVERIFY(difference->message().isEmpty() && difference->pixels());
        QCOMPARE(child<ImageHeader>(window, "imageDifferenceHeader")->title(), QStringLiteral("A · float − B · half"));
    }
};

SINOSCOPE_TEST(TourTest, QApplication)
#include "tour_test.moc"
