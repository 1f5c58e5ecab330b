// SPDX-License-Identifier: GPL-3.0-or-later
// Layout of the window: views, menus that agree with panels, three dimensions, themes, accessible names.
#include "tests/ui/fixtures.h"
#include "ui/image/image_panel.h"
#include "ui/settings/settings_panel.h"
#include "ui/volume/volume_panel.h"
#include "ui/widgets/fold_out.h"
#include "ui/widgets/theme.h"

#include <QCheckBox>
#include <QGraphicsView>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTableWidget>
#include <QWindow>

using namespace ui;
using namespace fixtures;

class LayoutTest : public QObject
{
    Q_OBJECT

  private slots:
    void init() { m_window = std::make_unique<Window>(); }
    void cleanup() { m_window.reset(); }

    void layoutsOfTheImages()
    {
        QVERIFY(m_window->opensSmall());
        const auto shown = [this] {
            QString names;
            for (const char* name : {"imageA", "imageB", "imageDifference"})
                if (child<QGraphicsView>(*m_window, name)->isVisible())
                    names += QLatin1String(name + 5);
            return names;
        };
        auto* a = child<QGraphicsView>(*m_window, "imageA");
        QCOMPARE(shown(), QStringLiteral("ABDifference"));
        const int third = std::min(a->width(), a->height());
        trigger(*m_window, Qt::Key_1);
        QCOMPARE(shown(), QStringLiteral("A"));
        QTRY_VERIFY(std::min(a->width(), a->height()) > 1.3 * third); // larger in both directions
        trigger(*m_window, Qt::Key_3);
        QCOMPARE(shown(), QStringLiteral("AB"));
        trigger(*m_window, Qt::Key_4);
        QCOMPARE(shown(), QStringLiteral("Difference"));
        QVERIFY(child<QWidget>(*m_window, "differenceRange")->isVisible());
        QVERIFY(!child<QWidget>(*m_window, "histogram")->isVisible());
        trigger(*m_window, QKeySequence(Qt::CTRL | Qt::Key_2)); // three dimensions, and back by a view's key
        trigger(*m_window, Qt::Key_2);
        QCOMPARE(shown(), QStringLiteral("ABDifference"));
        QVERIFY(isLaidOut(*m_window));
        const int between = a->width();
        QVERIFY2(m_window->minimumSizeHint().width() < 1150, qPrintable(QString::number(m_window->width())));
        trigger(*m_window, Qt::Key_F9);
        QTRY_VERIFY(a->width() > between + 80);
        trigger(*m_window, Qt::Key_F9);
        QTRY_COMPARE(a->width(), between);
    }

    // With all sections open, the left panel is as wide as it can be seen, also in a window that starts so.
    void sectionsFitBesideTheScrollBar()
    {
        m_window->resize(1280, 800);
        QVERIFY(m_window->opensSmall());
        auto* settings = m_window->findChild<SettingsPanel*>();
        QScrollArea* area = nullptr;
        for (QWidget* above = settings; above && !area; above = above->parentWidget())
            area = qobject_cast<QScrollArea*>(above);
        QVERIFY(area);
        const int wide = area->width();
        for (FoldOut* section : area->findChildren<FoldOut*>()) {
            section->unfold();
            QVERIFY(isLaidOut(*m_window));
            const int content = area->widget()->minimumSizeHint().width(), seen = area->viewport()->width();
            QVERIFY2(content <= seen,
                     qPrintable(QStringLiteral("%1: %2 > %3").arg(section->name()).arg(content).arg(seen)));
            QCOMPARE(area->widget()->x(), 0);
            QCOMPARE(area->width(), wide);
        }
        QVERIFY(area->verticalScrollBar()->maximum() > 0);
    }

