// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/result_warnings.h"

#include "engine/scan/empty_projections.h"
#include "ui/widgets/engine_text.h"
#include "ui/window/message_bar.h"

namespace ui
{

ResultWarnings::ResultWarnings(MessageBar& messages) : m_messages(messages) {}

void ResultWarnings::warnOfEmpty(const engine::Reconstruction& made)
{
    const std::shared_ptr<const engine::Scan>& scan = made.request.scan;
    if (made.emptyProjections.empty() || m_warnedOf == scan)
        return;
    m_warnedOf = scan;
    const QString text = inWindow(engine::emptyText(*scan, made.emptyProjections));
    if (text.isEmpty())
        return;
    const bool isAll = static_cast<int>(made.emptyProjections.size()) == scan->projections();
    if (scan->path.empty() || isAll)
        m_messages.showHint(text, {}, {});
    else
        m_messages.showHint(text, tr("Leave them out"),
                            [this, projections = engine::leftOutWith(*scan, made.emptyProjections)] {
                                emit leaveOutWanted(projections);
                            });
}

// Shows the warning over the images: the slice is wrong, and nothing else may show that.
void ResultWarnings::warnOfAxis(const engine::Reconstruction& made)
{
    if (made.axisSource != "guess" || m_warnedOfAxis || !m_messages.text().isEmpty())
        return;
    m_warnedOfAxis = true;
    m_messages.showHint(inWindow(made.axisDoubt), tr("Trial slices…"), [this] { emit trialsWanted(); });
}

void ResultWarnings::forgetAxis()
{
    m_warnedOfAxis = false;
}

} // namespace ui
