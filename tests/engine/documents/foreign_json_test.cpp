// SPDX-License-Identifier: GPL-3.0-or-later
// JSON from untrusted sources: numbers out of range are refused instead of wrapping around, and deeply nested lists
// are refused instead of being followed.
#include "engine/documents/session.h"
#include "engine/io/geometry/geometry_file.h"
#include "engine/simulate/phantom.h"
#include "tests/fixtures.h"

#include <QTest>

#include <fstream>

using namespace engine;
using namespace fixtures;

namespace
{

std::string nestedLists()
{
    constexpr int depth = 300'000; // would need over 8 MB of stack with one call per level
    return std::string(depth, '[') + std::string(depth, ']');
}

// Returns the text with one part replaced. Throws if the text doesn't contain the part.
std::string replacedIn(std::string text, const std::string& from, const std::string& to)
{
    const std::size_t at = text.find(from);
    return at == std::string::npos ? throw std::runtime_error(from + " isn't in the text")
                                   : text.replace(at, from.size(), to);
}

} // namespace

class ForeignJsonTest : public QObject
{
    Q_OBJECT

    // Returns why the session is refused; empty if it is accepted.
    std::string refusalOfSession(const std::string& text)
    {
        const TemporaryFolder folder;
        std::ofstream(folder / "x.sinoscope", std::ios::binary) << text;
        const std::optional<Error> error = errorOf([&] { readSession(folder / "x.sinoscope"); });
        return error ? error->what() : "";
    }

  private slots:
    void init()
    {
        Session session;
        session.scan = "/elsewhere/scan.raw";
        session.opened.raw = RawLayout{4, 3, 5};
        session.slice = 7;
        session.window = R"({"view":"lens"})";
        m_session = sessionJson(session, "/x.sinoscope");
        QCOMPARE(refusalOfSession(m_session), std::string());
    }

    void numbersThatDoNotFit_data()
    {
        QTest::addColumn<QByteArray>("from");
        QTest::addColumn<QByteArray>("to");
        QTest::newRow("slice, one beyond 32 bits") << QByteArray("\"slice\": 7") << QByteArray("\"slice\": 4294967297");
        QTest::newRow("slice, beyond 64 bits") << QByteArray("\"slice\": 7") << QByteArray("\"slice\": 1e300");
        QTest::newRow("slice, half") << QByteArray("\"slice\": 7") << QByteArray("\"slice\": 7.5");
        QTest::newRow("setting") << QByteArray("\"id\": 1") << QByteArray("\"id\": 4294967297");
        QTest::newRow("raw") << QByteArray("\"rows\": 3") << QByteArray("\"rows\": 4294967299");
        QTest::newRow("header") << QByteArray("\"headerBytes\": 0")
                                << QByteArray("\"headerBytes\": 18446744073709551615");
        QTest::newRow("version") << QByteArray("\"version\": 3") << QByteArray("\"version\": 4294967298");
    }

    void numbersThatDoNotFit()
    {
        QFETCH(QByteArray, from);
        QFETCH(QByteArray, to);
        const std::string value = to.toStdString().substr(to.indexOf(": ") + 2);
        const std::string why = refusalOfSession(replacedIn(m_session, from.toStdString(), to.toStdString()));
        QVERIFY2(contains(why, "not a whole number, or is too large"), why.c_str());
        QVERIFY2(contains(why, value == "1e300" ? "1e+300" : value), why.c_str());
    }

    void seeds()
    {
        Simulation simulation;
        simulation.seed = 0xffff'ffff'ffff'ffff;
        const std::string text = toJson(simulation);
        QCOMPARE(simulationFromJson(text).seed, simulation.seed);
        for (const char* seed : {"-1", "1e300", "0.5", "18446744073709551616"})
            QVERIFY2(fails(ErrorKind::badFile, {"not a whole number"},
                           [&] { simulationFromJson(replacedIn(text, "18446744073709551615", seed)); }),
                     seed);
    }

    void listsInLists()
    {
        const std::string nested = nestedLists();
        QVERIFY(contains(refusalOfSession(replacedIn(m_session, R"("lens")", nested)), "damaged"));
        QVERIFY(contains(refusalOfSession(nested), "damaged"));
        QVERIFY(fails(ErrorKind::badFile, {"nested too deeply"},
                      [&] { geometryFromJson(R"({"sourceAxisMm": )" + nested + "}", "x"); }));
        QVERIFY(fails(ErrorKind::badFile, {"nested too deeply"},
                      [&] { simulationFromJson(R"({"phantom": "disc", "size": )" + nested + "}"); }));
    }

  private:
    std::string m_session;
};

SINOSCOPE_TEST(ForeignJsonTest, QCoreApplication)
#include "foreign_json_test.moc"
