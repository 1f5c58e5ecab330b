#include "ui/opening/assumed_angles.h"

#include <QCoreApplication>

#include <cmath>

namespace ui
{

QString assumedAnglesText(const engine::Scan& scan)
{
    const auto tr = [](const char* text) { return QCoreApplication::translate("ui::AssumedAngles", text); };
    if (!scan.anglesAssumed)
        return {};
    if (!scan.assumedTurn) // cone beams, which aren't looked into
        return std::holds_alternative<engine::ConeBeam>(scan.geometry) ? tr("an even spread over 360°")
                                                                       : tr("an even spread over 180°");
    const engine::TurnGuess& guess = *scan.assumedTurn;
    QString text = tr("%1, %2 % certain")
                       .arg(QString::fromStdString(toText(guess.spread)))
                       .arg(std::lround(100 * guess.certainty));
    if (guess.isSure() && !guess.isSureOfEnd())
        text += tr(" (whether the last projection is at the end: %1 %)").arg(std::lround(100 * guess.endCertainty));
    return text;
}

} // namespace ui
