// Reports in JSON give back the options that they were written from.
#include "tests/fixtures.h"

#include "engine/options.h"
#include "engine/report.h"

#include <QtTest>

#include <map>

using namespace engine;

class ReportJsonTest : public QObject
{
    Q_OBJECT

  private slots:
    // Every option of the table, changed in turn: a row without a value to try fails.
    void everyOptionComesBack()
    {
        const std::map<std::string, std::vector<std::string>> changes = {
            {"method", {"double", "cpu"}},
            {"interpolation", {"nearest", "cubic", "oversampled:4", "oversampled:9"}},
            {"precision", {"half"}},
            {"slices-per-pass", {"4"}},
            {"texture-eighths", {"0", "5"}},
            {"alu-tuning", {"tall-tile"}},
            {"variant", {"halves", "7/8"}},
            {"device", {"cpu", "cuda", "cuda:3"}},
            {"filter-on", {"gpu", "processor"}},
            {"threads", {"1", "7"}},
            {"memory-limit", {"800M", "123456789B"}},
            {"filter", {"hann", "butterworth", "none"}},
            {"cutoff", {"0.123456789"}},
            {"order", {"7"}},
            {"pad", {"edge"}},
            {"axis", {"middle", "31.25", "100", "tomopy:32"}},
            {"region", {"1,2,30,20"}}};
        for (const Option& row : options()) {
            QVERIFY2(changes.contains(row.id), row.id);
            for (const std::string& text : changes.at(row.id)) {
                Request request;
                if (row.id == std::string("order"))
                    request.setting.filter.window = Window::butterworth;
                setOption(row, request, text);
                const std::string json = requestJson(request);
                QVERIFY2(requestFromJson(json) == request, (std::string(row.id) + ' ' + text + '\n' + json).c_str());
            }
        }
        QVERIFY(requestFromJson(requestJson({})) == Request{});
    }

    // What means nothing isn't said, and comes back as the default.
    void idleOptionsAreLeftOut()
    {
        Request request;
        request.setting.filter.order = 7; // without Butterworth
        QVERIFY(requestJson(request).find("order") == std::string::npos);
        QVERIFY(requestFromJson(requestJson(request)) == Request{});
    }

    // Keys of reports before there was one for every method's variants.
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
