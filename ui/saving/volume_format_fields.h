// SPDX-License-Identifier: GPL-3.0-or-later
// Fields for the format of a volume's values: number type, range of integers, compression.
#pragma once

#include "engine/volume/stored_values.h"

#include <QObject>

class QComboBox;
class QLineEdit;
class QSpinBox;
class QWidget;

namespace ui
{

class VolumeFormatFields : public QObject
{
    Q_OBJECT
  public:
    VolumeFormatFields(const engine::OutputChoice& stored, const QString& unit); // unit of the values

    // All widgets belong to the layout that they are added to. The labels of the rows should have `least` and
    // `compression` as buddies.
    QComboBox* type() const { return m_type; }
    QWidget* rangeRow() const { return m_rangeRow; }
    QLineEdit* least() const { return m_least; }
    QWidget* compressionRow() const { return m_compressionRow; }
    QComboBox* compression() const { return m_compression; }

    engine::OutputChoice choice() const; // throws engine::Error if the range is invalid
    bool isCompressed() const;
    bool isRangeHalf() const; // only one end is given
    void offer();             // enables the fields that apply to the current choices

  signals:
    void changed();

  private:
    bool isWhole() const; // integers, which need a range
    void makeRange(const engine::OutputChoice& stored, const QString& unit);
    void makeCompression(int level);

    QComboBox* m_type;
    QWidget* m_rangeRow;
    QLineEdit *m_least, *m_most;
    QWidget* m_compressionRow;
    QComboBox* m_compression;
    QSpinBox* m_level;
};

} // namespace ui