    // A click opens a section where it is. One at the lower edge of a small window is moved, so that some of it shows.
    void sectionsOpenInPlace()
    {
        m_window->resize(1280, 800);
        QVERIFY(m_window->opensSmall());
        auto* heading = child<QToolButton>(*m_window, "preparationHeading");
        const auto top = [&] { return heading->mapTo(m_window.get(), QPoint()).y(); };
        const int before = top();
        heading->click();
        QVERIFY(isLaidOut(*m_window));
        QCOMPARE(top(), before);
        heading->click();
        heading = child<QToolButton>(*m_window, "sharedByAll");
        m_window->resize(1280, top() + heading->height() + 4);
        QVERIFY(isLaidOut(*m_window));
        heading->click();
        QTRY_VERIFY(top() + 100 < m_window->height());
    }

    void menuAndPanelAgree()
    {
        QVERIFY(m_window->opensSmall());
        QAction* shared = actionWith(*m_window, Qt::Key_G);
        auto* box = child<QCheckBox>(*m_window, "windowShared");
        QVERIFY(shared->isChecked() && box->isChecked());
        box->click();
        QVERIFY(!shared->isChecked());
        shared->trigger();
        QVERIFY(box->isChecked() && m_window->images().windowShared());
        QAction* line = actionWith(*m_window, Qt::Key_L);
        m_window->images().setMarksVisible(false);
        QVERIFY(!line->isChecked());
        line->trigger();
        QVERIFY(m_window->images().marksVisible());
    }

    void stackInThreeDimensions()
    {
        QVERIFY(m_window->opensSmall());
        auto* panel = m_window->findChild<VolumePanel*>();
        trigger(*m_window, QKeySequence(Qt::CTRL | Qt::Key_2));
        if (!panel->available())
            QSKIP("there is no OpenGL 3.2 here");
        const auto button = [panel] {
            for (QPushButton* each : panel->findChildren<QPushButton*>())
                if (each->isVisible() && each->text().contains(QStringLiteral("stack")))
                    return each;
            return static_cast<QPushButton*>(nullptr);
        };
        QVERIFY(button());
        const QWindow* const handle = m_window->windowHandle();
        const WId id = m_window->winId();
        const QRect geometry = m_window->geometry();
        const Qt::WindowStates states = m_window->windowState();
        button()->click();
        const auto saysSize = [panel] {
            for (const QLabel* label : panel->findChildren<QLabel*>())
                if (label->isVisible() && label->text().contains(QStringLiteral("48 × 48 × 16 voxels")))
                    return true;
            return false;
        };
        QVERIFY(comes(saysSize)); // a small stack is shown completely
        QVERIFY(!child<QWidget>(*m_window, "stackView")->grab().isNull());
        // In the view, R resets the view; elsewhere it shows the scan beside the slice.
        const ui::View* const shown = &m_window->images().view();
        QCOMPARE(m_window->focusWidget(), child<QWidget>(*m_window, "stackView"));
        QTest::keyClick(child<QWidget>(*m_window, "stackView"), Qt::Key_R);
        QCOMPARE(&m_window->images().view(), shown);
        QVERIFY(isLaidOut(*m_window));
        QVERIFY(m_window->isVisible() && m_window->windowHandle() == handle && m_window->winId() == id);
        QCOMPARE(m_window->geometry(), geometry); // the same window at the same place
        QCOMPARE(m_window->windowState(), states);
        QVERIFY2(m_window->message().isEmpty(), qPrintable(m_window->message()));
        button()->click();
        trigger(*m_window, Qt::Key_Escape);
        QVERIFY(comes([&] { return m_window->message().isEmpty(); }));
        QVERIFY(saysSize()); // the previous stack stays
    }

