// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planes/plane_cell.h"

#include "engine/request/section.h"
#include "ui/image/value_text.h"
#include "ui/widgets/boxes.h"

#include <QMouseEvent>

#include <algorithm>
#include <utility>

namespace ui
{

namespace
{

// A line across the upper third and a rectangle, both apart from the cross-hairs in the middle.
engine::Marks marksFor(const QSize& size)
{
    engine::Marks marks;
    const double row = size.height() / 3;
    marks.add(engine::Line{0, row, size.width() - 1.0, row});
    marks.add(engine::Area(engine::Region{size.width() / 4, size.height() / 4, std::max(1, size.width() / 8),
                                          std::max(1, size.height() / 8)}));
    return marks;
}

} // namespace

PlaneCell::PlaneCell(const QString& name, const QString& accessible, QWidget* parent)
    : QWidget(parent), m_header(new ImageHeader(this)), m_view(new ImageView(this)), m_cross(new CrossHairs(this)),
      m_marks(std::make_unique<LinkedViews>(this)), m_shown(&views().front())
{
    m_header->setObjectName(name + QStringLiteral("Header"));
    m_view->setObjectName(name);
    m_view->setAccessibleName(accessible);
    m_view->setAccessibleDescription(m_cross->keys());
    m_view->setAcceptDrops(false); // the window handles dropped files
    m_view->viewport()->setAcceptDrops(false);
    m_view->setComposition(m_cross);
    m_marks->addMarksOnly(m_view);
    m_marks->setMarksVisible(false);
    filled(new QVBoxLayout(this), {m_header, {m_view, 1}}, flush);
    connect(m_marks.get(), &LinkedViews::marksEdited, this, [this](const engine::Marks&, bool continues) {
        emit marksEdited(std::exchange(m_givenMarks, m_marks->marks()), continues);
    });
    connect(m_view, &ImageView::viewpointRequested, this, &PlaneCell::setViewpoint);
    connect(m_view, &ImageView::fitRequested, this, &PlaneCell::fit);
    connect(m_view, &ImageView::resized, this, [this] {
        if (m_viewpoint.fitted)
            fit();
    });
}

void PlaneCell::showImage(const Image& image)
{
    m_image = image;
    m_pixels = Pixels(planeOf(image, 0, {}));
    showContents();
    m_view->setDimmed(false);
    const engine::Plane plane = *image->request.place.plane();
    const QSize size(plane.width, plane.height);
    if (m_size == size)
        return;
    m_size = size;
    const bool isFilling = isLine(size);
    m_view->setImageSize(size, isFilling);
    m_cross->setImageSize(size);
    fitMarks();
    engine::Request whole = image->request; // the image of a coarse plane is enlarged
    whole.place.previewStep = 1;
    m_pixelSizeMm = engine::sectionOf(whole).pixel.acrossMm();
    m_view->setScale(!isFilling, m_pixelSizeMm);
    if (m_viewpoint.fitted)
        fit();
}

// The header leaves the press to the cell.
void PlaneCell::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton)
        emit titlePressed();
    else
        QWidget::mousePressEvent(event);
}

void PlaneCell::setMarks(const engine::Marks& marks)
{
    m_givenMarks = marks;
    if (!m_size.isEmpty())
        fitMarks();
}

// Shows the given marks unless one reaches beyond the image.
void PlaneCell::fitMarks()
{
    const QRectF inside = QRectF(QPointF(), m_size).translated(-0.5, -0.5);
    const int longer = std::max(m_size.width(), m_size.height());
    const std::vector<engine::Mark>& all = m_givenMarks.marks;
    const bool fits = !all.empty() && std::ranges::all_of(all, [&](const engine::Mark& mark) {
        const QRectF around = outlineOf(mark.shape, longer).boundingRect();
        return inside.contains(around.topLeft()) && inside.contains(around.bottomRight());
    });
    m_marks->setMarks(fits ? m_givenMarks : marksFor(m_size), false);
}

void PlaneCell::showPair(const PairedPlane& pair)
{
    m_pair = pair;
    if (m_image)
        showContents();
}

void PlaneCell::setShownView(const ui::View& view)
{
    if (std::exchange(m_shown, &view) != &view && m_image)
        showContents();
}

void PlaneCell::share(const ui::View& view, const std::shared_ptr<Composition>& composition)
{
    m_compositions[&view] = composition;
}

bool PlaneCell::isItself() const
{
    return isPaired() && m_pair.comparison.a().reference == m_image;
}

