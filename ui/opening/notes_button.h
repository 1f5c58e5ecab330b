// SPDX-License-Identifier: GPL-3.0-or-later
// Notes about a scan and its image behind a button: how many there are, and in its menu all of them.
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

    void setScanNotes(const QStringList& notes); // and forgets those of an image
    // warning: what may not be overlooked; empty: nothing.
    void setImageNotes(const QStringList& notes, const QString& warning);
    void showNotes();

  private:
    QLabel* m_text; // in the menu, as this entry
    QWidgetAction* m_shown;
    QStringList m_scanNotes, m_imageNotes;
    QString m_warning;
};

} // namespace ui