    void themesSwitch()
    {
        PersistentState state;
        ThemeFollower theme;
        MainWindow window(state, &theme);
        window.show();
        QVERIFY(isExposed(&window));
        const auto lightness = [&window] {
            return qGray(
                window.grab().toImage().scaled(1, 1, Qt::IgnoreAspectRatio, Qt::SmoothTransformation).pixel(0, 0));
        };
        theme.setTheme(Theme::dark);
        QCoreApplication::processEvents();
        const int dark = lightness();
        QVERIFY2(dark < 80, qPrintable(QString::number(dark)));
        // An unchecked box is visible: its frame stands out from the window.
        auto* box = child<QCheckBox>(window, "windowShared");
        const QImage picture = box->grab().toImage();
        int brightest = 0;
        for (int x = 0; x < 16; ++x)
            brightest = std::max(brightest, qGray(picture.pixel(x, picture.height() / 2)));
        QVERIFY2(brightest > 100, qPrintable(QString::number(brightest)));
        theme.setTheme(Theme::light);
        QCoreApplication::processEvents();
        QVERIFY(lightness() > 200);
    }

    // Secondary text has a contrast of at least 4.5 : 1 (WCAG 2.1, 1.4.3) on every background.
    void quietTextCanBeRead()
    {
        const auto luminance = [](const QColor& colour) {
            const auto linear = [](double v) { return v <= 0.03928 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
            return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
        };
        for (const bool dark : {false, true}) {
            const QPalette palette = ui::paletteOf(dark);
            for (const auto ground : {QPalette::Window, QPalette::Base, QPalette::Button, QPalette::ToolTipBase})
                for (const auto text : {QPalette::PlaceholderText, QPalette::Text}) {
                    const double a = luminance(palette.color(text)), b = luminance(palette.color(ground));
                    const double contrast = (std::max(a, b) + 0.05) / (std::min(a, b) + 0.05);
                    QVERIFY2(contrast >= 4.5, qPrintable(QStringLiteral("%1 on %2, %3: %4")
                                                             .arg(text)
                                                             .arg(ground)
                                                             .arg(dark ? "dark" : "light")
                                                             .arg(contrast)));
                }
        }
    }

    void everyControlHasANameAndATip()
    {
        for (const QWidget* widget : m_window->settings().findChildren<QWidget*>()) {
            const bool control =
                qobject_cast<const QComboBox*>(widget) || qobject_cast<const QAbstractSpinBox*>(widget);
            if (!control)
                continue;
            QVERIFY2(!widget->accessibleName().isEmpty(), qPrintable(widget->objectName()));
            QVERIFY2(!widget->toolTip().isEmpty(), qPrintable(widget->objectName()));
        }
        // No two actions share a key.
        QStringList keys;
        for (QAction* menu : m_window->menuBar()->actions())
            for (QAction* action : menu->menu()->actions())
                for (const QKeySequence& sequence : action->shortcuts())
                    keys << sequence.toString();
        const qsizetype all = keys.size();
        QVERIFY(all > 20);
        keys.removeDuplicates();
        QCOMPARE(keys.size(), all);
    }

    // The list of shortcuts contains every key of the menus and every mnemonic of a label, each once.
    void everyKeyIsListedOnce()
    {
        QStringList names, keys;
        triggerAndLook<QDialog>(*m_window, Qt::CTRL | Qt::Key_F1, [&](const QDialog& dialog) {
            const auto* table = dialog.findChild<QTableWidget*>();
            for (int row = 0; row < table->rowCount(); ++row) {
                names << table->item(row, 0)->text();
                keys << table->item(row, 1)->text();
            }
        });
        for (const char* name : {"Kernel", "Slices", "Filter", "Cut-off", "Axis", "Device", "Memory", "Slice"})
            QVERIFY2(names.contains(QLatin1String(name)), name);
        QVERIFY(keys.contains(QStringLiteral("Alt+K")) && keys.contains(QStringLiteral("Alt+Y")));
        for (const QAction* menu : m_window->menuBar()->actions()) // mnemonics must differ from these, too
            keys << QKeySequence::mnemonic(menu->text()).toString(QKeySequence::NativeText);
        const qsizetype all = keys.size();
        keys.removeDuplicates();
        QVERIFY2(keys.size() == all, qPrintable(names.join(QLatin1Char('\n'))));
    }

  private:
    std::unique_ptr<Window> m_window;
};

SINOSCOPE_TEST(LayoutTest, QApplication)
#include "layout_test.moc"
