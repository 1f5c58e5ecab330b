// SPDX-License-Identifier: GPL-3.0-or-later
// Space in the window: images are large, nothing is covered or cut off in small windows, an empty window offers ways
// to open a scan, and switching the theme gives the same look as starting with it.
#include "tests/ui/fixtures.h"
#include "ui/image/image_panel.h"
#include "ui/opening/scan_bar.h"
#include "ui/widgets/theme.h"

#include <QClipboard>
#include <QComboBox>
#include <QGraphicsView>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QStyleOptionComboBox>
#include <QToolButton>
#include <QWidgetAction>

using namespace ui;
using namespace fixtures;

namespace
{

// Whether the combo box shows the text of each entry completely.
bool showsEachEntry(const QComboBox& combo)
{
    QStyleOptionComboBox option;
    option.initFrom(&combo);
    option.editable = false;
    const int room =
        combo.style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, &combo).width();
    int widest = 0;
    for (int k = 0; k < combo.count(); ++k)
        widest = std::max(widest, combo.fontMetrics().horizontalAdvance(combo.itemText(k)));
    const int icon = combo.itemIcon(0).isNull() ? 0 : combo.iconSize().width() + 4;
    return widest + icon <= room;
}

// Returns controls that a scroll bar covers, or that extend beyond the panel that scrolls them.
QStringList covered(const QScrollArea& area)
{
    QStringList names;
    for (const QWidget* each : area.widget()->findChildren<QWidget*>()) {
        if (!each->isVisible() || each->focusPolicy() == Qt::NoFocus)
            continue;
        const QRect place(each->mapTo(area.viewport(), QPoint()), each->size());
        const bool isInside = place.left() >= 0 && place.right() < area.viewport()->width();
        if (!isInside && each->window() == area.window())
            names << QLatin1String(each->metaObject()->className()) + u' ' + each->objectName();
    }
    return names;
}

int differentPixels(const QImage& a, const QImage& b)
{
    if (a.size() != b.size())
        return -1;
    int count = 0;
    for (int y = 0; y < a.height(); ++y)
        for (int x = 0; x < a.width(); ++x)
            count += a.pixel(x, y) != b.pixel(x, y);
    return count;
}

} // namespace

class WindowLayoutTest : public QObject
{
    Q_OBJECT

  private slots:
    void twoImagesAreLarge()
    {
        Window window({1280, 800});
        QVERIFY(window.opensSmall());
        trigger(window, Qt::Key_F9);
        trigger(window, Qt::Key_3);
        for (const char* name : {"imageA", "imageB"}) {
            const auto* image = child<QGraphicsView>(window, name);
            QTRY_VERIFY2(std::min(image->viewport()->width(), image->viewport()->height()) >= 480,
                         qPrintable(QString::number(image->viewport()->height())));
        }
    }

    void nothingIsCoveredInSmallWindows_data()
    {
        QTest::addColumn<QSize>("size");
        for (const QSize size : {QSize(900, 600), QSize(1280, 600), QSize(740, 560), QSize(1280, 800)})
            QTest::newRow(qPrintable(QStringLiteral("%1x%2").arg(size.width()).arg(size.height()))) << size;
    }

    void nothingIsCoveredInSmallWindows()
    {
        QFETCH(QSize, size);
        Window window(size);
        QVERIFY(window.opensSmall());
        for (int k = 0; k < 5; ++k)
            child<QToolButton>(window, "addSetting")->click();
        QVERIFY(settles(window));
        QTest::qWait(50); // until the layout is done
        QVERIFY2(window.size() == size, qPrintable(QStringLiteral("%1 wide").arg(window.width())));
        for (const QScrollArea* area : window.findChildren<QScrollArea*>())
            if (area->isVisible())
                QVERIFY2(covered(*area).isEmpty(), qPrintable(covered(*area).join(QStringLiteral(", "))));
        for (const char* name : {"interpolation", "colourMap"})
            QVERIFY2(showsEachEntry(*child<QComboBox>(window, name)), name);
    }

    void panelsFoldAndComeBack()
    {
        Window window({1280, 700});
        QVERIFY(window.opensSmall());
        const auto* speed = child<QLabel>(window, "kernelGups");
        const QWidget* settings = &window.settings();
        QVERIFY(speed->isVisible() && settings->isVisible());
        window.resize(900, 600);
        QTRY_VERIFY(!speed->isVisible() && settings->isVisible());
        window.resize(window.minimumSizeHint().width(), 600);
        QTRY_VERIFY(!speed->isVisible() && !settings->isVisible());
        window.resize(1280, 700);
        QTRY_VERIFY(speed->isVisible() && settings->isVisible());
        trigger(window, Qt::Key_F9);
        QVERIFY(!speed->isVisible() && !settings->isVisible());
        window.resize(1300, 700);
        QTest::qWait(50);
        QVERIFY(!speed->isVisible() && !settings->isVisible()); // as the user chose
        trigger(window, Qt::Key_F9);
        QVERIFY(speed->isVisible() && settings->isVisible());
    }

