// SPDX-License-Identifier: GPL-3.0-or-later
// Curves along lines as plain values, for the plot, the CSV and the report.
#pragma once

#include "engine/compare/marks.h"
#include "engine/request/section.h"
#include "ui/background/comparison.h"

#include <QString>
#include <QVector>

#include <optional>
#include <vector>

namespace ui
{

struct Curve {
    enum class Role { chosen, other, reference };
    Role role = Role::chosen;
    int line = 0;                    // index in ProfileCurves::lines
    int place = 0;                   // of its setting in the list; the reference comes last
    int colour = 0;                  // of its setting, see settingColour
    QString name;                    // "A · half", "exact"; with several lines "A · half, line 2"
    QString briefName;               // "A": the name without what differs
    QString title;                   // "A · cpu · linear · half", if there is more to say
    QVector<double> position;        // ascending, in ProfileCurves::positionUnit
    QVector<double> value;           // NaN outside the image
    QVector<double> error;           // |value − reference|; empty for the reference, and while there is none
    std::optional<double> edgeWidth; // 10–90 %, in positionUnit, where the line crosses one clear edge
};

// Line that curves run along.
struct ProfileLine {
    QString name;
    engine::Shape shape; // pixels of the whole slice
    int width = 1;       // number of pixels across the line that are averaged
    double length = 0;   // in positionUnit
};

struct ProfileCurves {
    std::vector<Curve> curves;                    // in drawing order, the first at the bottom
    QString referenceName;                        // "exact", "phantom", "B": what differences refer to
    QString unit;                                 // of the values
    QString positionUnit;                         // "px" or "mm"
    double pixelSize = 1;                         // along the chosen line, in positionUnit
    double length = 0;                            // of the longest line, in positionUnit
    std::vector<ProfileLine> lines = {};          // the chosen one first
    QString source = QStringLiteral("the slice"); // whose pixels they count, or "the plane centre=…"

    bool empty() const { return curves.empty(); }
    const Curve* find(Curve::Role role) const; // first curve of that role along the chosen line
    // Returns the order of legends and tables: line by line the settings as they are listed, then the reference.
    std::vector<const Curve*> inOrder() const;
};

// Returns the values of a plane along a line or circle. The plane may be a coarse preview or a region. Positions are
// in pixels of the whole slice, times the length of one along the line.
Curve curveAlong(const GridSlice& plane, const engine::Mark& line, const engine::PixelSides& sides = {});

// Returns the curves of the chosen setting, the other visible ones, and the reference of the chosen one. Differences
// are those of each setting to its own reference, and only between planes of the same step: a coarse preview differs
// from others by its coarseness.
ProfileCurves profileCurves(const Comparison& comparison, const engine::Mark& line);
ProfileCurves profileCurves(const Comparison& comparison, const std::vector<const engine::Mark*>& lines);

// Returns "A 2.31 px" for each curve that crosses one clear edge, in order.
QStringList edgeWidthTexts(const ProfileCurves& curves);

// Returns |value − reference| sample by sample; empty if the positions differ.
QVector<double> absoluteDifference(const Curve& curve, const Curve& reference);

// Interpolates linearly between samples; NaN outside.
double valueAt(const QVector<double>& position, const QVector<double>& value, double where);

// For each line: comments (#) that name the line and the settings, then columns with units in their names. An empty
// line separates lines. Empty without curves.
QString profileCsv(const ProfileCurves& curves);
// Writes profileCsv() as UTF-8, under a temporary name that is renamed when complete. Throws engine::Error(output).
void writeProfileCsv(const QString& path, const ProfileCurves& curves);

} // namespace ui
