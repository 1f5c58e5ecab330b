// SPDX-License-Identifier: GPL-3.0-or-later
// THE table of ways to look at the difference of an image and its reference.
#pragma once

#include <QString>

#include <array>

namespace ui
{

enum class DifferenceKind { plain, absolute, ofRange, ofB };

struct DifferenceRow {
    DifferenceKind kind;
    const char* id;      // in saved sessions
    const char* label;   // "|difference|"
    const char* form;    // of the names of both: "|%1 − %2|"
    const char* summary; // for tooltips
    bool isSigned;
    bool isRelative; // in per cent, else in the unit of the images
    double fraction; // of the pixels lies within its automatic range

    QString text() const;                                               // its label, translated
    QString text(const QString& image, const QString& reference) const; // "|half − exact|"
    QString description() const;
};

constexpr std::size_t differenceKindCount = 4;
const std::array<DifferenceRow, differenceKindCount>& differenceKinds(); // in the order of the enumeration
const DifferenceRow& rowOf(DifferenceKind kind);

} // namespace ui
