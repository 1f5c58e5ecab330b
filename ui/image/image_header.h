// SPDX-License-Identifier: GPL-3.0-or-later
// The line above an image: its title, elided, and a note on the right.
#pragma once

#include <QColor>
#include <QWidget>

namespace ui
{

class ImageHeader : public QWidget
{
    Q_OBJECT
  public:
    explicit ImageHeader(QWidget* parent = nullptr);

    void setTitle(const QString& title, const QString& brief = {}); // brief: where the title has no room
    // Draws a swatch of that colour before the note if the colour is valid.
    void setNote(const QString& note, const QColor& swatch = {}, const QString& tip = {});

    const QString& title() const { return m_title; }
    // Returns the title, or the brief one if it has one and there is no room. Neither may fit.
    QString titleFor(int width) const;
    const QString& note() const { return m_note; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    void describe(); // sets the whole text as the tooltip and for screen readers

    QString m_title, m_brief, m_note, m_tip;
    QColor m_swatch;
};

} // namespace ui
