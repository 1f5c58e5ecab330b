// SPDX-License-Identifier: GPL-3.0-or-later
// Effects of mouse, keys and controls on the images, and which of them persist when the images are updated.
#include "tests/ui/image/shown_panel.h"
#include "ui/image/histogram_bar.h"
#include "ui/image/image_header.h"
#include "ui/image/image_statistics.h"

#include <QAbstractScrollArea>
#include <QCheckBox>
#include <QComboBox>
#include <QSettings>
#include <QSignalSpy>
#include <QToolButton>

using namespace fixtures;
using Content = ui::ImagePanel::Content;

class ControlsTest : public ShownPanel
{
    Q_OBJECT

    engine::Line line() const { return std::get<engine::Line>(m_panel->marks().line()->shape); }
    std::optional<engine::Region> region() const // region of the figures
    {
        return m_panel->marks().mask().region;
    }

  private slots:
    void init() { m_noWarnings.emplace(); }
    void cleanup() { close(); }

    // A title without room is replaced by a brief one before it is cut.
    void titleInLittleRoom()
    {
        ui::ImageHeader header;
        const QString whole = QStringLiteral("B · half − exact method"), brief = QStringLiteral("B − exact");
        header.setTitle(whole, brief);
        const int wide = header.fontMetrics().horizontalAdvance(whole);
        QCOMPARE(header.titleFor(wide), whole);
        QCOMPARE(header.titleFor(wide - 1), brief);
        QVERIFY(header.accessibleName().contains(whole));
        header.setTitle(QStringLiteral("B · half"));
        QCOMPARE(header.titleFor(1), QStringLiteral("B · half")); // has no brief one
    }

    void automaticWindowIsThatOfTheFullImage()
    {
        const auto shown = [this] { return std::pair(low()->value(), high()->value()); };
        const auto texture = [](double x, double y) { // invisible in a coarse image
            return ramp(x, y) + (std::fmod(x, 4) < 1 ? -1.0f : 0.0f);
        };
        const ui::Comparison preview = comparison(plane(64, ramp, 4)), full = comparison(plane(64, texture));
        const ui::GreyWindow expected = ui::automaticWindow(ui::sampleDisc(ui::Pixels(full.planeA())));
        const auto isExpected = [&] {
            return std::abs(shown().first - expected.low) < 1e-3 && std::abs(shown().second - expected.high) < 1e-3;
        };
        open();
        m_panel->show(preview);
        QVERIFY(!isExpected());
        m_panel->show(preview); // another request, stopped before its full image
        m_panel->show(full);
        QVERIFY(isExpected());
        QVERIFY(child<ui::HistogramBar>(*m_panel, "histogram")->isVisible());
        m_panel->show(preview); // later results do not change the grey-value window
        m_panel->show(comparison(plane(64, [](double x, double y) { return 3 * ramp(x, y); })));
        QVERIFY(isExpected());

        // The first full image does not change a grey-value window set by the user either.
        open();
        m_panel->show(preview);
        setWindow(0.2, 0.7);
        m_panel->show(full);
        QCOMPARE(shown(), std::pair(0.2, 0.7));
        open();
        m_panel->show(preview);
        m_panel->autoWindow();
        const auto chosen = shown();
        m_panel->show(full);
        QCOMPARE(shown(), chosen);
        QVERIFY(!isExpected());
    }

