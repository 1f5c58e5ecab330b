// SPDX-License-Identifier: GPL-3.0-or-later
// The colours of ImagePanel, and its appearance as settings and sessions store it.
#include "ui/image/image_colours.h"
#include "ui/image/image_contents.h"
#include "ui/image/image_grid.h"
#include "ui/image/image_panel.h"
#include "ui/image/linked_views.h"

#include <QEvent>
#include <QSettings>

#include <algorithm>
#include <cmath>

namespace ui
{

namespace
{

const QString colourMapKey = QStringLiteral("images/colourMap");
const QString sharedKey = QStringLiteral("images/windowShared");
const QString lineKey = QStringLiteral("images/lineVisible");
const QString layoutKey = QStringLiteral("images/layout");
const QString kindKey = QStringLiteral("images/differenceKind");
const QString insetKey = QStringLiteral("images/inset");
const QString rangeKey = QStringLiteral("images/differenceAutomatic");

const QString viewName = QStringLiteral("view");
const QString marksName = QStringLiteral("lineVisible"); // for areas, too; the name dates from the first version
const QString mapName = QStringLiteral("colourMap");
const QString sharedName = QStringLiteral("windowShared");
const QString kindName = QStringLiteral("differenceKind");
const QString rangesName = QStringLiteral("differenceRanges"); // only those that aren't automatic

// Number of images in a row of a figure: up to three beside each other, else about as many as there are rows.
int acrossInFigure(std::size_t count)
{
    return count <= 3 ? static_cast<int>(count) : static_cast<int>(std::ceil(std::sqrt(static_cast<double>(count))));
}

} // namespace

void ImagePanel::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        m_colours->show(); // the difference has other colours in a dark theme
}

void ImagePanel::autoWindow()
{
    m_colours->setAutomatic();
}

void ImagePanel::windowOfVisible()
{
    m_colours->setAutomatic(m_views->first()->visiblePart());
}

bool ImagePanel::windowShared() const
{
    return m_colours->windows().isShared();
}

void ImagePanel::setWindowShared(bool shared)
{
    m_colours->setShared(shared);
}

QStringList ImagePanel::colourMaps() const
{
    QStringList names;
    for (const ColourMap& map : ui::colourMaps())
        names << map.name;
    return names;
}

QString ImagePanel::colourMap() const
{
    return colourMaps().value(m_colours->colourMap());
}

void ImagePanel::setColourMap(const QString& name)
{
    const QStringList names = colourMaps();
    int index = m_colours->colourMap();
    for (int i = 0; i < names.size(); ++i)
        if (names[i].compare(name, Qt::CaseInsensitive) == 0)
            index = i;
    m_colours->setColourMap(index);
}

DifferenceKind ImagePanel::differenceKind() const
{
    return m_contents->difference().kind();
}

void ImagePanel::setDifferenceKind(DifferenceKind kind)
{
    m_colours->setDifferenceKind(kind);
}

QJsonObject ImagePanel::looks() const
{
    const DifferenceRange& difference = m_contents->difference();
    QJsonObject json{{viewName, QLatin1String(view().id)},
                     {marksName, marksVisible()},
                     {mapName, colourMap()},
                     {sharedName, windowShared()},
                     {kindName, QLatin1String(rowOf(difference.kind()).id)}};
    if (const QJsonObject ranges = difference.ranges(); !ranges.isEmpty())
        json[rangesName] = ranges;
    m_colours->windows().addTo(json, static_cast<bool>(m_contents->column(Content::a).pixels()));
    return json;
}

void ImagePanel::setLooks(const QJsonObject& json)
{
    if (const View* stored = findView(json[viewName].toString()))
        setView(*stored);
    setMarksVisible(json[marksName].toBool(true));
    setColourMap(json[mapName].toString());
    setWindowShared(json[sharedName].toBool(true));
    m_contents->difference().setRanges(json[rangesName].toObject());
    for (const DifferenceRow& row : differenceKinds())
        if (json[kindName].toString() == QLatin1String(row.id))
            setDifferenceKind(row.kind);
    m_colours->giveWindows(json);
    m_colours->show();
}

