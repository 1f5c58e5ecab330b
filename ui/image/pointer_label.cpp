// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/image/pointer_label.h"

#include <QCursor>
#include <QEvent>

namespace ui
{

PointerLabel::PointerLabel(QWidget* parent, int top, int bottom) : QLabel(parent), m_top(top), m_bottom(bottom)
{
    setObjectName(QStringLiteral("pointerValues"));
    setAccessibleName(tr("Values under the pointer"));
    setTextFormat(Qt::PlainText);
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setAutoFillBackground(true);
    setFrameShape(QFrame::StyledPanel);
    setMargin(4);
    hide();
    parent->installEventFilter(this);
}

// In a resized parent the corners are elsewhere; the next movement of the pointer shows the label again.
bool PointerLabel::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == parentWidget() && event->type() == QEvent::Resize)
        hide();
    return QLabel::eventFilter(watched, event);
}

void PointerLabel::showValues(const QString& text)
{
    setAccessibleDescription(text);
    // The position stays in one line: "x 120 · y 88".
    const QString separator = QStringLiteral(" · ");
    setText(QString(text)
                .replace(separator, QStringLiteral("\n"))
                .replace(QStringLiteral("\ny "), separator + u'y' + u' '));
    if (text.isEmpty())
        return hide();
    adjustSize();
    const int middle = (m_top + parentWidget()->height() - m_bottom) / 2;
    const bool isPointerBelow = parentWidget()->mapFromGlobal(QCursor::pos()).y() > middle;
    move(8, isPointerBelow ? m_top : parentWidget()->height() - m_bottom - height());
    show();
    raise();
}

} // namespace ui
