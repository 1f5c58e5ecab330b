// SPDX-License-Identifier: GPL-3.0-or-later
// The shape of numbers without a header, under the name of their file.
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
    // Without a layout: one that the file's name and size suggest. No signal.
    void show(const QString& path, const std::optional<engine::RawLayout>& layout);

  private:
    QLabel* m_name;
    RawField* m_field;
};

} // namespace ui
