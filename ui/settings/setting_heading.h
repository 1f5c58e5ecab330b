// SPDX-License-Identifier: GPL-3.0-or-later
// The heading above the options of the chosen setting, with its colour and name.
#pragma once

#include <QWidget>

namespace ui
{

class SettingHeading : public QWidget
{
    Q_OBJECT
  public:
    explicit SettingHeading(QWidget* parent = nullptr);

    void show(const QString& name, int colour); // colour: index for settingColour()
    using QWidget::show;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    QString m_name;
    int m_colour = 0;
};

} // namespace ui