    void zoomPanAndWindowSurviveAnUpdate()
    {
        open();
        m_panel->show(comparison(plane(64, ramp), plane(64, ramp)));
        setWindow(0.2, 0.4);
        QWidget* a = viewport("imageA");
        const QPointF pointer(60, 70);
        const QPointF before = view("imageA")->toSlice(pointer);
        wheel(a, pointer, 360);
        const QPointF after = view("imageA")->toSlice(pointer);
        const double scale = view("imageA")->transform().m11();
        QVERIFY((after - before).manhattanLength() * scale <= 1.5); // the pixel under the pointer does not move
        drag(viewport("imageB"), {40, 40}, {70, 90});
        for (const char* name : {"imageA", "imageB", "imageDifference"}) {
            QCOMPARE(view(name)->transform(), view("imageA")->transform());
            const QPointF moved = (view(name)->toSlice(pointer) - after) * scale;
            QVERIFY(std::abs(moved.x() + 30) <= 1.5 && std::abs(moved.y() + 50) <= 1.5);
        }
        const QTransform seen = view("imageA")->viewportTransform();
        for (const double step : {4.0, 1.0}) {
            m_panel->show(comparison(plane(
                64, [](double x, double) { return static_cast<float>(3 * x); }, step)));
            QCOMPARE(view("imageA")->viewportTransform(), seen);
            QCOMPARE(low()->value(), 0.2);
            QCOMPARE(high()->value(), 0.4);
        }
        m_panel->show(comparison(plane(32, ramp))); // another scan
        QVERIFY(view("imageA")->viewportTransform() != seen);
        QVERIFY(low()->value() < 0.1);
        ui::GridSlice otherUnit = plane(32, [](double x, double y) { return 100 + ramp(x, y); });
        otherUnit.unit = QStringLiteral("1/pixel");
        m_panel->show(comparison(otherUnit));
        QVERIFY(low()->value() > 99);
        QCOMPARE(low()->suffix(), QStringLiteral(" 1/pixel"));
    }

    void zoomByKeysAndDoubleClick()
    {
        open();
        m_panel->show(comparison(plane(64, ramp)));
        ui::ImageView* a = view("imageA");
        const QTransform fitted = a->viewportTransform();
        QTest::keyClick(a, Qt::Key_Plus);
        QVERIFY(a->transform().m11() > fitted.m11() * 1.2);
        const QPointF corner = a->toSlice({0, 0});
        QTest::keyClick(a, Qt::Key_Right);
        QVERIFY(a->toSlice({0, 0}).x() > corner.x() + 1);
        QTest::mouseDClick(a->viewport(), Qt::LeftButton, {}, {20, 20});
        QCOMPARE(a->viewportTransform(), fitted);
        m_panel->actualPixels();
        QCOMPARE(a->transform().m11(), 1 / a->devicePixelRatioF());
        m_panel->fit();
        QCOMPARE(a->viewportTransform(), fitted);
        m_panel->resize(1300, 600);
        QTRY_VERIFY(a->transform().m11() > fitted.m11() * 1.2); // a fitted slice stays fitted
    }

    // Drags with the right button: to the right widens the grey window, upwards brightens the image.
    void windowIsDragged()
    {
        open();
        m_panel->show(comparison(plane(64, ramp)));
        ui::ImageView* a = view("imageA");
        const auto dragged = [a](QPoint by) {
            const QPoint from = a->viewport()->rect().center();
            QTest::mousePress(a->viewport(), Qt::RightButton, {}, from);
            QMouseEvent move(QEvent::MouseMove, QPointF(from + by), a->viewport()->mapToGlobal(QPointF(from + by)),
                             Qt::NoButton, Qt::RightButton, {});
            QCoreApplication::sendEvent(a->viewport(), &move);
            QTest::mouseRelease(a->viewport(), Qt::RightButton, {}, from + by);
        };
        const double low0 = low()->value(), high0 = high()->value();
        dragged({0, -40});
        QVERIFY(low()->value() < low0 && high()->value() < high0);
        QVERIFY(std::abs((high()->value() - low()->value()) / (high0 - low0) - 1) < 0.02);
        const double width = high()->value() - low()->value();
        dragged({60, 0});
        QVERIFY(high()->value() - low()->value() > 1.2 * width);
        dragged({-60, 0}); // and back
        dragged({0, 40});
        QVERIFY(std::abs(low()->value() - low0) < 0.05 * (high0 - low0));
        QVERIFY(std::abs(high()->value() - high0) < 0.05 * (high0 - low0));
        // Over the difference alone, its range changes and the grey window doesn't.
        m_panel->setView(*ui::findView(QStringLiteral("difference")));
        auto* range = child<ui::ValueSpinBox>(*m_panel, "differenceRange");
        const double before = range->value();
        ui::ImageView* difference = view("imageDifference");
        QTest::mousePress(difference->viewport(), Qt::RightButton, {}, {50, 50});
        QMouseEvent move(QEvent::MouseMove, QPointF(150, 50), difference->viewport()->mapToGlobal(QPointF(150, 50)),
                         Qt::NoButton, Qt::RightButton, {});
        QCoreApplication::sendEvent(difference->viewport(), &move);
        QTest::mouseRelease(difference->viewport(), Qt::RightButton, {}, {150, 50});
        QVERIFY2(range->value() > 1.2 * before, qPrintable(QString::number(range->value())));
    }

