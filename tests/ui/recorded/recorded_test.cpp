// SPDX-License-Identifier: GPL-3.0-or-later
// The sinogram of a slice's row and a projection, beside the slice: a point under the pointer in one of them is
// marked in the others.
#include "engine/stages/recorded_images.h"
#include "tests/ui/fixtures.h"
#include "ui/image/image_header.h"
#include "ui/image/image_panel.h"
#include "ui/image/image_view.h"
#include "ui/recorded/recorded_panel.h"
#include "ui/saving/save_volume_dialog.h"
#include "ui/views/views.h"
#include "ui/window/slice_bar.h"

#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>
#include <QSpinBox>
#include <QToolButton>

#include <numbers>

using namespace fixtures;

namespace
{

ui::RecordedPanel& recorded(const QWidget& window)
{
    return *child<ui::RecordedPanel>(window, "recorded");
}

ui::ImageView* viewOf(const QWidget& window, const char* name)
{
    return child<ui::ImageView>(window, name);
}

bool isRead(Window& window)
{
    return settles(window) && comes([&window] {
               return !recorded(window).busy() && viewOf(window, "sinogram")->pixels() &&
                      viewOf(window, "projection")->pixels();
           });
}

// Returns the values that a view shows.
std::vector<float> valuesOf(const ui::ImageView* view)
{
    std::vector<float> values, buffer;
    const ui::Pixels& pixels = view->pixels();
    for (int row = 0; row < pixels.height(); ++row) {
        const float* line = pixels.row(row, buffer);
        values.insert(values.end(), line, line + pixels.width());
    }
    return values;
}

template <typename Values>
bool areEqual(const std::vector<float>& values, const Values& others)
{
    return std::equal(values.begin(), values.end(), others.begin(), others.end());
}

void pointOnImage(ui::ImageView* view, const QPointF& position)
{
    point(view->viewport(), view->toViewport(position));
}

void clickOnImage(ui::ImageView* view, const QPointF& position)
{
    QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, view->toViewport(position).toPoint());
}

} // namespace

class RecordedTest : public QObject
{
    Q_OBJECT

  private slots:
    void nothingIsReadBeforeItIsLookedAt()
    {
        Window window;
        QVERIFY(window.opensSmall());
        QVERIFY(!recorded(window).isVisible());
        QVERIFY(!recorded(window).busy());
        QVERIFY(!viewOf(window, "sinogram")->pixels());
    }

    void showsWhatWasRecorded()
    {
        Window window;
        QVERIFY(window.opensSmall());
        trigger(window, Qt::Key_R);
        QVERIFY(recorded(window).isVisible());
        QVERIFY(isRead(window));
        const engine::Scan& scan = *window.scan();
        const auto raw = scan.read({0, scan.rows}, {}).data.toFloats();
        const std::size_t frame = std::size_t(scan.rows) * scan.bins();
        QVERIFY(areEqual(valuesOf(viewOf(window, "projection")),
                         std::vector<float>(raw.begin(), raw.begin() + std::ptrdiff_t(frame))));
        recorded(window).setProjection(17);
        recorded(window).setShown(engine::Shown::prepared);
        window.setSlice(5);
        QVERIFY(isRead(window));
        const engine::Request request = window.shown().a().request;
        QVERIFY(comes([&] {
            return areEqual(valuesOf(viewOf(window, "projection")),
                            engine::Projections().image(request, engine::Shown::prepared, 17).values) &&
                   areEqual(valuesOf(viewOf(window, "sinogram")),
                            engine::sinogramOf(request, engine::Shown::prepared, 5).values);
        }));
    }

    // The key switches to this view, and back to the previous one.
    void thereAndBack()
    {
        Window window;
        QVERIFY(window.opensSmall());
        window.images().setView(*ui::findView(QStringLiteral("swipe")));
        trigger(window, Qt::Key_R);
        QVERIFY(recorded(window).isVisible());
        trigger(window, Qt::CTRL | Qt::Key_2);
        trigger(window, Qt::Key_R); // from three dimensions, too
        QVERIFY(recorded(window).isVisible());
        trigger(window, Qt::Key_Period);
        trigger(window, Qt::Key_R);
        QVERIFY(!recorded(window).isVisible());
        QCOMPARE(window.images().view().id, "swipe");
        QVERIFY(actionWith(window, Qt::Key_5)->isChecked());
        QVERIFY(settles(window));
    }

