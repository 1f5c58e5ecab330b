// SPDX-License-Identifier: GPL-3.0-or-later
// The table of numbers as values and as text.
#include "tests/fixtures.h"
#include "tests/ui/sample_comparison.h"
#include "ui/numbers/table_text.h"
#include "ui/widgets/displayed_number.h"

#include <cmath>

using namespace ui;

namespace
{

const engine::AreaStatistics* noStatistics(const Compared&)
{
    return nullptr;
}

const EdgeWidth* noEdges(const Compared&)
{
    return nullptr;
}

std::size_t columnOf(const NumbersTable& table, const char* name)
{
    for (std::size_t k = 0; k < table.columns.size(); ++k)
        if (table.columns[k].name == QString::fromUtf8(name))
            return k;
    qFatal("there is no column %s", name);
}

// A table with two rows, a column of runs and a column of errors.
NumbersTable small()
{
    NumbersTable table;
    table.against = QStringLiteral("exact, double");
    table.columns = {{QStringLiteral("kernel"), QStringLiteral("GU/s"), {}, true, false},
                     {QStringLiteral("RMSE"), QStringLiteral("1/mm"), {}, false, true}};
    table.rows = {
        {1,
         0,
         QStringLiteral("a_b & \"c\", 5 %"),
         QStringLiteral("cpu · half"),
         {{QStringLiteral("2.50 (2.00–3.00)"), 2.5, {2.5, 2, 3, 2}}, {QStringLiteral("2.10e−4"), 2.1e-4, {}}}},
        {2, 1, QStringLiteral("p|q*"), QStringLiteral("cpu"), {{}, {QStringLiteral("identical"), 0.0, {}}}}};
    return table;
}

} // namespace

class TableTextTest : public QObject
{
    Q_OBJECT
  private slots:
    void digitsTellRowsApart()
    {
        using Texts = std::vector<QString>;
        QCOMPARE(distinctTexts({1.234, 5.678}, 3, significantText), Texts({"1.23", "5.68"}));
        QCOMPARE(distinctTexts({1.2341, 1.2344}, 3, significantText), Texts({"1.2341", "1.2344"}));
        QCOMPARE(distinctTexts({1.2341, 1.2341}, 3, significantText), Texts({"1.23", "1.23"}));
        QCOMPARE(distinctTexts({1.23456789, 1.23456781}, 3, significantText), Texts({"1.234568", "1.234568"}));
        QCOMPARE(distinctTexts({1.23, std::nullopt, std::nan("")}, 3, significantText), Texts({"1.23", "–", "–"}));
    }

    void aColumnHasOneForm()
    {
        Comparison c = sample::comparison(33, true);
        c.compared[0].metrics->rmse = 4.79e-4;
        c.compared[1].metrics->rmse = 0.00137;
        const NumbersTable table = numbersTable(c, {}, noStatistics, noEdges);
        QCOMPARE(table.rows[0].cells[columnOf(table, "RMSE")].text, QStringLiteral("4.79e−4"));
        QCOMPARE(table.rows[1].cells[columnOf(table, "RMSE")].text, QStringLiteral("1.37e−3"));
    }

    void everyFigureHasAColumn()
    {
        const Comparison c = sample::comparison(33, true);
        TriedSettings tried;
        tried.add(c);
        const engine::AreaStatistics statistics{.deviation = 0.25, .noise = 0.000125};
        const EdgeWidth edge{2.5}, none{{}, QStringLiteral("no clear edge")};
        const auto isA = [](const Compared& one) { return one.name == QLatin1String("A"); };
        const NumbersTable table = numbersTable(
            c, tried, [&](const Compared& one) { return isA(one) ? &statistics : nullptr; },
            [&](const Compared& one) { return isA(one) ? &edge : &none; });
        QVERIFY2(table.against.contains(QStringLiteral("exact method, double precision, inside the disc of 90")),
                 qPrintable(table.against));
        QCOMPARE(table.rows.size(), std::size_t(2));
        QCOMPARE(table.columns.size(), 6 + engine::metricRows().size());
        for (const engine::MetricRow& row : engine::metricRows())
            QVERIFY(columnOf(table, row.label) >= 3);
        const auto text = [&](std::size_t row, const char* column) {
            return table.rows[row].cells[columnOf(table, column)].text;
        };
        QCOMPARE(text(0, "kernel"), QStringLiteral("4.34"));
        QCOMPARE(text(0, "total"), QStringLiteral("3.11"));
        QCOMPARE(text(0, "time"), QStringLiteral("0.0432"));
        QCOMPARE(text(0, "RMSE"), QStringLiteral("2.10e−5"));
        QCOMPARE(text(1, "PSNR"), QStringLiteral("54.0"));
        QCOMPARE(text(1, "SSIM"), QStringLiteral("0.9987"));
        QCOMPARE(text(0, "noise σ"), QStringLiteral("1.25e−4"));
        QCOMPARE(text(1, "noise σ"), QStringLiteral("–"));
        QCOMPARE(text(0, "σ"), QStringLiteral("0.250"));
        QCOMPARE(text(0, "edge width"), QStringLiteral("2.50"));
        QCOMPARE(table.columns[columnOf(table, "edge width")].unit, QStringLiteral("pixels"));
        QCOMPARE(text(1, "edge width"), QStringLiteral("–"));
        QCOMPARE(table.rows[1].cells[columnOf(table, "edge width")].explanation, QStringLiteral("no clear edge"));
        QCOMPARE(table.columns[columnOf(table, "RMSE")].heading(), QStringLiteral("RMSE (1/pixel)"));
        QCOMPARE(table.columns[columnOf(table, "PSNR")].heading(), QStringLiteral("PSNR (dB)"));
    }

