// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/image_menu.h"

#include "ui/background/application.h"
#include "ui/image/image_panel.h"

#include <QClipboard>
#include <QGuiApplication>

namespace ui
{

ImageMenu::ImageMenu(ImagePanel& images, QWidget* parent) : QMenu(parent), m_images(images)
{
    setObjectName(QStringLiteral("imageMenu"));
    const auto add = [this](const QString& text, auto act) {
        connect(addAction(text), &QAction::triggered, this, guarded(act));
    };
    add(tr("&Copy what is shown"), [this] { copyImage(); });
    add(tr("Save fi&gure…"), [this] { emit saveRequested(Save::figure); });
    add(tr("&Save image…"), [this] { emit saveRequested(Save::image); });
    add(tr("Save &difference…"), [this] { emit saveRequested(Save::difference); });
    addSeparator();
    add(tr("&Fit"), [this] { m_images.fit(); });
    add(tr("&Actual pixels"), [this] { m_images.actualPixels(); });
    add(tr("Automatic grey &window"), [this] { m_images.autoWindow(); });
    add(tr("Grey window of the &visible part"), [this] { m_images.windowOfVisible(); });
    connect(&m_images, &ImagePanel::menuRequested, this, [this](const QPoint& position) { popup(position); });
}

// Copies the images of the view, pixel by pixel, without titles and bars.
void ImageMenu::copyImage() const
{
    const Figure figure = m_images.figure();
    if (figure.images.empty())
        return;
    constexpr int perInch = 254; // ten pixels per mm
    const double pixels = figure.images.front().part.width() * columnsOf(figure);
    const DrawingLook look{
        .widthMm = pixels / 10, .dotsPerInch = perInch, .titles = false, .colourBars = false, .scaleBar = false};
    QGuiApplication::clipboard()->setImage(imageOf(drawingOf(figure), look));
}

} // namespace ui
