// SPDX-License-Identifier: GPL-3.0-or-later
// The menu of a click with the right button on an image. It repeats actions of the menu bar that concern the image.
#pragma once

#include "ui/saving/export.h"

#include <QMenu>

namespace ui
{

class ImagePanel;

class ImageMenu : public QMenu
{
    Q_OBJECT
  public:
    ImageMenu(ImagePanel& images, QWidget* parent);

  signals:
    void saveRequested(ui::Save what);

  private:
    void copyImage() const;

    ImagePanel& m_images;
};

} // namespace ui
