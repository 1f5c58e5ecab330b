#include "ui/profile/profile_panel.h"

#include "ui/number_text.h"
#include "ui/profile/profile_curves.h"
#include "ui/profile/profile_plot.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>

#include <cmath>

namespace ui
{

struct ProfilePanel::Impl {
    ProfilePlot* plot = nullptr;
    QLabel* readout = nullptr;
    QToolButton* logarithmic = nullptr;
    engine::SliceGrid grid; // of what is shown: another size is another scan
    const engine::Scan* scan = nullptr;

    void readAt(double position);
};

// "x 120.0 px · A 0.0213 · B 0.0212 · exact 0.0213 · |A − exact| 1.0e−4 · 1/pixel"
void ProfilePanel::Impl::readAt(double position)
{
    const ProfileCurves& curves = plot->curves();
    if (std::isnan(position) || curves.empty()) {
        readout->setText({});
        return;
    }
    const CurveColours colours = curveColours(plot->palette());
    const auto coloured = [](const QString& text, const QColor& colour) {
        return QStringLiteral("<span style='color:%1'>%2</span>").arg(colour.name(), text);
    };
    const int decimals = curves.positionUnit == QLatin1String("px") ? 1 : curves.length < 10 ? 3 : 2;
    QStringList parts{QStringLiteral("%1 %2").arg(QString::number(position, 'f', decimals), curves.positionUnit)};
    QStringList differences;
    for (const Curve* curve : curves.inOrder()) {
        const bool isReference = curve->role == Curve::Role::reference;
        const QColor colour = isReference ? colours.text : settingColour(plot->palette(), curve->colour);
        const QString value = valueText(valueAt(curve->position, curve->value, position));
        parts += coloured(QStringLiteral("%1 %2").arg(curve->name.toHtmlEscaped(), value), colour);
        if (!curve->error.isEmpty()) {
            const QString error = errorText(valueAt(curve->position, curve->error, position));
            differences += coloured(
                QStringLiteral("|%1 − %2| %3").arg(curve->name, curves.referenceName, error).toHtmlEscaped(), colour);
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
    m_impl->plot->setAccessibleDescription(
        tr("Values of the settings and of what they are compared with along the line, and under them the absolute "
           "differences. Left and Right move the cursor."));

    m_impl->readout = new QLabel;
    m_impl->readout->setObjectName(QStringLiteral("profileReadout"));
    m_impl->readout->setTextFormat(Qt::RichText);
    m_impl->readout->setAccessibleName(tr("Values under the pointer"));
    // A long read-out is cut, it never widens the window.
    m_impl->readout->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);

    m_impl->logarithmic = new QToolButton;
    m_impl->logarithmic->setObjectName(QStringLiteral("profileLogarithmic"));
    m_impl->logarithmic->setText(tr("log"));
    m_impl->logarithmic->setCheckable(true);
    m_impl->logarithmic->setAutoRaise(true);
    m_impl->logarithmic->setToolTip(tr("Logarithmic scale for the differences"));
    m_impl->logarithmic->setAccessibleName(tr("Logarithmic differences"));
    connect(m_impl->logarithmic, &QToolButton::toggled, m_impl->plot, &ProfilePlot::setLogarithmic);
    connect(m_impl->plot, &ProfilePlot::pointed, this, [this](double position) { m_impl->readAt(position); });

    auto* header = new QHBoxLayout;
    header->setContentsMargins(8, 0, 4, 0);
    header->addWidget(m_impl->readout, 1);
    header->addWidget(m_impl->logarithmic);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(header);
    layout->addWidget(m_impl->plot, 1);
    clear();
}

ProfilePanel::~ProfilePanel() = default;

void ProfilePanel::show(const Comparison& comparison, const engine::Marks& marks)
{
    const Plane a = comparison.planeA(), reference = comparison.planeB();
    const engine::Mark* line = marks.line();
    if ((!a && !reference) || !line) {
        clear();
        return;
    }
    const engine::Scan* scan = comparison.hasResult() ? comparison.a().result->request.scan.get() : nullptr;
    const engine::SliceGrid grid = a ? a.grid : reference.grid;
    if (grid.size != m_impl->grid.size || scan != m_impl->scan)
        m_impl->plot->forgetRanges();
    m_impl->grid = grid;
    m_impl->scan = scan;
    m_impl->plot->setNotes({}, reference ? QString() : tr("What it is compared with isn't there yet"));
    m_impl->plot->setCurves(profileCurves(comparison, *line));
}

void ProfilePanel::clear()
{
    m_impl->grid = {};
    m_impl->scan = nullptr;
    m_impl->plot->forgetRanges();
    m_impl->plot->setCurves({});
    m_impl->plot->setNotes(tr("The profile along the line appears here"), {});
    m_impl->readout->setText({});
}

void ProfilePanel::saveCsv(const QString& path) const
{
    writeProfileCsv(path, m_impl->plot->curves());
}

void ProfilePanel::saveImage(const QString& path) const
{
    writeProfileImage(path, m_impl->plot->curves(), m_impl->logarithmic->isChecked());
}

} // namespace ui
