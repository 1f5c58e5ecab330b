// SPDX-License-Identifier: GPL-3.0-or-later
// The card of a machine: its figures, and the files it is saved to.
#include "engine/base/error.h"
#include "engine/base/json_text.h"
#include "engine/measure/benchmark_json.h"
#include "tests/ui/fixtures.h"
#include "ui/speed/card_dialog.h"
#include "ui/speed/card_drawing.h"
#include "ui/speed/save_measured.h"

#include <QLabel>
#include <QPushButton>

using namespace fixtures;

class CardTest : public QObject
{
    Q_OBJECT

    TemporaryFolder m_folder;

    static const engine::Benchmark& card()
    {
        static const engine::Benchmark made = [] {
            engine::BenchmarkOptions options;
            options.kind = engine::BenchmarkOptions::Kind::card;
            options.device.backend = "cpu";
            options.size = 48;
            options.repeat = 1;
            options.threads = 1;
            return engine::runBenchmark(options);
        }();
        return made;
    }

  private slots:
    void figuresOfEachSetting()
    {
        QCOMPARE(card().rows.size(), std::size_t(6));
        double nearest = 0, linear = 1, fastest = 0;
        for (const engine::BenchmarkRow& row : card().rows) {
            QVERIFY(row.kernelGups > 0 && row.totalGups > 0 && row.relativeError > 0);
            const bool isFloat = row.precision == engine::Precision::single;
            if (row.interpolation == engine::Interpolation::linear)
                fastest = std::max(fastest, row.totalGups);
            if (isFloat && row.interpolation == engine::Interpolation::nearest)
                nearest = row.relativeError;
            if (isFloat && row.interpolation == engine::Interpolation::linear)
                linear = row.relativeError;
        }
        QVERIFY(linear < 1e-5 && nearest > 1e-3);
        QVERIFY(engine::figureOf(card().figures, "secondsFor2048Cubed") <=
                std::pow(2048.0, 4) * 1e-9 / fastest * 1.0001);
        QVERIFY(card().command.find("--size 48") != std::string::npos);
        QCOMPARE(card().threads, 1);
    }

    void progressIsShown()
    {
        std::vector<double> shares;
        engine::BenchmarkOptions options;
        options.kind = engine::BenchmarkOptions::Kind::card;
        options.device.backend = "cpu";
        options.size = 16;
        options.repeat = 1;
        engine::runBenchmark(options,
                             {.onProgress = [&](double share, const std::string&) { shares.push_back(share); }});
        QVERIFY(std::ranges::is_sorted(shares));
        QCOMPARE(shares.back(), 1.0);
        std::stop_source stopped;
        stopped.request_stop();
        QVERIFY_THROWS_EXCEPTION(engine::Error, engine::runBenchmark(options, {}, stopped.get_token()));
    }

    void files()
    {
        const engine::Json json = engine::parsedJson(engine::benchmarkJson(card()));
        QCOMPARE(json["rows"].size(), std::size_t(6));
        QVERIFY(json["rows"][0]["kernelGups"].get<double>() > 0);
        for (const char* name : {"card.png", "card.svg", "card.pdf", "card.json"}) {
            const QString path = m_folder.file(QLatin1String(name));
            ui::writeMeasured(path, ui::drawingOf(card()), engine::benchmarkJson(card()));
            QVERIFY2(QFileInfo(path).size() > 500, name);
        }
        const QImage image(m_folder.file(QStringLiteral("card.png")));
        QVERIFY(image.width() > 1500 && image.height() > 900);
        int dark = 0; // something is drawn
        for (int y = 0; y < image.height(); y += 4)
            for (int x = 0; x < image.width(); x += 4)
                dark += qGray(image.pixel(x, y)) < 128;
        QVERIFY(dark > 500);
        QVERIFY_THROWS_EXCEPTION(engine::Error,
                                 ui::writeMeasured(QStringLiteral("/no/such/folder/card.png"), ui::drawingOf(card()),
                                                   engine::benchmarkJson(card())));
        QVERIFY_THROWS_EXCEPTION(engine::Error,
                                 ui::writeMeasured(QStringLiteral("/no/such/folder/card.json"), ui::drawingOf(card()),
                                                   engine::benchmarkJson(card())));
    }
};

SINOSCOPE_TEST(CardTest, QApplication)
#include "card_test.moc"
