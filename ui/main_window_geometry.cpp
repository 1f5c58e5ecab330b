// MainWindow's scan with another geometry: corrected, or taken as a cone or a parallel beam.
#include "engine/error.h"
#include "engine/scan/taken_as.h"
#include "ui/main_window_impl.h"

#include <algorithm>
#include <cmath>

namespace ui
{

namespace
{

double pixelOf(const engine::Scan& scan)
{
    return scan.pixelSizeMm().value_or(1);
}

// The slice that lies where this one lies of another scan of the same object.
int sliceLike(int slice, const engine::Scan& from, const engine::Scan& to)
{
    const double aboveMiddle = slice - (from.slices() - 1) / 2.0;
    const double there = aboveMiddle * pixelOf(from) / pixelOf(to) + (to.slices() - 1) / 2.0;
    return std::clamp(static_cast<int>(std::lround(there)), 0, to.slices() - 1);
}

// What is drawn stays where it is on the object.
engine::Marks marksLike(engine::Marks marks, const engine::Scan& from, const engine::Scan& to)
{
    const double step = pixelOf(to) / pixelOf(from), first = (from.sliceSize() - 1 - (to.sliceSize() - 1) * step) / 2;
    if (step == 1 && first == 0)
        return marks;
    const engine::SliceGrid grid{from.sliceSize(), first, first, to.sliceSize(), to.sliceSize(), step};
    const auto moved = [&](double position) { return (position - first) / step; };
    for (engine::Mark& mark : marks.marks) {
        if (auto* line = std::get_if<engine::Line>(&mark.shape))
            *line = {moved(line->x0), moved(line->y0), moved(line->x1), moved(line->y1)};
        else if (auto* circle = std::get_if<engine::Circle>(&mark.shape))
            *circle = {moved(circle->x), moved(circle->y), circle->radius / step};
        else if (const auto& area = std::get<engine::Area>(mark.shape); !std::holds_alternative<engine::DiscArea>(area))
            mark.shape = engine::areaOn(area, grid);
    }
    return marks;
}

} // namespace

// How it is opened again, by a session or a command, is how it is taken now.
void MainWindow::takeAsCone(const engine::ConeOptions& wanted)
{
    if (!m_impl->scan)
        return;
    using Direction = engine::AngleDirection;
    const engine::ConeOptions options = wanted; // which is the panel's own, and changes with the scan
    try {
        m_impl->retake(engine::takenAsCone(*m_impl->scan, options));
        engine::OpenOptions& opened = m_impl->openedWith;
        opened.beam = engine::BeamKind::cone;
        const bool isSaid = options.direction == Direction::clockwise || opened.cone.direction; // now, or before
        opened.cone = engine::saidOf(*m_impl->scan);
        if (isSaid)
            opened.cone.direction = m_impl->scan->anglesReversed ? Direction::clockwise : Direction::anticlockwise;
    } catch (const engine::Error& error) {
        m_impl->settings->geometry().showProblem(QString::fromUtf8(error.what()));
    }
}

void MainWindow::takeAsParallel()
{
    if (!m_impl->scan)
        return;
    m_impl->retake(engine::takenAsParallel(*m_impl->scan));
    m_impl->openedWith.beam = engine::BeamKind::parallel;
    m_impl->openedWith.geometryFile.clear();
    m_impl->openedWith.cone = {};
}

void MainWindow::Impl::retake(std::shared_ptr<const engine::Scan> changed)
{
    const std::shared_ptr<const engine::Scan> before = std::exchange(scan, std::move(changed));
    const engine::Marks marks = marksLike(images->marks(), *before, *scan);
    const SettingList list = settings->list();
    const int slice = sliceLike(sliceBar->slice(), *before, *scan);
    messages->dismiss();
    stack.cancel(); // of the geometry before
    shown = {};
    volume->clear();
    volume->setScan(scan);
    settings->setScan(scan);
    if (before->axisBins() == scan->axisBins())
        settings->showList(list); // with the axis that is given
    if (before->sliceSize() != scan->sliceSize()) {
        history.clear();
        images->clear(tr("reconstructing…"));
        profile->clear();
        images->setMarks(marks);
    }
    showSteps();
    scanBar->setScan(scan.get());
    {
        const QSignalBlocker quiet(sliceBar);
        sliceBar->setRange(scan->slices());
        sliceBar->setSlice(slice);
    }
    scanBar->setSlice(slice);
    reconstruct();
}

} // namespace ui
