// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/guess_hint.h"

#include "engine/guess/frame_contents.h"
#include "engine/guess/turn_guess.h"
#include "engine/io/formats/hdf5_data_sets.h"
#include "ui/opening/assumed_angles.h"
#include "ui/widgets/engine_text.h"

#include <QObject>

#include <numbers>

namespace ui
{

namespace
{

constexpr double openArc = 0.5; // certainty below which the user has to choose

// Suggests that some projections are flats or darks.
GuessHint sidesHint(const engine::SideFrames& sides, engine::OpenOptions options)
{
    options.darkFrames = sides.darks;
    options.flatFrames = sides.flats;
    const QString button = sides.darks.empty()   ? QObject::tr("They are flats")
                           : sides.flats.empty() ? QObject::tr("They are darks")
                                                 : QObject::tr("They are flats and darks");
    return {inWindow(sidesText(sides)), button, std::move(options)};
}

QString assumedText(const engine::Scan& scan)
{
    return QObject::tr("The scan has no angles. Assumed: %1.").arg(assumedAnglesText(scan));
}

// Suggests to use some lines of a file beside the scan as angles.
GuessHint offeredAnglesHint(const engine::Scan& scan, engine::OpenOptions options)
{
    const engine::OfferedAngles& offered = *scan.offeredAngles;
    const QString lines = QObject::tr("lines %1 to %2").arg(offered.firstLine).arg(offered.lastLine);
    const QString text = QObject::tr("File %1 beside the scan has more angles than there are projections; the angles "
                                     "in its %2 fit.")
                             .arg(QString::fromStdString(offered.file.filename().string()), lines);
    options.anglesRad.clear();
    options.angleRangeRad.reset();
    options.angleSteps.reset();
    options.anglesFile = offered.file;
    options.angleColumn = {};
    options.angleColumn.lines = std::pair(offered.firstLine, offered.lastLine);
    return {assumedText(scan) + QLatin1Char('\n') + text, QObject::tr("Use %1").arg(lines), std::move(options)};
}

GuessHint anglesHint(const engine::Scan& scan, const engine::OpenOptions& options)
{
    const auto giveThem = [](const QString& text) {
        return GuessHint{.text = text, .button = QObject::tr("Give the angles…"), .options = {}, .asksForAngles = true};
    };
    const auto takeInstead = [&options](const QString& text, const engine::AngleSpread& spread) {
        return GuessHint{text, QObject::tr("Use %1 instead").arg(QString::fromStdString(toText(spread))),
                         engine::withSpread(options, spread)};
    };
    if (scan.anglesAssumed && scan.offeredAngles)
        return offeredAnglesHint(scan, options);
    if (const auto& likelier = scan.likelierTurn) {
        const QString text = inWindow(likelierText(*likelier));
        return likelier->isUneven ? giveThem(text) : takeInstead(text, likelier->spread);
    }
    if (scan.assumedTurn && scan.assumedTurn->isUneven)
        return giveThem(assumedText(scan));
    if (scan.assumedTurn && scan.assumedTurn->alternative && scan.assumedTurn->certainty < openArc) {
        const auto name = [](const engine::AngleSpread& arc) { return QString::fromStdString(toText(arc)); };
        const engine::AngleSpread &arc = scan.assumedTurn->spread, &other = *scan.assumedTurn->alternative;
        return {.text = assumedText(scan) + QLatin1Char('\n') + QObject::tr("Which slice is right?"),
                .button = name(arc),
                .options = engine::withSpread(options, arc),
                .otherButton = name(other),
                .otherOptions = engine::withSpread(options, other),
                .arcs = {arc, other}};
    }
    if (scan.assumedTurn && scan.assumedTurn->alternative) {
        GuessHint hint = takeInstead(assumedText(scan), *scan.assumedTurn->alternative);
        if (const std::optional<engine::AngleSpread> other = scan.assumedTurn->otherEnd()) {
            hint.otherButton = QObject::tr("Use %1").arg(QString::fromStdString(toText(*other)));
            hint.otherOptions = engine::withSpread(options, *other);
        }
        return hint;
    }
    const double other = std::holds_alternative<engine::ConeBeam>(scan.geometry) ? 180 : 360;
    return {assumedText(scan), QObject::tr("Use %1° instead").arg(other), withArc(options, other)};
}

GuessHint valuesHint(const engine::Scan& scan, engine::OpenOptions options)
{
    const auto words = [](engine::Quantity quantity) {
        return QString::fromStdString(engine::toText(quantity)).replace('-', ' ');
    };
    QString text =
        QObject::tr("The values are interpreted as %1. %2").arg(words(scan.quantity), inWindow(scan.quantityDoubt));
    const auto& other = scan.quantityAlternative;
    if (!other && scan.anglesAssumed) {
        GuessHint hint = anglesHint(scan, options);
        hint.text.prepend(text + QLatin1Char('\n'));
        return hint;
    }
    if (scan.anglesAssumed)
        text += QLatin1Char('\n') + assumedText(scan);
    if (!other)
        return {text, {}};
    options.values = *other;
    return {text, QObject::tr("They are %1").arg(words(*other)), std::move(options)};
}

} // namespace

GuessHint guessHint(const engine::Scan& scan, const engine::OpenOptions& openedWith)
{
    if (scan.axesLookExchanged())
        return {sentenceOf(QString::fromStdString(scan.exchangeSign)), QObject::tr("Transpose"),
                engine::withExchangedAxes(openedWith, scan)};
    if (scan.offeredSides)
        return sidesHint(*scan.offeredSides, openedWith);
    if (!scan.quantityDoubt.empty())
        return valuesHint(scan, openedWith);
    if (scan.anglesAssumed || scan.likelierTurn)
        return anglesHint(scan, openedWith);
    return {};
}

GuessHint correctionOf(const engine::Doubt& doubt, const engine::Scan& scan, const engine::OpenOptions& openedWith)
{
    if (doubt.spread)
        return {{},
                QObject::tr("Use %1 instead").arg(QString::fromStdString(toText(*doubt.spread))),
                engine::withSpread(openedWith, *doubt.spread)};
    if (doubt.frames)
        return sidesHint(*doubt.frames, openedWith);
    if (doubt.about != engine::Doubt::About::direction)
        return {};
    engine::OpenOptions options = openedWith;
    options.cone.direction =
        scan.anglesReversed ? engine::AngleDirection::anticlockwise : engine::AngleDirection::clockwise;
    return {{}, QObject::tr("Turn the other way"), std::move(options)};
}

engine::OpenOptions withArc(engine::OpenOptions options, double degrees)
{
    options.anglesRad.clear();
    options.anglesFile.clear();
    options.angleColumn = {};
    options.angleSteps.reset();
    options.angleRangeRad = {0, degrees * std::numbers::pi / 180};
    options.angleEndExcluded = true;
    return options;
}

} // namespace ui
