#include "ui/speed/metrics_table.h"

#include "ui/curve_colours.h"
#include "ui/number_text.h"

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

    const std::array<QString, 4> names = {tr("RMSE"), tr("maximum"), tr("PSNR (dB)"), tr("SSIM")};
    const std::array<QString, 4> explanations = {
        tr("Root of the mean squared difference to the reference, in the image's unit. Smaller is better."),
        tr("Largest absolute difference to the reference, in the image's unit. Smaller is better."),
        tr("Peak signal-to-noise ratio: 20·log₁₀(range of the reference / RMSE), in decibels. Larger is better."),
        tr("Structural similarity (Wang et al. 2004), 1 where the images are equal. Larger is better.")};
    const std::array<QString, 4> objects = {QStringLiteral("rmse"), QStringLiteral("maximum"), QStringLiteral("psnr"),
                                            QStringLiteral("ssim")};
    for (std::size_t k = 0; k < m_rows.size(); ++k) {
        m_rows[k] = {new QLabel(names[k]), new QLabel, new QLabel};
        m_rows[k].a->setObjectName(objects[k] + u'A');
        m_rows[k].b->setObjectName(objects[k] + u'B');
        int column = 0;
        for (QLabel* label : {m_rows[k].name, m_rows[k].a, m_rows[k].b}) {
            label->setToolTip(explanations[k]);
            grid->addWidget(label, static_cast<int>(k) + 2, column, column ? Qt::AlignRight : Qt::AlignLeft);
            ++column;
        }
    }
    clear();
}

void MetricsTable::fill(const engine::Metrics* metrics, QLabel* Row::*column, const QString& which)
{
    const QString none = QStringLiteral("–");
    const std::array<QString, 4> texts = {
        metrics ? errorText(metrics->rmse) : none, metrics ? errorText(metrics->maximum) : none,
        metrics ? decibelText(metrics->psnrDb) : none, metrics ? ssimText(metrics->ssim) : none};
    for (std::size_t k = 0; k < m_rows.size(); ++k) {
        QLabel* label = m_rows[k].*column;
        label->setText(texts[k]);
        label->setAccessibleName(tr("%1 of %2").arg(m_rows[k].name->text(), which));
    }
}

void MetricsTable::show(const Comparison& comparison)
{
    const QString reference =
        comparison.phantom ? tr("against the exact phantom") : tr("against the exact image");
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
