// SPDX-License-Identifier: GPL-3.0-or-later
// What is written over an image: a message, figures of what is shown, the scale.
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

    // True where something changed.
    bool setMessage(const QString& message);
    bool setCaption(const QString& caption);
    void setScale(bool shown, const std::optional<double>& pixelSizeMm); // in pixels where their size isn't known

    // In the room's lower corners. scale: device-independent pixels per pixel of the image.
    void drawScale(QPainter& painter, const QRectF& room, double scale, const QPalette& palette) const;
    void drawCaption(QPainter& painter, const QRectF& room, const QPalette& palette) const;
    // In the middle; on a plate where it lies over an image.
    void drawMessage(QPainter& painter, const QRectF& room, const QPalette& palette, bool isOverImage) const;

  private:
    QString m_message, m_caption;
    bool m_scaleShown = false;
    std::optional<double> m_pixelSizeMm;
};

} // namespace ui
