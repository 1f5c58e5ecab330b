// SPDX-License-Identifier: GPL-3.0-or-later
// A geometry without a reconstruction method: it is read, described and reported, and functions for parallel beams
// refuse it with an explanation. .ci/nightly builds this test with the address sanitizer, as it does the engine.
#include "tests/fixtures.h"

#include "engine/backends/backend.h"
#include "engine/backends/method.h"
#include "engine/documents/report.h"
#include "engine/io/open/open_scan.h"
#include "engine/io/slices/write_scan.h"
#include "engine/reconstruct/reconstruct.h"
#include "engine/request/section.h"
#include "engine/volume/reconstruct_volume.h"

#include <QProcess>
#include <QTest>

#include <fstream>

using namespace engine;

class SecondGeometryTest : public QObject
{
    Q_OBJECT

#if SINOSCOPE_SECOND_GEOMETRY
    fixtures::TemporaryFolder m_folder;
    std::filesystem::path m_file = m_folder / "scan.second";
    std::shared_ptr<const Scan> m_scan;

    static bool names(const std::string& text)
    {
        return text.find("second geometry") != std::string::npos;
    }

    QProcess& run(const QStringList& arguments)
    {
        m_program.start(QStringLiteral(SINOSCOPE_BIN_DIR "/sinoscope-cli"), arguments);
        m_program.waitForFinished(fixtures::patienceMs);
        return m_program;
    }
    QProcess m_program;

  private slots:
    void initTestCase()
    {
        std::string header = "second 7 3 5 ";
        header.resize(64, '\n');
        std::ofstream out(m_file, std::ios::binary);
        out << header;
        for (int k = 0; k < 7 * 3 * 5; ++k) {
            const auto value = static_cast<float>(k);
            out.write(reinterpret_cast<const char*>(&value), sizeof value);
        }
        out.close();
        m_scan = openScan(m_file);
    }

    void isRead()
    {
        QCOMPARE(m_scan->format, std::string("second"));
        QCOMPARE(labelOf(m_scan->geometry), std::string("second geometry"));
        QCOMPARE(m_scan->bins(), 5);
        QCOMPARE(m_scan->projections(), 7);
        QCOMPARE(m_scan->pixelSizeMm().value_or(0), 0.001);
        const RawRows rows = m_scan->read({1, 1}, {});
        QCOMPARE(rows.data[0], 5.f); // row 1 of projection 0
    }

    void isReported()
    {
        const auto json = QByteArray::fromStdString(scanJson(*m_scan));
        QVERIFY2(json.contains("\"geometry\": \"second geometry\""), json);
        QVERIFY(requestJson(fixtures::requestFor(m_scan)).find("\"count\": 7") != std::string::npos);
    }

    void isRefusedByEveryMethod()
    {
        for (const Method& method : methods()) {
            Request request = fixtures::requestFor(m_scan, method.id);
            request.resources.device.backend = method.backend->id;
            const auto reason = refusalOf(method, request);
            QVERIFY2(reason && names(*reason), method.id);
        }
        const auto error = fixtures::errorOf([&] { methodFor(fixtures::requestFor(m_scan, "auto")); });
        QVERIFY(error && error->kind() == ErrorKind::badRequest && names(error->what()));
    }

    void isRefusedByWhatIsAroundThem()
    {
        const Request request = fixtures::requestFor(m_scan);
        QVERIFY(fixtures::errorOf([&] { Reconstructor().run(request); })->kind() == ErrorKind::badRequest);
        const auto written =
            fixtures::errorOf([&] { writeScan(*m_scan, nullptr, ScanFormat::dxchange, m_folder / "copy.h5", false); });
        QVERIFY(written && names(written->what()));
        QVERIFY(!std::filesystem::exists(m_folder / "copy.h5"));
        const auto rows = fixtures::errorOf([&] { rowsFor(m_scan->geometry, sectionOf(request).grid); });
        QVERIFY(rows && names(rows->what()));
    }

    void theCommandLineSaysSo()
    {
        const QString file = QString::fromStdString(m_file.string());
        QCOMPARE(run({"info", file}).exitCode(), 0);
        const QByteArray info = m_program.readAllStandardOutput();
        QVERIFY2(info.contains("second geometry"), info);
        const QString image = m_folder.file("image.tif");
        QCOMPARE(run({"reconstruct", file, "-o", image}).exitCode(), 2);
        const QByteArray refusal = m_program.readAllStandardError();
        QVERIFY2(refusal.contains("second geometry"), refusal);
        QVERIFY(!QFile::exists(image));
    }
#else
  private slots:
    void isBuiltElsewhere()
    {
        QSKIP("the engine was built without the second geometry (.ci/nightly builds it)");
    }
#endif
};

SINOSCOPE_TEST(SecondGeometryTest, QCoreApplication)
#include "second_geometry_test.moc"
