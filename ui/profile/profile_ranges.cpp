// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profile/profile_ranges.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace ui
{

namespace
{

struct Extent {
    double minimum = std::numeric_limits<double>::infinity();
    double maximum = -std::numeric_limits<double>::infinity();
    void include(const QVector<double>& values)
    {
        for (const double value : values)
            if (std::isfinite(value)) {
                minimum = std::min(minimum, value);
                maximum = std::max(maximum, value);
            }
    }
};

void setMixedRange(QCPAxis* axis, const QCPRange& from, const StableRange& to, double fraction)
{
    axis->setRange(from.lower + (to.lower - from.lower) * fraction, from.upper + (to.upper - from.upper) * fraction);
}

} // namespace

ProfileRanges::ProfileRanges(QCPAxis* values, QCPAxis* differences, double mostDecades)
    : QObject(values->parentPlot()), m_values(values), m_differences(differences), m_mostDecades(mostDecades)
{
    m_animation.setStartValue(0.0);
    m_animation.setEndValue(1.0);
    m_animation.setDuration(140);
    m_animation.setEasingCurve(QEasingCurve::OutCubic);
    connect(&m_animation, &QVariantAnimation::valueChanged, this, [this](const QVariant& value) {
        show(value.toDouble());
        emit changed();
    });
}

void ProfileRanges::follow(const ProfileCurves& curves, bool isAnimated)
{
    Extent values, errors;
    double smallest = std::numeric_limits<double>::infinity();
    for (const Curve& curve : curves.curves) {
        values.include(curve.value);
        errors.include(curve.error);
        for (const double error : curve.error)
            if (error > 0)
                smallest = std::min(smallest, error);
    }
    const bool areFirst = !m_valueRange.set || !m_errorRange.set;
    bool isChanged = m_valueRange.follow(values.minimum, values.maximum);
    if (std::isfinite(errors.maximum)) {
        isChanged |= m_errorRange.follow(0, errors.maximum > 0 ? errors.maximum : 1e-9, false);
        if (errors.maximum > 0) {
            const double top = std::log10(errors.maximum);
            isChanged |= m_logErrorRange.follow(std::max(std::log10(smallest), top - m_mostDecades), top);
        }
    }
    if (!isChanged)
        return;
    m_animation.stop();
    m_fromValue = m_values->range();
    m_fromError = m_differences->range();
    if (isAnimated && !areFirst)
        m_animation.start();
    else
        show(1);
}

void ProfileRanges::show(double fraction)
{
    if (m_valueRange.set && !m_valuesZoomed)
        setMixedRange(m_values, m_fromValue, m_valueRange, fraction);
    if (m_differencesZoomed)
        return;
    if (m_logarithmic && m_logErrorRange.set)
        m_differences->setRange(std::pow(10, m_logErrorRange.lower), std::pow(10, m_logErrorRange.upper));
    else if (!m_logarithmic && m_errorRange.set)
        setMixedRange(m_differences, m_fromError, m_errorRange, fraction);
}

void ProfileRanges::setLogarithmic(bool logarithmic)
{
    m_logarithmic = logarithmic;
    m_animation.stop();
    m_differencesZoomed = false; // the zoom was in the other scale
    show(1);
}

void ProfileRanges::forget()
{
    m_animation.stop();
    m_valueRange.reset();
    m_errorRange.reset();
    m_logErrorRange.reset();
    m_valuesZoomed = m_differencesZoomed = false;
}

void ProfileRanges::zoom(Pane pane, double factor, double pixel)
{
    m_animation.stop();
    axis(pane)->scaleRange(factor, axis(pane)->pixelToCoord(pixel));
    zoomed(pane) = true;
}

void ProfileRanges::move(Pane pane, double fromPixel, double toPixel)
{
    if (!zoomed(pane))
        return;
    QCPAxis* moved = axis(pane);
    const double from = moved->pixelToCoord(fromPixel), to = moved->pixelToCoord(toPixel);
    if (moved->scaleType() == QCPAxis::stLogarithmic)
        moved->setRange(moved->range() * (from / to));
    else
        moved->moveRange(from - to);
}

void ProfileRanges::showAll()
{
    m_valuesZoomed = m_differencesZoomed = false;
    show(1);
}

} // namespace ui