Figure ImagePanel::figure(const View& of) const
{
    Figure figure;
    const int size = m_contents->sliceSize();
    const QRectF whole(0, 0, size, size);
    QRectF part = m_views->viewpoint().fitted ? whole : m_views->first()->visiblePart().intersected(whole);
    if (part.isEmpty())
        part = whole;
    const ColourTable& colours = ui::colourMaps()[static_cast<std::size_t>(m_colours->colourMap())].colours;
    const Colouring ofA{m_colours->windows().a(), colours}, ofB{m_colours->windows().b(), colours};
    const auto add = [&](const Pixels& pixels, const QString& title, const Colouring& colouring, const QString& unit) {
        const QString which = pixels.grid().step > 1                            ? tr("%1, preview")
                              : isDoubtful(m_contents->comparison().a().result) ? tr("%1, doubtful")
                                                                                : QStringLiteral("%1");
        figure.images.push_back(
            {which.arg(title), pixels, colouring, unit, part, size, marks(), 1, m_contents->pixelSizeMm()});
    };
    const QString& unit = m_contents->unit();
    if (of.shows(Content::every)) {
        const auto addPlane = [&](const GridSlice& plane) {
            if (const Pixels pixels(plane); pixels && pixels.grid().size == size)
                add(pixels, plane.title, ofA, unit);
        };
        const Comparison& comparison = m_contents->comparison();
        for (const Compared* one : comparison.shown())
            addPlane(comparison.planeOf(*one));
        if (comparison.hasOwnReference())
            addPlane(comparison.planeB());
        figure.across = m_grid->isVisible() ? m_grid->across() : acrossInFigure(figure.images.size());
        return figure;
    }
    const auto addColumn = [&](Content content, const Colouring& colouring, const QString& inUnit) {
        if (const ImageColumn& column = m_contents->column(content); column.isCurrent())
            add(column.pixels(), column.header().title(), colouring, inUnit);
    };
    // A composition is saved as what it is composed of.
    const bool isComposed = of.shows(Content::composed);
    if (isComposed || of.shows(Content::a))
        addColumn(Content::a, ofA, unit);
    if (isComposed || of.shows(Content::b))
        addColumn(Content::b, ofB, unit);
    const DifferenceRange& difference = m_contents->difference();
    if (isComposed || of.shows(Content::difference)) // on paper white where there is none, in a dark theme too
        addColumn(Content::difference, difference.colouring(false), difference.unit(unit));
    return figure;
}

void ImagePanel::saveState(QSettings& settings) const
{
    settings.setValue(colourMapKey, colourMap());
    settings.setValue(sharedKey, windowShared());
    settings.setValue(lineKey, marksVisible());
    settings.setValue(rangeKey, m_contents->difference().isPlainAutomatic());
    settings.setValue(kindKey, QString::fromLatin1(rowOf(differenceKind()).id));
    m_contents->compositions().saveState(settings);
    for (const InsetRow& row : insetKinds())
        if (row.kind == m_insetKind)
            settings.setValue(insetKey, QString::fromLatin1(row.id));
    settings.setValue(layoutKey, QString::fromLatin1(m_view->id));
}

void ImagePanel::restoreState(const QSettings& settings)
{
    setColourMap(settings.value(colourMapKey).toString());
    setWindowShared(settings.value(sharedKey, true).toBool());
    setMarksVisible(settings.value(lineKey, true).toBool());
    const View* stored = findView(settings.value(layoutKey).toString());
    setView(stored ? *stored : views().front());
    m_contents->difference().setPlainAutomatic(settings.value(rangeKey, true).toBool());
    for (const InsetRow& row : insetKinds())
        if (settings.value(insetKey).toString() == QLatin1String(row.id))
            setInset(row.kind);
    const QString kind = settings.value(kindKey).toString();
    for (const DifferenceRow& row : differenceKinds())
        if (kind == QLatin1String(row.id))
            setDifferenceKind(row.kind);
    m_contents->compositions().restoreState(settings);
    m_colours->show();
}

} // namespace ui