    void aPointIsSeenInTheOthers()
    {
        Window window;
        QVERIFY(window.opensSmall());
        trigger(window, Qt::Key_R);
        recorded(window).setProjection(20);
        QVERIFY(isRead(window));
        QSignalSpy kept(&recorded(window), &ui::RecordedPanel::pointKept);
        ui::ImageView* slice = viewOf(window, "imageA");
        pointOnImage(slice, {30, 12});
        const double angle = window.scan()->anglesRad()[20];
        const double bin = 23.5 + (30 - 23.5) * std::cos(angle) + (23.5 - 12) * std::sin(angle);
        const auto marker = viewOf(window, "projection")->overlay().marker;
        QVERIFY(marker && std::abs(marker->x() - bin) < 0.5 && marker->y() == window.slice());
        const auto& guides = viewOf(window, "sinogram")->overlay().guides;
        QCOMPARE(guides.size(), std::size_t(2)); // the projection shown, and the sine curve
        const QPolygonF& sine = guides[1].parts.at(0);
        QCOMPARE(sine.size(), window.scan()->projections());
        QVERIFY(std::abs(sine[20].x() - marker->x()) < 1e-9);
        pointElsewhere(slice->viewport());
        QVERIFY(slice->overlay().marker.has_value()); // the marker stays
        QVERIFY(!viewOf(window, "sinogram")->overlay().guides[1].parts.empty());

        // The ray of a bin of the projection passes through the point.
        pointOnImage(viewOf(window, "projection"), {bin, 3});
        QCOMPARE(slice->overlay().guides.size(), std::size_t(1));
        const QPolygonF ray = slice->overlay().guides[0].parts.at(0);
        const QLineF line(ray[0], ray[1]);
        const double away = std::abs(line.dx() * (12 - line.y1()) - line.dy() * (30 - line.x1())) / line.length();
        QVERIFY2(away < 0.6, qPrintable(QString::number(away))); // a screen pixel is less than a bin
        QVERIFY(window.findChild<QWidget*>("recorded")->isVisible());
        pointElsewhere(viewOf(window, "projection")->viewport());
        QVERIFY(slice->overlay().guides.empty());

        trigger(window, Qt::Key_1);
        QVERIFY(slice->overlay().guides.empty() && !slice->overlay().marker);
    }

    // The pointer is on a projection that the next scan does not have.
    void aSmallerScanForgetsThePoint()
    {
        Window window;
        QVERIFY(window.opensSmall());
        trigger(window, Qt::Key_R);
        QVERIFY(isRead(window));
        pointOnImage(viewOf(window, "sinogram"), {20, 55});
        QCOMPARE(viewOf(window, "imageA")->overlay().guides.size(), std::size_t(1));
        QVERIFY(window.opensSimulation(simulationOf(engine::Phantom::sheppLogan3d, 48, 12, 16)));
        QVERIFY(isRead(window));
        QVERIFY(viewOf(window, "imageA")->overlay().guides.empty());
        QCOMPARE(viewOf(window, "sinogram")->overlay().guides.size(), std::size_t(1)); // the projection shown
    }

    void aClickChoosesSliceAndProjection()
    {
        Window window;
        QVERIFY(window.opensSmall());
        trigger(window, Qt::Key_R);
        QVERIFY(isRead(window));
        clickOnImage(viewOf(window, "projection"), {20, 3});
        QCOMPARE(window.slice(), 3);
        QVERIFY(isRead(window));
        const double row = viewOf(window, "projection")->overlay().guides.at(0).parts.at(0).front().y();
        QCOMPARE(row, 3.0);
        clickOnImage(viewOf(window, "sinogram"), {20, 41});
        QVERIFY(std::abs(recorded(window).projection() - 41) <= 1);
        QVERIFY(isRead(window));
    }

    // Ctrl and a drag mark rows; the dialog for the volume begins with their slices.
    void aBandChoosesSlicesToSave()
    {
        Window window;
        QVERIFY(window.opensSmall());
        trigger(window, Qt::Key_R);
        QVERIFY(isRead(window));
        QVERIFY(!recorded(window).markedSlices());
        ui::ImageView* view = viewOf(window, "projection");
        const auto at = [view](double bin, double row) { return view->toViewport({bin, row}).toPoint(); };
        const int slice = window.slice();
        drag(view->viewport(), at(10, 2.6), at(30, 9.4), Qt::ControlModifier);
        QCOMPARE(recorded(window).markedSlices(), (engine::RowRange{3, 7}));
        QCOMPARE(window.slice(), slice);
        const auto& marks = view->overlay().marks.marks;
        QCOMPARE(marks.size(), std::size_t(1));
        QCOMPARE(engine::toText(marks[0].shape), std::string("rectangle 0,3,48,7")); // over all bins
        const QString note = child<ui::ImageHeader>(window, "projectionHeader")->note();
        QVERIFY2(note.contains(QStringLiteral("slices 3 to 9")), qPrintable(note));
        recorded(window).setProjection(30);
        QVERIFY(isRead(window));
        QCOMPARE(recorded(window).markedSlices(), (engine::RowRange{3, 7}));
        triggerAndLook<ui::SaveVolumeDialog>(window, QKeySequence(Qt::CTRL | Qt::Key_E),
                                             [&](const ui::SaveVolumeDialog& dialog) {
                                                 QCOMPARE(child<QSpinBox>(dialog, "volumeFirst")->value(), 3);
                                                 QCOMPARE(child<QSpinBox>(dialog, "volumeLast")->value(), 9);
                                                 QVERIFY((dialog.place().slices() == engine::RowRange{3, 7}));
                                                 child<QPushButton>(dialog, "volumeAllSlices")->click();
                                                 QVERIFY((dialog.place().slices() == engine::RowRange{0, 16}));
                                             });
        QTest::mouseClick(view->viewport(), Qt::LeftButton, Qt::ControlModifier, at(20, 14));
        QVERIFY(!recorded(window).markedSlices() && view->overlay().marks.marks.empty());
        drag(view->viewport(), at(10, 11.6), at(30, 40), Qt::ControlModifier); // beyond the last row
        QCOMPARE(recorded(window).markedSlices(), (engine::RowRange{12, 4}));
        QVERIFY(window.opensSimulation(simulationOf(engine::Phantom::sheppLogan3d, 48, 12, 16)));
        QVERIFY(!recorded(window).markedSlices()); // of another scan
    }

