// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/window_reference.h"

#include "ui/views/views.h"
#include "ui/volume/camera_keys.h"

#include <QAction>
#include <QLabel>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>

namespace ui
{

namespace
{

QString plainText(QString text)
{
    return text.remove('&').remove(QChar(0x2026));
}

// Returns a row of a table in Markdown.
QString tableRow(const QStringList& cells)
{
    QString row = QStringLiteral("|");
    for (QString cell : cells)
        row += ' ' + cell.replace('|', QLatin1String("\\|")) + QLatin1String(" |");
    return row + '\n';
}

} // namespace

std::vector<KeyRow> keyRows(const QMainWindow& window, QKeySequence::SequenceFormat format)
{
    std::vector<KeyRow> rows;
    for (const QAction* menu : window.menuBar()->actions())
        for (const QAction* action : menu->menu()->actions()) {
            QStringList keys;
            for (const QKeySequence& sequence : action->shortcuts())
                keys << sequence.toString(format);
            if (!keys.isEmpty())
                rows.push_back({plainText(menu->text()), plainText(action->text()), keys.join(QObject::tr(" or "))});
        }
    for (const QLabel* label : window.findChildren<QLabel*>()) // fields with a mnemonic in their label
        if (const QKeySequence letter = QKeySequence::mnemonic(label->text()); label->buddy() && !letter.isEmpty())
            rows.push_back({{}, plainText(label->text()), letter.toString(format)});
    rows.push_back({{}, QObject::tr("Rotation axis by 0.25 bin, by 0.01 bin"), QObject::tr("Up, Down; with Ctrl")});
    for (const CameraKeyRow& row : cameraKeyRows())
        rows.push_back({QObject::tr("3-D"), row.action, row.keys});
    return rows;
}

QString windowReference(const QMainWindow& window)
{
    QString page = QStringLiteral("# Views and keys\n"
                                  "The views of a comparison and the keys of the window, from the program's own tables "
                                  "(`sinoscope --reference` prints this page).\n\n"
                                  "## Views\n");
    page += tableRow({"view", "key", "what it shows"}) + tableRow({"---", "---", "---"});
    for (const View& view : views())
        page += tableRow({view.text(), view.keys().toString(QKeySequence::PortableText), view.description()});
    page += QStringLiteral("\n## Keys\n") + tableRow({"menu", "action", "keys"}) + tableRow({"---", "---", "---"});
    for (const KeyRow& row : keyRows(window, QKeySequence::PortableText))
        page += tableRow({row.menu, row.action, row.keys});
    return page;
}

} // namespace ui
