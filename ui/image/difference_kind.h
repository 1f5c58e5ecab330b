// SPDX-License-Identifier: GPL-3.0-or-later
// The one table of the kinds of difference between an image and its reference.
#pragma once

#include <QString>

#include <array>

namespace ui
{

enum class DifferenceKind { plain, absolute, ofRange, ofB };

struct DifferenceRow {
    DifferenceKind kind;
    const char* id;      // identifies the kind in saved sessions
    const char* label;   // "|difference|"
    const char* form;    // pattern for both names: "|%1 − %2|"
    const char* summary; // for tooltips
    bool isSigned;
    bool isRelative; // values are in per cent, else in the unit of the images
    double fraction; // share of the pixels that lies within the automatic range

    QString text() const;                                               // label, translated
    QString text(const QString& image, const QString& reference) const; // "|half − exact|"
    QString description() const;
};

constexpr std::size_t differenceKindCount = 4;
const std::array<DifferenceRow, differenceKindCount>& differenceKinds(); // in the order of the enumeration
const DifferenceRow& rowOf(DifferenceKind kind);

} // namespace ui
