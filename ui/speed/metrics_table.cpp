// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/speed/metrics_table.h"

#include "ui/speed/speed_heading.h"
#include "ui/widgets/displayed_number.h"

#include <QCoreApplication>
#include <QGridLayout>
#include <QLabel>

namespace ui
{

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
    m_against->setTextFormat(Qt::PlainText); // contains names chosen by the user
    m_against->setForegroundRole(QPalette::PlaceholderText);
    m_heading = speedHeading({});
    m_heading->setObjectName(QStringLiteral("metricsHeading"));
    m_heading->setTextFormat(Qt::PlainText);
    m_shared = new QLabel;
    m_shared->setObjectName(QStringLiteral("metricsShared"));
    m_shared->setWordWrap(true);
    m_shared->setTextFormat(Qt::PlainText);
    m_shared->setForegroundRole(QPalette::PlaceholderText);
    grid->addWidget(m_heading, 0, 0, 1, 2);
    grid->addWidget(m_against, 1, 0, 1, 2);
    for (const engine::MetricRow& row : engine::metricRows()) {
        const QString name = QCoreApplication::translate("engine::MetricRow", row.label);
        const Row& made = m_rows.emplace_back(Row{
            new QLabel(row.form == engine::MetricRow::Form::decibels ? tr("%1 (dB)").arg(name) : name), new QLabel});
        made.value->setObjectName(QLatin1String(row.id));
        made.value->setAccessibleName(made.name->text());
        int column = 0;
        for (QLabel* label : {made.name, made.value}) {
            label->setToolTip(QCoreApplication::translate("engine::MetricRow", row.summary));
            const int row = 1 + static_cast<int>(m_rows.size());
            grid->addWidget(label, row, column, column ? Qt::AlignRight : Qt::AlignLeft);
            ++column;
        }
    }
    grid->addWidget(m_shared, grid->rowCount(), 0, 1, 2);
    clear();
}

void MetricsTable::fill(const engine::Metrics* metrics)
{
    for (std::size_t k = 0; k < m_rows.size(); ++k)
        m_rows[k].value->setText(metrics ? metricText(engine::metricRows()[k], *metrics) : QStringLiteral("–"));
}

void MetricsTable::show(const Comparison& comparison)
{
    const Compared& one = comparison.a();
    const bool isSame = one.metrics && one.metrics->maximum == 0;
    const bool isReference = one.result && one.result == one.reference;
    QString text = isReference ? tr("%1 is the reference").arg(one.label())
                   : isSame    ? tr("identical to %1").arg(comparison.referenceTitle())
                               : tr("%1 against %2").arg(one.label(), comparison.referenceTitle());
    if (const QString area = areaText(comparison); !area.isEmpty() && !isReference)
        text += QStringLiteral(", ") + area;
    m_heading->setText(tr("Distance to %1").arg(comparison.referenceName()));
    m_shared->setText(comparison.sharedText());
    m_against->setText(text);
    m_against->setToolTip(comparison.referenceOf(one).explanation);
    fill(one.metrics ? &*one.metrics : nullptr);
}

void MetricsTable::clear()
{
    m_heading->setText(tr("Distance to exact method"));
    m_against->setText(tr("against the exact image"));
    m_shared->clear();
    fill(nullptr);
}

} // namespace ui