    void lineIsDragged()
    {
        open();
        m_panel->show(comparison(plane(64, ramp), plane(64, ramp)));
        QCOMPARE(line(), (engine::Line{31.5, 0, 31.5, 63}));
        QSignalSpy changed(m_panel.get(), &ui::ImagePanel::marksEdited);
        ui::ImageView* b = view("imageB");
        const auto at = [b](double x, double y) { return b->toViewport({x, y}).toPoint(); };

        drag(b->viewport(), at(31.5, 0) + QPoint(5, 3), at(10, 20)); // a press 6 pixels from the end still takes it
        QVERIFY(changed.size() >= 2);                                // also during the drag
        QVERIFY(std::abs(line().x0 - 10) <= 1 && std::abs(line().y0 - 20) <= 1);
        QCOMPARE(line().x1, 31.5);

        const engine::Line before = line();
        const QPointF middle((before.x0 + before.x1) / 2, (before.y0 + before.y1) / 2);
        drag(b->viewport(), at(middle.x(), middle.y()), at(middle.x() + 12, middle.y() - 6));
        QVERIFY(std::abs(line().x0 - before.x0 - 12) <= 0.5);
        QVERIFY(std::abs(line().y1 - before.y1 + 6) <= 0.5);
        QCOMPARE(line().x1 - line().x0, before.x1 - before.x0);

        const engine::Line moved = line();
        drag(b->viewport(), at(moved.x0, moved.y0), at(5, moved.y1 + 2), Qt::ShiftModifier);
        QCOMPARE(line().y0, line().y1); // horizontal
        drag(b->viewport(), at(line().x0, line().y0), at(line().x1 - 20, line().y1 - 22), Qt::ShiftModifier);
        QCOMPARE(line().x1 - line().x0, line().y1 - line().y0); // 45°

        drag(b->viewport(), at(line().x0, line().y0), at(-40, -40)); // stays on the slice
        QVERIFY(line().x0 >= 0 && line().y0 >= 0);
        changed.clear();
        engine::Marks other = m_panel->marks();
        other.find(other.lineId)->shape = engine::Line{1, 2, 3, 4};
        m_panel->setMarks(other);
        QCOMPARE(line(), (engine::Line{1, 2, 3, 4}));
        QVERIFY(changed.isEmpty());
        m_panel->show(comparison(plane(64, ramp)));
        QCOMPARE(line(), (engine::Line{1, 2, 3, 4}));
        QSignalSpy told(m_panel.get(), &ui::ImagePanel::marksChanged);
        m_panel->show(comparison(plane(32, ramp)));
        QCOMPARE(line(), (engine::Line{15.5, 0, 15.5, 31}));
        QCOMPARE(changed.size(), 0); // not an action of the user
        QCOMPARE(told.size(), 1);    // tells listeners nevertheless
    }

    void hiddenLineCannotBeTaken()
    {
        open();
        m_panel->show(comparison(plane(64, ramp)));
        m_panel->setMarksVisible(false);
        QSignalSpy changed(m_panel.get(), &ui::ImagePanel::marksEdited);
        const QPoint at = view("imageA")->toViewport({31.5, 30}).toPoint();
        drag(viewport("imageA"), at, at + QPoint(30, 0));
        QVERIFY(changed.isEmpty());
    }

