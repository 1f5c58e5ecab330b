// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/saved_notice.h"

#include "engine/documents/report.h"
#include "ui/widgets/displayed_number.h"

#include <QCoreApplication>
#include <QObject>

#include <algorithm>

namespace ui
{

namespace
{

// "12.3 s · writing was the limit: 93 % of the time, 3.1 GB/s"
QString limitOf(const engine::Reconstruction& made, std::size_t bytesPerValue)
{
    const engine::SlowestStage stage = engine::slowestStage(made, bytesPerValue);
    const double elapsed = made.timings.elapsedSeconds;
    return QObject::tr("%1 · %2 was the limit: %3 % of the time, %4 G%5/s")
        .arg(secondsText(elapsed), QCoreApplication::translate("engine", stage.name))
        .arg(100 * stage.seconds / elapsed, 0, 'f', 0)
        .arg(gupsText(stage.perSecond / 1e9), QLatin1String(stage.unit));
}

// Returns one line per device, if there are several.
QString sharesText(const engine::Reconstruction& made)
{
    QString text;
    if (!made.shares.empty())
        text += u'\n' + QObject::tr("%1 GU/s on %n devices together", nullptr, int(made.shares.size()))
                            .arg(gupsText(made.totalGups));
    for (const engine::DeviceShare& share : made.shares) {
        text += u'\n' + QObject::tr("%1 · %n slices · %2 GU/s", nullptr, share.slices)
                            .arg(QString::fromStdString(share.device), gupsText(share.totalGups));
        if (!share.failure.empty())
            text += QStringLiteral(" · ") + QString::fromStdString(share.failure);
    }
    return text;
}

} // namespace

SavedNotice noticeOf(const engine::WrittenVolume& written)
{
    QString text = QStringLiteral(" · ") + limitOf(written.made, written.format.bytesPerValue());
    if (!written.note.text.empty())
        text += QLatin1Char('\n') + QString::fromStdString(written.note.text);
    text += sharesText(written.made);
    const bool hasFailed = std::ranges::any_of(written.made.shares,
                                               [](const engine::DeviceShare& share) { return !share.failure.empty(); });
    return {text, written.note.isLoss || hasFailed};
}

} // namespace ui
