// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/result_warnings.h"

#include "engine/scan/empty_projections.h"
#include "ui/background/setting_differences.h"
#include "ui/settings/reference_unit.h"
#include "ui/widgets/engine_text.h"
#include "ui/window/guess_hint.h"
#include "ui/window/message_bar.h"

#include <algorithm>
#include <utility>

namespace ui
{

ResultWarnings::ResultWarnings(MessageBar& messages) : m_messages(messages)
{
    connect(&messages, &MessageBar::dismissed, this, &ResultWarnings::showAxisDoubt, Qt::QueuedConnection);
}

void ResultWarnings::warnOfScan(const engine::Reconstruction& made)
{
    const std::shared_ptr<const engine::Scan>& scan = made.request.scan;
    QStringList warnings;
    for (const engine::Text& text : engine::warningsOf(made))
        warnings << inWindow(text);
    if (warnings.isEmpty() || (m_warnedOf == scan && m_warned == warnings))
        return;
    m_warnedOf = scan;
    m_warned = warnings;
    const std::vector<int> spoiling = engine::spoilingProjections(made);
    const bool isAll = static_cast<int>(spoiling.size()) == scan->projections();
    const auto corrected = std::ranges::find_if(
        made.doubts, [&](const engine::Doubt& doubt) { return correctionOf(doubt, *scan, {}).options.has_value(); });
    const QString text = warnings.join(u' ');
    if (!scan->path.empty() && !spoiling.empty() && !isAll)
        m_messages.showHint(text, tr("Leave them out"), [this, projections = engine::leftOutWith(*scan, spoiling)] {
            emit leaveOutWanted(projections);
        });
    else if (corrected != made.doubts.end())
        m_messages.showHint(text, correctionOf(*corrected, *scan, {}).button,
                            [this, doubt = *corrected] { emit correctionWanted(doubt); });
    else if (std::ranges::any_of(made.doubts, [](const engine::Doubt& doubt) {
                 return doubt.about == engine::Doubt::About::beam || doubt.about == engine::Doubt::About::drift;
             }))
        m_messages.showHint(text, tr("Set the air to 0"), [this] { emit airWanted(); });
    else
        m_messages.showHint(text, {}, {});
}

// Shows the warning over the images: the slice is wrong, and nothing else may show that.
void ResultWarnings::warnOfAxis(const engine::Reconstruction& made)
{
    constexpr double hardlyLikely = 0.2; // below, the slice is more likely wrong than right
    const bool isPoor = made.axisSource == "guess" || made.axisConfidence.value_or(1) < hardlyLikely;
    m_axisDoubt = isPoor ? inWindow(made.axisDoubt) : QString();
    showAxisDoubt();
}

// Waits for other messages to be dismissed.
void ResultWarnings::showAxisDoubt()
{
    if (m_axisDoubt.isEmpty() || m_warnedOfAxis || !m_messages.text().isEmpty())
        return;
    m_warnedOfAxis = true;
    m_messages.showHint(m_axisDoubt, tr("Trial slices…"), [this] { emit trialsWanted(); });
}

void ResultWarnings::forgetAxis()
{
    m_warnedOfAxis = false;
    m_axisDoubt.clear();
}

void ResultWarnings::warnOfUnit(const Comparison& shown)
{
    if (m_unitOf && *m_unitOf != shown.against) {
        if (m_messages.text() == m_unitText)
            m_messages.dismiss();
        m_unitOf.reset();
    }
    const Image& reference = shown.a().reference;
    if (!reference || reference->likelyUnit.empty() || m_unitOf || m_messages.isError())
        return;
    m_unitOf = shown.against;
    const std::string& unit = reference->likelyUnit;
    m_unitText = tr("%1 specifies no unit and was read as %2, as the slices are. It fits the slices if it is %3.")
                     .arg(shown.referenceName(), unitInWords(reference->unit), unitInWords(unit));
    m_messages.showHint(m_unitText, tr("Read as %1").arg(unitInWords(unit)), [this, unit] { emit unitWanted(unit); });
}

void ResultWarnings::warnOfHidden(const Comparison& shown)
{
    const Compared &chosen = shown.a(), &first = shown.compared.front();
    const QString unlike = shown.against.kind != ReferenceChoice::Kind::exact
                               ? QString()
                               : unlikeText(chosen.request.setting, first.request.setting, Parts::butKernel);
    const QString text =
        tr("The difference doesn't show what %1 changes, because the exact result shares it.").arg(unlike);
    if (!m_hiddenText.isEmpty() && m_messages.text() == m_hiddenText && text != m_hiddenText)
        m_messages.dismiss(); // it was about another setting
    if (chosen.isPreview() || unlike.isEmpty() || !m_messages.text().isEmpty())
        return;
    if (std::exchange(m_hiddenText, text) == text)
        return;
    m_messages.showHint(text, tr("Compare with %1").arg(first.name), [this, id = first.id] {
        emit referenceWanted({ReferenceChoice::Kind::setting, id});
    });
}

} // namespace ui
