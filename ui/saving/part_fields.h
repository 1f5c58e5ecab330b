// SPDX-License-Identifier: GPL-3.0-or-later
// Fields for the part of a volume to save: a range of its slices, and a rectangle of each slice.
#pragma once

#include "engine/compare/marks.h"
#include "engine/request/setting.h"

#include <QObject>
#include <QString>

#include <optional>
#include <vector>

class QComboBox;
class QPushButton;
class QSpinBox;
class QWidget;

namespace ui
{

struct NamedRegion {
    QString name; // "rectangle 1"
    engine::Region region;
};

// Returns the rectangles of pixels around the drawn areas, except discs, which depend on the size of the slice.
std::vector<NamedRegion> regionsOf(const engine::Marks& marks, int sliceSize);

class PartFields : public QObject
{
    Q_OBJECT
  public:
    // slices: of the volume, above 0. marked: the slices to begin with; all if not set.
    PartFields(int slices, const std::vector<NamedRegion>& regions, const std::optional<engine::RowRange>& marked);

    // The widgets belong to the layout that they are added to.
    QWidget* slicesRow() const { return m_slicesRow; }
    QSpinBox* first() const { return m_first; }
    QComboBox* region() const { return m_region; }

    bool isWhole() const;
    engine::RowRange slices() const;
    std::optional<engine::Region> chosenRegion() const; // not set: whole slices
    void set(const std::optional<engine::RowRange>& slices, const std::optional<engine::Region>& region);

  signals:
    void changed();

  private:
    void makeSlices();
    void addRegion(const QString& name, const engine::Region& region);
    void follow(const QSpinBox* changedBox); // keeps the last slice from coming before the first

    int m_count;
    std::vector<engine::Region> m_regions; // of the entries after the first
    QWidget* m_slicesRow;
    QSpinBox *m_first, *m_last;
    QPushButton* m_all;
    QComboBox* m_region;
};

} // namespace ui
