// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/opening/assumed_angles.h"

#include "ui/widgets/engine_text.h"

#include <QCoreApplication>

namespace ui
{

QString assumedAnglesText(const engine::Scan& scan)
{
    const auto tr = [](const char* text) { return QCoreApplication::translate("ui::AssumedAngles", text); };
    if (!scan.anglesAssumed)
        return {};
    if (!scan.assumedTurn) // cone beams: their turn isn't estimated from the projections
        return std::holds_alternative<engine::ConeBeam>(scan.geometry) ? tr("an even spread over 360°")
                                                                       : tr("an even spread over 180°");
    const engine::TurnGuess& guess = *scan.assumedTurn;
    return inWindow(toText(guess.spread) + " (" + certaintyText(guess) + ")" +
                    (guess.isSure() ? engine::Text() : "; " + guess.reason));
}

} // namespace ui
