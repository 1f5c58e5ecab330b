// Reports in JSON give back the options that they were written from.
#include "tests/fixtures.h"

#include "engine/documents/report.h"
#include "engine/options/options.h"

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
            {"step-order", {"zingers,flat-field", "logarithm,zingers"}},
            {"flat-field", {"median", "interpolated"}},
            {"bad-pixels", {"4.25"}},
            {"zingers", {"projections", "square"}},
            {"zinger-size", {"7"}},
            {"zinger-threshold", {"1.123456"}},
            {"phase", {"paganin"}},
            {"phase-energy", {"33.25"}},
            {"phase-distance", {"1250"}},
            {"phase-delta-beta", {"512.5"}},
            {"phase-pixel", {"0.65"}},
            {"log-floor", {"0.0125"}},
            {"air", {"both", "left", "right"}},
            {"air-width", {"25"}},
            {"beam-hardening", {"polynomial"}},
            {"hardening-square", {"-0.125", "0"}},
            {"hardening-cube", {"0.0625"}},
            {"rings", {"all", "titarenko"}},
            {"ring-size", {"31"}},
            {"ring-large-size", {"101"}},
            {"ring-snr", {"2.5"}},
            {"ring-sigma", {"4.5"}},
            {"ring-order", {"0", "5"}},
            {"ring-levels", {"6"}},
            {"ring-alpha", {"0.3"}},
            {"ring-blocks", {"8"}},
            {"axis-tilt", {"-0.25"}},
            {"filter", {"hann", "butterworth", "none"}},
            {"cutoff", {"0.123456789"}},
            {"order", {"7"}},
            {"pad", {"edge", "cylinder"}},
            {"axis", {"middle", "31.25", "100", "tomopy:32"}},
            {"region", {"1,2,30,20"}}};
        // What must be set for it to mean anything.
        const std::map<std::string, std::pair<std::string, std::string>> needs = {
            {"order", {"filter", "butterworth"}},
            {"step-order", {"zingers", "square"}},
            {"zinger-size", {"zingers", "square"}},
            {"zinger-threshold", {"zingers", "square"}},
            {"phase-energy", {"phase", "paganin"}},
            {"phase-distance", {"phase", "paganin"}},
            {"phase-delta-beta", {"phase", "paganin"}},
            {"phase-pixel", {"phase", "paganin"}},
            {"air-width", {"air", "both"}},
            {"hardening-square", {"beam-hardening", "polynomial"}},
            {"hardening-cube", {"beam-hardening", "polynomial"}},
            {"ring-size", {"rings", "sorting"}},
            {"ring-large-size", {"rings", "dead"}},
            {"ring-snr", {"rings", "dead"}},
            {"ring-sigma", {"rings", "wavelet"}},
            {"ring-order", {"rings", "fitting"}},
            {"ring-levels", {"rings", "wavelet"}},
            {"ring-alpha", {"rings", "titarenko"}},
            {"ring-blocks", {"rings", "titarenko"}}};
        for (const Option& row : options()) {
            QVERIFY2(changes.contains(row.id), row.id);
            for (const std::string& text : changes.at(row.id)) {
                Request request;
                if (const auto needed = needs.find(row.id); needed != needs.end())
                    setField(option(needed->second.first), request, needed->second.second);
                setField(row, request, text);
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
