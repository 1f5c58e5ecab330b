// SPDX-License-Identifier: GPL-3.0-or-later
// Every view of the table has a menu entry, a key, a button and an id in stored sessions.
#include "tests/ui/fixtures.h"
#include "ui/image/image_panel.h"
#include "ui/views/view_chooser.h"

#include <QSet>
#include <QToolButton>

using namespace fixtures;

namespace
{

// Returns the view's entry in the menus.
QAction* viewAction(const QMainWindow& window, const ui::View& view)
{
    for (QAction* menu : window.menuWidget()->actions())
        for (QAction* action : menu->menu()->actions())
            if (action->text() == view.text())
                return action;
    return nullptr;
}

} // namespace

class ViewsTest : public QObject
{
    Q_OBJECT

  private slots:
    void everyViewCanBeChosen()
    {
        Window window;
        QList<QToolButton*> buttons = child<ui::ViewChooser>(window, "viewChooser")->findChildren<QToolButton*>();
        auto* more = child<QToolButton>(window, "moreViews");
        buttons.removeOne(more);
        QCOMPARE(std::size_t(buttons.size()), ui::views().size());
        for (int k = 0; k < buttons.size(); ++k) {
            const ui::View& view = ui::views()[std::size_t(k)];
            const ui::View& other = ui::views()[std::size_t(k + 1) % ui::views().size()];
            QAction* action = viewAction(window, view);
            QVERIFY2(action && action->shortcut() == view.keys(), view.id);
            QCOMPARE(buttons[k]->text(), view.text());
            action->trigger();
            QCOMPARE(&window.images().view(), &view);
            QVERIFY2(buttons[k]->isChecked() && action->isChecked(), view.id);
            QCOMPARE(more->isChecked(), !buttons[k]->isVisible()); // it stands for views without a button
            window.images().setView(other);
            QVERIFY2(!buttons[k]->isChecked() && !action->isChecked(), view.id);
            buttons[k]->click();
            QCOMPARE(&window.images().view(), &view);
        }
    }

    void idsFindTheirViews()
    {
        QSet<QString> ids;
        for (const ui::View& view : ui::views()) {
            QCOMPARE(ui::findView(QLatin1String(view.id)), &view);
            QVERIFY2(!view.contents.empty() && !view.text().isEmpty(), view.id);
            ids << QLatin1String(view.id);
        }
        QCOMPARE(std::size_t(ids.size()), ui::views().size());
        QVERIFY(!ui::findView(QStringLiteral("none")));
    }
};

SINOSCOPE_TEST(ViewsTest, QApplication)
#include "views_test.moc"
