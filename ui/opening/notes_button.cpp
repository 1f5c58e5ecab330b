// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/opening/notes_button.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QMenu>
#include <QWidgetAction>

namespace ui
{

// The menu shows all notes as text that can be selected and copied.
NotesButton::NotesButton() : m_text(new QLabel)
{
    setObjectName(QStringLiteral("scanNotes"));
    setAutoRaise(true);
    setPopupMode(QToolButton::InstantPopup);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_text->setWordWrap(true);
    m_text->setMargin(10);
    m_text->setFixedWidth(420);
    auto* menu = new QMenu(this);
    m_shown = new QWidgetAction(menu);
    m_shown->setDefaultWidget(m_text);
    menu->addAction(m_shown);
    menu->addSeparator();
    menu->addAction(tr("Copy"), this, [this] { QGuiApplication::clipboard()->setText(m_text->text()); });
    setMenu(menu);
}

void NotesButton::setScanNotes(const QStringList& notes)
{
    m_scanNotes = notes;
    m_imageNotes.clear();
    m_warnings.clear();
}

void NotesButton::setImageNotes(const QStringList& notes, const QStringList& warnings)
{
    m_imageNotes = notes;
    m_warnings = warnings;
}

void NotesButton::showNotes()
{
    QStringList notes = m_scanNotes + m_imageNotes;
    notes.removeDuplicates();
    QString count = notes.size() == 1 ? tr("1 note") : tr("%1 notes").arg(notes.size());
    QFont font = parentWidget() ? parentWidget()->font() : this->font();
    font.setBold(!m_warnings.isEmpty());
    setFont(font);
    if (!m_warnings.isEmpty()) {
        const QString warnings =
            m_warnings.size() == 1 ? tr("⚠ 1 warning") : tr("⚠ %1 warnings").arg(m_warnings.size());
        count = notes.isEmpty() ? warnings : tr("%1, %2").arg(warnings, count);
        notes = m_warnings + notes;
    }
    setVisible(!notes.isEmpty());
    setText(count);
    setToolTip(notes.join('\n'));
    setAccessibleName(text());
    setAccessibleDescription(notes.join('\n'));
    const QString all = notes.join(QStringLiteral("\n\n"));
    m_text->setText(all);
    // Not heightForWidth(), which returns the height of an earlier, longer text.
    const int around = 2 * m_text->margin(), inside = m_text->width() - around;
    m_text->setFixedHeight(
        m_text->fontMetrics().boundingRect(QRect(0, 0, inside, QWIDGETSIZE_MAX), Qt::TextWordWrap, all).height() +
        around);
    // A menu that was shown before keeps its old size until one of its actions changes. Changing the action's text
    // updates it.
    m_shown->setText(all);
}

} // namespace ui
