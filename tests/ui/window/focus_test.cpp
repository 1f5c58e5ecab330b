// SPDX-License-Identifier: GPL-3.0-or-later
// The keyboard reaches every control of the window and its dialogs: Tab goes to each one, which has a name for screen
// readers and shows that it has the focus, in a light and in a dark theme.
#include "engine/io/slices/write_scan.h"
#include "tests/ui/fixtures.h"
#include "ui/widgets/fold_out.h"
#include "ui/widgets/theme.h"

#include <QAbstractItemView>
#include <QAbstractSlider>
#include <QAccessible>
#include <QButtonGroup>
#include <QDialog>
#include <QGraphicsView>
#include <QLineEdit>
#include <QScrollBar>
#include <QSet>
#include <QTabBar>
#include <QTabWidget>

using namespace ui;
using namespace fixtures;

namespace
{

constexpr int mostSteps = 400;
constexpr int leastPixels = 20; // that differ with the focus

QString nameOf(const QWidget& widget)
{
    const auto* button = qobject_cast<const QAbstractButton*>(&widget);
    return QStringLiteral("%1 '%2' in %3 '%4'")
        .arg(QLatin1String(widget.metaObject()->className()),
             button && widget.objectName().isEmpty() ? button->text() + button->accessibleName() : widget.objectName(),
             QLatin1String(widget.parentWidget() ? widget.parentWidget()->metaObject()->className() : "-"),
             widget.parentWidget() ? widget.parentWidget()->objectName() : QString());
}

bool isControl(const QWidget& widget)
{
    if (qobject_cast<const QScrollBar*>(&widget))
        return false;
    return qobject_cast<const QAbstractButton*>(&widget) || qobject_cast<const QComboBox*>(&widget) ||
           qobject_cast<const QAbstractSpinBox*>(&widget) || qobject_cast<const QAbstractSlider*>(&widget) ||
           qobject_cast<const QLineEdit*>(&widget) || qobject_cast<const QTabBar*>(&widget) ||
           qobject_cast<const QAbstractItemView*>(&widget) || qobject_cast<const QGraphicsView*>(&widget) ||
           (widget.focusPolicy() & Qt::TabFocus);
}

// Whether the widget is a part of a control of Qt, which gives it the focus if it needs it.
bool isPart(const QWidget& widget)
{
    if (widget.focusProxy())
        return true;
    const QWidget* parent = widget.parentWidget();
    return qobject_cast<const QAbstractSpinBox*>(parent) || qobject_cast<const QComboBox*>(parent) ||
           qobject_cast<const QTabBar*>(parent) || widget.objectName().startsWith(QLatin1String("qt_")) ||
           (qobject_cast<const QAbstractItemView*>(parent) && qobject_cast<const QAbstractButton*>(&widget)) ||
           widget.inherits("QHeaderView") || widget.inherits("QToolBarExtension") ||
           (qobject_cast<const QLineEdit*>(&widget) && static_cast<const QLineEdit&>(widget).isReadOnly());
}

// The arrow keys lead from one button of a group to the others.
bool isReachedByArrows(const QWidget& widget, const QList<QWidget*>& byTab)
{
    const auto* button = qobject_cast<const QAbstractButton*>(&widget);
    const QButtonGroup* group = button ? button->group() : nullptr;
    return group && group->exclusive() &&
           std::ranges::any_of(group->buttons(), [&](QAbstractButton* other) { return byTab.contains(other); });
}

QList<QWidget*> controlsOf(const QWidget& window)
{
    QList<QWidget*> controls;
    for (QWidget* each : window.findChildren<QWidget*>())
        if (each->window() == &window && each->isVisible() && each->isEnabled() && isControl(*each) && !isPart(*each))
            controls << each;
    return controls;
}

// Returns the widgets that get the focus by Tab, in this order, until the first one has it again.
QList<QWidget*> tabOrder(QWidget& window)
{
    QList<QWidget*> order;
    for (int k = 0; k < mostSteps; ++k) {
        QWidget* from = window.focusWidget() ? window.focusWidget() : &window;
        QTest::keyClick(from, Qt::Key_Tab);
        QWidget* now = window.focusWidget();
        if (!now || order.contains(now))
            break;
        order << now;
    }
    return order;
}

QImage pictureOf(QWidget& widget)
{
    QCoreApplication::processEvents();
    return widget.grab().toImage().convertToFormat(QImage::Format_RGB32);
}

int pixelsOfFocus(QWidget& widget)
{
    widget.setFocus(Qt::TabFocusReason);
    const QImage with = pictureOf(widget);
    widget.clearFocus();
    const QImage without = pictureOf(widget);
    int count = 0;
    for (int y = 0; y < with.height(); ++y)
        for (int x = 0; x < with.width(); ++x)
            count += with.pixel(x, y) != without.pixel(x, y);
    return count;
}

} // namespace

