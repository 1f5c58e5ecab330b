// SPDX-License-Identifier: GPL-3.0-or-later
// How the difference of an image and its reference is shown: its kind, and the range of its colours for each kind.
#pragma once

#include "ui/image/difference_kind.h"
#include "ui/image/shading.h"

#include <QJsonObject>
#include <QString>

#include <array>

namespace ui
{

class DifferenceRange
{
  public:
    DifferenceKind kind() const { return m_kind; }
    bool setKind(DifferenceKind kind); // true: it was another one

    // Of the kind that is shown.
    bool isWanted(bool isPreview) const; // is to be measured: not known, or automatic and of a full image
    bool isAutomatic() const { return range().automatic; }
    void setAutomatic(bool automatic) { range().automatic = automatic; }
    void set(double value); // by the user
    void measure(const Pixels& difference);

    void beginScan();                                                    // only what was given for it is kept
    bool isPlainAutomatic() const { return m_ranges.front().automatic; } // of the first kind, as settings keep it
    void setPlainAutomatic(bool automatic) { m_ranges.front().automatic = automatic; }

    Colouring colouring(bool isDark) const;
    QString unit(const QString& unitOfImages) const; // "%" where it is relative
    QString text(const QString& unitOfImages) const; // "± 0.02 1/mm"; empty while it isn't known

    QJsonObject ranges() const; // of those that aren't automatic, as JSON of the session
    void setRanges(const QJsonObject& ranges);

  private:
    struct Range {
        double value = 0; // 0: not known yet
        bool automatic = true;
        bool given = false; // before the first image of a scan
    };

    Range& range() { return m_ranges[static_cast<std::size_t>(m_kind)]; }
    const Range& range() const { return m_ranges[static_cast<std::size_t>(m_kind)]; }

    DifferenceKind m_kind = DifferenceKind::plain;
    std::array<Range, differenceKindCount> m_ranges; // by kind
};

} // namespace ui