    void edgesInMillimetres()
    {
        const EdgeWidth edge{2.5};
        const NumbersTable table =
            numbersTable(sample::comparison(33, false, 0.01), {}, noStatistics, [&](const Compared&) { return &edge; });
        const std::size_t column = columnOf(table, "edge width");
        QCOMPARE(table.columns[column].unit, QStringLiteral("mm"));
        QVERIFY(std::abs(table.rows[0].cells[column].value.value() - 0.025) < 1e-12);
    }

    // "inside rectangle 1": the text names the area of the figures; a plain disc is described by its size.
    void theAreaIsSaidByName()
    {
        Comparison c = sample::comparison(33);
        c.areaName = QStringLiteral("disc");
        QVERIFY(againstText(c).endsWith(QStringLiteral("inside the disc of 90 % of the width")));
        c.areaName = QStringLiteral("tooth");
        QCOMPARE(areaText(c), QStringLiteral("inside tooth"));
        c.mask = {.region = engine::Region{1, 2, 3, 4}};
        c.areaName = QStringLiteral("rectangle 1");
        QCOMPARE(againstText(c), QStringLiteral("exact method, double precision, inside rectangle 1"));
    }

    void identicalIsAWord()
    {
        Comparison c = sample::comparison(33, true);
        c.compared[0].metrics = engine::Metrics{.psnrDb = INFINITY, .ssim = 1};
        c.compared[1].metrics->ssim = 0.99999987;
        NumbersTable table = numbersTable(c, {}, noStatistics, noEdges);
        const auto text = [&](std::size_t row, const char* column) {
            return table.rows[row].cells[columnOf(table, column)].text;
        };
        QCOMPARE(text(0, "RMSE"), QStringLiteral("identical"));
        QCOMPARE(text(0, "PSNR"), QStringLiteral("∞"));
        QCOMPARE(text(0, "SSIM"), QStringLiteral("1"));
        QVERIFY2(text(1, "SSIM").startsWith(QStringLiteral("0.999999")), qPrintable(text(1, "SSIM")));
        c.compared[1].reference = c.compared[1].result;
        c.compared[1].metrics.reset();
        table = numbersTable(c, {}, noStatistics, noEdges);
        QCOMPARE(text(1, "RMSE"), QStringLiteral("the reference"));
        QCOMPARE(text(1, "SSIM"), QStringLiteral("–"));
    }

    // As in the grid and the spectra, hidden settings are left out, but never the chosen one.
    void hiddenOnesAreLeftOut()
    {
        Comparison c = sample::comparison(33, true);
        c.compared[0].visible = false;
        QCOMPARE(numbersTable(c, {}, noStatistics).rows.size(), std::size_t(2));
        c.compared[0].visible = true;
        c.compared[1].visible = false;
        const NumbersTable table = numbersTable(c, {}, noStatistics);
        QCOMPARE(table.rows.size(), std::size_t(1));
        QCOMPARE(table.rows[0].id, c.compared[0].id);
        c.chosen = 1;
        QCOMPARE(numbersTable(c, {}, noStatistics).rows.size(), std::size_t(2));
    }

    void csv()
    {
        QCOMPARE(csvText(small()),
                 QStringLiteral("setting,description,kernel (GU/s),\"kernel, least (GU/s)\",\"kernel, most (GU/s)\","
                                "\"kernel, runs\",\"RMSE against exact, double (1/mm)\"\n"
                                "\"a_b & \"\"c\"\", 5 %\",cpu · half,2.5,2,3,2,0.00021\n"
                                "p|q*,cpu,,,,,0\n"));
    }

    void markdown()
    {
        const QString text = markdownText(small());
        QVERIFY(text.startsWith(QStringLiteral("Against exact, double. ")));
        QVERIFY2(text.endsWith(QStringLiteral("| setting | description | kernel (GU/s) | RMSE (1/mm) |\n"
                                              "|---|---|---:|---:|\n"
                                              "| a\\_b & \"c\", 5 % | cpu · half | 2.50 (2.00–3.00) | 2.10e−4 |\n"
                                              "| p\\|q\\* | cpu | – | identical |\n")),
                 qPrintable(text));
    }

    void latex()
    {
        const QString text = latexText(small());
        QVERIFY2(text.startsWith(QStringLiteral("% needs \\usepackage{booktabs,adjustbox}\n\\begin{table}")),
                 qPrintable(text));
        QVERIFY2(text.contains(QStringLiteral("\\caption{Against exact, double. ")), qPrintable(text));
        QVERIFY2(text.contains(
                     QStringLiteral("\\begin{adjustbox}{max width=\\textwidth}\n\\begin{tabular}{llrr}\n\\toprule\n"
                                    "setting & description & kernel (GU/s) & RMSE (1/mm) \\\\\n\\midrule\n"
                                    "a\\_b \\& \"c\", 5 \\% & cpu $\\cdot$ half & 2.50 (2.00--3.00) & "
                                    "$2.10 \\times 10^{-4}$ \\\\\n"
                                    "p|q* & cpu & -- & identical \\\\\n\\bottomrule\n")),
                 qPrintable(text));
    }
};

SINOSCOPE_TEST(TableTextTest, QCoreApplication)
#include "table_text_test.moc"
