// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profile/profile_panel.h"

#include "ui/profile/line_bar.h"
#include "ui/profile/profile_curves.h"
#include "ui/profile/profile_plot.h"
#include "ui/widgets/boxes.h"
#include "ui/widgets/displayed_number.h"

#include <QLabel>
#include <QToolButton>

#include <cmath>

namespace ui
{

struct ProfilePanel::Impl {
    ProfilePlot* plot = nullptr;
    QLabel* readout = nullptr;
    QToolButton* logarithmic = nullptr;
    LineBar* lines = nullptr;
    QWidget* header = nullptr;
    Comparison shown;
    engine::Marks marks;
    engine::SliceGrid grid; // of the slice that is shown; another size means another scan
    const engine::Scan* scan = nullptr;

    void readAt(double position);
    QString edges() const;
    void showCurves();
};

// Pixels of the slice within which the pointer on an image moves the cursor of the profile.
constexpr double cursorReach = 6;

// Returns "edge, 10–90 %  A 2.31 px  exact 2.10 px" for the curves that cross one clear edge.
QString ProfilePanel::Impl::edges() const
{
    QStringList parts;
    for (const QString& text : edgeWidthTexts(plot->curves()))
        parts << text.toHtmlEscaped();
    if (parts.isEmpty())
        return {};
    parts.prepend(ProfilePanel::tr("edge, 10–90 %"));
    return parts.join(QStringLiteral(" &nbsp; "));
}

// Shows the chosen line first.
void ProfilePanel::Impl::showCurves()
{
    std::vector<const engine::Mark*> along;
    if (marks.line())
        along.push_back(marks.line());
    for (const engine::Mark* line : marks.lines())
        if (lines->all() && line->visible && line->id != marks.lineId)
            along.push_back(line);
    plot->setCurves(profileCurves(shown, along));
    readAt(plot->cursor());
}

// Shows "120.0 px  A 0.02130  B 0.02120  exact 0.02120  |A − exact| 1.00e−4  1/pixel".
void ProfilePanel::Impl::readAt(double position)
{
    const ProfileCurves& curves = plot->curves();
    if (std::isnan(position) || curves.empty()) {
        readout->setText(edges());
        return;
    }
    const CurveColours colours = curveColours(plot->palette());
    const auto coloured = [](const QString& text, const QColor& colour) {
        return QStringLiteral("<span style='color:%1'>%2</span>").arg(colour.name(), text);
    };
    const int decimals = curves.positionUnit == QLatin1String("px") ? 1 : curves.length < 10 ? 3 : 2;
    QStringList parts{QStringLiteral("%1 %2").arg(QString::number(position, 'f', decimals), curves.positionUnit)};
    QStringList differences;
    const Curve* reference = curves.find(Curve::Role::reference);
    const QString brief = reference ? reference->briefName : curves.referenceName;
    for (const Curve* curve : curves.inOrder()) {
        if (curve->line != 0)
            break; // only curves of the chosen line
        const bool isReference = curve->role == Curve::Role::reference;
        const QColor colour = isReference ? colours.text : settingColour(plot->palette(), curve->colour);
        const QString value = fourDigitsText(valueAt(curve->position, curve->value, position));
        parts += coloured(QStringLiteral("%1 %2").arg(curve->briefName.toHtmlEscaped(), value), colour);
        if (!curve->error.isEmpty()) {
            const QString error = errorText(valueAt(curve->position, curve->error, position));
            differences +=
                coloured(QStringLiteral("|%1 − %2| %3").arg(curve->briefName, brief, error).toHtmlEscaped(), colour);
        }
    }
    parts += differences;
    parts += coloured(curves.unit, colours.quietText);
    readout->setText(parts.join(QStringLiteral(" &nbsp; ")));
}

ProfilePanel::ProfilePanel(QWidget* parent) : QWidget(parent), m_impl(std::make_unique<Impl>())
{
    m_impl->plot = new ProfilePlot(false);
    m_impl->plot->setObjectName(QStringLiteral("profilePlot"));
    m_impl->plot->setAccessibleName(tr("Profile along the line"));
    m_impl->plot->setAccessibleDescription(tr("Values of the settings and the reference along the line, and below them "
                                              "the absolute differences. Left and Right move the cursor."));

    m_impl->readout = new QLabel;
    m_impl->readout->setObjectName(QStringLiteral("profileReadout"));
    m_impl->readout->setTextFormat(Qt::RichText);
    m_impl->readout->setAccessibleName(tr("Values under the pointer"));
    // A long read-out is cut, and never widens the window.
    m_impl->readout->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);