bool PlaneCell::isPaired() const
{
    const Compared& chosen = m_pair.comparison.a();
    return m_image && chosen.result == m_image && chosen.reference;
}

// Shows the image alone while there is no reference for it.
void PlaneCell::showContents()
{
    const bool isAlone = m_shown->contents == std::vector{Content::a};
    const Pixels b = isPaired() && !isAlone ? Pixels(m_pair.comparison.planeB()) : Pixels();
    // A difference of zeros would look like an image that is missing.
    m_difference = m_shown->shows(Content::difference) && !isItself() ? Pixels::difference(m_pixels, b) : Pixels();
    Composition* composed = nullptr;
    if (m_shown->compose && b) {
        std::shared_ptr<Composition>& made = m_compositions[m_shown];
        const bool isNew = !made;
        if (isNew)
            made = m_shown->compose();
        composed = made.get();
        composed->setPlanes(m_pair.comparison.planeA(), m_pair.comparison.planeB());
        if (isNew) // the point is in the middle at first
            composed->moveAside();
    }
    setComposed(composed);
    m_view->setPixels(shownPixels(), composed ? b : Pixels());
    m_view->setCaption(caption());
    m_view->setToolTip(m_difference ? tr("RMSE and largest difference, of all pixels of the plane") : QString());
    const bool isOf = m_pair.comparison.a().result == m_image;
    m_view->setMessage(isAlone || !isOf ? QString()
                       : isItself() && m_shown->shows(Content::difference)
                           ? tr("%1 is the reference itself").arg(m_pair.comparison.a().label())
                           : m_pair.missing);
    showColours();
}

QString PlaneCell::caption() const
{
    const auto& metrics = m_pair.comparison.a().metrics;
    if (!m_difference || !metrics)
        return {};
    const QString unit = QString::fromStdString(m_image->unit);
    const long long gaps = metrics->gaps + metrics->notFinite;
    return tr("RMSE %1 %3\nmax %2 %3").arg(valueText(metrics->rmse, 3), valueText(metrics->maximum, 3), unit) +
           QLatin1Char('\n') +
           (gaps == 0   ? tr("all pixels")
            : gaps == 1 ? tr("without 1 pixel of gaps")
                        : tr("without %1 pixels of gaps").arg(gaps));
}

// The view reads the tints of a composition when it is set.
void PlaneCell::setComposed(Composition* composition)
{
    if (m_composed == composition)
        return;
    if (m_composed)
        m_composed->setActive(false);
    m_view->setComposition(nullptr);
    m_cross->setUnder(composition);
    m_view->setComposition(m_cross);
    if (composition)
        composition->setActive(true);
    m_composed = composition;
}

void PlaneCell::setColours(const Colouring& images, const Colouring& differences)
{
    m_ofImages = images;
    m_ofDifferences = differences;
    showColours();
}

void PlaneCell::showColours()
{
    m_view->setColouring(m_difference ? m_ofDifferences : m_ofImages, m_ofImages);
}

void PlaneCell::clear(const QString& message)
{
    m_image.reset();
    m_pixels = m_difference = {};
    m_pair = {};
    m_size = {};
    setComposed(nullptr);
    m_view->setPixels({});
    m_view->setImageSize({});
    m_view->setDimmed(false);
    m_view->setMessage(message);
    m_view->setCaption({});
    m_view->setToolTip({});
    m_cross->setImageSize({});
    m_viewpoint.fitted = true;
}

void PlaneCell::setViewpoint(const Viewpoint& viewpoint)
{
    m_viewpoint = viewpoint;
    m_view->setViewpoint(viewpoint);
}

void PlaneCell::fit()
{
    if (m_size.isEmpty())
        return;
    const QPointF middle((m_size.width() - 1) / 2.0, (m_size.height() - 1) / 2.0);
    setViewpoint({middle, m_view->fittingScale(), true});
}

QImage PlaneCell::rendered() const
{
    return shade(m_pixels, m_ofImages.window, m_ofImages.colours);
}

FigureImage PlaneCell::figureImage(bool isDifference) const
{
    const QRectF whole(QPointF(), m_size);
    const QRectF part = m_viewpoint.fitted ? whole : m_view->visiblePart().intersected(whole);
    return {.title = {},
            .pixels = isDifference ? m_difference : m_pixels,
            .colouring = m_ofImages,
            .unit = m_image ? QString::fromStdString(m_image->unit) : QString(),
            .part = part.isEmpty() ? whole : part,
            .size = std::max(m_size.width(), m_size.height()),
            .marks = m_givenMarks,
            .pixelSizeMm = m_pixelSizeMm};
}

} // namespace ui