class FocusTest : public QObject
{
    Q_OBJECT

    // Adds what is wrong in the window as it is now.
    void look(QWidget& window, const QString& where)
    {
        window.activateWindow();
        if (!comes([&] { return window.isActiveWindow(); }))
            return void(m_wrong << where + QStringLiteral(": the window doesn't become active"));
        const QList<QWidget*> order = tabOrder(window);
        for (QWidget* control : controlsOf(window)) {
            const QString name = where + QStringLiteral(": ") + nameOf(*control);
            if (!order.contains(control) && !isReachedByArrows(*control, order)) {
                m_wrong << name + QStringLiteral(" isn't reached by Tab");
                continue;
            }
            const QAccessibleInterface* accessible = QAccessible::queryAccessibleInterface(control);
            if (!accessible || accessible->text(QAccessible::Name).trimmed().isEmpty())
                m_wrong << name + QStringLiteral(" has no accessible name");
        }
        for (QWidget* each : order)
            if (const int pixels = pixelsOfFocus(*each); pixels < leastPixels)
                m_wrong << where + QStringLiteral(": %1 shows the focus with %2 pixels").arg(nameOf(*each)).arg(pixels);
    }
    void say()
    {
        m_wrong.removeDuplicates();
        QVERIFY2(m_wrong.isEmpty(), qPrintable(u'\n' + m_wrong.join(u'\n')));
    }

  private slots:
    void initTestCase() { QApplication::setCursorFlashTime(0); }
    void init() { m_wrong.clear(); }

    void everyControl_data()
    {
        QTest::addColumn<bool>("isDark");
        QTest::newRow("light") << false;
        QTest::newRow("dark") << true;
    }
    void everyControl()
    {
        QFETCH(const bool, isDark);
        ThemeFollower theme;
        theme.setTheme(isDark ? Theme::dark : Theme::light);
        Window window({1280, 1000}, &theme);
        look(window, QStringLiteral("start page"));
        QVERIFY(window.opensSmall());
        child<QToolButton>(window, "addSetting")->click();
        QVERIFY(settles(window));
        look(window, QStringLiteral("window"));
        for (const char* view : {"a", "recorded", "swipe"}) {
            window.images().setView(*findView(QLatin1String(view)));
            look(window, QLatin1String(view));
        }
        auto* tabs = child<QTabWidget>(window, "numberTabs");
        for (int k = 1; k < tabs->count(); ++k) {
            tabs->setCurrentIndex(k);
            QVERIFY(settles(window));
            look(window, QStringLiteral("tab ") + tabs->tabText(k));
        }
        for (FoldOut* section : window.findChildren<FoldOut*>())
            section->unfold();
        look(window, QStringLiteral("unfolded"));
        trigger(window, Qt::Key_F8);
        look(window, QStringLiteral("folded"));
        trigger(window, Qt::CTRL | Qt::Key_2);
        look(window, QStringLiteral("3-D"));
        theme.setTheme(Theme::system);
        say();
    }

    void everyDialog()
    {
        Window window({1280, 1000});
        QVERIFY(window.opensSmall());
        for (const auto& [name, keys] : {std::pair("volume", QKeySequence(Qt::CTRL | Qt::Key_E)),
                                         {"figure", QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_F)},
                                         {"shortcuts", QKeySequence(Qt::CTRL | Qt::Key_F1)}}) {
            QTimer::singleShot(0, this, [this, name = QLatin1String(name)] {
                if (!comes([] { return QApplication::activeModalWidget(); }))
                    return void(m_wrong << name + QStringLiteral(": no dialog"));
                auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget());
                look(*dialog, name);
                dialog->reject();
            });
            trigger(window, keys);
        }
        window.showQueue();
        look(*child<QDialog>(window, "queueDialog"), QStringLiteral("queue"));
        window.showFound();
        look(*child<QDialog>(window, "found"), QStringLiteral("contents"));
        say();
    }

  private:
    QStringList m_wrong;
};

SINOSCOPE_TEST(FocusTest, QApplication)
#include "focus_test.moc"
