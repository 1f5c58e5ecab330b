// SPDX-License-Identifier: GPL-3.0-or-later
// Fields for how the values of a volume are stored: their numbers, the range of whole ones, the compression.
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
    VolumeFormatFields(const engine::OutputChoice& stored, const QString& unit); // unit: of the values

    // All belong to the layout that they are put into. The labels of the rows enter `least` and `compression`.
    QComboBox* type() const { return m_type; }
    QWidget* rangeRow() const { return m_rangeRow; }
    QLineEdit* least() const { return m_least; }
    QWidget* compressionRow() const { return m_compressionRow; }
    QComboBox* compression() const { return m_compression; }

    engine::OutputChoice choice() const; // throws engine::Error where the range is none
    bool isCompressed() const;
    bool isRangeHalf() const; // one of its ends is missing
    void offer();             // what can be chosen with what is

  signals:
    void changed();

  private:
    bool isWhole() const; // numbers of a range are chosen
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
