// SPDX-License-Identifier: GPL-3.0-or-later
// Sessions as files: everything is read back, and a file that is not a session is refused with an error that names
// it.
#include "engine/base/error.h"
#include "engine/documents/session.h"
#include "engine/options/options.h"
#include "tests/fixtures.h"

#include <QFile>
#include <QTest>
#include <nlohmann/json.hpp>

using namespace engine;

namespace
{

Simulation simulationOf(Phantom phantom, int size, int projections, int slices)
{
    Simulation simulation;
    simulation.phantom = phantom;
    simulation.size = size;
    simulation.projections = projections;
    simulation.slices = slices;
    return simulation;
}

Session sample()
{
    Session session;
    session.simulation = simulationOf(Phantom::sheppLogan3d, 48, 60, 8);
    session.label = "head";
    session.slice = 5;
    Setting half;
    half.kernel.precision = Precision::half;
    half.filter.window = Window::butterworth;
    half.filter.order = 5;
    half.filter.cutoff = 0.123456789;
    half.axis = {AxisSettings::Mode::given, 23.75};
    session.list.add(half, "mine, \"quoted\" ×").visible = false;
    session.list.settings.back().isNamedAfterValues = true;
    session.list.chosenId = 2;
    session.list.reference = {ReferenceChoice::Kind::setting, 1};
    session.resources.device.backend = "cpu";
    session.marks.add(Area(Region{4, 5, 20, 21}), "hole");
    session.marks.add(Line{1.5, 2, 30, 40.25}).width = 5;
    session.marks.add(Circle{20, 21, 7.5}, "round ×2").visible = false;
    session.marks.choose(3);
    session.planes = SessionPlanes{{12, 20.0625, 7}, {{{30, -15.5}, {}, {0, 0.1}}}};
    session.planes->marks[1] = Marks::standard();
    session.planes->marks[1].add(Line{0, 3.75, 40, 12}).width = 7;
    session.window = R"({"view":"lens"})";
    return session;
}

} // namespace

class SessionTest : public QObject
{
    Q_OBJECT

    QString written(const fixtures::TemporaryFolder& folder, const QByteArray& text)
    {
        const QString path = folder.file(QStringLiteral("x.sinoscope"));
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
            qFatal("can't write");
        return path;
    }

  private slots:
    void everythingComesBack()
    {
        const fixtures::TemporaryFolder folder;
        const std::filesystem::path path = folder.file(QStringLiteral("a.sinoscope")).toStdString();
        const Session session = sample();
        writeSession(session, path, false);
        const Session back = readSession(path);
        QCOMPARE(back.simulation.value(), session.simulation.value());
        QCOMPARE(back.label, session.label);
        QCOMPARE(back.slice, 5);
        QVERIFY(back.list == session.list);
        QVERIFY(back.resources == session.resources);
        QVERIFY(back.marks == session.marks);
        QVERIFY(back.planes == session.planes);
        QVERIFY(back.marks.mask() == (Mask{{}, Region{4, 5, 20, 21}, {}}));
        QCOMPARE(sessionJson(back, path), sessionJson(session, path));
        QVERIFY_THROWS_EXCEPTION(Error, writeSession(session, path, false)); // the file exists
        writeSession(session, path, true);
    }

    // Changes every option of the table in turn; each is read back unchanged.
    void everyOptionComesBack()
    {
        for (const Option& row : options()) {
            if (!row.use.ofSetting)
                continue;
            for (const FieldChoice& choice : row.choices) {
                Session session = sample();
                Request request;
                setField(row, request, choice.id);
                session.list.chosen().setting = request.setting;
                const fixtures::TemporaryFolder folder;
                const std::filesystem::path path = folder.file(QStringLiteral("a.sinoscope")).toStdString();
                writeSession(session, path, false);
                QVERIFY2(readSession(path).list == session.list, (row.id + (" " + choice.id)).c_str());
            }
        }
    }

