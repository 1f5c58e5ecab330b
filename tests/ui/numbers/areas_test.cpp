// SPDX-License-Identifier: GPL-3.0-or-later
// The table of areas in the real window: it shows the engine's figures, names and shapes are edited in it, and every
// action on it can be undone.
#include "engine/compare/mark_figures.h"
#include "tests/ui/fixtures.h"
#include "tests/ui/sample_comparison.h"
#include "ui/image/image_panel.h"
#include "ui/numbers/areas_panel.h"

#include <QClipboard>
#include <QLabel>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>

using namespace ui;
using namespace fixtures;

namespace
{

std::size_t columnNamed(const NumbersTable& table, const QString& name)
{
    for (std::size_t k = 0; k < table.columns.size(); ++k)
        if (table.columns[k].name == name)
            return k;
    qFatal("there is no column %s", qPrintable(name));
}

engine::AreaFigures figures(double mean, double deviation)
{
    return {.statistics = {.pixels = 1234, .mean = mean, .deviation = deviation, .noise = 0.5}, .metrics = {}};
}

} // namespace

class AreasTest : public QObject
{
    Q_OBJECT

    std::unique_ptr<Window> m_window;

    // That of the page Slice: planes have another one.
    AreasPanel* panel() { return qobject_cast<AreasPanel*>(child<QWidget>(*m_window, "areas")->parentWidget()); }
    QTableView* view() { return child<QTableView>(*m_window, "areas"); }
    QModelIndex cell(int row, int column) { return view()->model()->index(row, column); }
    const engine::Marks& marks() { return m_window->images().marks(); }
    QString said() { return child<QLabel>(*m_window, "areasAgainst")->text(); }
    void opens()
    {
        m_window = std::make_unique<Window>();
        QVERIFY(m_window->opensSmall());
        child<QTabWidget>(*m_window, "numberTabs")->setCurrentWidget(panel());
        add("rectangle 8,10,20,21");
        add("ellipse 24,24,6,5");
        QVERIFY(settles(*m_window));
    }
    void add(const char* shape)
    {
        engine::Marks next = marks();
        next.add(engine::shapeFromText(shape));
        m_window->images().editMarks(next);
    }
    bool showsFigures()
    {
        return comes([this] {
            for (const NumbersRow& row : panel()->table().rows)
                if (!row.cells.front().value)
                    return false;
            return !panel()->table().rows.empty();
        });
    }

  private slots:
    void cleanup() { m_window.reset(); }

    // Means 3 and 1, σ 2 and 1: contrast |3 − 1|/√((4 + 1)/2); none to the area itself.
    void contrastByHand()
    {
        const Comparison c = sample::comparison(33);
        engine::Marks marks = engine::Marks::standard();
        marks.add(engine::Area(engine::Region{4, 5, 20, 21}));
        const engine::AreaFigures of[] = {figures(1, 1), figures(3, 2)};
        const auto late = [&](const engine::Mark& area) { return LateArea{&of[area.id - 1], {}}; };
        NumbersTable table = areasTable(c, marks, marks.find(1), late);
        QCOMPARE(table.rows.size(), std::size_t(2));
        QCOMPARE(table.rows[1].name, QStringLiteral("rectangle 1"));
        QCOMPARE(table.rows[1].description, QStringLiteral("rectangle 4,5,20,21"));
        const std::size_t contrast = columnNamed(table, QStringLiteral("CNR to disc"));
        QVERIFY(!table.rows[0].cells[contrast].value);
        QVERIFY(std::abs(table.rows[1].cells[contrast].value.value() - 2 / std::sqrt(2.5)) < 1e-6);
        QCOMPARE(table.rows[1].cells[columnNamed(table, QStringLiteral("mean"))].text, QStringLiteral("3.00"));
        QCOMPARE(table.rows[1].cells[columnNamed(table, QStringLiteral("pixels"))].value.value(), 1234.0);
        QVERIFY(table.caption().startsWith(QStringLiteral("Of A · cpu")));
        table = areasTable(c, marks, nullptr, [](const engine::Mark&) { return LateArea{nullptr, "no pixels"}; });
        QCOMPARE(table.rows[0].cells[0].text, QStringLiteral("–"));
        QCOMPARE(table.rows[0].cells[0].explanation, QStringLiteral("no pixels"));
        QVERIFY(areasTable({}, marks, nullptr, late).rows.empty());
    }

    void figuresAreTheEngines()
    {
        opens();
        QVERIFY(showsFigures());
        const NumbersTable table = panel()->table();
        QCOMPARE(table.rows.size(), std::size_t(3));
        const Comparison& shown = m_window->shown();
        for (std::size_t k = 0; k < 3; ++k) {
            const engine::AreaFigures expected =
                engine::figuresOf(*shown.a().result, shown.a().reference.get(), shown.slice,
                                  std::get<engine::Area>(marks().areas()[k]->shape));
            const auto value = [&](const char* column) {
                return table.rows[k].cells[columnNamed(table, QString::fromUtf8(column))].value.value();
            };
            QCOMPARE(value("mean"), expected.statistics.mean);
            QCOMPARE(value("σ"), expected.statistics.deviation);
            QCOMPARE(value("noise σ"), expected.statistics.noise);
            QCOMPARE(value("pixels"), double(expected.statistics.pixels));
            QCOMPARE(value("RMSE"), expected.metrics->rmse);
            QCOMPARE(value("SSIM"), expected.metrics->ssim);
        }
        QVERIFY2(said().startsWith(QStringLiteral("of A · ")) && said().contains(QStringLiteral("against exact")),
                 qPrintable(said()));
        QVERIFY(!view()->accessibleName().isEmpty());
        QTest::keyClick(view(), Qt::Key_C, Qt::ControlModifier);
        QVERIFY2(QGuiApplication::clipboard()->text().startsWith(QStringLiteral("area,shape in pixels,mean")),
                 qPrintable(QGuiApplication::clipboard()->text()));
    }

