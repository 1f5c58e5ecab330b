// What RecordedPanel reads beside the window, and how it looks.
#include "engine/prepare/steps.h"
#include "ui/image/image_statistics.h"
#include "ui/image/value_text.h"
#include "ui/recorded/linked_point.h"
#include "ui/recorded/recorded_panel_impl.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QSignalBlocker>
#include <QSlider>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ui
{

namespace
{

std::optional<double> pixelOfDetectorMm(const engine::Scan& scan)
{
    if (const auto* cone = std::get_if<engine::ConeBeam>(&scan.geometry))
        return cone->isCircle() ? std::optional(cone->pixelUMm) : std::nullopt;
    const auto* beam = std::get_if<engine::ParallelBeam>(&scan.geometry);
    return beam ? beam->pixelSizeMm : std::nullopt;
}

// Of a difference as far below 0 as above.
GreyWindow windowOf(const Pixels& pixels, const engine::Look& look)
{
    std::vector<float> values = sampleOf(pixels, pixels.area());
    if (look.how != engine::Shown::difference)
        return automaticWindow(std::move(values));
    const double most = automaticRange(std::move(values));
    return {-most, most};
}

} // namespace

RecordedPanel::Impl::Wanted RecordedPanel::Impl::wantedOf(int of) const
{
    Wanted wanted{scan, look(), {}, of};
    if (!request)
        return wanted;
    if (wanted.look.how != engine::Shown::raw)
        wanted.preparation = request->setting.preparation;
    wanted.quantity = engine::quantityOf(*request, wanted.look);
    return wanted;
}

engine::Look RecordedPanel::Impl::look() const
{
    const auto shown = static_cast<engine::Shown>(how->currentData().toInt());
    if (shown == engine::Shown::raw || shown == engine::Shown::prepared || step->count() == 0)
        return shown == engine::Shown::raw ? engine::Shown::raw : engine::Shown::prepared;
    return {shown, step->currentData().toString().toStdString()};
}

void RecordedPanel::Impl::offerSteps()
{
    const bool isOfStep = how->currentData().toInt() != int(engine::Shown::raw) &&
                          how->currentData().toInt() != int(engine::Shown::prepared);
    step->setVisible(isOfStep);
    if (!request || !request->scan)
        return;
    const QSignalBlocker blocker(step);
    step->clear();
    for (const engine::Step* each : engine::stepsToLookAt(*request)) {
        step->addItem(QCoreApplication::translate("engine", each->label), QString::fromLatin1(each->id));
        step->setItemData(step->count() - 1, QCoreApplication::translate("engine", each->summary), Qt::ToolTipRole);
    }
    step->setCurrentIndex(std::max(0, step->findData(wantedStep)));
}

QString RecordedPanel::Impl::valueName(const Picture& picture) const
{
    if (!picture.shown || !picture.pixels)
        return {};
    const auto named = [&] {
        switch (picture.shown->quantity) {
        case engine::Quantity::counts:
            return RecordedPanel::tr("counts");
        case engine::Quantity::transmission:
            return RecordedPanel::tr("transmission");
        default:
            return RecordedPanel::tr("line integral");
        }
    };
    return picture.shown->look.how == engine::Shown::difference ? QStringLiteral("Δ ") + named() : named();
}

// Of a cone the row that sees the middle of the slice, in the first projection.
int RecordedPanel::Impl::rowShown() const
{
    const double row = sight ? sight->middleOf(0, slice).row : slice;
    return std::clamp(static_cast<int>(std::lround(row)), 0, scan->rows - 1);
}

void RecordedPanel::Impl::update()
{
    if (!scan)
        return;
    offerSteps();
    showTitles();
    showLinks();
    if (held || !request || !panel->isVisible())
        return;
    const int row = rowShown(), shownProjection = panel->projection();
    const Wanted ofRow = wantedOf(row), ofProjection = wantedOf(shownProjection);
    ask(sinogram, ofRow, [asked = *request, ofRow](const std::stop_token& stop) {
        return engine::sinogramOf(asked, ofRow.look, ofRow.number, stop);
    });
    if (scan->rows > 1)
        ask(projection, ofProjection, [asked = *request, ofProjection, kept = shared](const std::stop_token& stop) {
            const std::lock_guard lock(kept->mutex);
            return kept->projections.image(asked, ofProjection.look, ofProjection.number, stop);
        });
    reportIfSettled();
}

void RecordedPanel::Impl::ask(Picture& picture, const Wanted& wanted, Read read)
{
    if (picture.shown == wanted)
        return;
    // The newest follows when the one under way is there, so that something moves while a slider does.
    if (picture.task->busy() && picture.reading && picture.reading->isAlike(wanted))
        return;
    picture.reading = wanted;
    const auto image = std::make_shared<engine::Volume>();
    picture.task->start([image, read = std::move(read)](const std::stop_token& stop,
                                                        const BackgroundTask::Progress&) { *image = read(stop); },
                        [this, &picture, image] { take(picture, std::move(*image)); });
    if (!film.isActive())
        slow.start();
}

void RecordedPanel::Impl::take(Picture& picture, engine::Volume image)
{
    if (!picture.reading) // dropped meanwhile
        return;
    const Wanted made = *std::exchange(picture.reading, {});
    const bool isAlike = picture.shown && picture.shown->isAlike(made) && picture.pixels;
    picture.shown = made;
    const QSize size(image.width, image.height);
    Plane plane;
    plane.volume = std::make_shared<const engine::Volume>(std::move(image));
    plane.grid = {std::max(size.width(), size.height()), 0, 0, size.width(), size.height(), 1};
    const bool isResized =
        !picture.pixels || picture.pixels.width() != size.width() || picture.pixels.height() != size.height();
    picture.pixels = Pixels(plane);
    if (!isAlike) // the grey window stays from one to the next
        picture.window = windowOf(picture.pixels, made.look);
    picture.view->setPixels(picture.pixels);
    picture.view->setDimmed(false);
    picture.view->setMessage({});
    if (isResized) {
        constexpr int lowest = 6; // a projection of so many times as many bins as rows would be a line
        const bool isFilling = &picture == &sinogram || size.width() > lowest * size.height();
        picture.view->setImageSize(size, isFilling);
        picture.view->setScale(!isFilling, pixelOfDetectorMm(*scan));
        fit(picture);
    }
    showColours();
    showLinks();
    update();
}

void RecordedPanel::Impl::giveUp(Picture& picture, const QString& message)
{
    picture.shown = std::exchange(picture.reading, {});
    picture.pixels = {};
    picture.view->setPixels({});
    picture.view->setImageSize({});
    picture.view->setMessage(message);
    panel->play(false);
    reportIfSettled();
}

void RecordedPanel::Impl::drop(Picture& picture)
{
    picture.shown.reset();
    picture.reading.reset();
    picture.pixels = {};
    picture.view->setPixels({});
    picture.view->setImageSize({});
    picture.view->setMessage({});
    picture.view->setDimmed(false);
    picture.viewpoint.fitted = true;
}

void RecordedPanel::Impl::reportIfSettled()
{
    if (!panel->busy())
        emit panel->settled();
}

void RecordedPanel::Impl::showSlow()
{
    for (Picture* picture : {&sinogram, &projection})
        if (picture->task->busy()) {
            picture->view->setDimmed(static_cast<bool>(picture->pixels));
            picture->view->setMessage(RecordedPanel::tr("reading…"));
        }
}

void RecordedPanel::Impl::setViewpoint(Picture& picture, const Viewpoint& next)
{
    picture.viewpoint = next;
    picture.view->setViewpoint(next);
}

void RecordedPanel::Impl::fit(Picture& picture)
{
    if (!picture.pixels)
        return;
    const QPointF middle((picture.pixels.width() - 1) / 2.0, (picture.pixels.height() - 1) / 2.0);
    setViewpoint(picture, {middle, picture.view->fittingScale(), true});
}

void RecordedPanel::Impl::showColours()
{
    const bool dark = panel->palette().color(QPalette::Window).lightness() < 128;
    for (Picture* picture : {&sinogram, &projection}) {
        const bool isDifference = picture->shown && picture->shown->look.how == engine::Shown::difference;
        picture->view->setColouring({picture->window, isDifference
                                                          ? differenceColours(dark)
                                                          : colourMaps()[static_cast<std::size_t>(colourMap)].colours});
    }
}

QString RecordedPanel::Impl::angleText(int of) const
{
    const double rad = scan->anglesRad()[static_cast<std::size_t>(of)] - engine::rotationRadOf(scan->geometry);
    return QString::number(rad * 180 / std::numbers::pi, 'f', 2).replace(u'-', u'−') + QStringLiteral("°");
}

void RecordedPanel::Impl::showTitles()
{
    sinogram.header->setTitle(scan ? RecordedPanel::tr("Sinogram of row %1").arg(rowShown())
                                   : RecordedPanel::tr("Sinogram"));
    projection.header->setTitle(RecordedPanel::tr("Projection %1").arg(panel->projection()));
    QString note, tip;
    QStringList left;
    if (scan && request)
        for (const std::string& label : engine::stepsOfSinogramsAlone(*request, look()))
            left << QString::fromStdString(label).toLower();
    if (!left.isEmpty()) {
        note = RecordedPanel::tr("without %1").arg(left.join(RecordedPanel::tr(", ")));
        tip = RecordedPanel::tr("These steps look at all projections of a row.");
    }
    const double most = sinogram.window.high;
    const bool isDifference = sinogram.shown && sinogram.shown->look.how == engine::Shown::difference;
    sinogram.header->setNote(isDifference && sinogram.pixels ? QStringLiteral("± ") + valueText(most, 3) : QString(),
                             {}, RecordedPanel::tr("What the ends of the colours stand for"));
    const QString angle = scan ? angleText(panel->projection()) : QString();
    projection.header->setNote(note.isEmpty() ? angle : note + QStringLiteral(" · ") + angle, {}, tip);
}

bool RecordedPanel::busy() const
{
    return m_impl->sinogram.task->busy() || m_impl->projection.task->busy();
}

void RecordedPanel::setColourMap(const QString& name)
{
    const auto& maps = colourMaps();
    for (std::size_t k = 0; k < maps.size(); ++k)
        if (maps[k].name == name)
            m_impl->colourMap = static_cast<int>(k);
    m_impl->showColours();
}

void RecordedPanel::hold(const Comparison& asked)
{
    hold();
    if (asked.compared.empty() || asked.a().request.scan != m_impl->scan)
        return;
    m_impl->request = asked.a().request;
    m_impl->slice = asked.slice;
}

void RecordedPanel::show(const Comparison& comparison)
{
    const auto& made = comparison.a().result;
    if (!made || made->request.scan != m_impl->scan)
        return;
    m_impl->request = made->request;
    m_impl->request->setting = comparison.a().request.setting;
    m_impl->slice = comparison.slice;
    m_impl->sight = sightOf(*made);
    release();
}

} // namespace ui