    void scanMovesWithItsSession()
    {
        const fixtures::TemporaryFolder folder;
        Session session;
        session.scan = folder.file(QStringLiteral("data/scan.raw")).toStdString();
        session.opened.raw = RawLayout{60, 4, 48, "int16", true, 12};
        session.opened.angleRangeRad = {0.1, 3};
        session.opened.values = Quantity::counts;
        session.opened.flats = folder.file(QStringLiteral("data/flats")).toStdString();
        session.opened.geometryFile = "/elsewhere/geometry.xml";
        const std::filesystem::path path = folder.file(QStringLiteral("a.sinoscope")).toStdString();
        for (const char* named :
             {"\"path\": \"data/scan.raw\"", "\"flats\": \"data/flats\"", "\"/elsewhere/geometry.xml\""})
            QVERIFY2(sessionJson(session, path).find(named) != std::string::npos, named);
        writeSession(session, path, false);
        const Session back = readSession(path);
        QCOMPARE(back.scan, session.scan);
        QCOMPARE(back.opened.flats, session.opened.flats);
        QCOMPARE(back.opened.geometryFile, session.opened.geometryFile);
        QCOMPARE(back.opened.raw->sampleType, std::string("int16"));
        QCOMPARE(back.opened.raw->headerBytes, 12LL);
        QVERIFY(back.opened.raw->bigEndian && back.opened.values == Quantity::counts);
        QVERIFY(std::abs(back.opened.angleRangeRad->second - 3) < 1e-12);
        session.scan = "/elsewhere/scan.h5";
        QVERIFY(sessionJson(session, path).find("\"path\": \"/elsewhere/scan.h5\"") != std::string::npos);
    }

    void readsTheFirstVersion()
    {
        nlohmann::json json = nlohmann::json::parse(sessionJson(sample(), "/tmp/x.sinoscope"));
        json["version"] = 1;
        for (const char* later : {"marks", "chosenLine", "chosenArea"})
            json.erase(later);
        json["area"] = "ellipse 20,20,5,6";
        json["line"] = {1.5, 2, 30, 40.25};
        const fixtures::TemporaryFolder folder;
        const Session back = readSession(written(folder, QByteArray::fromStdString(json.dump())).toStdString());
        QVERIFY(back.marks.mask() == (Mask{{}, {}, EllipseArea{20, 20, 5, 6}}));
        QVERIFY(back.marks.line() && back.marks.line()->shape == Shape(Line{1.5, 2, 30, 40.25}));
        QVERIFY(back.list == sample().list);
    }

