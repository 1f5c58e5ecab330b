// SPDX-License-Identifier: GPL-3.0-or-later
// Reports in JSON restore the options that they were written from.
#include "tests/engine/options/option_values.h"
#include "tests/fixtures.h"

#include "engine/documents/report.h"
#include "engine/options/options.h"

#include <QTest>

using namespace engine;

class ReportJsonTest : public QObject
{
    Q_OBJECT

  private slots:
    // Changes every option of the table in turn; an option without a value to try fails the test.
    void everyOptionComesBack()
    {
        for (const Option& row : options()) {
            QVERIFY2(option_values::toTry.contains(row.id), row.id);
            for (const std::string& text : option_values::toTry.at(row.id)) {
                Request request;
                if (const auto needed = option_values::needs.find(row.id); needed != option_values::needs.end())
                    for (const auto& [id, value] : needed->second)
                        setField(option(id), request, value);
                setField(row, request, text);
                const std::string json = requestJson(request);
                QVERIFY2(requestFromJson(json) == request, (std::string(row.id) + ' ' + text + '\n' + json).c_str());
            }
        }
        QVERIFY(requestFromJson(requestJson({})) == Request{});
    }

    // Options without an effect are not written and are read back as their defaults.
    void idleOptionsAreLeftOut()
    {
        Request request;
        request.setting.filter.order = 7; // has no effect without the Butterworth window
        QVERIFY(requestJson(request).find("order") == std::string::npos);
        QVERIFY(requestFromJson(requestJson(request)) == Request{});
    }

    // Keys in older reports, in which each method had a key of its own for its variants.
    void olderVariants()
    {
        QCOMPARE(requestFromJson(R"({"aluTuning": "tall-tile"})").setting.kernel.variant, std::string("tall-tile"));
        QCOMPARE(requestFromJson(R"({"textureEighths": 3})").setting.kernel.variant, std::string("3/8"));
    }

    void ofAReport()
    {
        Reconstruction made;
        made.request.setting.filter.window = Window::hann;
        made.request.setting.kernel.precision = Precision::half;
        QVERIFY(requestFromJson(reconstructionJson(made)) == made.request);
    }

    void badReports_data()
    {
        QTest::addColumn<QString>("json");
        QTest::addColumn<QString>("named");
        QTest::newRow("no JSON") << "II*"
                                 << "JSON";
        QTest::newRow("a list") << "[1, 2]"
                                << "JSON";
        QTest::newRow("no request") << R"({"request": 7})"
                                    << "request";
        QTest::newRow("unknown") << R"({"filter": {"window": "round"}})"
                                 << "round";
        QTest::newRow("another type") << R"({"precision": {"bits": 16}})"
                                      << "precision";
        QTest::newRow("out of range") << R"({"filter": {"cutoff": 2.5}})"
                                      << "cutoff";
    }

    void badReports()
    {
        QFETCH(QString, json);
        QFETCH(QString, named);
        const auto error = fixtures::errorOf([&] { requestFromJson(json.toStdString()); });
        QVERIFY(error && error->kind() == ErrorKind::badRequest);
        QVERIFY2(QString(error->what()).contains(named), error->what());
    }
};

SINOSCOPE_TEST(ReportJsonTest, QCoreApplication)
#include "report_json_test.moc"
