// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/recorded/recorded_image.h"

#include "ui/image/image_statistics.h"
#include "ui/image/value_text.h"

#include <algorithm>
#include <utility>

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

// Returns the grey window; that of a difference is symmetrical about 0.
GreyWindow windowOf(const Pixels& pixels, const engine::Look& look)
{
    std::vector<float> values = sampleOf(pixels, pixels.area());
    if (look.how != engine::Shown::difference)
        return automaticWindow(std::move(values));
    const double most = automaticRange(std::move(values));
    return {-most, most};
}

} // namespace

RecordedImage::RecordedImage(const char* name, const QString& accessible, const QString& handling, Fill fill,
                             QWidget* panel)
    : m_header(new ImageHeader(panel)), m_view(new ImageView(panel)), m_fill(fill)
{
    m_header->setObjectName(QLatin1String(name) + QStringLiteral("Header"));
    m_view->setObjectName(QLatin1String(name));
    m_view->setAccessibleName(accessible);
    m_view->setAccessibleDescription(handling);
    m_view->setAcceptDrops(false); // the window handles dropped files
    m_view->viewport()->setAcceptDrops(false);
    connect(m_view, &ImageView::viewpointRequested, this, &RecordedImage::setViewpoint);
    connect(m_view, &ImageView::fitRequested, this, &RecordedImage::fit);
    connect(m_view, &ImageView::resized, this, [this] {
        if (m_viewpoint.fitted)
            fit();
    });
    connect(&m_task, &BackgroundTask::failed, this, &RecordedImage::giveUp);
    connect(&m_task, &BackgroundTask::cancelled, this, [this] {
        m_reading.reset();
        emit cancelled();
    });
}

RecordedImage::~RecordedImage() = default;

bool RecordedImage::isOn(const QPointF& position) const
{
    return m_pixels && QRectF(-0.5, -0.5, m_pixels.width(), m_pixels.height()).contains(position);
}

bool RecordedImage::isDifference() const
{
    return m_shown && m_shown->look.how == engine::Shown::difference;
}

QString RecordedImage::valueName() const
{
    if (!m_shown || !m_pixels)
        return {};
    const auto named = [this] {
        switch (m_shown->quantity) {
        case engine::Quantity::counts:
            return tr("counts");
        case engine::Quantity::transmission:
            return tr("transmission");
        default:
            return tr("line integral");
        }
    };
    return isDifference() ? QStringLiteral("Δ ") + named() : named();
}

QString RecordedImage::textAt(const QPointF& position) const
{
    const std::optional<float> found = m_pixels.at(position);
    return valueName() + QLatin1Char(' ') + (found ? valueText(*found, 4) : QStringLiteral("–"));
}

bool RecordedImage::ask(const RecordedRequest& wanted, Read read)
{
    if (m_shown == wanted)
        return false;
    // A similar request is finished first, so that images keep changing while a slider moves; the newest one follows.
    if (m_task.busy() && m_reading && m_reading->isAlike(wanted))
        return false;
    m_reading = wanted;
    const auto image = std::make_shared<engine::Volume>();
    m_task.start([image, read = std::move(read)](const std::stop_token& stop,
                                                 const BackgroundTask::Progress&) { *image = read(stop); },
                 [this, image] { take(std::move(*image)); });
    return true;
}

void RecordedImage::take(engine::Volume image)
{
    if (!m_reading) // it was dropped in the meantime
        return;
    const RecordedRequest made = *std::exchange(m_reading, {});
    const bool isAlike = m_shown && m_shown->isAlike(made) && m_pixels;
    m_shown = made;
    const QSize size(image.width, image.height);
    GridSlice plane;
    plane.volume = std::make_shared<const engine::Volume>(std::move(image));
    plane.grid = {std::max(size.width(), size.height()), 0, 0, size.width(), size.height(), 1};
    const bool isResized = !m_pixels || m_pixels.width() != size.width() || m_pixels.height() != size.height();
    m_pixels = Pixels(plane);
    if (!isAlike) // similar images keep the grey window
        m_window = windowOf(m_pixels, made.look);
    m_view->setPixels(m_pixels);
    m_view->setDimmed(false);
    m_view->setMessage({});
    if (isResized) {
        constexpr int lowest = 6; // a projection with over 6 times as many bins as rows would look like a line
        const bool isFilling = m_fill == Fill::always || size.width() > lowest * size.height();
        m_view->setImageSize(size, isFilling);
        m_view->setScale(!isFilling, pixelOfDetectorMm(*made.scan));
        fit();
    }
    emit taken();
}

void RecordedImage::giveUp(const QString& message)
{
    m_shown = std::exchange(m_reading, {});
    m_pixels = {};
    m_view->setPixels({});
    m_view->setImageSize({});
    m_view->setMessage(message);
    emit failed();
}

void RecordedImage::drop()
{
    m_shown.reset();
    m_reading.reset();
    m_pixels = {};
    m_view->setPixels({});
    m_view->setImageSize({});
    m_view->setMessage({});
    m_view->setDimmed(false);
    m_viewpoint.fitted = true;
}

void RecordedImage::showSlow()
{
    if (!m_task.busy())
        return;
    m_view->setDimmed(static_cast<bool>(m_pixels));
    m_view->setMessage(tr("reading…"));
}

void RecordedImage::setViewpoint(const Viewpoint& viewpoint)
{
    m_viewpoint = viewpoint;
    m_view->setViewpoint(viewpoint);
}

void RecordedImage::fit()
{
    if (!m_pixels)
        return;
    const QPointF middle((m_pixels.width() - 1) / 2.0, (m_pixels.height() - 1) / 2.0);
    setViewpoint({middle, m_view->fittingScale(), true});
}

void RecordedImage::setColours(const ColourTable& colours, bool isDark)
{
    m_view->setColouring({m_window, isDifference() ? differenceColours(isDark) : colours});
}

} // namespace ui
