// SPDX-License-Identifier: GPL-3.0-or-later
// The table of numbers in the real window: rows can be chosen, headings sort, and text is copied to the clipboard.
#include "engine/compare/mark_figures.h"
#include "tests/ui/fixtures.h"
#include "ui/image/image_panel.h"
#include "ui/numbers/numbers_panel.h"
#include "ui/numbers/table_text.h"

#include <QClipboard>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>

using namespace ui;
using namespace fixtures;

class NumbersTest : public QObject
{
    Q_OBJECT

    std::unique_ptr<Window> m_window;

    QTableView* view() { return child<QTableView>(*m_window, "numbers"); }
    QTabWidget* tabs() { return child<QTabWidget>(*m_window, "numberTabs"); }
    int columnOf(const QString& heading)
    {
        for (int k = 0; k < view()->model()->columnCount(); ++k)
            if (view()->model()->headerData(k, Qt::Horizontal).toString().startsWith(heading))
                return k;
        qFatal("there is no column %s", qPrintable(heading));
    }
    QString text(int row, const QString& heading)
    {
        return view()->model()->index(row, columnOf(heading)).data().toString();
    }
    void clickHeading(const QString& heading)
    {
        const QHeaderView* headings = view()->horizontalHeader();
        QTest::mouseClick(
            headings->viewport(), Qt::LeftButton, {},
            {headings->sectionViewportPosition(columnOf(heading)) + 12, headings->viewport()->height() / 2});
    }

  private slots:
    // A: nearest, B: linear, C: half.
    void init()
    {
        m_window = std::make_unique<Window>();
        QVERIFY(m_window->opensSmall());
        tabs()->setCurrentIndex(1);
        chooseValue(child<QComboBox>(*m_window, "interpolation"), "nearest");
        child<QToolButton>(*m_window, "addSetting")->click();
        chooseValue(child<QComboBox>(*m_window, "interpolation"), "linear");
        child<QToolButton>(*m_window, "addSetting")->click();
        chooseValue(child<QComboBox>(*m_window, "precision"), "half");
        QVERIFY(settles(*m_window));
    }
    void cleanup() { m_window.reset(); }

    // A long reference isn't cut beside the button: the line is wrapped.
    void theReferenceIsReadable()
    {
        NumbersPanel panel;
        panel.resize(400, 300);
        panel.QWidget::show();
        QVERIFY(isExposed(&panel));
        auto* line = child<QLabel>(panel, "numbersAgainst");
        const int before = line->height();
        line->setText(QStringLiteral("against a_file_with_a_name.h5, interpreted as 1/mm, ").repeated(2));
        QVERIFY(comes([&] { return line->height() > before; }));
        QVERIFY(line->height() >= line->heightForWidth(line->width()));
    }

    void aRowForEachSetting()
    {
        QCOMPARE(view()->model()->rowCount(), 3);
        QCOMPARE(text(1, "setting"), QStringLiteral("B · linear · float"));
        QVERIFY(text(1, "kernel") != QStringLiteral("–"));
        for (int row = 0; row < 3; ++row)
            QVERIFY(text(row, "RMSE\n1/pixel") != QStringLiteral("–"));
        QVERIFY(text(1, "RMSE") != text(2, "RMSE"));
        QVERIFY(comes([this] { return text(2, "noise σ") != QStringLiteral("–"); })); // computed later
        QVERIFY(text(2, "σ") != QStringLiteral("–"));
        QCOMPARE(view()->currentIndex().row(), 2);
        const QString against = child<QLabel>(*m_window, "numbersAgainst")->text();
        QVERIFY2(against.contains(QStringLiteral("exact method, double precision, inside the disc")),
                 qPrintable(against));
        QVERIFY(!view()->accessibleName().isEmpty());
    }

    void aRowIsChosenAndTheStepGoesBack()
    {
        const QModelIndex first = view()->model()->index(0, 1);
        QTest::mouseClick(view()->viewport(), Qt::LeftButton, {}, view()->visualRect(first).center());
        QCOMPARE(m_window->settings().list().chosenId, 1);
        QCOMPARE(child<QComboBox>(*m_window, "interpolation")->currentData().toString(), QStringLiteral("nearest"));
        QVERIFY(settles(*m_window));
        QCOMPARE(m_window->shown().a().name, QStringLiteral("A"));
        trigger(*m_window, QKeySequence::Undo);
        QVERIFY(settles(*m_window));
        QCOMPARE(m_window->settings().list().chosenId, 3);
        QCOMPARE(view()->currentIndex().row(), 2);
        QTest::keyClick(view(), Qt::Key_Up);
        QCOMPARE(m_window->settings().list().chosenId, 2);
    }

    // Edge widths of the chosen line equal the engine's; a missing width is explained; the old value stays until the
    // new one is there.
    void edgesOfTheChosenLine()
    {
        engine::Marks marks = m_window->images().marks();
        engine::Shape& line = marks.find(marks.lineId)->shape;
        const auto expected = [&] {
            return engine::edgeWidthOf(*m_window->shown().compared[2].result, m_window->shown().slice, *marks.line());
        };
        const auto cell = [&] { return view()->model()->index(2, columnOf("edge width")); };
        for (int k = 0; k < 48 * 36 && !expected(); ++k)
            line = engine::Line{k % 36 + 0.0, k / 36 + 0.0, k % 36 + 12.0, k / 36 + 0.0};
        QVERIFY(expected().has_value());
        m_window->images().editMarks(marks);
        QVERIFY(comes([&] { return cell().data(Qt::UserRole).toDouble() == *expected(); }));
        line = engine::Line{20, 20, 22, 20}; // too short for an edge width
        m_window->images().editMarks(marks);
        QVERIFY(!expected());
        QVERIFY(cell().data().toString() != QStringLiteral("–")); // the old value, until the new one is computed
        QVERIFY(comes([&] { return cell().data().toString() == QStringLiteral("–"); }));
        QVERIFY(cell().data(Qt::ToolTipRole).toString().contains(QStringLiteral("no clear edge")));
    }