    void contrastIsToTheChosenArea()
    {
        opens();
        QVERIFY(showsFigures());
        chooseValue(child<QComboBox>(*m_window, "contrastTo"), marks().areas()[2]->id);
        const NumbersTable table = panel()->table();
        const std::size_t contrast = columnNamed(table, QStringLiteral("CNR to ellipse 1"));
        QVERIFY(table.rows[0].cells[contrast].value && !table.rows[2].cells[contrast].value);
        engine::Marks next = marks();
        next.remove(next.areas()[2]->id);
        next.add(engine::Line{1, 2, 30, 2}); // has the lowest free number
        m_window->images().editMarks(next);
        columnNamed(panel()->table(), QStringLiteral("CNR to disc"));
    }

    // Clicking a row chooses its area for the figures, and their heading shows the name of the area.
    void aRowIsChosenAndNamed()
    {
        opens();
        QTest::mouseClick(view()->viewport(), Qt::LeftButton, {}, view()->visualRect(cell(1, 3)).center());
        QCOMPARE(marks().area()->name, std::string("rectangle 1"));
        QVERIFY(settles(*m_window));
        const auto against = [this] { return child<QLabel>(*m_window, "numbersAgainst")->text(); };
        QVERIFY2(against().endsWith(QStringLiteral("inside rectangle 1")), qPrintable(against()));
        view()->model()->setData(cell(1, 0), QStringLiteral(" dentine "), Qt::EditRole);
        QCOMPARE(marks().area()->name, std::string("dentine"));
        QVERIFY2(against().endsWith(QStringLiteral("inside dentine")), qPrintable(against())); // immediately
        view()->model()->setData(cell(1, 0), QStringLiteral("  "), Qt::EditRole);
        QCOMPARE(marks().area()->name, std::string("dentine"));
        trigger(*m_window, QKeySequence::Undo);
        QCOMPARE(marks().area()->name, std::string("rectangle 1"));
        view()->model()->setData(cell(1, 0), Qt::Unchecked, Qt::CheckStateRole);
        QVERIFY(!marks().area()->visible);
    }

    void shapesAreTyped()
    {
        opens();
        const auto type = [this](const char* text) {
            view()->model()->setData(cell(1, 1), QString::fromUtf8(text), Qt::EditRole);
        };
        type("rectangle 1,2,3,4");
        QVERIFY(marks().areas()[1]->shape == engine::Shape(engine::Area(engine::Region{1, 2, 3, 4})));
        QCOMPARE(cell(1, 1).data().toString(), QStringLiteral("rectangle 1,2,3,4"));
        const engine::Marks before = marks();
        type("rectangle 1,2,3");
        const auto problem = [this] { return child<QLabel>(*m_window, "areaHelp")->text(); };
        QVERIFY2(problem().contains(QStringLiteral("'rectangle X,Y,W,H'")), qPrintable(problem()));
        type("line 1,2 3,4");
        QVERIFY2(problem().contains(QStringLiteral("ellipse X,Y,RX,RY")), qPrintable(problem()));
        type("ellipse 400,20,5,5");
        QVERIFY2(problem().contains(QStringLiteral("48 × 48")), qPrintable(problem()));
        QVERIFY(marks() == before);
        type("disc 0.5");
        QVERIFY2(problem().contains(QStringLiteral("Double-click")), qPrintable(problem()));
        trigger(*m_window, QKeySequence::Undo);
        QVERIFY(marks() == before);
    }

    void addsDuplicatesAndRemoves()
    {
        opens();
        child<QToolButton>(*m_window, "addArea")->menu()->actions()[0]->trigger();
        QCOMPARE(m_window->images().tool(), Tool::rectangle);
        child<QToolButton>(*m_window, "duplicateArea")->click();
        QCOMPARE(marks().areas().size(), std::size_t(4));
        QVERIFY(marks().area()->shape == engine::Shape(engine::Area(engine::EllipseArea{28, 28, 6, 5})));
        QCOMPARE(view()->model()->rowCount(), 4);
        QCOMPARE(view()->currentIndex().row(), 3);
        auto* remove = child<QToolButton>(*m_window, "removeArea");
        remove->click();
        remove->click();
        QCOMPARE(marks().areas().size(), std::size_t(2));
        trigger(*m_window, QKeySequence::Undo); // restores it
        QCOMPARE(marks().areas().size(), std::size_t(3));
        QCOMPARE(view()->model()->rowCount(), 3);
        for (int k = 0; k < 2; ++k)
            remove->click();
        QVERIFY(!remove->isEnabled());
        QVERIFY(settles(*m_window));
    }

    // While an area is being moved, the old figures stay until the new ones are there.
    void nothingFlickers()
    {
        opens();
        QVERIFY(showsFigures());
        QSignalSpy changed(view()->model(), &QAbstractItemModel::dataChanged);
        bool isThere = true;
        connect(view()->model(), &QAbstractItemModel::dataChanged, this,
                [&] { isThere = isThere && cell(2, 2).data().toString() != QStringLiteral("–"); });
        for (int k = 0; k < 8; ++k) {
            engine::Marks next = marks();
            next.find(next.areaId)->shape = engine::Area(engine::EllipseArea{20.0 + k, 24, 6, 5});
            m_window->images().editMarks(next);
            QCoreApplication::processEvents();
        }
        QVERIFY(settles(*m_window) && showsFigures());
        QVERIFY(isThere && changed.count() > 0);
        disconnect(view()->model(), nullptr, this, nullptr);
    }
};

SINOSCOPE_TEST(AreasTest, QApplication)
#include "areas_test.moc"
