#include "ui/speed/metrics_table.h"

#include "ui/curve_colours.h"
#include "ui/number_text.h"

#include <QCoreApplication>
#include <QGridLayout>
#include <QLabel>

namespace ui
{

namespace
{

QString maskText(const engine::Mask& mask)
{
    if (mask.region)
        return MetricsTable::tr("inside the region");
    if (mask.discRadius)
        return MetricsTable::tr("inside the disc of %1 of the width")
            .arg(QString::number(*mask.discRadius * 100, 'g', 3) + QChar(0x202f) + u'%');
    return {};
}

} // namespace

MetricsTable::MetricsTable(QWidget* parent) : QWidget(parent)
{
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(10);
    grid->setVerticalSpacing(2);
    grid->setColumnStretch(0, 1);
    m_against = new QLabel;
    m_against->setObjectName(QStringLiteral("metricsAgainst"));
    m_against->setWordWrap(true);
    m_against->setForegroundRole(QPalette::PlaceholderText);
    grid->addWidget(m_against, 0, 0, 1, 3);
    m_headA = new QLabel(QStringLiteral("A"));
    m_headB = new QLabel(QStringLiteral("B"));
    grid->addWidget(m_headA, 1, 1, Qt::AlignRight);
    grid->addWidget(m_headB, 1, 2, Qt::AlignRight);

    for (const engine::MetricRow& row : engine::metricRows()) {
        const QString name = QCoreApplication::translate("engine::MetricRow", row.label);
        m_rows.push_back({new QLabel(row.form == engine::MetricRow::Form::decibels ? tr("%1 (dB)").arg(name) : name),
                          new QLabel, new QLabel});
        const Row& made = m_rows.back();
        made.a->setObjectName(QLatin1String(row.id) + u'A');
        made.b->setObjectName(QLatin1String(row.id) + u'B');
        int column = 0;
        for (QLabel* label : {made.name, made.a, made.b}) {
            label->setToolTip(QCoreApplication::translate("engine::MetricRow", row.summary));
            grid->addWidget(label, static_cast<int>(m_rows.size()) + 1, column,
                            column ? Qt::AlignRight : Qt::AlignLeft);
            ++column;
        }
    }
    clear();
}

void MetricsTable::fill(const engine::Metrics* metrics, QLabel* Row::*column, const QString& which)
{
    for (std::size_t k = 0; k < m_rows.size(); ++k) {
        QLabel* label = m_rows[k].*column;
        label->setText(metrics ? metricText(engine::metricRows()[k], *metrics) : QStringLiteral("–"));
        label->setAccessibleName(tr("%1 of %2").arg(m_rows[k].name->text(), which));
    }
}

void MetricsTable::show(const Comparison& comparison)
{
    const QString reference = comparison.phantom ? tr("against the exact phantom") : tr("against the exact image");
    const QString mask = maskText(comparison.mask);
    m_against->setText(mask.isEmpty() ? reference : reference + QStringLiteral(", ") + mask);
    // B is a second setting, or the exact result measured against the phantom.
    const auto& a = comparison.metricsOf(comparison.a());
    const auto& b = comparison.metricsOf(comparison.b());
    const bool second = comparison.hasSecond() || b;
    for (QLabel* label : {m_headA, m_headB})
        label->setVisible(second);
    for (const Row& row : m_rows)
        row.b->setVisible(second);
    fill(a ? &*a : nullptr, &Row::a, QStringLiteral("A"));
    fill(b ? &*b : nullptr, &Row::b, QStringLiteral("B"));
    // The letters in the colours of the curves.
    const CurveColours colours = curveColours(palette());
    m_headA->setText(QStringLiteral("<b style='color:%1'>A</b>").arg(colours.a.name()));
    m_headB->setText(QStringLiteral("<b style='color:%1'>B</b>").arg(colours.b.name()));
}

void MetricsTable::clear()
{
    m_against->setText(tr("against the exact image"));
    for (QLabel* label : {m_headA, m_headB})
        label->setVisible(false);
    for (const Row& row : m_rows)
        row.b->setVisible(false);
    fill(nullptr, &Row::a, QStringLiteral("A"));
    fill(nullptr, &Row::b, QStringLiteral("B"));
}

} // namespace ui
