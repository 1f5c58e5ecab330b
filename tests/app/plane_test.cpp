// SPDX-License-Identifier: GPL-3.0-or-later
// `reconstruct --plane`: files of planes, where they say that they lie, and refused planes.
#include "engine/io/hdf5/hdf5_file.h"
#include "tests/app/program.h"

using namespace program;

namespace
{

constexpr const char* tilted = "centre=40,50,2;u=1,0.5,0.02;v=0,0,1;width=30;height=5;pixel=2";

} // namespace

class PlaneTest : public QObject
{
    Q_OBJECT

  private slots:
    void initTestCase() { QCOMPARE(m_folder.makeHead().status, 0); }

    // A horizontal plane is the slice; the report repeats a plane.
    void planesAreWritten()
    {
        QCOMPARE(run({"--slice", "3", "--output", "slice.tif"}).status, 0);
        QCOMPARE(run({"--plane", "z=3", "--output", "plane.tif"}).status, 0);
        const Result compared = m_folder.run({"compare", "plane.tif", "slice.tif", "--json", "-"});
        QCOMPARE(compared.json()["rmse"].toDouble(-1), 0.0);
        const Result made = run({"--plane", tilted, "--output", "tilted.tif", "--json", "tilted.json"});
        QCOMPARE(made.status, 0);
        QVERIFY2(made.out.contains("30 × 5 pixels") && !made.out.contains("\nslice"), made.out.constData());
        QCOMPARE(run({"--settings", "tilted.json", "--output", "again.tif"}).status, 0);
        QCOMPARE(m_folder.run({"compare", "again.tif", "tilted.tif", "--json", "-"}).json()["rmse"].toDouble(-1), 0.0);
    }

    void filesSayWhereThePlaneLies()
    {
        QCOMPARE(run({"--plane", tilted, "--output", "tilted.h5"}).status, 0);
        const engine::Hdf5File file(m_folder.file("tilted.h5").toStdString());
        const std::string plane = file.text("/entry/reconstruction/parameters/plane").value_or("");
        QVERIFY2(QString::fromStdString(plane).contains(";width=30;height=5;pixel=2"), plane.c_str());
    }

    void refused_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("named");
        const auto row = [](const char* plane, const char* named, const QStringList& more = {}) {
            QTest::addRow("%s", plane) << (QStringList{"--plane", plane} + more) << QByteArray(named);
        };
        row("x=96", "columns 96");
        row("z=nan", "nan");
        row("17", "17");
        row("centre=1,2,3;u=1,0,0;v=3,0,0", "parallel");
        row("centre=1,2,3;u=1,0,0;v=0,1,0;width=0", "0");
        row("z=2", "--slice", {"--slice", "2"});
        row("z=2", "--slices", {"--slices", "1:3"});
        row("z=2;u=1,0,0", "z=2");
        row("z=2;width=3;width=4", "twice");
        row("centre=1,2,3;u=1,0,0;v=0,1,0;pixel=1e-9", "larger pixel");
        row("z=2.5", "cubic", {"--interpolation", "cubic"});
        row("z=2", "region", {"--region", "1,2,3,4"});
        row("centre=40,50,2;u=1,0,0;v=0,0,1;width=900000;height=900000", "memory");
    }
    void refused()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QByteArray, named);
        const Result result = run(arguments + QStringList{"--output", "never.tif"});
        QVERIFY2(result.status == 2 || named == "memory", QByteArray::number(result.status));
        QVERIFY(result.status != 0);
        QVERIFY2(result.err.contains(named), result.err.constData());
        QVERIFY(!QFile::exists(m_folder.file("never.tif")));
    }

  private:
    Result run(const QStringList& arguments) const
    {
        return m_folder.run(QStringList{"reconstruct", "head.h5", "--overwrite"} + arguments);
    }

    Folder m_folder;
};

SINOSCOPE_TEST(PlaneTest, QCoreApplication)
#include "plane_test.moc"