    void regionIsDrawnAndCleared()
    {
        open();
        m_panel->show(comparison(plane(64, ramp)));
        QVERIFY(!region());
        QSignalSpy changed(m_panel.get(), &ui::ImagePanel::marksEdited);
        ui::ImageView* a = view("imageA");
        const auto at = [a](double x, double y) { return a->toViewport({x, y}).toPoint(); };
        drag(a->viewport(), at(29.6, 39.6), at(9.4, 19.4), Qt::ControlModifier); // starting at any corner
        QVERIFY(!changed.isEmpty());
        QVERIFY(region().has_value());
        const engine::Region first = *region();
        QVERIFY(std::abs(first.column - 10) <= 1 && std::abs(first.row - 20) <= 1);
        QVERIFY(std::abs(first.width - 20) <= 1 && std::abs(first.height - 20) <= 1);
        drag(a->viewport(), at(50, 50), at(90, 90), Qt::ControlModifier); // clipped to the slice
        QCOMPARE(region()->column + region()->width, 64);
        changed.clear();
        QTest::mouseClick(a->viewport(), Qt::LeftButton, Qt::ControlModifier, at(40, 40));
        QVERIFY(!region());
        QCOMPARE(changed.size(), 1);
    }

    void pointerTellsAllThree()
    {
        open();
        const ui::GridSlice a =
            plane(64, [](double x, double y) { return static_cast<float>(0.02 + x * 1e-3 + y * 1e-5); });
        const ui::GridSlice b =
            plane(64, [](double x, double y) { return static_cast<float>(0.02 + x * 1e-3 + y * 1e-5 - 1.5e-4); });
        m_panel->show(comparison(a, b));
        QSignalSpy moved(m_panel.get(), &ui::ImagePanel::pointerMoved);
        ui::ImageView* difference = view("imageDifference");
        point(difference->viewport(), difference->toViewport({20, 30}));
        const auto said = [&] { return moved.isEmpty() ? QStringLiteral("nothing") : moved.last()[0].toString(); };
        QTRY_COMPARE(said(), QStringLiteral("x 20 · y 30 · A 0.04030 · exact 0.04015 · A − exact 1.5e−4 1/mm"));
        m_panel->show(comparison(a)); // B is computed again: its old values are not shown
        QCOMPARE(said(), QStringLiteral("x 20 · y 30 · A 0.04030 · exact – · A − exact – 1/mm"));
        pointElsewhere(difference->viewport());
        QTRY_COMPARE(said(), QString());
    }

    void tooltipSaysWhatTheReferenceIs()
    {
        open();
        ui::Comparison c = comparison(plane(64, ramp), plane(64, ramp));
        m_panel->show(c);
        auto* header = child<ui::ImageHeader>(*m_panel, "imageBHeader");
        QVERIFY2(header->toolTip().contains(c.planeB().explanation), qPrintable(header->toolTip()));
        QVERIFY(c.planeB().explanation.contains(QStringLiteral("The reference")));
        c.compared.push_back({QStringLiteral("B"), {}, c.a().reference, 2}); // another setting
        c.against = {ui::ReferenceChoice::Kind::setting, 2};
        m_panel->show(c);
        QVERIFY(!header->toolTip().contains(QStringLiteral("reference")));
    }

