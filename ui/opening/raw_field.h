// SPDX-License-Identifier: GPL-3.0-or-later
// Fields for shape and type of a raw file (without a header), checked against the size of the file while the user
// types.
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

    // Without a layout, suggests one from the name and size of the file. Emits no signal.
    void show(const std::optional<engine::RawLayout>& layout, const std::filesystem::path& file);
    engine::RawLayout layout() const;
    QWidget* focus() const;

  signals:
    void wanted(); // the user asks to open the file with this layout, which fits its size

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
