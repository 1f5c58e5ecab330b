// SPDX-License-Identifier: GPL-3.0-or-later
// Labels over an image: a message, a caption with figures, and the scale.
#pragma once

#include <QPalette>
#include <QRectF>
#include <QString>

#include <optional>

class QPainter;

namespace ui
{

class ImageLabels
{
  public:
    const QString& message() const { return m_message; }
    const QString& caption() const { return m_caption; }

    // Return true if the text changed.
    bool setMessage(const QString& message);
    bool setCaption(const QString& caption);
    void setScale(bool shown, const std::optional<double>& pixelSizeMm); // in pixels if their size is unknown

    // Draw in the lower corners of `room`. scale: device-independent pixels per pixel of the image.
    void drawScale(QPainter& painter, const QRectF& room, double scale, const QPalette& palette) const;
    void drawCaption(QPainter& painter, const QRectF& room, const QPalette& palette) const;
    // Draws in the middle of `room`, on a plate if the message lies over an image.
    void drawMessage(QPainter& painter, const QRectF& room, const QPalette& palette, bool isOverImage) const;

  private:
    QString m_message, m_caption;
    bool m_scaleShown = false;
    std::optional<double> m_pixelSizeMm;
};

} // namespace ui
