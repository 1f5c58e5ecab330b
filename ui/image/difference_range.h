// SPDX-License-Identifier: GPL-3.0-or-later
// Display of the difference between an image and its reference: its kind, and the range of colours of each kind.
#pragma once

#include "ui/image/difference_kind.h"
#include "ui/image/shading.h"

#include <QJsonObject>
#include <QString>

#include <array>
#include <vector>

namespace ui
{

class DifferenceRange
{
  public:
    DifferenceKind kind() const { return m_kind; }
    bool setKind(DifferenceKind kind); // returns true if it changed

    // These functions concern the kind that is shown.
    bool isWanted(bool isPreview) const; // whether to measure the range: unknown, or automatic with a full image
    bool isAutomatic() const { return range().automatic; }
    void setAutomatic(bool automatic) { range().automatic = automatic; }
    void set(double value); // by the user
    void measure(const Pixels& difference);
    void measure(std::vector<float> differences); // some of them

    void beginScan(); // keeps only ranges that were set for the new scan
    bool isPlainAutomatic() const { return m_ranges.front().automatic; } // kind `plain`, stored in the settings
    void setPlainAutomatic(bool automatic) { m_ranges.front().automatic = automatic; }

    Colouring colouring(bool isDark) const;
    QString unit(const QString& unitOfImages) const; // "%" for relative kinds
    QString text(const QString& unitOfImages) const; // "± 0.02 1/mm"; empty while it is unknown

    QJsonObject ranges() const; // ranges that aren't automatic, as JSON for the session
    void setRanges(const QJsonObject& ranges);

  private:
    struct Range {
        double value = 0; // 0: unknown
        bool automatic = true;
        bool given = false; // set before the scan's first image
    };

    Range& range() { return m_ranges[static_cast<std::size_t>(m_kind)]; }
    const Range& range() const { return m_ranges[static_cast<std::size_t>(m_kind)]; }

    DifferenceKind m_kind = DifferenceKind::plain;
    std::array<Range, differenceKindCount> m_ranges; // indexed by kind
};

} // namespace ui