    void aBandOnAConeChoosesTheSlicesSeenThere()
    {
        Window window;
        QVERIFY(window.opensSimulation(coneOf(32, 40, 24)));
        trigger(window, Qt::Key_R);
        QVERIFY(isRead(window));
        ui::ImageView* view = viewOf(window, "projection");
        const auto at = [view](double bin, double row) { return view->toViewport({bin, row}).toPoint(); };
        drag(view->viewport(), at(10, 3.6), at(20, 8.4), Qt::ControlModifier);
        const auto marked = recorded(window).markedSlices();
        QVERIFY(marked);
        QTest::mouseClick(view->viewport(), Qt::LeftButton, Qt::ControlModifier, at(20, 14)); // removes the band
        clickOnImage(view, {16, 4});
        QCOMPARE(marked->first, window.slice());
        QVERIFY(isRead(window));
        clickOnImage(view, {16, 8});
        QCOMPARE(marked->first + marked->count - 1, window.slice());
        QVERIFY(isRead(window));
    }

    void theFilmPlaysAndStops()
    {
        Window window;
        QVERIFY(window.opensSmall());
        trigger(window, Qt::Key_P);
        QVERIFY(recorded(window).isVisible() && recorded(window).isPlaying());
        const int from = recorded(window).projection();
        QVERIFY(comes([&] { return recorded(window).projection() != from; }));
        trigger(window, Qt::Key_P);
        QVERIFY(!recorded(window).isPlaying());
        QVERIFY(isRead(window));
        const int stopped = recorded(window).projection();
        trigger(window, Qt::Key_Period);
        QCOMPARE(recorded(window).projection(), (stopped + 1) % 60);
        trigger(window, Qt::Key_Comma);
        QCOMPARE(recorded(window).projection(), stopped);
        recorded(window).setProjection(59);
        trigger(window, Qt::Key_Period);
        QCOMPARE(recorded(window).projection(), 0); // the first follows the last
        trigger(window, Qt::Key_P);
        trigger(window, Qt::Key_1);
        QVERIFY(!recorded(window).isPlaying()); // not visible
    }

    void oneRowHasNoProjection()
    {
        Window window;
        QVERIFY(window.opensSimulation(simulationOf(engine::Phantom::sheppLogan, 48, 60)));
        trigger(window, Qt::Key_R);
        QVERIFY(settles(window));
        QVERIFY(comes([&] { return !recorded(window).busy() && viewOf(window, "sinogram")->pixels(); }));
        QVERIFY(!viewOf(window, "projection")->isVisible());
        QVERIFY(!child<QToolButton>(window, "playProjections")->isVisible());
    }

    void conesShowTheRowOfTheSlice()
    {
        Window window;
        QVERIFY(window.opensSimulation(coneOf(32, 40, 24)));
        trigger(window, Qt::Key_R);
        QVERIFY(isRead(window));
        clickOnImage(viewOf(window, "projection"), {16, 4});
        QVERIFY(isRead(window));
        QVERIFY(comes([&] {
            const double row = viewOf(window, "projection")->overlay().guides.at(0).parts.at(0).front().y();
            return std::abs(row - 4) <= 1;
        }));
        const auto raw = window.scan()->read({4, 1}, {}).data.toFloats();
        QVERIFY(child<QWidget>(window, "sinogramHeader")->accessibleName().contains(QStringLiteral("row")));
        QVERIFY(!raw.empty());
    }
};

SINOSCOPE_TEST(RecordedTest, QApplication)
#include "recorded_test.moc"
