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

Figure ImagePanel::figure() const
{
    Figure figure;
    const int size = m_contents->sliceSize();
    const QRectF whole(0, 0, size, size);
    figure.sliceSize = size;
    figure.pixelSizeMm = m_contents->pixelSizeMm();
    figure.marks = marks();
    figure.part = m_views->viewpoint().fitted ? whole : m_views->first()->visiblePart().intersected(whole);
    if (figure.part.isEmpty())
        figure.part = whole;
    const ColourTable& colours = ui::colourMaps()[static_cast<std::size_t>(m_colours->colourMap())].colours;
    const Colouring ofA{m_colours->windows().a(), colours}, ofB{m_colours->windows().b(), colours};
    const auto add = [&figure](const ImageColumn& column, const Colouring& colouring, const QString& unit) {
        if (!column.isCurrent())
            return;
        const bool isPreview = column.pixels().grid().step > 1;
        figure.images.push_back({isPreview ? tr("%1, preview").arg(column.header().title()) : column.header().title(),
                                 shade(column.pixels(), colouring.window, colouring.colours), colouring, unit});
    };
    const QString& unit = m_contents->unit();
    if (m_view->shows(Content::every)) {
        figure.across = m_grid->across();
        for (const ImageColumn* cell : m_grid->shown())
            add(*cell, ofA, unit);
        return figure;
    }
    // A composition is saved as what it is composed of.
    const bool isComposed = m_view->shows(Content::composed);
    if (isComposed || m_view->shows(Content::a))
        add(m_contents->column(Content::a), ofA, unit);
    if (isComposed || m_view->shows(Content::b))
        add(m_contents->column(Content::b), ofB, unit);
    const DifferenceRange& difference = m_contents->difference();
    if (isComposed || m_view->shows(Content::difference)) // on paper white where there is none, in a dark theme too
        add(m_contents->column(Content::difference), difference.colouring(false), difference.unit(unit));
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
