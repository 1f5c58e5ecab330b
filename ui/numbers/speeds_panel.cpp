// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/numbers/speeds_panel.h"

#include "engine/backends/method.h"
#include "ui/numbers/numbers_page.h"
#include "ui/numbers/speed_bar_chart.h"
#include "ui/numbers/table_text.h"

#include <QScrollArea>

#include <algorithm>

namespace ui
{

namespace
{

// Returns the sequence whose first step is the first setting, and which has most of the others, but at least one.
const engine::PaperSequence* sequenceFor(const std::vector<const engine::Kernel*>& kernels, bool cone)
{
    const engine::PaperSequence* best = nullptr;
    std::ptrdiff_t most = 0;
    for (const engine::PaperSequence& sequence : engine::paperSequences()) {
        const auto isOther = [&](const engine::Kernel* kernel) {
            const engine::PaperStep* step = stepOf(sequence, *kernel);
            return step && step != sequence.steps.data();
        };
        if (sequence.ofFilter || sequence.cone != cone || kernels.empty() ||
            stepOf(sequence, *kernels.front()) != sequence.steps.data() ||
            (!cone && kernels.front()->slicesPerPass != sequence.slicesPerPass))
            continue;
        if (const auto others = std::ranges::count_if(kernels, isOther); others > most) {
            best = &sequence;
            most = others;
        }
    }
    return best;
}

} // namespace

SpeedBars speedBarsOf(const Comparison& comparison, const TriedSettings& tried)
{
    SpeedBars made;
    std::vector<const engine::Kernel*> kernels;
    bool cone = false;
    for (const Compared& one : comparison.compared) {
        if (!one.visible)
            continue;
        cone = one.request.scan && engine::takesConeBeam(one.request.scan->geometry);
        kernels.push_back(&one.request.setting.kernel);
        made.bars.push_back({.name = one.label(),
                             .id = one.id,
                             .colour = one.colour,
                             .speed = tried.speeds(one).kernelGups,
                             .error = errorOf(one)});
    }
    made.sequence = sequenceFor(kernels, cone);
    for (std::size_t k = 0; k < made.bars.size(); ++k) {
        SpeedBar& bar = made.bars[k];
        const engine::Spread& first = made.bars.front().speed;
        if (first.count > 0 && bar.speed.count > 0)
            bar.factor = bar.speed.median / first.median;
        if (const engine::PaperStep* step = made.sequence ? stepOf(*made.sequence, *kernels[k]) : nullptr) {
            bar.paperFactor = paperFactor(*made.sequence, *step);
            bar.paperFactorOpenMp = paperFactor(*made.sequence, *step, {}, engine::PaperVersion::openMp);
        }
    }
    return made;
}

SpeedsPanel::SpeedsPanel(QWidget* parent)
    : QWidget(parent), m_source(quietLine(QStringLiteral("speedsSource"), {}, true)), m_chart(new SpeedBarChart)
{
    auto* scroll = new QScrollArea;
    scroll->setWidget(m_chart);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus); // the chart has the focus, and its keys scroll
    filled(new QVBoxLayout(this), {m_source, {scroll, 1}}, flush);
}

void SpeedsPanel::show(const Comparison& comparison, const TriedSettings& tried)
{
    m_bars = speedBarsOf(comparison, tried);
    m_chart->setBars(m_bars.bars);
    QString text = tr("kernel GU/s · × first setting");
    if (m_bars.sequence)
        text += tr(" · ◇ the paper: %1, on %2")
                    .arg(QString::fromUtf8(m_bars.sequence->source), QString::fromUtf8(m_bars.sequence->device));
    if (std::ranges::any_of(m_bars.bars, [](const SpeedBar& bar) { return bar.paperFactorOpenMp.has_value(); }))
        text += tr(" · ◆ with OpenMP");
    if (comparison.hasResult())
        text += tr(" · ● RMSE (%1) against %2")
                    .arg(QString::fromStdString(comparison.a().result->unit), comparison.referenceTitle());
    sayQuietly(m_source, text);
}

void SpeedsPanel::clear()
{
    m_bars = {};
    m_chart->setBars({});
    sayQuietly(m_source, {});
}

Drawing SpeedsPanel::drawing() const
{
    if (m_bars.bars.empty())
        return {};
    const auto chart = std::make_shared<SpeedBarChart>();
    styleForPaper(*chart);
    chart->setBars(m_bars.bars);
    return drawingOf(QStringLiteral("speeds"), chart);
}

QString SpeedsPanel::values() const
{
    if (m_bars.bars.empty())
        return {};
    QString text = QStringLiteral("setting,kernel (GU/s),runs,multiple of the first,multiple in the paper,with OpenMP,"
                                  "RMSE\n");
    const auto number = [](const std::optional<double>& value) { return value ? csvNumber(*value) : QString(); };
    for (const SpeedBar& bar : m_bars.bars)
        text += QStringList{csvQuoted(bar.name),
                            bar.speed.count > 0 ? csvNumber(bar.speed.median) : QString(),
                            QString::number(bar.speed.count),
                            number(bar.factor),
                            number(bar.paperFactor),
                            number(bar.paperFactorOpenMp),
                            number(bar.error)}
                    .join(u',') +
                u'\n';
    return text;
}

} // namespace ui