    m_impl->logarithmic = new QToolButton;
    m_impl->logarithmic->setObjectName(QStringLiteral("profileLogarithmic"));
    m_impl->logarithmic->setText(tr("log"));
    m_impl->logarithmic->setCheckable(true);
    m_impl->logarithmic->setAutoRaise(true);
    m_impl->logarithmic->setToolTip(tr("Logarithmic scale for the differences"));
    m_impl->logarithmic->setAccessibleName(tr("Logarithmic differences"));
    connect(m_impl->logarithmic, &QToolButton::toggled, m_impl->plot, &ProfilePlot::setLogarithmic);
    connect(m_impl->plot, &ProfilePlot::cursorMoved, this, [this](double position) { m_impl->readAt(position); });
    connect(m_impl->plot, &ProfilePlot::pointed, this, [this](double position) {
        const ProfileCurves& curves = m_impl->plot->curves();
        std::optional<QPointF> at;
        if (!std::isnan(position) && !curves.lines.empty() && position <= curves.lines.front().length) {
            const engine::Point place = engine::pointAlong(curves.lines.front().shape, position / curves.pixelSize);
            at = QPointF(place.x, place.y);
        }
        emit pointedAt(at);
    });
    m_impl->lines = new LineBar(m_impl->readout);
    connect(m_impl->lines, &LineBar::edited, this, &ProfilePanel::marksEdited);
    connect(m_impl->lines, &LineBar::allSwitched, this, [this] { m_impl->showCurves(); });

    m_impl->header = new QWidget(this);
    filled(new QHBoxLayout(m_impl->header), {{m_impl->lines, 1}, m_impl->logarithmic}, {QMargins(8, 0, 4, 0)});
    m_impl->plot->setParent(this);
    clear();
}

QWidget* ProfilePanel::header() const
{
    return m_impl->header;
}

// The line's controls stand above the plot unless they were placed elsewhere.
void ProfilePanel::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    const int high = m_impl->header->parentWidget() == this ? m_impl->header->sizeHint().height() : 0;
    if (high > 0)
        m_impl->header->setGeometry(0, 0, width(), high);
    m_impl->plot->setGeometry(0, high, width(), height() - high);
}

ProfilePanel::~ProfilePanel() = default;

void ProfilePanel::show(const Comparison& comparison, const engine::Marks& marks)
{
    const GridSlice a = comparison.planeA(), reference = comparison.planeB();
    m_impl->lines->show(marks);
    if ((!a && !reference) || !marks.line()) {
        clear();
        return;
    }
    const engine::Scan* scan = comparison.hasResult() ? comparison.a().result->request.scan.get() : nullptr;
    const engine::SliceGrid grid = a ? a.grid : reference.grid;
    if (grid.size != m_impl->grid.size || scan != m_impl->scan)
        m_impl->plot->forgetRanges();
    m_impl->grid = grid;
    m_impl->scan = scan;
    m_impl->plot->setNotes({}, reference ? QString() : tr("There is no image of the reference"));
    m_impl->shown = comparison;
    m_impl->marks = marks;
    m_impl->showCurves();
}

void ProfilePanel::pointFrom(const std::optional<QPointF>& position)
{
    const ProfileCurves& curves = m_impl->plot->curves();
    if (!position || curves.lines.empty())
        return m_impl->plot->pointAt(qQNaN());
    const engine::Shape& shape = curves.lines.front().shape;
    const double along = engine::positionAlong(shape, {position->x(), position->y()});
    const engine::Point on = engine::pointAlong(shape, along);
    const bool isNear = std::hypot(on.x - position->x(), on.y - position->y()) <= cursorReach;
    m_impl->plot->pointAt(isNear ? along * curves.pixelSize : qQNaN());
}

void ProfilePanel::clear()
{
    m_impl->grid = {};
    m_impl->scan = nullptr;
    m_impl->shown = {};
    m_impl->plot->forgetRanges();
    m_impl->plot->setCurves({});
    m_impl->plot->setNotes(tr("The profile along the line appears here"), {});
    m_impl->readout->setText({});
}

void ProfilePanel::saveCsv(const QString& path) const
{
    writeProfileCsv(path, m_impl->plot->curves());
}

Drawing ProfilePanel::drawing() const
{
    return drawingOf(m_impl->plot->curves(), m_impl->logarithmic->isChecked());
}

QString ProfilePanel::values() const
{
    return profileCsv(m_impl->plot->curves());
}

} // namespace ui
