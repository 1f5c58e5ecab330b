#include "ui/profile/profile_plot.h"

#include "ui/profile/profile_ticks.h"
#include "ui/widgets/displayed_number.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ui
{

namespace
{

// The logarithmic axis shows at most so many powers of ten; a figure has the height for more.
constexpr double decadesOnScreen = 6;
constexpr double decadesInFigure = 9;

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

void setMixedRange(QCPAxis* axis, const QCPRange& from, const QCPRange& to, double fraction)
{
    axis->setRange(from.lower + (to.lower - from.lower) * fraction, from.upper + (to.upper - from.upper) * fraction);
}

constexpr int leastForBoth = 140; // in height: below, the differences fold away, so that the values can be read

void foldAway(QCPAxisRect* lower, QCPAxisRect* upper, bool folded)
{
    lower->setVisible(!folded);
    lower->setSizeConstraintRect(folded ? QCPLayoutElement::scrOuterRect : QCPLayoutElement::scrInnerRect);
    lower->setMinimumSize(folded ? QSize(1, 1) : upper->minimumSize()); // 0 would be what its labels want
    lower->setMaximumSize(QWIDGETSIZE_MAX, folded ? 1 : QWIDGETSIZE_MAX);
    upper->axis(QCPAxis::atBottom)->setTickLabels(folded);
}

} // namespace

ProfilePlot::ProfilePlot(bool figure, QWidget* parent) : Plot(parent), m_figure(figure), m_cursor(qQNaN())
{
    build();
    if (!figure) {
        setMouseTracking(true);
        setFocusPolicy(Qt::StrongFocus);
        setMinimumSize(240, 104);
    }
    m_animation.setStartValue(0.0);
    m_animation.setEndValue(1.0);
    m_animation.setDuration(140);
    m_animation.setEasingCurve(QEasingCurve::OutCubic);
    connect(&m_animation, &QVariantAnimation::valueChanged, this, [this](const QVariant& value) {
        showRanges(value.toDouble());
        replot(rpQueuedReplot);
    });
    applyColours();
}

void ProfilePlot::build()
{
    setAutoAddPlottableToLegend(false);
    // Segment by segment: one stroked path of thousands of crossing segments takes a hundred times as long.
    setPlottingHint(QCP::phFastPolylines, !m_figure);
    plotLayout()->clear();
    m_upper = new QCPAxisRect(this);
    m_lower = new QCPAxisRect(this);
    const int first = m_figure ? 1 : 0; // a figure's legend stands above the plots and covers nothing
    plotLayout()->addElement(first, 0, m_upper);
    plotLayout()->addElement(first + 1, 0, m_lower);
    plotLayout()->setRowSpacing(4);
    plotLayout()->setRowStretchFactor(first, 1.5);
    auto* margins = new QCPMarginGroup(this);
    for (QCPAxisRect* rect : {m_upper, m_lower}) {
        rect->setMarginGroup(QCP::msLeft | QCP::msRight, margins);
        rect->setupFullAxesBox(true);
        // Wide enough for the usual labels, so that the plots stay where they are when labels change.
        rect->setMinimumMargins(QMargins(
            fontMetrics().horizontalAdvance(QStringLiteral("−0.0000")) + fontMetrics().height() + 16, 6, 10, 4));
        rect->axis(QCPAxis::atLeft)->setTicker(QSharedPointer<EngineeringTicker>::create());
        rect->axis(QCPAxis::atLeft)->ticker()->setTickStepStrategy(QCPAxisTicker::tssReadability);
    }
    m_upper->axis(QCPAxis::atBottom)->setTickLabels(false);
    m_upper->axis(QCPAxis::atLeft)->ticker()->setTickCount(4);
    m_lower->axis(QCPAxis::atLeft)->ticker()->setTickCount(3);
    connect(m_lower->axis(QCPAxis::atLeft), qOverload<const QCPRange&>(&QCPAxis::rangeChanged), this,
            &ProfilePlot::updateLabels);
    m_upperLegend = addLegend(m_upper);
    m_lowerLegend = addLegend(m_lower);
    if (m_figure) {
        m_upper->insetLayout()->take(m_upperLegend);
        plotLayout()->addElement(0, 0, m_upperLegend);
        plotLayout()->setRowStretchFactor(0, 0.001);
        m_upperLegend->setWrap(4);
    }

    const auto note = [this](QCPAxisRect* rect) {
        auto* item = new QCPItemText(this);
        item->setClipToAxisRect(false);
        item->position->setType(QCPItemPosition::ptAxisRectRatio);
        item->position->setAxisRect(rect);
        item->position->setCoords(0.5, 0.5);
        item->setVisible(false);
        return item;
    };
    m_upperNote = note(m_upper);
    m_lowerNote = note(m_lower);
    const auto cursor = [this](QCPAxisRect* rect) {
        auto* item = new QCPItemStraightLine(this);
        for (QCPItemPosition* position : {item->point1, item->point2})
            position->setAxes(rect->axis(QCPAxis::atBottom), rect->axis(QCPAxis::atLeft));
        item->setClipAxisRect(rect);
        item->setLayer(QStringLiteral("overlay")); // has its own buffer: moving the cursor redraws no curve
        item->setSelectable(false);
        item->setVisible(false);
        return item;
    };
    m_upperCursor = cursor(m_upper);
    m_lowerCursor = cursor(m_lower);
}

void ProfilePlot::setCurves(const ProfileCurves& curves)
{
    const auto sameShape = [](const ProfileCurves& x, const ProfileCurves& y) {
        return std::equal(x.curves.begin(), x.curves.end(), y.curves.begin(), y.curves.end(),
                          [](const Curve& p, const Curve& q) {
                              return p.role == q.role && p.line == q.line && p.name == q.name && p.title == q.title &&
                                     p.error.isEmpty() == q.error.isEmpty();
                          });
    };
    const bool rebuild = !sameShape(m_curves, curves);
    if (m_curves.unit != curves.unit || m_curves.positionUnit != curves.positionUnit)
        forgetRanges();
    if (m_curves.lines.size() != curves.lines.size())
        m_positions.reset(); // it was a part of other lines
    m_curves = curves;
    if (rebuild)
        makeGraphs();
    setPositions(m_positions.value_or(QCPRange(0, m_curves.length)));
    followRanges();
    fillGraphs();
    updateLabels();
    if (!std::isnan(m_cursor))
        emit cursorMoved(m_cursor); // the values under it have changed
    replot(rpQueuedReplot);
}

void ProfilePlot::followRanges()
{
    Extent values, errors;
    double smallest = std::numeric_limits<double>::infinity();
    for (const Curve& curve : m_curves.curves) {
        values.include(curve.value);
        errors.include(curve.error);
        for (const double error : curve.error)
            if (error > 0)
                smallest = std::min(smallest, error);
    }
    const bool first = !m_valueRange.set;
    const bool firstError = !m_errorRange.set;
    bool changed = m_valueRange.follow(values.minimum, values.maximum);
    if (std::isfinite(errors.maximum)) {
        changed |= m_errorRange.follow(0, errors.maximum > 0 ? errors.maximum : 1e-9, false);
        if (errors.maximum > 0) {
            const double top = std::log10(errors.maximum);
            changed |= m_logErrorRange.follow(
                std::max(std::log10(smallest), top - (m_figure ? decadesInFigure : decadesOnScreen)), top);
        }
    }
    if (!changed)
        return;
    m_animation.stop();
    m_fromValue = m_upper->axis(QCPAxis::atLeft)->range();
    m_fromError = m_lower->axis(QCPAxis::atLeft)->range();
    const bool animate = !m_figure && isVisible() && !first && !firstError;
    if (animate)
        m_animation.start();
    else
        showRanges(1);
}

void ProfilePlot::showRanges(double fraction)
{
    if (m_valueRange.set && !m_zoomed[0])
        setMixedRange(m_upper->axis(QCPAxis::atLeft), m_fromValue, {m_valueRange.lower, m_valueRange.upper}, fraction);
    QCPAxis* errorAxis = m_lower->axis(QCPAxis::atLeft);
    if (m_zoomed[1])
        return;
    if (m_logarithmic && m_logErrorRange.set)
        errorAxis->setRange(std::pow(10, m_logErrorRange.lower), std::pow(10, m_logErrorRange.upper));
    else if (!m_logarithmic && m_errorRange.set)
        setMixedRange(errorAxis, m_fromError, {m_errorRange.lower, m_errorRange.upper}, fraction);
}

void ProfilePlot::setLogarithmic(bool logarithmic)
{
    if (m_logarithmic == logarithmic)
        return;
    m_logarithmic = logarithmic;
    m_animation.stop();
    QCPAxis* axis = m_lower->axis(QCPAxis::atLeft);
    if (logarithmic)
        axis->setTicker(QSharedPointer<PowerTicker>::create());
    else
        axis->setTicker(QSharedPointer<EngineeringTicker>::create());
    axis->ticker()->setTickCount(3);
    axis->setScaleType(logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    m_lower->axis(QCPAxis::atRight)->setScaleType(axis->scaleType());
    m_zoomed[1] = false; // in another scale
    showRanges(1);
    fillGraphs();
    updateLabels();
    replot(rpQueuedReplot);
}

void ProfilePlot::forgetRanges()
{
    m_animation.stop();
    m_valueRange.reset();
    m_errorRange.reset();
    m_logErrorRange.reset();
    m_positions.reset();
    m_zoomed = {};
}

void ProfilePlot::setNotes(const QString& upper, const QString& lower)
{
    m_upperNote->setText(upper);
    m_upperNote->setVisible(!upper.isEmpty());
    m_lowerNote->setText(lower);
    m_lowerNote->setVisible(m_lower->visible() && !lower.isEmpty());
    replot(rpQueuedReplot);
}

void ProfilePlot::updateLabels()
{
    QCPAxis* values = m_upper->axis(QCPAxis::atLeft);
    QCPAxis* errors = m_lower->axis(QCPAxis::atLeft);
    const auto powerOf = [](QCPAxis* axis) {
        const auto ticker = axis->ticker().dynamicCast<EngineeringTicker>();
        if (!ticker)
            return 0;
        const int exponent = EngineeringTicker::exponentFor(axis->range());
        ticker->setExponent(exponent);
        return exponent;
    };
    const QString valueUnit = unitWithPower(m_curves.unit, powerOf(values));
    const QString errorUnit = unitWithPower(m_curves.unit, powerOf(errors));
    // The whole label where it fits along the axis, else the unit alone.
    const auto label = [](QCPAxis* axis, const QString& whole, const QString& unit) {
        const int room = axis->axisRect()->height();
        const bool fits = QFontMetrics(axis->labelFont()).horizontalAdvance(whole) < room - 4;
        const QString text = unit.isEmpty() ? QString() : fits ? whole : unit;
        if (axis->label() != text)
            axis->setLabel(text);
    };
    label(values, tr("attenuation (%1)").arg(valueUnit), valueUnit);
    label(errors,
          (m_figure ? tr("|difference to %1| (%2)").arg(m_curves.referenceName, errorUnit)
                    : tr("|difference| (%1)").arg(errorUnit)),
          errorUnit);
    const QString unit = m_curves.positionUnit == QLatin1String("px") ? tr("pixels") : m_curves.positionUnit;
    const QString along = unit.isEmpty() ? QString() : tr("position along the line (%1)").arg(unit);
    m_lower->axis(QCPAxis::atBottom)->setLabel(along);
    m_upper->axis(QCPAxis::atBottom)->setLabel(m_lower->visible() ? QString() : along);
}

void ProfilePlot::applyColours()
{
    m_colours = curveColours(m_figure ? paperPalette() : palette());
    const QFont small = plotFont(font());
    setBackground(m_colours.background);
    for (QCPAxisRect* rect : {m_upper, m_lower})
        styleAxes(rect, m_colours, small);
    for (QCPLegend* legend : {m_upperLegend, m_lowerLegend})
        styleLegend(legend, m_colours, small);
    for (QCPItemText* note : {m_upperNote, m_lowerNote}) {
        note->setColor(m_colours.quietText);
        note->setFont(font());
    }
    for (QCPItemStraightLine* cursor : {m_upperCursor, m_lowerCursor})
        cursor->setPen(QPen(m_colours.quietText, 1));
    colourGraphs();
    replot(rpQueuedReplot);
}

void ProfilePlot::changeEvent(QEvent* event)
{
    Plot::changeEvent(event);
    if (m_lower && (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)) {
        applyColours();
        if (!std::isnan(m_cursor))
            emit pointed(m_cursor); // the read-out has these colours too
    }
}

void ProfilePlot::resizeEvent(QResizeEvent* event)
{
    Plot::resizeEvent(event);
    if (const bool folded = !m_figure && height() < leastForBoth; folded == m_lower->visible()) {
        foldAway(m_lower, m_upper, folded);
        m_lowerNote->setVisible(!folded && !m_lowerNote->text().isEmpty());
        replot(rpQueuedReplot);
    }
    const QString before = m_upper->axis(QCPAxis::atLeft)->label() + m_lower->axis(QCPAxis::atLeft)->label();
    updateLabels();
    if (before != m_upper->axis(QCPAxis::atLeft)->label() + m_lower->axis(QCPAxis::atLeft)->label())
        replot(rpQueuedReplot);
}

QPixmap ProfilePlot::figure(int width, int height, double scale)
{
    // Once for the layout: labels depend on the room, and the room on the labels.
    toPixmap(width, height, 1);
    updateLabels();
    return toPixmap(width, height, scale);
}

} // namespace ui
