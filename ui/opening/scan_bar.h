// SPDX-License-Identifier: GPL-3.0-or-later
// The line under the menu that describes the open scan.
#pragma once

#include "engine/scan/scan.h"
#include "ui/background/comparison.h"

#include <QWidget>

#include <memory>

class QComboBox;
class QLabel;
class QToolButton;

namespace ui
{

class NotesButton;

class ScanBar : public QWidget
{
    Q_OBJECT
  public:
    explicit ScanBar(QWidget* parent = nullptr);

    void setScan(const engine::Scan* scan);
    void setSlice(int slice);
    void showResult(const engine::Reconstruction& result); // the used axis, and the notes
    QString text() const;
    void focusQuantity();

  signals:
    void quantityChosen(engine::Quantity quantity); // by the user
    void foundWanted();                             // asks to show the dialog "Scan contents"

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    void update();
    void showQuantity(const engine::Scan* scan);

    QString m_name, m_facts, m_axis, m_pixel;
    int m_slice = 0, m_slices = 0;
    QLabel* m_nameLabel;
    QLabel* m_label;
    QLabel* m_quantityLabel;
    QComboBox* m_quantity;
    QToolButton* m_found;
    NotesButton* m_notes;
};

} // namespace ui