    void emptyWindowOffersScans()
    {
        const TemporaryFolder folder;
        ui::PersistentState state;
        for (const char* name : {"a.h5", "b.h5", "c.h5", "d.h5", "e.h5", "f & g.h5", "there.sinoscope"}) {
            QFile file(folder.file(QLatin1String(name)));
            QVERIFY(file.open(QIODevice::WriteOnly));
            state.addRecent(file.fileName());
        }
        state.addRecent(folder.file(QStringLiteral("gone.h5")));
        MainWindow window(state);
        window.show();
        QVERIFY(isExposed(&window));
        const auto* welcome = child<QWidget>(window, "welcome");
        QVERIFY(welcome->isVisible());
        QStringList offered;
        for (const QPushButton* button : welcome->findChildren<QPushButton*>(QStringLiteral("recent"))) {
            offered << button->text();
            QVERIFY(button->toolTip().endsWith(button->accessibleName()));
            QVERIFY(QFile::exists(button->toolTip()) && button->focusPolicy() & Qt::TabFocus);
        }
        const QStringList expected{QStringLiteral("there.sinoscope"), QStringLiteral("f && g.h5"),
                                   QStringLiteral("e.h5"), QStringLiteral("d.h5"), QStringLiteral("c.h5")};
        QCOMPARE(offered, expected);
        QVERIFY(child<QPushButton>(window, "openSession")->isVisible());
        window.open(folder.file(QStringLiteral("a.h5"))); // not a scan
        QVERIFY(comes([&] { return !window.message().isEmpty() && !window.busy(); }));
        QVERIFY(welcome->isVisible());
        child<QPushButton>(window, "samples")->menu()->actions().front()->trigger();
        QVERIFY(!welcome->isVisible());
        QVERIFY(settles(window));
        QVERIFY(!welcome->isVisible());
    }

    void notesAreShownByAClick()
    {
        engine::Scan scan = *engine::simulate(simulationOf(engine::Phantom::disc, 48, 30));
        scan.notes = {"Two frames are dark.", "One angle is missing."};
        ScanBar bar;
        bar.setScan(&scan);
        const auto* button = child<QToolButton>(bar, "scanNotes");
        QVERIFY(!button->isHidden() && button->popupMode() == QToolButton::InstantPopup);
        QCOMPARE(button->text(), QStringLiteral("2 notes"));
        auto* action = qobject_cast<QWidgetAction*>(button->menu()->actions().front());
        const auto* text = qobject_cast<const QLabel*>(action->defaultWidget());
        QVERIFY(text->textInteractionFlags() & Qt::TextSelectableByMouse);
        button->menu()->actions().back()->trigger();
        QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("Two frames are dark.\n\nOne angle is missing."));
        scan.notes.clear();
        bar.setScan(&scan);
        QVERIFY(button->isHidden());
    }

    void whatIsSharedIsSaid()
    {
        Window window({1280, 900});
        QVERIFY(window.opensSmall());
        const auto topOf = [&](const char* name) { return child<QWidget>(window, name)->mapTo(&window, QPoint()).y(); };
        QVERIFY(topOf("chosenSetting") < topOf("kernel") && topOf("kernel") < topOf("filter"));
        for (const char* name : {"device", "memory-limit"})
            QVERIFY2(topOf("sharedByAll") < topOf(name), name);
        for (const char* name : {"filter", "cutoff", "axisBins"})
            QVERIFY2(topOf("sharedByAll") > topOf(name), name);
        QCOMPARE(child<QWidget>(window, "chosenSetting")->accessibleName(), QStringLiteral("Setting A"));
        child<QToolButton>(window, "addSetting")->click();
        QCOMPARE(child<QWidget>(window, "chosenSetting")->accessibleName(), QStringLiteral("Setting B"));
    }

    void aFirstRunIsCalledOne()
    {
        Window window;
        QVERIFY(window.opensSmall());
        const auto* unit = child<QLabel>(window, "kernelUnit");
        QVERIFY2(unit->text().contains(QStringLiteral("a single run")), qPrintable(unit->text()));
        window.computeAgain();
        QVERIFY(settles(window));
        QVERIFY2(unit->text().contains(QStringLiteral("2 runs")), qPrintable(unit->text()));
        QVERIFY(unit->text().contains(QStringLiteral("median")));
    }

    // Measured times differ between runs: the panels that show them are hidden once there are results.
    void aSwitchedThemeIsAFreshOne()
    {
        ThemeFollower theme;
        // Returns `wanted` if the window comes to look so; otherwise its picture when nothing changes any more.
        const auto grabbed = [&theme](Theme from, Theme to, bool open, const QImage& wanted = {}) {
            theme.setTheme(from);
            Window window({1280, 800});
            if (open) {
                if (!window.opensSmall())
                    qFatal("no scan");
                trigger(window, Qt::Key_F9);
            }
            window.setFocus();
            QTest::qWait(400); // until the axes have moved
            theme.setTheme(to);
            QImage before, now;
            (void)comes([&] {
                QTest::qWait(100);
                before = std::exchange(now, window.grab().toImage().convertToFormat(QImage::Format_RGB32));
                return wanted.isNull() ? now == before : differentPixels(wanted, now) == 0;
            });
            return now;
        };
        for (const bool open : {false, true})
            for (const auto& [from, to] :
                 {std::pair{Theme::light, Theme::dark}, std::pair{Theme::dark, Theme::light}}) {
                const QImage fresh = grabbed(to, to, open), switched = grabbed(from, to, open, fresh);
                const int different = differentPixels(fresh, switched);
                if (different && qEnvironmentVariableIsSet("SINOSCOPE_KEEP_IMAGES")) {
                    const QString name = QStringLiteral("%1%2-").arg(toText(to), open ? "-open" : "");
                    fresh.save(name + QStringLiteral("fresh.png"));
                    switched.save(name + QStringLiteral("switched.png"));
                }
                QVERIFY2(different == 0, qPrintable(QStringLiteral("%1 pixels differ, to %2, %3")
                                                        .arg(different)
                                                        .arg(toText(to), open ? "with a scan" : "empty")));
            }
    }
};

SINOSCOPE_TEST(WindowLayoutTest, QApplication)
#include "window_layout_test.moc"
