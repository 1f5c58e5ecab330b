// SPDX-License-Identifier: GPL-3.0-or-later
// The fields for the layout of a raw file (without a header), below the name of the file.
#pragma once

#include "ui/opening/raw_field.h"

#include <QWidget>

namespace ui
{

class RawGroup : public QWidget
{
    Q_OBJECT
  public:
    RawGroup();

    RawField* field() const { return m_field; }
    // Without a layout, suggests one from the name and size of the file. Emits no signal.
    void show(const QString& path, const std::optional<engine::RawLayout>& layout);

  private:
    QLabel* m_name;
    RawField* m_field;
};

} // namespace ui
