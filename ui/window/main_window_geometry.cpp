// MainWindow's scan with another geometry: corrected, or taken as a cone or a parallel beam.
#include "engine/base/error.h"
#include "engine/scan/reinterpreted_scan.h"
#include "ui/opening/found_dialog.h"
#include "ui/window/main_window_impl.h"

#include <algorithm>
#include <cmath>

namespace ui
{

namespace
{

// Of a slice: in mm, or in bins as recorded where nobody knows how large these are.
double pixelOf(const engine::Scan& scan)
{
    const auto* parallel = std::get_if<engine::ParallelBeam>(&scan.geometry);
    const int joined = scan.reduced ? scan.reduced->by.bin : 1;
    return scan.pixelSizeMm().value_or(joined * (parallel ? parallel->pixelBins : 1));
}

// On the detector, whatever is joined of it.
bool isSameAxis(const engine::Scan& from, const engine::Scan& to)
{
    const std::vector<double>&before = from.axisBins(), &after = to.axisBins();
    if (before == after)
        return true;
    if (before.size() != 1 || after.size() != 1)
        return false;
    return std::abs(engine::recordedBin(from, before.front()) - engine::recordedBin(to, after.front())) < 1e-6;
}

// Slices of a parallel beam are rows of the detector, whatever their pixels.
bool haveSameSlices(const engine::Scan& from, const engine::Scan& to)
{
    return std::holds_alternative<engine::ParallelBeam>(from.geometry) &&
           std::holds_alternative<engine::ParallelBeam>(to.geometry) && from.slices() == to.slices();
}

// As many voxels: it is their size that is said otherwise, if anything.
bool isSameGrid(const engine::Scan& from, const engine::Scan& to)
{
    return from.sliceSize() == to.sliceSize() && from.slices() == to.slices();
}

// The slice that lies where this one lies of another scan of the same object.
int sliceLike(int slice, const engine::Scan& from, const engine::Scan& to)
{
    if (isSameGrid(from, to) || haveSameSlices(from, to))
        return slice;
    const double aboveMiddle = slice - (from.slices() - 1) / 2.0;
    const double there = aboveMiddle * pixelOf(from) / pixelOf(to) + (to.slices() - 1) / 2.0;
    return std::clamp(static_cast<int>(std::lround(there)), 0, to.slices() - 1);
}

// What is drawn stays where it is on the object.
engine::Marks marksLike(engine::Marks marks, const engine::Scan& from, const engine::Scan& to)
{
    if (isSameGrid(from, to))
        return marks;
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
        const auto changed = engine::takenAsCone(*m_impl->scan, options);
        engine::OpenOptions opened = m_impl->openedWith;
        opened.beam = engine::BeamKind::cone;
        opened.geometryFile = changed->geometryFile; // that was beside the scan, too
        const bool isSaid = options.direction == Direction::clockwise || opened.cone.direction; // now, or before
        opened.cone = engine::ofRecorded(engine::saidOf(*changed), *changed);
        if (isSaid)
            opened.cone.direction = changed->anglesReversed ? Direction::clockwise : Direction::anticlockwise;
        m_impl->retake(changed, opened);
    } catch (...) {
        m_impl->settings->geometry().showProblem(messageOfCurrentException());
    }
}

// A file of the geometry still says the angles, and which way its rows count.
void MainWindow::takeAsParallel()
{
    if (!m_impl->scan)
        return;
    try {
        const auto changed = engine::takenAsParallel(*m_impl->scan);
        engine::OpenOptions opened = m_impl->openedWith;
        opened.beam = engine::BeamKind::parallel;
        opened.geometryFile = changed->geometryFile;
        opened.cone = {};
        opened.cone.pixelUMm = changed->pixelSizeMm();
        opened.cone = engine::ofRecorded(opened.cone, *changed);
        m_impl->retake(changed, opened);
    } catch (...) {
        m_impl->settings->geometry().showProblem(messageOfCurrentException());
    }
}

void MainWindow::Impl::retake(std::shared_ptr<const engine::Scan> changed, const engine::OpenOptions& opened)
{
    Workbench before = workbench();
    SettingList list = settings->list();
    const bool isAxisKept = isSameAxis(*scan, *changed);
    for (engine::NamedSetting& item : list.settings) // where it is on the detector, whatever its pixels are now
        if (item.setting.axis.mode == engine::AxisSettings::Mode::given)
            item.setting.axis.bins = engine::reducedBin(*changed, engine::recordedBin(*scan, item.setting.axis.bins));
    const bool isSameObject = opened.dataSets.axes == openedWith.dataSets.axes; // else other dimensions span the slices
    change(changed, opened, isSameObject ? marksLike(images->marks(), *before.scan, *changed) : engine::Marks(),
           isSameObject ? sliceLike(sliceBar->slice(), *before.scan, *changed) : changed->slices() / 2);
    if (isAxisKept)
        settings->showList(list); // with the axis that is given
    recordAct(std::move(before), false);
    reconstruction.reconstruct();
}

// No step of the user's, and nothing to take back: what is compared, drawn and looked at stays.
void MainWindow::Impl::takeGrown(std::shared_ptr<const engine::Scan> grown)
{
    const int more = grown->projections() - scan->projections();
    const SettingList list = settings->list();
    const engine::Marks marks = marksLike(images->marks(), *scan, *grown);
    change(std::move(grown), openedWith, marks, sliceBar->slice());
    settings->showList(list);
    messages->showInformation(
        tr("The scan is being written: %1 projections more, %2 now.").arg(more).arg(scan->projections()));
    reconstruction.reconstruct();
}

// Another geometry of the same rows, with what is drawn on its slices and the slice that is shown.
void MainWindow::Impl::change(std::shared_ptr<const engine::Scan> changed, const engine::OpenOptions& opened,
                              const engine::Marks& changedMarks, int slice)
{
    const bool isResized = scan->sliceSize() != changed->sliceSize();
    messages->dismiss();
    stack.cancel(); // of the geometry before
    scan = std::move(changed);
    openedWith = opened;
    reconstruction.setScan(scan);
    volume->clear();
    volume->setScan(scan);
    recorded->setScan(scan);
    if (foundDialog)
        foundDialog->setScan(scan);
    settings->setScan(scan);
    if (isResized) {
        images->clear(tr("reconstructing…"));
        profile->clear();
        images->setMarks(changedMarks);
    }
    scanBar->setScan(scan.get());
    reading->show(scan, openedWith);
    growth.watch(scan, openedWith);
    {
        const QSignalBlocker quiet(sliceBar);
        sliceBar->setRange(scan->slices());
        sliceBar->setSlice(slice);
    }
    scanBar->setSlice(slice);
}

} // namespace ui
