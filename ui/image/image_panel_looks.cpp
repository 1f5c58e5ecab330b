// How the panel shows what it shows, as a session keeps it.
#include "ui/image/image_panel_impl.h"

#include <QJsonArray>

#include <cmath>

namespace ui
{

namespace
{

const QString viewName = QStringLiteral("view");
const QString marksName = QStringLiteral("lineVisible"); // and areas; as the first version called it
const QString mapName = QStringLiteral("colourMap");
const QString sharedName = QStringLiteral("windowShared");
const QString windowName = QStringLiteral("greyWindow");
const QString windowOfBName = QStringLiteral("greyWindowOfB");
const QString kindName = QStringLiteral("differenceKind");
const QString rangesName = QStringLiteral("differenceRanges"); // of those that aren't automatic

QJsonArray numbersOf(const GreyWindow& window)
{
    return {window.low, window.high};
}

// Nothing where it is none: the automatic one is taken.
std::optional<GreyWindow> windowFrom(const QJsonValue& json)
{
    const QJsonArray ends = json.toArray();
    const GreyWindow window{ends[0].toDouble(std::nan("")), ends[1].toDouble(std::nan(""))};
    return window.low < window.high ? std::optional(window) : std::nullopt;
}

} // namespace

QJsonObject ImagePanel::looks() const
{
    QJsonObject ranges;
    for (const DifferenceRow& row : differenceKinds())
        if (const Impl::Range& range = m_impl->ranges[static_cast<std::size_t>(row.kind)];
            !range.automatic && range.value > 0)
            ranges[QLatin1String(row.id)] = range.value;
    QJsonObject json{{viewName, QLatin1String(view().id)},
                     {marksName, marksVisible()},
                     {mapName, colourMap()},
                     {sharedName, windowShared()},
                     {kindName, QLatin1String(ui::rowOf(m_impl->kind).id)}};
    if (!ranges.isEmpty())
        json[rangesName] = ranges;
    if (m_impl->column(Content::a).pixels && !m_impl->windowOfPreview)
        json[windowName] = numbersOf(m_impl->windowA);
    if (!m_impl->shared && m_impl->windowBKnown)
        json[windowOfBName] = numbersOf(m_impl->windowB);
    return json;
}

void ImagePanel::setLooks(const QJsonObject& json)
{
    if (const View* stored = findView(json[viewName].toString()))
        setView(*stored);
    setMarksVisible(json[marksName].toBool(true));
    setColourMap(json[mapName].toString());
    setWindowShared(json[sharedName].toBool(true));
    for (const DifferenceRow& row : differenceKinds()) {
        Impl::Range& range = m_impl->ranges[static_cast<std::size_t>(row.kind)];
        const double value = json[rangesName].toObject()[QLatin1String(row.id)].toDouble();
        range = value > 0 ? Impl::Range{value, false, true} : Impl::Range{};
        if (json[kindName].toString() == QLatin1String(row.id))
            setDifferenceKind(row.kind);
    }
    m_impl->givenA = windowFrom(json[windowName]);
    m_impl->givenB = windowFrom(json[windowOfBName]);
    m_impl->showColours();
}

} // namespace ui