    void handlesOfTheHistogram()
    {
        open();
        m_panel->show(comparison(plane(64, ramp)));
        auto* bar = child<ui::HistogramBar>(*m_panel, "histogram");
        const auto at = [bar](double value) { return QPoint(qRound(bar->positionOf(value)), 15); };
        drag(bar, at(low()->value()), at(0.25));
        QVERIFY(std::abs(low()->value() - 0.25) < 0.01);
        drag(bar, at(high()->value()), at(0.75));
        QVERIFY(std::abs(high()->value() - 0.75) < 0.01);
        const double width = high()->value() - low()->value();
        drag(bar, at(0.5), at(0.6)); // the middle part moves both ends
        QVERIFY(std::abs(low()->value() - 0.35) < 0.01);
        QVERIFY(std::abs(high()->value() - low()->value() - width) < 1e-6);
        drag(bar, at(high()->value()), at(0.0)); // cannot pass the other end
        QVERIFY(high()->value() > low()->value());
        child<QToolButton>(*m_panel, "windowAutomatic")->click();
        QCOMPARE(low()->text(), QStringLiteral("%1 1/mm").arg(low()->value(), 0, 'f', 3));
        std::vector<float> values = ui::sampleDisc(ui::Pixels(plane(64, ramp)));
        QVERIFY(std::abs(low()->value() - ui::percentile(values, 0.005)) < 1e-9);
        QVERIFY(std::abs(high()->value() - ui::percentile(values, 0.995)) < 1e-9);
        low()->setValue(2); // pushes the other end along
        QVERIFY(high()->value() > 2);
    }

    void ownWindows()
    {
        open();
        const auto doubled = [](double x, double y) { return 2 * ramp(x, y); };
        m_panel->show(comparison(plane(64, ramp), plane(64, doubled)));
        setWindow(0, 1);
        // The pixel is too bright for the grey-value window of A, which B shares.
        QCOMPARE(m_panel->rendered(Content::b).pixel(40, 9), qRgb(255, 255, 255));
        child<QCheckBox>(*m_panel, "windowShared")->click();
        QVERIFY(qGray(m_panel->rendered(Content::b).pixel(40, 9)) < 200);
        child<QToolButton>(*m_panel, "windowOfB")->click();
        setWindow(0, 4);
        QVERIFY(std::abs(qGray(m_panel->rendered(Content::b).pixel(63, 9)) - 128) <= 1);
        QCOMPARE(m_panel->rendered(Content::a).pixel(63, 9), qRgb(255, 255, 255));
        m_panel->setWindowShared(true);
        QCOMPARE(high()->value(), 1.0);
        QCOMPARE(m_panel->rendered(Content::b).pixel(63, 9), qRgb(255, 255, 255));
    }

    void stateIsRestored()
    {
        TemporaryFolder folder;
        QSettings settings(folder.file("state.ini"), QSettings::IniFormat);
        open();
        m_panel->show(comparison(plane(64, ramp)));
        m_panel->setColourMap(QStringLiteral("Ember"));
        m_panel->setWindowShared(false);
        setWindow(0, 1);
        m_panel->saveState(settings);
        const QRgb bright = m_panel->rendered(Content::a).pixel(50, 3);
        open();
        m_panel->restoreState(settings);
        m_panel->show(comparison(plane(64, ramp)));
        setWindow(0, 1);
        QCOMPARE(m_panel->rendered(Content::a).pixel(50, 3), bright);
        QCOMPARE(child<QComboBox>(*m_panel, "colourMap")->currentIndex(), 3);
        QVERIFY(!child<QCheckBox>(*m_panel, "windowShared")->isChecked());
    }

    void controlsAreAccessible()
    {
        open();
        for (const QWidget* widget : m_panel->findChildren<QWidget*>()) {
            const bool viewport = qobject_cast<QAbstractScrollArea*>(widget->parentWidget());
            if (widget->isVisible() && !viewport && widget->focusPolicy() != Qt::NoFocus &&
                !widget->objectName().startsWith("qt_"))
                QVERIFY2(!widget->accessibleName().isEmpty(), widget->metaObject()->className());
        }
        ui::GridSlice longUnit = plane(64, ramp);
        longUnit.unit = QStringLiteral("1/pixel");
        m_panel->show(comparison(longUnit));
        // The images have to fit beside the panels of a window that is 1280 pixels wide.
        QVERIFY2(m_panel->minimumSizeHint().width() <= 760,
                 qPrintable(QString::number(m_panel->minimumSizeHint().width())));
    }
};

SINOSCOPE_TEST(ControlsTest, QApplication)
#include "controls_test.moc"
