// SPDX-License-Identifier: GPL-3.0-or-later
// Steps of preparation on the command line: applied, shown in the report, repeated from it, or refused with a
// message.
#include "tests/app/program.h"

using program::Folder;
using program::Result;

class StepsTest : public QObject
{
    Q_OBJECT

    Folder m_folder;

    Result reconstruct(const QStringList& options, const QString& output) const
    {
        return m_folder.run(QStringList{"reconstruct", "head.h5", "--slice", "2", "--device", "cpu", "--overwrite",
                                        "--json", "-", "--output", output} +
                            options);
    }

  private slots:
    void initTestCase() { QCOMPARE(m_folder.makeHead().status, 0); }

    // Report and output: the options, the effect of the steps, and the same result repeated from the report.
    void askedForAndRepeated()
    {
        const Result plain = reconstruct({}, "plain.tif"),
                     made = reconstruct({"--rings", "sorting", "--ring-size", "7", "--air", "both", "--zingers",
                                         "projections", "--flat-field", "median"},
                                        "made.tif");
        QCOMPARE(made.status, 0);
        QVERIFY(m_folder.contents("plain.tif") != m_folder.contents("made.tif"));
        const QJsonObject steps = made.json()["request"].toObject()["preparation"].toObject();
        QCOMPARE(steps["rings"].toString(), QStringLiteral("sorting"));
        QCOMPARE(steps["ringSize"].toInt(), 7);
        QCOMPARE(steps["air"].toString(), QStringLiteral("both"));
        QVERIFY(!steps.contains("ringAlpha")); // it belongs to another method of ring removal
        QCOMPARE(plain.json()["request"].toObject()["preparation"].toObject()["rings"].toString(),
                 QStringLiteral("off"));
        QString notes;
        for (const QJsonValue& note : made.json()["notes"].toArray())
            notes += note.toString() + '\n';
        for (const char* words : {"1 slice had rings removed: Sorting", "zinger", "had the air at both margins"})
            QVERIFY2(notes.contains(words), qPrintable(notes));
        QFile report(m_folder.file("made.json"));
        QVERIFY(report.open(QIODevice::WriteOnly) && report.write(made.out) > 0);
        report.close();
        QCOMPARE(reconstruct({"--settings", "made.json"}, "again.tif").status, 0);
        QCOMPARE(m_folder.contents("again.tif").right(96 * 96 * 4), m_folder.contents("made.tif").right(96 * 96 * 4));
    }

    void saidToPeople()
    {
        const QStringList words{"reconstruct", "head.h5", "--slice", "2", "--device", "cpu", "--output", "said.tif"};
        const Result made = m_folder.run(
            words + QStringList{"--beam-hardening", "polynomial", "--rings", "wavelet", "--ring-sigma", "2"});
        QCOMPARE(made.status, 0);
        for (const char* said : {"beam hardening", "Polynomial", "rings", "Wavelets", "ring levels", "cycles per scan"})
            QVERIFY2(made.out.contains(said), made.out.constData());
        QVERIFY(!made.out.contains("zingers")); // zingers are not removed
    }

    void refusals_data()
    {
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<QString>("said");
        QTest::newRow("unknown") << QStringList{"--rings", "round"} << "sorting";
        QTest::newRow("even") << QStringList{"--rings", "sorting", "--ring-size", "8"} << "odd";
        QTest::newRow("of no use") << QStringList{"--ring-size", "9"} << "--rings sorting, filtering";
        QTest::newRow("of another way") << QStringList{"--rings", "wavelet", "--ring-alpha", "2"}
                                        << "--rings titarenko";
        QTest::newRow("out of range") << QStringList{"--zingers", "square", "--zinger-threshold", "0.5"} << "0.5";
        QTest::newRow("no pixel") << QStringList{"--phase", "paganin"} << "--pixel 1.5um";
        QTest::newRow("no energy") << QStringList{"--phase", "paganin", "--phase-pixel", "2", "--phase-distance", "100"}
                                   << "needs the energy of the beam (--phase-energy 20), which";
        QTest::newRow("no light") << QStringList{"--values", "line-integrals", "--phase", "paganin"}
                                  << "takes transmission";
        QTest::newRow("no flats needed") << QStringList{"--values", "transmission", "--flat-field", "median"}
                                         << "isn't needed";
    }

    void refusals()
    {
        QFETCH(QStringList, options);
        QFETCH(QString, said);
        const Result refused = reconstruct(options, "refused.tif");
        QCOMPARE(refused.status, 2);
        QVERIFY2(refused.err.contains(said.toUtf8()), refused.err.constData());
        QVERIFY(!m_folder.files().contains("refused.tif"));
    }

    void phaseWithRowsBeside()
    {
        const QStringList phase{"--phase",          "paganin", "--phase-energy",     "25", "--phase-pixel", "2",
                                "--phase-distance", "3",       "--phase-delta-beta", "100"};
        const Result made = reconstruct(phase, "phase.tif");
        QVERIFY2(made.status == 0, made.err.constData());
        QCOMPARE(made.json()["request"].toObject()["preparation"].toObject()["phaseEnergy"].toDouble(), 25.0);
        QCOMPARE(m_folder
                     .run(QStringList{"reconstruct", "head.h5", "--device", "cpu", "--output", "volume/", "--axis",
                                      QString::number(made.json()["axis"].toDouble(), 'g', 17)} +
                          phase)
                     .status,
                 0);
        const Result same = m_folder.run({"compare", "volume/head_00002.tiff", "phase.tif", "--json", "-"});
        QVERIFY2(same.status == 0, same.err.constData());
        QVERIFY2(same.json()["maximum"].toDouble(1) == 0, same.out.constData());
    }
};

SINOSCOPE_TEST(StepsTest, QCoreApplication)
#include "steps_test.moc"
