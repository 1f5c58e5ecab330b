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
        QCOMPARE(differenceOf("again.tif", "tilted.tif"), 0.0);
    }

    // A plane that doesn't fit into memory is reconstructed in parts. The limits are those of the processor: a GPU that
    // prepares and filters leaves less in memory.
    void theMemoryLimitIsObeyed()
    {
        const QStringList plane{"--plane", tilted, "--device", "cpu"};
        QCOMPARE(run(plane + QStringList{"--output", "whole.tif"}).status, 0);
        const QStringList limited = plane + QStringList{"--memory-limit", "168.2MB", "--output", "parts.tif"};
        const Result plan = run(limited + QStringList{"--plan"});
        QCOMPARE(plan.status, 0);
        QVERIFY2(plan.out.contains("of 168 MB, the plane in "), plan.out.constData());
        const Result made = run(limited);
        QCOMPARE(made.status, 0);
        QVERIFY2((made.out + made.err).contains("parts, because"), (made.out + made.err).constData());
        QCOMPARE(differenceOf("parts.tif", "whole.tif"), 0.0);
        const Result refused = run(plane + QStringList{"--memory-limit", "167.8MB", "--output", "never.tif"});
        QVERIFY(refused.status != 0);
        QVERIFY2(refused.err.contains("raise it to") && refused.err.contains("memory limit"), refused.err.constData());
    }

    void filesSayWhereThePlaneLies()
    {
        QCOMPARE(run({"--plane", tilted, "--output", "tilted.h5"}).status, 0);
        const engine::Hdf5File file(m_folder.file("tilted.h5").toStdString());
        const std::string plane = file.text("/entry/reconstruction/parameters/plane").value_or("");
        QVERIFY2(QString::fromStdString(plane).contains(";width=30;height=5;pixel=2"), plane.c_str());
        const std::string data = "/entry/data/data", group = "/entry/data";
        QCOMPARE(file.attribute(data, "plane").value_or(""), plane);
        QCOMPARE(file.attribute(data, "axes").value_or(""), std::string("plane:v:u"));
        QVERIFY(std::abs(*file.number(group + "/u") + 29) < 1e-9); // the first of 30 pixels of 2 voxels
        QCOMPARE(*file.number(group + "/v"), -4.0);
    }

    // A plane across an axis has the coordinates of the volume.
    void planesHaveAxes()
    {
        QCOMPARE(run({"--slices", "0:5", "--output", "all.h5"}).status, 0);
        const engine::Hdf5File all(m_folder.file("all.h5").toStdString());
        const int bins = static_cast<int>(all.dataset("/entry/data/x").shape().front());
        for (const auto& [plane, axes] : {std::pair("x=40", "xzy"), {"y=30", "yzx"}, {"z=3", "zyx"}}) {
            QCOMPARE(run({"--plane", plane, "--output", "plane.h5"}).status, 0);
            const engine::Hdf5File file(m_folder.file("plane.h5").toStdString());
            const std::vector<long long> shape = file.dataset("/entry/data/data").shape();
            for (std::size_t k = 0; k < 3; ++k) {
                const std::string path = std::string("/entry/data/") + axes[k];
                QCOMPARE(file.dataset(path).shape(), std::vector<long long>{shape[k]});
                if (k > 0)
                    QCOMPARE(*file.number(path), *all.number(path));
            }
            const double middle = (bins - 1) / 2.0, position = *file.number(std::string("/entry/data/") + axes[0]);
            QVERIFY(std::abs(position - (axes[0] == 'x' ? 40 - middle : axes[0] == 'y' ? middle - 30 : -3.0)) < 1e-9);
        }
    }

    // Rows 6 to 13 of 20 meet the slices −0.5 to 4.5; a slice, or a smaller plane, has no gap.
    void theShareOfGapsIsNoted()
    {
        const QString plane = "centre=40,50,2;u=1,0,0;v=0,0.8,0.6;width=10;height=";
        const Result made = run({"--plane", plane + "20", "--output", "gaps.tif"});
        const QByteArray said = made.out + made.err;
        QVERIFY2(said.contains("120 of 200 pixels of the plane (60 %) have no value"), said.constData());
        for (const QString& whole : {plane + "8", QString("z=3")})
            QVERIFY(!run({"--plane", whole, "--output", "whole.tif", "--overwrite", "--json", "-"})
                         .out.contains("no value"));
    }

    // In a folder the file is named by its plane, so that several planes lie side by side.
    void filesAreNamedByThePlane()
    {
        QCOMPARE(run({"--plane", "x=40", "--output", "planes"}).status, 0);
        const Result second = run({"--plane", "y=30.5", "--output", "planes"});
        QCOMPARE(second.status, 0);
        QVERIFY2(!second.err.contains("other volumes"), second.err.constData());
        QCOMPARE(run({"--plane", tilted, "--output", "planes"}).status, 0);
        QCOMPARE(QDir(m_folder.file("planes")).entryList(QDir::Files),
                 QStringList({"head_plane_centre=40,50,2,normal=0.447,-0.894,0.tiff", "head_plane_x=40.tiff",
                              "head_plane_y=30.5.tiff"}));
        QVERIFY(run({"--slices", "0:2", "--output", "planes"}).err.contains("other volumes"));
        QCOMPARE(m_folder.run({"reconstruct", "head.h5", "--plane", "x=40", "--output", "planes", "--resume"}).status,
                 0);
        QVERIFY(m_folder.run({"reconstruct", "head.h5", "--plane", "x=40", "--output", "planes"}).status != 0);
    }

    void refused_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("named");
        const auto row = [](const char* plane, const char* named, const QStringList& more = {}) {
            QTest::addRow("%s", plane) << (QStringList{"--plane", plane} + more) << QByteArray(named);
        };
        row("x=96", "column 96 lies outside the volume, which has columns 0 to 95");
        row("centre=-3,-3,2;u=1,-1,0;v=0,0,1;width=20;height=2", "no pixel of the plane");
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
        row("centre=40,50,2;u=1,0,0;v=0,0.8,0.6", "have no value, since", {"--output-type", "uint16"});
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
    // The RMSE of two images, without the gaps of both above and below the volume; -1 if there is none.
    double differenceOf(const QString& image, const QString& reference) const
    {
        return m_folder.run({"compare", image, reference, "--json", "-"}).json()["rmse"].toDouble(-1);
    }
    Result run(const QStringList& arguments) const
    {
        return m_folder.run(QStringList{"reconstruct", "head.h5", "--overwrite"} + arguments);
    }

    Folder m_folder;
};

SINOSCOPE_TEST(PlaneTest, QCoreApplication)
#include "plane_test.moc"