    // Figures of every visible setting equal the engine's; they are computed when nothing else is running.
    void figuresWithoutAReference()
    {
        for (const int row : {0, 1, 2})
            QVERIFY(comes([&] { return text(row, "residual\n%") != QStringLiteral("–"); }));
        const engine::Consistency expected =
            engine::consistencyOf(*m_window->shown().compared[2].result, m_window->shown().slice);
        const auto valueOf = [&](const char* heading) {
            return view()->model()->index(2, columnOf(heading)).data(Qt::UserRole).toDouble();
        };
        QCOMPARE(valueOf("residual"), 100 * expected.residual.value());
        QCOMPARE(valueOf("resolution"), expected.resolutionPixels);
    }

    void headingsSort()
    {
        const auto rmse = [&](int row) {
            return view()->model()->index(row, columnOf(QStringLiteral("RMSE"))).data(Qt::UserRole).toDouble();
        };
        const QString chosen = text(view()->currentIndex().row(), "setting");
        clickHeading(QStringLiteral("RMSE"));
        QVERIFY(rmse(0) <= rmse(1) && rmse(1) <= rmse(2));
        clickHeading(QStringLiteral("RMSE"));
        QVERIFY(rmse(0) >= rmse(1) && rmse(1) >= rmse(2));
        QCOMPARE(text(0, "setting"), QStringLiteral("A · nearest")); // `nearest` differs most
        QCOMPARE(text(view()->currentIndex().row(), "setting"), chosen);
        m_window->computeAgain();
        QVERIFY(settles(*m_window));
        QCOMPARE(text(0, "setting"), QStringLiteral("A · nearest")); // the order stays
        QTest::keyClick(view(), Qt::Key_C, Qt::ControlModifier);
        const QString copied = QGuiApplication::clipboard()->text();
        QVERIFY2(copied.contains(QStringLiteral("\nA ·")) &&
                     copied.indexOf(QStringLiteral("\nA ·")) < copied.indexOf(QStringLiteral("\nB ·")),
                 qPrintable(copied));
        clickHeading(QStringLiteral("RMSE"));
        QCOMPARE(text(2, "setting"), QStringLiteral("C · half")); // the order of the list
    }

    void runsAddUp()
    {
        m_window->computeAgain();
        QVERIFY(settles(*m_window));
        m_window->computeAgain();
        QVERIFY(settles(*m_window));
        const NumbersTable table = m_window->findChild<NumbersPanel*>()->table();
        QCOMPARE(table.rows[2].cells[0].runs.count, 3);
        QVERIFY(table.rows[2].cells[0].runs.least <= table.rows[2].cells[0].runs.median);
    }

    void copiesAsText()
    {
        const QList<QAction*> ways = child<QToolButton>(*m_window, "copyNumbers")->menu()->actions();
        QStringList copied;
        for (QAction* way : ways.first(3)) {
            way->trigger();
            copied << QGuiApplication::clipboard()->text();
        }
        QVERIFY2(copied[0].startsWith(QStringLiteral("setting,description,kernel (GU/s)")), qPrintable(copied[0]));
        QVERIFY(copied[0].contains(QStringLiteral("RMSE against exact method, double precision, inside the disc")));
        QCOMPARE(copied[0].count('\n'), 4);
        QVERIFY(copied[1].contains(QStringLiteral("| C · half | ")));
        QVERIFY(copied[2].contains(QStringLiteral("\\end{tabular}")));
    }

    void columnsAreChosen()
    {
        QMenu* columns = child<QToolButton>(*m_window, "copyNumbers")->menu()->actions().back()->menu();
        QVERIFY(columns);
        const auto rmse = [&] {
            emit columns->aboutToShow();
            const QList<QAction*> actions = columns->actions();
            const auto found = std::ranges::find_if(
                actions, [](const QAction* one) { return one->text().startsWith(QStringLiteral("RMSE")); });
            return found == actions.end() ? nullptr : *found;
        };
        const auto hasRmse = [this] {
            return latexText(m_window->findChild<NumbersPanel*>()->table()).contains(QStringLiteral("RMSE ("));
        };
        QVERIFY(rmse() && rmse()->isChecked() && hasRmse());
        const int before = view()->horizontalHeader()->hiddenSectionCount();
        rmse()->trigger();
        QCOMPARE(view()->horizontalHeader()->hiddenSectionCount(), before + 1);
        QVERIFY(!hasRmse() && !rmse()->isChecked());
        m_window->computeAgain(); // the choice stays
        QVERIFY(settles(*m_window));
        QCOMPARE(view()->horizontalHeader()->hiddenSectionCount(), before + 1);
        rmse()->trigger();
        QVERIFY(hasRmse());
    }

    void identicalAndTheReference()
    {
        chooseValue(child<QComboBox>(*m_window, "reference"), "setting:2");
        chooseValue(child<QComboBox>(*m_window, "precision"), "float"); // C equals B
        QVERIFY(settles(*m_window));
        QCOMPARE(text(1, "RMSE"), QStringLiteral("the reference"));
        QVERIFY(text(0, "RMSE") != QStringLiteral("–"));
    }
};

SINOSCOPE_TEST(NumbersTest, QApplication)
#include "numbers_test.moc"
