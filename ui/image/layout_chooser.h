// A row of buttons that chooses which of the three images are there.
#pragma once

#include "ui/image/image_panel.h"

class QButtonGroup;

namespace ui
{

class LayoutChooser : public QWidget
{
    Q_OBJECT
  public:
    explicit LayoutChooser(ImagePanel& images, QWidget* parent = nullptr); // keeps in step with the panel

    static QString label(ImagePanel::Layout layout); // as on its button

  private:
    QButtonGroup* m_buttons;
};

} // namespace ui
