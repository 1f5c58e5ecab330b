// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/image/grey_windows.h"

#include "ui/image/image_statistics.h"

#include <QJsonArray>

#include <cmath>
#include <utility>

namespace ui
{

namespace
{

const QString windowName = QStringLiteral("greyWindow");
const QString windowOfBName = QStringLiteral("greyWindowOfB");

QJsonArray numbersOf(const GreyWindow& window)
{
    return {window.low, window.high};
}

// Returns nothing if the JSON holds no valid window. The automatic window is used then.
std::optional<GreyWindow> windowFrom(const QJsonValue& json)
{
    const QJsonArray ends = json.toArray();
    const GreyWindow window{ends[0].toDouble(std::nan("")), ends[1].toDouble(std::nan(""))};
    return window.low < window.high ? std::optional(window) : std::nullopt;
}

} // namespace

bool GreyWindows::setShared(bool shared)
{
    return std::exchange(m_shared, shared) != shared;
}

void GreyWindows::beginScan(const Pixels& a, bool isPreview)
{
    const auto givenA = std::exchange(m_givenA, {}), givenB = std::exchange(m_givenB, {});
    m_a = givenA ? *givenA : automaticWindow(sampleDisc(a));
    m_ofPreview = !givenA && isPreview;
    m_b = givenB.value_or(m_b);
    m_bKnown = givenB.has_value();
}

bool GreyWindows::follow(const Pixels& a, bool isPreview, const Pixels& b)
{
    const bool isFirstFull = a && !isPreview && std::exchange(m_ofPreview, false);
    if (isFirstFull)
        m_a = automaticWindow(sampleDisc(a));
    if (b && !std::exchange(m_bKnown, true))
        m_b = automaticWindow(sampleDisc(b));
    return isFirstFull;
}

void GreyWindows::setAutomatic(const Pixels& a, const Pixels& b)
{
    m_ofPreview = false;
    if (a)
        m_a = automaticWindow(sampleDisc(a));
    if (b)
        m_b = automaticWindow(sampleDisc(b));
}

void GreyWindows::setAutomatic(const Pixels& a, const Pixels& b, const QRectF& part)
{
    const auto windowIn = [&part](const Pixels& pixels, GreyWindow& window) {
        if (std::vector<float> values = sampleOf(pixels, part); !values.empty())
            window = automaticWindow(std::move(values));
    };
    m_ofPreview = false;
    windowIn(a, m_a);
    windowIn(b, m_b);
}

void GreyWindows::set(Image image, const GreyWindow& window)
{
    if (image == Image::b && !m_shared) {
        m_b = window;
        return;
    }
    m_a = window;
    m_ofPreview = false;
}

void GreyWindows::addTo(QJsonObject& json, bool isImageThere) const
{
    if (isImageThere && !m_ofPreview)
        json[windowName] = numbersOf(m_a);
    if (!m_shared && m_bKnown)
        json[windowOfBName] = numbersOf(m_b);
}

void GreyWindows::give(const QJsonObject& json)
{
    m_givenA = windowFrom(json[windowName]);
    m_givenB = windowFrom(json[windowOfBName]);
}

} // namespace ui
