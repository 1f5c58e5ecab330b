// SPDX-License-Identifier: GPL-3.0-or-later
// Space in the window: images are large, nothing is covered or cut off in small windows, an empty window offers ways
// to open a scan, and switching the theme gives the same look as starting with it.
#include "tests/ui/fixtures.h"
#include "ui/image/image_panel.h"
#include "ui/numbers/number_tabs.h"
#include "ui/opening/scan_bar.h"
#include "ui/widgets/theme.h"

#include <QClipboard>
#include <QComboBox>
#include <QGraphicsView>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QScrollArea>
#include <QStyleOptionComboBox>
#include <QTabBar>
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
    // A low window, such as one at 200 %, has room for the image alone; the lower panel comes back with the room.
    void lowWindowsFoldTheLowerPanel()
    {
        Window window(QSize(1280, 800));
        QVERIFY(window.opensSmall());
        trigger(window, Qt::Key_1);
        const auto* profile = child<QWidget>(window, "profilePlot");
        QVERIFY(profile->isVisible());
        window.resize(window.width(), 500);
        QTRY_VERIFY(!profile->isVisible());
        QTRY_VERIFY(child<QGraphicsView>(window, "imageA")->height() > 0.5 * window.height());
        window.resize(window.width(), 800);
        QTRY_VERIFY(profile->isVisible());
    }

    // A square slice is large, with a profile below it.
    void theImageIsLarge_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<int>("least");
        QTest::addColumn<double>("share"); // of the window, of images and profile
        QTest::newRow("1280x800") << QSize(1280, 800) << 540 << 0.55;
        QTest::newRow("1920x1080") << QSize(1920, 1080) << 780 << 0.6;
    }
    void theImageIsLarge()
    {
        QFETCH(const QSize, size);
        QFETCH(const int, least);
        QFETCH(const double, share);
        Window window(size);
        QVERIFY(window.opensSmall());
        trigger(window, Qt::Key_1);
        QVERIFY(isLaidOut(window));
        const QSize image = child<QGraphicsView>(window, "imageA")->viewport()->size();
        const QSize profile = child<QWidget>(window, "profilePlot")->size();
        QVERIFY2(std::min(image.width(), image.height()) >= least, qPrintable(QString::number(image.height())));
        QVERIFY2(profile.height() >= 90, qPrintable(QString::number(profile.height())));
        const double covered = image.width() * image.height() + profile.width() * profile.height();
        QVERIFY2(covered >= share * size.width() * size.height(), qPrintable(QString::number(covered)));
        trigger(window, Qt::Key_F8);
        QTRY_VERIFY(child<QGraphicsView>(window, "imageA")->viewport()->height() > image.height() + 90);
        QVERIFY(!child<QWidget>(window, "profilePlot")->isVisible() || profile.height() >= 90);
    }

    // The first start shows few controls.
    void fewControlsAreShown()
    {
        ui::PersistentState state;
        MainWindow window(state);
        window.resize(1280, 800);
        window.openSample(QStringLiteral("shepp-logan"));
        window.show();
        QVERIFY(isExposed(&window) && settles(window));
        QStringList shown;
        for (const QWidget* each : window.findChildren<QWidget*>()) {
            if (!each->isVisible() || each->visibleRegion().isEmpty())
                continue;
            if (const auto* tabs = qobject_cast<const QTabBar*>(each)) {
                for (int tab = 0; tab < tabs->count(); ++tab)
                    if (tabs->isTabVisible(tab))
                        shown << QStringLiteral("tab ") + tabs->tabText(tab);
            } else if (qobject_cast<const QAbstractButton*>(each) || qobject_cast<const QComboBox*>(each) ||
                       qobject_cast<const QAbstractSpinBox*>(each) || qobject_cast<const QAbstractSlider*>(each) ||
                       qobject_cast<const QListWidget*>(each)) {
                shown << each->objectName() + u' ' + QLatin1String(each->metaObject()->className());
            }
        }
        QVERIFY2(shown.size() <= 40, qPrintable(QStringLiteral("%1: ").arg(shown.size()) + shown.join(", ")));
    }

    // Another view moves neither the profile nor the grey window.
    void viewsMoveNothing()
    {
        Window window({1280, 800});
        QVERIFY(window.opensSmall());
        const auto places = [&window] {
            QList<QPoint> found;
            if (!isLaidOut(window))
                return found;
            for (const char* name : {"profilePlot", "kernelGups", "sliceSlider"})
                found << child<QWidget>(window, name)->mapTo(&window, QPoint());
            return found;
        };
        const QList<QPoint> before = places();
        for (const View& view : views()) {
            window.images().setView(view);
            QVERIFY2(places() == before, view.id);
        }
    }

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
        QVERIFY(isLaidOut(window));
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
        const auto* inBar = child<QLabel>(window, "foldedSpeed");
        QVERIFY(!inBar->isVisible());
        window.resize(900, 600);
        QTRY_VERIFY(!speed->isVisible() && inBar->isVisible() && settings->isVisible());
        QVERIFY2(inBar->text().endsWith(QStringLiteral("GU/s")), qPrintable(inBar->text()));
        window.resize(window.minimumSizeHint().width(), 600);
        QTRY_VERIFY(!settings->isVisible());
        window.resize(1280, 700);
        QTRY_VERIFY(speed->isVisible() && settings->isVisible());
        trigger(window, Qt::Key_F9);
        QVERIFY(speed->isVisible() && !settings->isVisible());
        window.resize(1300, 700);
        QVERIFY(isLaidOut(window));
        QVERIFY(!settings->isVisible()); // as the user chose
        trigger(window, Qt::Key_F9);
        QVERIFY(settings->isVisible());
        trigger(window, Qt::Key_F8);
        QVERIFY(!speed->isVisible());
        trigger(window, Qt::Key_F8);
        QVERIFY(speed->isVisible());
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
            offered << button->text().section(QStringLiteral("   in "), 0, 0);
            QVERIFY(button->text().endsWith(QFileInfo(button->toolTip()).dir().dirName()));
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
        // The menu shows it again, and leads back to the scan, which stays open.
        QAction* page = nullptr;
        for (QAction* action : window.menuBar()->actions().front()->menu()->actions())
            if (action->text().remove(u'&') == QStringLiteral("Start page"))
                page = action;
        QVERIFY(page);
        const auto* back = child<QPushButton>(window, "backToScan");
        page->trigger();
        QVERIFY(welcome->isVisible() && back->isVisible() && window.images().isVisible());
        page->trigger();
        QVERIFY(!welcome->isVisible());
        page->trigger();
        child<QPushButton>(window, "backToScan")->click();
        QVERIFY(!welcome->isVisible() && window.shown().hasResult());
        // What acts on the scan shows it first.
        page->trigger();
        trigger(window, Qt::CTRL | Qt::Key_1);
        QVERIFY(!welcome->isVisible());
        page->trigger();
        child<QPushButton>(window, "sample_rings")->click();
        QVERIFY(!welcome->isVisible());
        QVERIFY(settles(window));
        QVERIFY(!welcome->isVisible());
    }

    // The numbers of few settings take no more height than their rows, so that the image stays large.
    void fewNumbersTakeLittleRoom()
    {
        Window window({1280, 800});
        QVERIFY(window.opensSmall());
        auto* tabs = child<QTabWidget>(window, "numberTabs");
        tabs->setCurrentIndex(1);
        QVERIFY(isLaidOut(window));
        const int one = tabs->height();
        QVERIFY2(one < 180, qPrintable(QString::number(one)));
        window.settings().addSetting();
        QVERIFY(settles(window));
        QTRY_VERIFY(tabs->height() > one);
        trigger(window, QKeySequence::Undo);
        QVERIFY(settles(window));
        QTRY_COMPARE(tabs->height(), one);
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
        child<QToolButton>(window, "sharedByAll")->click(); // unfolds the section
        QVERIFY(isLaidOut(window));
        QVERIFY(topOf("chosenSetting") < topOf("method") && topOf("method") < topOf("filter"));
        for (const char* name : {"device", "memory-limit"})
            QVERIFY2(topOf("sharedByAll") < topOf(name), name);
        for (const char* name : {"filter", "cutoff", "axisBins"})
            QVERIFY2(topOf("sharedByAll") > topOf(name), name);
        QCOMPARE(child<QWidget>(window, "chosenSetting")->accessibleName(), QStringLiteral("Setting A"));
        child<QToolButton>(window, "addSetting")->click();
        QCOMPARE(child<QWidget>(window, "chosenSetting")->accessibleName(), QStringLiteral("Setting B · as A"));
    }

    // In a small window the speed stands beside the tabs, as wide as its text: nothing lies over it.
    void nothingLiesOverTheSpeed()
    {
        Window window({900, 600});
        QVERIFY(window.opensSmall());
        auto* speed = child<QLabel>(window, "foldedSpeed");
        auto* logarithmic = child<QToolButton>(window, "profileLogarithmic");
        const auto placeOf = [&window](const QWidget* widget) {
            return QRect(widget->mapTo(&window, QPoint()), widget->size());
        };
        QVERIFY(speed->isVisible() && logarithmic->isVisible());
        QVERIFY(comes([&] { return !placeOf(speed).intersects(placeOf(logarithmic)); }));
        child<NumberTabs>(window, "numberTabs")->showBeside(QStringLiteral("123456.78 GU/s"));
        QVERIFY(comes([&] {
            return speed->width() >= speed->sizeHint().width() && !placeOf(speed).intersects(placeOf(logarithmic));
        }));
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
                trigger(window, Qt::Key_F8);
                child<QLabel>(window, "foldedSpeed")->hide();
            }
            window.setFocus();
            (void)comes([&] { return !isAnimated(window); }); // the axes have moved
            theme.setTheme(to);
            QImage before, now;
            (void)comes([&] {
                if (!isLaidOut(window) || isAnimated(window) || hasPendingTimer(window.images()))
                    return false;
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
