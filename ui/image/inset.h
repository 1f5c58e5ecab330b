// SPDX-License-Identifier: GPL-3.0-or-later
// A small second image in a corner of the large one: the difference, or the reference.
#pragma once

#include "ui/image/image_column.h"

#include <QAbstractButton>
#include <QTimer>

#include <span>

namespace ui
{

enum class InsetKind { difference, reference, none };
struct InsetRow {
    InsetKind kind;
    const char* id;    // identifies it in settings
    const char* label; // translated by text()
    QString text() const;
};
std::span<const InsetRow> insetKinds();

// A click requests the other image.
class Inset : public QAbstractButton
{
    Q_OBJECT
  public:
    explicit Inset(QWidget* parent);

    // Shows the column's image over the upper right corner of `place`, a part of the parent. Beside
    // the slice if there is room.
    // missing: shown while the column has no image.
    void showImage(const ImageColumn& column, const QString& missing, const QRect& place);

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    void render();
    int titleHeight() const;

    const ImageColumn* m_column = nullptr;
    QString m_missing;
    QImage m_image;
    QTimer m_timer; // several changes are rendered once
};

} // namespace ui
