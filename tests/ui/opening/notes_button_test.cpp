// SPDX-License-Identifier: GPL-3.0-or-later
// The menu of notes, when there are more notes than when it was last opened.
#include "tests/ui/fixtures.h"
#include "ui/opening/notes_button.h"

#include <QLabel>
#include <QMenu>

using namespace fixtures;

class NotesButtonTest : public QObject
{
    Q_OBJECT

  private slots:
    void laterNotesHaveRoom()
    {
        ui::NotesButton button;
        const auto shownWith = [&](const QStringList& notes) {
            button.setScanNotes(notes);
            button.showNotes();
            button.menu()->popup({0, 0});
            const auto* text = button.menu()->findChild<QLabel*>();
            const int height = text->height(), needed = text->heightForWidth(text->width());
            button.menu()->close();
            return std::pair(height, needed);
        };
        button.show();
        const auto [before, neededBefore] = shownWith({"One note."});
        QVERIFY(before >= neededBefore);
        const auto [after, neededAfter] = shownWith({"One note.", QString("Another, of many words. ").repeated(20)});
        QVERIFY(neededAfter > neededBefore + 20);
        QVERIFY2(after >= neededAfter, qPrintable(QStringLiteral("%1 of %2").arg(after).arg(neededAfter)));
        QCOMPARE(shownWith({"One note."}).first, before); // no empty space is left
        QVERIFY2(button.menu()->height() < before + 60, qPrintable(QString::number(button.menu()->height())));
    }
};

SINOSCOPE_TEST(NotesButtonTest, QApplication)
#include "notes_button_test.moc"