    // Their angles are clockwise about the direction of rows, columns or slices, and they have no marks of planes.
    void anglesOfTheSecondVersionChangeTheirSign()
    {
        const fixtures::TemporaryFolder folder;
        nlohmann::json json = nlohmann::json::parse(sessionJson(sample(), "/tmp/x.sinoscope"));
        json["version"] = 2;
        json["planes"] = nlohmann::json::parse(R"({"point": {"column": 1, "row": 2, "slice": 3},
            "x": {"turn": 30, "tilt": 20}, "y": {"turn": 40, "tilt": -10}, "z": {"turn": 5, "tilt": 15}})");
        const auto planes = readSession(written(folder, QByteArray::fromStdString(json.dump())).toStdString()).planes;
        QVERIFY(planes == (SessionPlanes{{1, 2, 3}, {{{-30, 20}, {-40, 10}, {5, -15}}}}));
    }

    // Sessions of older programs have no planes.
    void planesCanBeAbsent()
    {
        const fixtures::TemporaryFolder folder;
        Session session = sample();
        session.planes.reset();
        const std::string text = sessionJson(session, "/tmp/x.sinoscope");
        QVERIFY(text.find("planes") == std::string::npos);
        QVERIFY(!readSession(written(folder, QByteArray::fromStdString(text)).toStdString()).planes);
    }

    void referenceFileMovesWithItsSession()
    {
        const fixtures::TemporaryFolder folder, elsewhere;
        Session session = sample();
        const auto written = [&](const SlicesPath& file) {
            session.list.reference = {ReferenceChoice::Kind::file, 0, file};
            writeSession(session, folder / "a.sinoscope", true);
            return sessionJson(session, folder / "a.sinoscope");
        };
        const std::string text = written({folder / "rec/v.h5", "/exchange/data"});
        QVERIFY2(text.find("\"reference\": \"file:rec/v.h5#/exchange/data\"") != std::string::npos, text.c_str());
        QVERIFY(readSession(folder / "a.sinoscope").list == session.list);
        std::filesystem::copy_file(folder / "a.sinoscope", elsewhere / "a.sinoscope");
        QCOMPARE(readSession(elsewhere / "a.sinoscope").list.reference.file.file, elsewhere / "rec/v.h5");
        written({"/elsewhere/run#/v.tif"});
        QVERIFY(readSession(folder / "a.sinoscope").list == session.list);
    }

    void refusesWhatIsNoSession_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("said");
        const std::string good = sessionJson(sample(), "/tmp/x.sinoscope");
        const auto with = [&](const char* from, const char* to) {
            QByteArray text = QByteArray::fromStdString(good);
            if (!text.contains(from))
                qFatal("no %s in the session", from);
            return text.replace(from, to);
        };
        QTest::newRow("empty") << QByteArray() << QByteArray("it needs at least one");
        QTest::newRow("cut") << QByteArray::fromStdString(good.substr(0, good.size() / 2)) << QByteArray("damaged");
        QTest::newRow("other") << QByteArray("{\"program\": \"Sinoscope\"}") << QByteArray("not a session");
        QTest::newRow("list") << QByteArray("[1, 2]") << QByteArray("not a session");
        QTest::newRow("newer") << with("\"version\": 3", "\"version\": 4") << QByteArray("newer");
        QTest::newRow("no settings") << with("\"settings\"", "\"others\"") << QByteArray("settings");
        QTest::newRow("chosen") << with("\"chosen\": 2", "\"chosen\": 7") << QByteArray("7");
        QTest::newRow("same id") << with("\"id\": 2", "\"id\": 1") << QByteArray("id 1");
        QTest::newRow("file") << with("setting:1", "file:") << QByteArray("file:");
        QTest::newRow("reference") << with("setting:1", "setting:9") << QByteArray("9");
        QTest::newRow("option") << with("\"window\": \"butterworth\"", "\"window\": \"boxcar\"")
                                << QByteArray("boxcar");
        QTest::newRow("cut-off") << with("0.123456789", "17") << QByteArray("17");
        QTest::newRow("kind") << with("\"slice\": 5", "\"slice\": \"five\"") << QByteArray("wrong type");
        QTest::newRow("slice") << with("\"slice\": 5", "\"slice\": -5") << QByteArray("-5");
        QTest::newRow("area") << with("rectangle 4,5,20,21", "star 3") << QByteArray("star");
        QTest::newRow("line") << with("1.5,", "1e9,") << QByteArray("line");
        QTest::newRow("circle") << with("20,21,7.5", "20,21,0") << QByteArray("radius");
        QTest::newRow("width") << with("\"width\": 5", "\"width\": 0") << QByteArray("0 pixels wide");
        QTest::newRow("planes") << with("\"planes\": {", "\"planes\": 3, \"others\": {")
                                << QByteArray("'planes' is not an object");
        QTest::newRow("no point") << with("\"point\"", "\"points\"") << QByteArray("'planes.point' is missing");
        QTest::newRow("list as point") << with("\"point\": {", "\"point\": [1, 2, 3], \"others\": {")
                                       << QByteArray("'planes.point' is not an object");
        QTest::newRow("no row") << with("\"row\": 20.0625", "\"line\": 1")
                                << QByteArray("'planes.point.row' is missing");
        QTest::newRow("row") << with("20.0625", "\"five\"") << QByteArray("'planes.point.row' is \"five\"");
        QTest::newRow("row outside") << with("20.0625", "-0.5") << QByteArray("'planes.point.row' is -0.5");
        QTest::newRow("infinite row") << with("20.0625", "1e999") << QByteArray("damaged");
        QTest::newRow("row as NaN") << with("20.0625", "null") << QByteArray("'planes.point.row' is null");
        QTest::newRow("turn") << with("-15.5", "180.5") << QByteArray("'planes.x.tilt' is 180.5; -180 to 180");
        QTest::newRow("tilt") << with("\"tilt\": 0.1", "\"tilt\": {}") << QByteArray("'planes.z.tilt' is of another");
        QTest::newRow("width in a plane") << with("\"width\": 7", "\"width\": 0") << QByteArray("0 pixels wide");
        QTest::newRow("marks of a plane") << with("40,12", "40") << QByteArray("line");
        QTest::newRow("chosen line") << with("\"chosenLine\": 3", "\"chosenLine\": 2") << QByteArray("chosen line");
        QTest::newRow("chosen area") << with("\"chosenArea\": 2", "\"chosenArea\": 0") << QByteArray("chosen area");
    }

    void refusesWhatIsNoSession()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, said);
        const fixtures::TemporaryFolder folder;
        const QString path = written(folder, text);
        try {
            readSession(path.toStdString());
            QFAIL("it was taken for a session");
        } catch (const Error& error) {
            const QByteArray message = error.what();
            QVERIFY2(message.contains(said) && message.contains("x.sinoscope"), message.constData());
            QCOMPARE(error.kind(), ErrorKind::badFile);
        }
        QVERIFY_THROWS_EXCEPTION(Error, readSession(folder.file(QStringLiteral("none")).toStdString()));
        QVERIFY_THROWS_EXCEPTION(Error, readSession(folder.file({}).toStdString())); // a folder
    }

    // Claims of the papers: half precision is within 1 % of the range at every pixel; the image of oversampled
    // interpolation is nearer to that of linear interpolation than the image of nearest interpolation is.
    void halfIsNearFloatAndOversampledNearLinear()
    {
        const int size = fixtures::sanitized ? 256 : 1024;
        const auto scan = simulate(simulationOf(Phantom::sheppLogan, size, size, 1));
        SettingList list;
        const int linear = list.chosenId;
        Setting setting;
        setting.kernel.precision = Precision::half;
        list.add(setting, "half");
        setting = {};
        setting.kernel.interpolation = Interpolation::nearest;
        list.add(setting, "nearest");
        setting.kernel.interpolation = Interpolation::oversampled;
        list.add(setting, "oversampled");
        list.reference = {ReferenceChoice::Kind::setting, linear};
        const auto all = compareSettings(scan, list, {}, 0, {Marks::discRadius, {}, {}});
        QCOMPARE(all.size(), std::size_t(4));
        QVERIFY(!all[0].metrics); // the reference itself
        QVERIFY2(all[1].metrics->maximum < 0.01 * all[1].metrics->referenceRange,
                 qPrintable(QString::number(all[1].metrics->maximum / all[1].metrics->referenceRange)));
        QVERIFY(all[3].metrics->rmse < 0.5 * all[2].metrics->rmse && all[3].metrics->rmse > 0);
    }

    // Settings with the same filter and axis share a reference. A setting with another filter has its own, unless one
    // reference is chosen for all settings.
    void equalReferencesAreOne()
    {
        const auto scan = simulate(simulationOf(Phantom::sheppLogan, 64, 60, 1));
        SettingList list;
        Setting setting;
        setting.kernel.precision = Precision::half;
        list.add(setting);
        setting.filter.window = Window::hann;
        list.add(setting);
        const Mask mask{Marks::discRadius, {}, {}};
        auto all = compareSettings(scan, list, {}, 0, mask);
        QCOMPARE(all[0].reference, all[1].reference);
        QVERIFY(all[0].reference != all[2].reference);
        for (const ComparedSetting& one : all)
            QVERIFY(one.metrics->rmse > 0 && one.metrics->rmse < 1e-3);
        list.reference = {ReferenceChoice::Kind::exactOf, 1};
        all = compareSettings(scan, list, {}, 0, mask);
        QCOMPARE(all[0].reference, all[2].reference);
        QVERIFY(all[2].metrics->rmse > 10 * all[1].metrics->rmse); // the effect of the filter is now included
        list.reference = {ReferenceChoice::Kind::phantom, 0};
        all = compareSettings(scan, list, {}, 0, mask);
        QVERIFY(all[0].reference->image.values == scan->exactImage(0, all[0].result->grid).values);
        auto measured = std::make_shared<Scan>(*scan);
        measured->exactImage = {};
        QVERIFY_THROWS_EXCEPTION(Error, compareSettings(measured, list, {}, 0, mask));
    }
};

SINOSCOPE_TEST(SessionTest, QCoreApplication)
#include "session_test.moc"
