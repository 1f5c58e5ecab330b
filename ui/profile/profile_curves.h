// SPDX-License-Identifier: GPL-3.0-or-later
// The curves along lines as plain values: what the plot draws, the CSV holds and the report shows.
#pragma once

#include "engine/compare/marks.h"
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
    int line = 0;                    // of ProfileCurves::lines
    int colour = 0;                  // of settings, see settingColour
    QString name;                    // "A", "exact"; with several lines "A, line 2"
    QString title;                   // "A · cpu · linear · half", where there is more to say
    QVector<double> position;        // ascending, in ProfileCurves::positionUnit
    QVector<double> value;           // NaN outside the image
    QVector<double> error;           // |value − its reference|; empty for the reference, and while there is none
    std::optional<double> edgeWidth; // 10–90 %, in positionUnit, where the line crosses one clear edge
};

// What they are along.
struct ProfileLine {
    QString name;
    engine::Shape shape; // pixels of the whole slice
    int width = 1;       // of these that are averaged
    double length = 0;   // in positionUnit
};

struct ProfileCurves {
    std::vector<Curve> curves;           // drawn in this order, the first lowest
    QString referenceName;               // "exact", "phantom", "B": what the differences are to
    QString unit;                        // of the values
    QString positionUnit;                // "px" or "mm"
    double pixelSize = 1;                // in positionUnit
    double length = 0;                   // of the longest line, in positionUnit
    std::vector<ProfileLine> lines = {}; // the chosen one first

    bool empty() const { return curves.empty(); }
    const Curve* find(Curve::Role role) const; // the first, of the chosen line
    // As legends and tables have them: line by line the chosen setting, the others, the reference.
    std::vector<const Curve*> inOrder() const;
};

// A plane along a line or circle; the plane may be a coarse preview or a region. Positions in pixels of the whole
// slice, times `pixelSizeMm` where that is given.
Curve curveAlong(const Plane& plane, const engine::Mark& line, std::optional<double> pixelSizeMm = {});

// The chosen setting, the other visible ones and what the chosen one is measured against. Differences of each to its
// own reference, only between planes of the same step: a coarse preview differs from others by its coarseness.
ProfileCurves profileCurves(const Comparison& comparison, const engine::Mark& line);
ProfileCurves profileCurves(const Comparison& comparison, const std::vector<const engine::Mark*>& lines);

// "A 2.31 px": of the curves that cross one clear edge, in order.
QStringList edgeWidthTexts(const ProfileCurves& curves);

// |value − reference| sample by sample; empty when the positions differ.
QVector<double> absoluteDifference(const Curve& curve, const Curve& reference);

// Linear between samples, NaN outside.
double valueAt(const QVector<double>& position, const QVector<double>& value, double where);

// For each line what it is and which settings, behind #, then columns with units in their names; an empty line between
// lines. UTF-8. Under a temporary name, renamed when complete.
// Throws engine::Error(output).
void writeProfileCsv(const QString& path, const ProfileCurves& curves);

} // namespace ui
