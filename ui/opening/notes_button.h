// SPDX-License-Identifier: GPL-3.0-or-later
// A button with the number of notes about a scan and its image; its menu shows their texts.
#pragma once

#include <QString>
#include <QStringList>
#include <QToolButton>

class QLabel;
class QWidgetAction;

namespace ui
{

class NotesButton : public QToolButton
{
    Q_OBJECT
  public:
    NotesButton();

    void setScanNotes(const QStringList& notes);                               // also removes the notes of the image
    void setImageNotes(const QStringList& notes, const QStringList& warnings); // warnings come first, in bold
    void showNotes();

  private:
    QLabel* m_text; // the widget of the action m_shown in the menu
    QWidgetAction* m_shown;
    QStringList m_scanNotes, m_imageNotes, m_warnings;
};

} // namespace ui
