// SPDX-License-Identifier: GPL-3.0-or-later
// Shape and type of numbers without a header, held against the size of their file while they are typed.
#pragma once

#include "engine/io/open/open_scan.h"
#include "ui/settings/choice_combo.h"

#include <QWidget>

class QCheckBox;
class QLabel;
class QPushButton;
class QSpinBox;

namespace ui
{

class RawField : public QWidget
{
    Q_OBJECT
  public:
    explicit RawField(QWidget* parent = nullptr);

    // Without a layout: one that the file's name and size suggest. No signal.
    void show(const std::optional<engine::RawLayout>& layout, const std::filesystem::path& file);
    engine::RawLayout layout() const;
    QWidget* focus() const;

  signals:
    void wanted(); // the file is to be opened so; it fits

  private:
    void check();
    void offer(QSpinBox* box, long long value, const QString& text);

    long long m_fileBytes = 0;
    std::optional<engine::RawLayout> m_opened;
    QSpinBox *m_projections, *m_rows, *m_bins, *m_header;
    ChoiceCombo *m_type, *m_order;
    QLabel* m_fit;
    QPushButton *m_mend, *m_open;
    std::function<void()> m_mending;
};

} // namespace ui
