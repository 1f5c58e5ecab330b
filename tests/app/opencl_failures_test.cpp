// SPDX-License-Identifier: GPL-3.0-or-later
// The command line with a loader, a driver or a device that fails: one sentence each, and the processor takes over
// where the device was there.
#include "engine/backends/opencl/device/devices.h"
#include "tests/app/program.h"

using namespace program;

#ifndef SINOSCOPE_OPENCL_STUB // a build without OpenCL, or with sanitizers
#define SINOSCOPE_OPENCL_STUB ""
#endif

namespace
{

// Runs the program with the stub in place of OpenCL's loader; empty: with a loader that can't be loaded.
Result runWith(const Folder& folder, const QByteArray& behaviour, const QStringList& arguments)
{
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    const QString broken = folder.file("broken");
    if (behaviour.isNull()) {
        QDir().mkpath(broken);
        QFile loader(broken + "/libOpenCL.so.1");
        if (loader.open(QIODevice::WriteOnly))
            loader.write("no library");
    }
    environment.insert("LD_LIBRARY_PATH", behaviour.isNull() ? broken : QStringLiteral(SINOSCOPE_OPENCL_STUB));
    environment.insert("SINOSCOPE_STUB", QString::fromUtf8(behaviour));
    environment.insert("SINOSCOPE_OPENCL_SECONDS", "1");
    environment.insert("XDG_CACHE_HOME", folder.file("cache"));
    process.setProcessEnvironment(environment);
    folder.start(process, arguments);
    return finished(process);
}

} // namespace

class OpenClFailuresTest : public QObject
{
    Q_OBJECT

  private slots:
    void initTestCase()
    {
        if (QByteArray(SINOSCOPE_OPENCL_STUB).isEmpty())
            QSKIP("this build is without OpenCL, or has sanitizers");
        QCOMPARE(m_folder.makeHead().status, 0);
    }

    // Where no device can be used, the request ends before anything is computed.
    void unusable_data()
    {
        QTest::addColumn<QByteArray>("behaviour");
        QTest::addColumn<QByteArray>("sentence");
        QTest::newRow("no loader") << QByteArray() << QByteArray("the OpenCL loader libOpenCL.so.1 is not installed");
        QTest::newRow("no platform") << QByteArray("no platform") << QByteArray("no OpenCL driver is installed");
        QTest::newRow("no device") << QByteArray("no device")
                                   << QByteArray("the installed OpenCL drivers have no device");
        QTest::newRow("no compiler") << QByteArray("no compiler") << QByteArray("its driver has no compiler");
        QTest::newRow("small groups") << QByteArray("small groups")
                                      << QByteArray("it has groups of 64 threads; 256 are needed");
        QTest::newRow("hanging drivers") << QByteArray("hanging drivers")
                                         << QByteArray("an OpenCL driver didn't answer within 1 s");
    }

    void unusable()
    {
        QFETCH(QByteArray, behaviour);
        QFETCH(QByteArray, sentence);
        const Result result = runWith(
            m_folder, behaviour,
            {"reconstruct", "head.h5", "--device", "opencl", "--slice", "2", "--output", "never.tif", "--overwrite"});
        QVERIFY(result.status == 1 || result.status == 2);
        QVERIFY2(result.err.contains(sentence), result.err.constData());
        QCOMPARE(result.err.trimmed().count('\n'), 0); // one sentence
        QVERIFY(!QFile::exists(m_folder.file("never.tif")));
        // The methods are listed all the same, with the reason.
        const Result methods = runWith(m_folder, behaviour, {"methods"});
        QCOMPARE(methods.status, 0);
        QVERIFY2(methods.out.contains(sentence), methods.out.constData());
    }

    // A device that fails at work: the processor's image is written, and a note says why.
    void processorTakesOver_data()
    {
        QTest::addColumn<QByteArray>("behaviour");
        QTest::addColumn<QByteArray>("sentence");
        QTest::newRow("refusing compiler")
            << QByteArray("refusing compiler") << QByteArray("the stub compiles nothing");
        QTest::newRow("hanging compiler") << QByteArray("hanging compiler") << QByteArray("didn't end within 1 s");
        if (engine::hasOpenClTransforms())
            QTest::newRow("no transforms")
                << QByteArray("no transforms") << QByteArray("let the processor filter (--filter-on processor)");
        QTest::newRow("no memory") << QByteArray("no memory") << QByteArray("has too little memory");
    }

    void processorTakesOver()
    {
        QFETCH(QByteArray, behaviour);
        QFETCH(QByteArray, sentence);
        const Result result = runWith(
            m_folder, behaviour,
            {"reconstruct", "head.h5", "--device", "opencl", "--slice", "2", "--output", "image.tif", "--overwrite"});
        QVERIFY2(result.status == 0, result.err.constData());
        const QByteArray said = result.out + result.err;
        QVERIFY2(said.contains(sentence) && said.contains("the processor took over"), said.constData());
        const Result compared = m_folder.run({"compare", "image.tif", "head.tif", "--json", "-"});
        QVERIFY(compared.status == 0);
    }

    // Without images there is one method.
    void withoutImages()
    {
        const Result methods = runWith(m_folder, "no images", {"methods"});
        QVERIFY2(methods.out.contains("without images: only alu-opencl"), methods.out.constData());
        const Result result = runWith(m_folder, "no images",
                                      {"reconstruct", "head.h5", "--device", "opencl", "--method", "texture-opencl",
                                       "--slice", "2", "--output", "never.tif"});
        QCOMPARE(result.status, 2);
        QVERIFY2(result.err.contains("has no images; choose `alu-opencl`"), result.err.constData());
    }

  private:
    const Folder m_folder;
};

SINOSCOPE_TEST(OpenClFailuresTest, QCoreApplication)
#include "opencl_failures_test.moc"
