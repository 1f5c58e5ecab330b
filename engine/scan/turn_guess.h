// How far a parallel-beam scan without angles turned, told from its projections: half a turn, a full one, or another
// arc, with the end or without.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace engine
{

// Angles that are evenly spread.
struct AngleSpread {
    double firstRad = 0, lastRad = 0;
    bool endExcluded = false; // the last is where the next projection would be
    bool operator==(const AngleSpread&) const = default;
};
std::string toText(const AngleSpread&);     // "0 to 360° without the end"
std::string optionText(const AngleSpread&); // of the command line: "--angles 0:360 --angles-end-excluded"

// Line integrals of one row, in the order they were taken.
struct TurnLines {
    int projections = 0; // of the scan
    int bins = 0;
    std::vector<int> which;    // of these, ascending: all of them, or some
    std::vector<float> values; // [which][bin]
};

// What is assumed of a scan without angles, and how sure that is.
struct TurnGuess {
    AngleSpread spread;
    double certainty = 0;                   // 0 to 1: of the arc
    bool isCut = false;                     // the object reaches an end of the detector
    double endCertainty = 0;                // likewise that the last projection is where it is assumed
    std::string reason;                     // what it rests on, or why nothing tells: a sentence without its end
    std::optional<AngleSpread> alternative; // what else is likeliest

    bool isSure() const; // of the arc
    bool isSureOfEnd() const;
};
inline constexpr double sureTurn = 0.8;      // a certainty below it is a doubt
std::string certaintyText(const TurnGuess&); // "the arc is 99 % certain, its end 57 %"

// fallback: what is assumed where nothing tells.
TurnGuess guessTurn(const TurnLines& lines, const AngleSpread& fallback);

} // namespace engine
