// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/numbers/speed_quality_panel.h"

#include "ui/numbers/numbers_page.h"
#include "ui/numbers/speed_quality_plot.h"
#include "ui/numbers/table_text.h"

namespace ui
{

SpeedQualityPanel::SpeedQualityPanel(QWidget* parent)
    : QWidget(parent), m_against(quietLine(QStringLiteral("speedQualityAgainst"), tr("Reference of the errors"), true)),
      m_apart(quietLine(QStringLiteral("speedQualityApart"), {}, true)), m_plot(new SpeedQualityPlot)
{
    connect(m_plot, &SpeedQualityPlot::chosen, this, &SpeedQualityPanel::chosen);
    connect(m_plot, &SpeedQualityPlot::broughtBack, this, &SpeedQualityPanel::broughtBack);
    filled(new QVBoxLayout(this), {m_against, {m_plot, 1}, m_apart}, flush);
    m_apart->hide();
}

void SpeedQualityPanel::show(const Comparison& comparison, const TriedSettings& tried)
{
    m_shown = comparison;
    m_tried = tried;
    m_plot->show(comparison, tried);
    sayQuietly(m_against, tr("against %1 · pale: hidden · hollow: changed or removed since; a click brings it back · "
                             "diamond: a single run")
                              .arg(againstText(comparison)));
    QStringList apart;
    for (const TriedDot& dot : m_plot->dots())
        if (!dot.unlike.isEmpty())
            apart << tr("%1 (%2)").arg(dot.name, dot.unlike);
    m_apart->setVisible(!apart.isEmpty());
    sayQuietly(m_apart, tr("Not joined, as more than the kernel differs: %1").arg(apart.join(QStringLiteral(", "))));
}

void SpeedQualityPanel::clear()
{
    m_shown = {};
    m_tried.clear();
    m_plot->clear();
    sayQuietly(m_against, {});
    m_apart->hide();
}

Drawing SpeedQualityPanel::drawing() const
{
    if (dots().empty())
        return {};
    const auto plot = std::make_shared<SpeedQualityPlot>();
    styleForPaper(*plot);
    return drawingOf(QStringLiteral("speed_and_quality"), plot,
                     [plot = plot.get(), shown = m_shown, tried = m_tried] { plot->show(shown, tried); });
}

QString SpeedQualityPanel::values() const
{
    if (dots().empty())
        return {};
    QString text = QStringLiteral("setting,description,kernel (GU/s),runs,RMSE (%1)\n")
                       .arg(QString::fromStdString(m_shown.a().result->unit));
    for (const TriedDot& dot : dots())
        text += QStringList{csvQuoted(dot.name), csvQuoted(dot.description), csvNumber(dot.speeds.kernelGups.median),
                            QString::number(dot.speeds.kernelGups.count), csvNumber(dot.rmse)}
                    .join(u',') +
                u'\n';
    return text;
}

const std::vector<TriedDot>& SpeedQualityPanel::dots() const
{
    return m_plot->dots();
}

QPointF SpeedQualityPanel::positionOf(const TriedDot& dot) const
{
    return m_plot->positionOf(dot);
}

QString SpeedQualityPanel::textOf(const TriedDot& dot) const
{
    return m_plot->textOf(dot);
}

} // namespace ui
