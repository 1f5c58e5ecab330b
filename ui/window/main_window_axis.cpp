// The rotation axis by eye: dragged on the slice, over two opposite views, or taken from a candidate or a trial slice.
#include "ui/window/main_window_impl.h"

namespace ui
{

namespace
{

constexpr double pixelsPerBin = 4; // of the screen, on the slice: a tenth of a bin can be aimed at with Shift

} // namespace

void MainWindow::Impl::connectAxis()
{
    connect(images, &ImagePanel::axisMoved, settings,
            [this](double pixels) { settings->dragAxis(pixels / pixelsPerBin); });
    connect(images, &ImagePanel::axisReleased, settings, &SettingsPanel::endAxisDrag);
    connect(axis, &AxisPanel::moved, settings, &SettingsPanel::dragAxis);
    connect(axis, &AxisPanel::released, settings, &SettingsPanel::endAxisDrag);
    connect(axis, &AxisPanel::chosen, settings, [this](double bins) { settings->setAxis(bins); });
    connect(axis, &AxisPanel::chosenWithTilt, settings,
            [this](double bins, double tiltDeg) { settings->setAxis(bins, tiltDeg); });
    connect(axis, &AxisPanel::trialsWanted, window, [this] { numbers->setCurrentWidget(trials); });
    connect(trials, &TrialStrip::chosen, settings, [this](double bins) {
        trialStep = trials->stepBins(); // halved after; a step back takes that back too
        settings->setAxis(bins);
        trialStep.reset();
    });
}

} // namespace ui
