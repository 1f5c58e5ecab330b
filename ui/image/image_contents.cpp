// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/image/image_contents.h"

#include "ui/image/image_statistics.h"
#include "ui/image/seen_text.h"
#include "ui/image/value_text.h"
#include "ui/widgets/engine_text.h"

#include <QStringBuilder>

#include <algorithm>
#include <array>

namespace ui
{

namespace
{

// An image that is replaced within this time isn't dimmed, so that nothing flickers during a drag.
constexpr int staleAfterMs = 300;

QString missingText(const GridSlice& plane)
{
    return plane.title.isEmpty() ? ImageContents::tr("computing the exact result…")
                                 : ImageContents::tr("computing %1…").arg(plane.title);
}

} // namespace

ImageContents::ImageContents(QWidget* panel) : m_panel(panel)
{
    addColumn(QStringLiteral("imageA"), tr("Image"), panel);
    addColumn(QStringLiteral("imageB"), tr("Reference"), panel);
    addColumn(QStringLiteral("imageDifference"), tr("Difference of image and reference"), panel);
    addColumn(QStringLiteral("imageComposed"), tr("Image and reference overlaid"), panel);
    m_staleTimer.setSingleShot(true);
    m_staleTimer.setInterval(staleAfterMs);
    connect(&m_staleTimer, &QTimer::timeout, this, [this] {
        for (ImageColumn& column : m_columns)
            column.markStale();
    });
}

ImageContents::~ImageContents() = default;

void ImageContents::addColumn(const QString& objectName, const QString& accessibleName, QWidget* panel)
{
    m_columns.emplace_back(objectName, accessibleName, panel);
}

void ImageContents::makeCompositions()
{
    m_compositions = std::make_unique<CompositionSet>(m_panel, column(Content::composed).headerRow());
    connect(m_compositions.get(), &CompositionSet::titleChanged, this, &ImageContents::showHeaders);
}

std::optional<double> ImageContents::pixelSizeMm() const
{
    const auto scanned = m_scan.lock();
    return scanned ? scanned->pixelSizeMm() : std::nullopt;
}

bool ImageContents::isAnotherScan(const Comparison& comparison) const
{
    const GridSlice a = comparison.planeA();
    if (!Pixels(a))
        return false;
    if (a.grid.size != m_size || a.unit != m_unit)
        return true;
    const auto& of = comparison.a().result;
    return of && of->request.scan && of->request.scan != m_scan.lock();
}

void ImageContents::beginScan(const Comparison& comparison)
{
    const GridSlice a = comparison.planeA();
    m_size = a.grid.size;
    m_unit = a.unit;
    m_scan = comparison.a().result ? comparison.a().result->request.scan : nullptr;
    for (ImageColumn& column : m_columns)
        column.beginScan(m_size);
    m_difference.beginScan();
}

bool ImageContents::show(const Comparison& comparison)
{
    m_comparison = comparison;
    m_isOutdated = false;
    const GridSlice planeA = comparison.planeA(), planeB = comparison.planeB();
    const Pixels a(planeA);
    Pixels b(planeB);
    if (b.grid().size != m_size)
        b = {};
    const bool hasNewImage = a && !a.sameValues(column(Content::a).pixels());
    place(Content::a, a, planeA.title, tr("reconstructing…"));
    place(Content::b, b, planeB.title, missingText(planeB));
    if (a)
        column(Content::a).setExplanation(planeA.explanation);
    if (b)
        column(Content::b).setExplanation(planeB.explanation);
    placeDifference();
    placeComposed();
    return hasNewImage;
}

void ImageContents::clear(const QString& message)
{
    m_staleTimer.stop();
    m_comparison = {};
    m_isOutdated = false;
    for (ImageColumn& column : m_columns)
        column.clear();
    placeComposed();
    showHeaders();
    measureDifference();
    setMessage(Content::a, message);
}

void ImageContents::place(Content content, const Pixels& pixels, const QString& title, const QString& missing)
{
    ImageColumn& target = column(content);
    const bool areOthers = pixels && !pixels.sameValues(target.pixels());
    target.place(pixels, title, missing);
    if (areOthers)
        target.countNotFinite();
}

void ImageContents::placeDifference()
{
    const ImageColumn &a = column(Content::a), &b = column(Content::b);
    const DifferenceKind kind = m_difference.kind();
    Pixels difference;
    if (a.isCurrent() && b.isCurrent())
        difference = Pixels::difference(a.pixels(), b.pixels(), kind,
                                        kind == DifferenceKind::ofRange ? rangeInDisc(b.pixels()) : 1);
    const Compared& chosen = m_comparison.a();
    const bool isItself = chosen.result && chosen.result == chosen.reference;
    if (isItself) // a difference of zeros would look like an image that is missing
        difference = {};
    column(Content::difference)
        .place(difference, rowOf(kind).text(),
               isItself ? tr("%1 is the reference itself").arg(chosen.label()) : QString());
    if (isItself)
        column(Content::difference).drop();
}

void ImageContents::placeComposed()
{
    column(Content::composed).compose(column(Content::a), column(Content::b));
    m_compositions->setPlanes(m_comparison.planeA(), m_comparison.planeB());
}

// A message over a previous image appears only when that image is dimmed, so that nothing flickers.
void ImageContents::setMessage(Content content, const QString& message)
{
    ImageColumn& target = column(content);
    if (target.isCurrent())
        return;
    target.setMessage(message);
    ImageColumn& composed = column(Content::composed);
    composed.setMessage(column(column(Content::a).isCurrent() ? Content::b : Content::a).message());
    for (ImageColumn* each : {&target, &composed})
        if (!m_staleTimer.isActive() || !each->isKept())
            each->showMessage();
}

void ImageContents::stop(const QString& why, bool isOutdated)
{
    if (isOutdated)
        markOutdated();
    else
        dropReference();
    for (const Content content : {Content::a, Content::b, Content::difference}) {
        column(content).rememberMessage();
        setMessage(content, why);
    }
    showHeaders();
    measureDifference();
}

void ImageContents::resume()
{
    for (const Content content : {Content::a, Content::b, Content::difference})
        if (const auto before = column(content).takeRemembered())
            setMessage(content, *before);
}

void ImageContents::markStale()
{
    bool isWaiting = false;
    for (ImageColumn& column : m_columns) {
        if (column.isCurrent())
            continue;
        if (column.isKept())
            isWaiting = true;
        else
            column.showMessage();
    }
    if (!isWaiting)
        m_staleTimer.stop();
    else if (!m_staleTimer.isActive())
        m_staleTimer.start();
}

void ImageContents::markOutdated()
{
    m_staleTimer.stop();
    m_isOutdated = static_cast<bool>(column(Content::a).pixels());
    for (ImageColumn& column : m_columns)
        column.markOutdated();
}

void ImageContents::dropReference()
{
    ImageColumn& b = column(Content::b);
    if (b.isCurrent())
        return;
    b.setTitle(m_comparison.planeB().title);
    b.drop();
    column(Content::difference).drop();
    placeComposed();
    column(Content::composed).showMessage();
}

void ImageContents::setView(const View& view)
{
    for (std::size_t k = 0; k < m_columns.size(); ++k) {
        const bool isShown = view.shows(static_cast<Content>(k));
        m_columns[k].header().setVisible(isShown);
        m_columns[k].view().setVisible(isShown);
    }
    m_compositions->setView(view, column(Content::composed));
}

bool ImageContents::setDifferenceKind(DifferenceKind kind)
{
    const bool isChanged = m_difference.setKind(kind);
    placeDifference();
    markStale();
    if (m_difference.isWanted(false))
        measureRange();
    return isChanged;
}

void ImageContents::measureRange()
{
    if (const ImageColumn& difference = column(Content::difference); difference.isCurrent())
        m_difference.measure(difference.pixels());
}

// Uses the metrics of the chosen setting: A is its image, B its reference.
void ImageContents::measureDifference()
{
    const bool isThere = column(Content::difference).isCurrent() && !m_comparison.a().isPreview();
    m_metrics = isThere ? m_comparison.a().metrics : std::nullopt;
    showDifferenceHeader();
}

QString ImageContents::noteOfImage() const
{
    return m_isOutdated                          ? tr("outdated")
           : m_comparison.a().isPreview()        ? tr("preview")
           : isDoubtful(m_comparison.a().result) ? tr("doubtful")
                                                 : QString();
}

QString ImageContents::tipOfImage() const
{
    if (m_isOutdated)
        return tr("This is the image of the previous settings; the requested one could not be computed.");
    QStringList doubts;
    if (isDoubtful(m_comparison.a().result))
        for (const engine::Text& text : engine::doubtsAbout(*m_comparison.a().result))
            doubts << inWindow(text);
    return doubts.join(u'\n');
}

void ImageContents::showHeaders()
{
    column(Content::a).showHeader(tr("Image"), noteOfImage(), tipOfImage());
    column(Content::b).showHeader(tr("Reference"), {}, {});
    if (const Composition* composition = m_compositions->active())
        column(Content::composed).header().setTitle(composition->title());
}

QString ImageContents::nameOf(Content content) const
{
    if (m_comparison.a().name.isEmpty())
        return content == Content::a ? tr("image") : tr("reference");
    return content == Content::a ? m_comparison.a().label() : m_comparison.referenceName();
}

void ImageContents::showDifferenceHeader()
{
    ImageColumn& shown = column(Content::difference);
    const DifferenceRow& row = rowOf(m_difference.kind());
    const QString& brief = m_comparison.a().name;
    shown.header().setTitle(row.text(nameOf(Content::a), nameOf(Content::b)),
                            brief.isEmpty() ? QString() : row.text(brief, m_comparison.briefReferenceName()));
    shown.header().setNote(shown.pixels() ? m_difference.text(m_unit) : QString(), {}, row.description());
    QString caption =
        m_metrics
            ? tr("RMSE %1 %3\nmax %2 %3").arg(valueText(m_metrics->rmse, 3), valueText(m_metrics->maximum, 3), m_unit)
            : QString();
    const QString area =
        m_comparison.areaName.isEmpty() ? maskText(m_comparison.mask) : tr("inside %1").arg(m_comparison.areaName);
    if (m_metrics && !area.isEmpty())
        caption += u'\n' + area;
    shown.view().setCaption(caption);
    shown.view().setToolTip(caption.isEmpty() ? QString() : tr("RMSE and largest difference of the counted pixels"));
}

bool ImageContents::isInside(const QPointF& position) const
{
    return column(Content::a).pixels() && std::min(position.x(), position.y()) >= -0.5 &&
           std::max(position.x(), position.y()) < m_size - 0.5;
}

QString ImageContents::textAt(const QPointF& position) const
{
    const auto value = [&position](const Pixels& pixels, int digits) {
        const std::optional<float> found = pixels.at(position);
        return found ? valueText(*found, digits) : QStringLiteral("–");
    };
    const ImageColumn &a = column(Content::a), &b = column(Content::b);
    const Pixels none, &ofA = a.isCurrent() ? a.pixels() : none, &ofB = b.isCurrent() ? b.pixels() : none;
    const QString place = tr("x %1 · y %2").arg(qRound(position.x())).arg(qRound(position.y()));
    // Names without what differs, which would make the text twice as long.
    const bool isNamed = !m_comparison.a().name.isEmpty();
    const QString nameA = isNamed ? m_comparison.a().name : nameOf(Content::a);
    const QString nameB = isNamed ? m_comparison.briefReferenceName() : nameOf(Content::b);
    const QString values = nameA % QLatin1Char(' ') % value(ofA, 4) % QStringLiteral(" · ") % nameB % QLatin1Char(' ') %
                           value(ofB, 4) % QStringLiteral(" · ") % rowOf(DifferenceKind::plain).text(nameA, nameB) %
                           QLatin1Char(' ') % value(Pixels::difference(ofA, ofB), 2);
    const auto& made = m_comparison.a().result;
    const QString seen = made ? seenText(*made, m_comparison.slice, position) : QString();
    // A narrow window shows only the beginning of the text, so a warning comes first.
    const QString text = (place + QStringLiteral(" · ") + values + QLatin1Char(' ') + m_unit).trimmed();
    return seen.isEmpty() ? text : seen + QStringLiteral(" · ") + text;
}

} // namespace ui
