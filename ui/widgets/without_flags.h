// Sentences of the engine's, which name the command line's flags in brackets, as the window says them.
#pragma once

#include <QRegularExpression>
#include <QString>

namespace ui
{

// The window's fields say it: " (--data)", " (or --geometry parallel)" and the like go.
inline QString withoutFlags(QString message)
{
    static const QRegularExpression flags(QStringLiteral(" \\((or )?--[^)]*\\)"));
    return message.remove(flags);
}

} // namespace ui
