// SPDX-License-Identifier: GPL-3.0-or-later
// Time to paint the window's images during mouse movements: two images of 2048² at 1920 × 1080, without a GPU. Each
// figure is one movement of the mouse, from its event to the last pixel painted. Results:
// tests/bench/results/painting.md. Built by `ninja bench_painting`.
#include "ui/image/image_panel.h"
#include "ui/image/image_view.h"

#include <QApplication>
#include <QMouseEvent>
#include <QWheelEvent>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <functional>
#include <vector>

namespace
{

constexpr int sliceSize = 2048, movements = 120;

std::shared_ptr<const engine::Reconstruction> sliceWith(double ripple)
{
    auto made = std::make_shared<engine::Reconstruction>();
    made->grid = {engine::SliceGrid{sliceSize, 0, 0, sliceSize, sliceSize, 1}};
    made->image = engine::Volume(1, sliceSize, sliceSize);
    made->method = "cpu";
    made->unit = "1/mm";
    for (int y = 0; y < sliceSize; ++y)
        for (int x = 0; x < sliceSize; ++x)
            made->image.values[static_cast<std::size_t>(y) * sliceSize + x] =
                static_cast<float>((std::hypot(x - 1024, y - 1024) < 900 ? 0.02 : 0) +
                                   1e-3 * std::sin(x * 0.37) * std::cos(y * 0.21) + ripple * std::sin(x * 1.7 + y));
    return made;
}

void send(QWidget* widget, QEvent::Type type, const QPointF& position, Qt::MouseButton button)
{
    QMouseEvent event(type, position, widget->mapToGlobal(position), type == QEvent::MouseMove ? Qt::NoButton : button,
                      button, Qt::NoModifier);
    QApplication::sendEvent(widget, &event);
}

// move: performs the k-th movement. The views are painted immediately, so that no painting is postponed.
void measure(const char* what, ui::ImagePanel& panel, const std::function<void(int)>& move)
{
    std::vector<double> milliseconds;
    const std::clock_t before = std::clock();
    for (int k = 0; k < movements; ++k) {
        const auto begin = std::chrono::steady_clock::now();
        move(k);
        for (ui::ImageView* view : panel.findChildren<ui::ImageView*>())
            if (view->isVisible())
                view->viewport()->repaint();
        milliseconds.push_back(
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
        QCoreApplication::processEvents();
    }
    std::sort(milliseconds.begin(), milliseconds.end());
    const double processor = 1000.0 * double(std::clock() - before) / CLOCKS_PER_SEC / movements;
    std::printf("%-24s median %5.1f ms   99 %% %5.1f ms   most %5.1f ms   processor, mean %5.1f ms\n", what,
                milliseconds[movements / 2], milliseconds[movements * 99 / 100], milliseconds.back(), processor);
}

} // namespace

int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    ui::ImagePanel panel;
    panel.resize(1920, 1080);
    panel.show(ui::Comparison{});
    panel.QWidget::show();
    ui::Comparison comparison;
    comparison.compared.push_back({QStringLiteral("A"), {}, sliceWith(0)});
    comparison.compared.push_back({QStringLiteral("B"), {}, sliceWith(2e-4)});
    comparison.compared[0].reference = comparison.compared[1].result;
    panel.show(comparison);
    const auto drag = [&panel](const QPointF& from, const std::function<QPointF(int)>& to, const char* what) {
        QWidget* area = nullptr;
        for (ui::ImageView* view : panel.findChildren<ui::ImageView*>())
            if (view->isVisible() && !area)
                area = view->viewport();
        send(area, QEvent::MouseButtonPress, from, Qt::LeftButton);
        measure(what, panel, [&](int k) { send(area, QEvent::MouseMove, from + to(k), Qt::LeftButton); });
        send(area, QEvent::MouseButtonRelease, from + to(movements), Qt::LeftButton);
    };
    const auto round = [](int k) { return QPointF(150 * std::sin(k * 0.1), 90 * std::cos(k * 0.1)); };
    panel.setMarksVisible(false);
    for (const char* id : {"ab", "all", "swipe", "overlay", "lens"}) {
        panel.setView(*ui::findView(QLatin1String(id)));
        QCoreApplication::processEvents();
        for (const bool near : {false, true}) {
            panel.fit();
            QCoreApplication::processEvents();
            if (near)
                for (int k = 0; k < 6; ++k)
                    panel.zoomIn();
            const QByteArray name = QByteArray(id) + (near ? ", near" : ", fitted");
            drag(QPointF(60, 60), round, (name + ": pan").constData());
            measure((name + ": zoom").constData(), panel, [&](int k) { k % 8 < 4 ? panel.zoomIn() : panel.zoomOut(); });
        }
        panel.fit();
        QCoreApplication::processEvents();
        ui::ImageView* composed = panel.findChild<ui::ImageView*>(QStringLiteral("imageComposed"));
        if (composed->isVisible() && QByteArray(id) != "overlay")
            drag(QPointF(composed->viewport()->rect().center()), round, (QByteArray(id) + ": dragged").constData());
    }
}
