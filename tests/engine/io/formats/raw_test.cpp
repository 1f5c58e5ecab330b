// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers without a header: every sample type, in both byte orders.
#include "engine/io/open/open_scan.h"
#include "engine/scan/samples.h"
#include "tests/fixtures.h"

#include <fstream>

using namespace engine;
using namespace fixtures;
namespace fs = std::filesystem;

class IoRawTest : public QObject
{
    Q_OBJECT

  private slots:
    void init() { m_folder.emplace(); }

    void rawSamples_data()
    {
        QTest::addColumn<QString>("type");
        QTest::addColumn<bool>("bigEndian");
        for (const char* type : {"uint8", "int8", "uint16", "int16", "uint32", "int32", "float32", "float64"})
            for (const bool big : {false, true})
                QTest::newRow(qPrintable(QString("%1 %2").arg(type, big ? "big" : "little"))) << QString(type) << big;
    }

    void rawSamples()
    {
        QFETCH(QString, type);
        QFETCH(bool, bigEndian);
        std::string bytes = "header!";
        const auto put = [&](auto sample) {
            using Sample = decltype(sample);
            for (int i = 0; i < 2 * 3 * 4; ++i) {
                const Sample number = Sample(type.startsWith('u') ? i * 10 : i * 10 - 100);
                std::string part(reinterpret_cast<const char*>(&number), sizeof number);
                if (bigEndian)
                    std::reverse(part.begin(), part.end());
                bytes += part;
            }
        };
        if (type == "uint8")
            put(std::uint8_t());
        else if (type == "int8")
            put(std::int8_t());
        else if (type == "uint16")
            put(std::uint16_t());
        else if (type == "int16")
            put(std::int16_t());
        else if (type == "uint32")
            put(std::uint32_t());
        else if (type == "int32")
            put(std::int32_t());
        else if (type == "float32")
            put(float());
        else
            put(double());
        std::ofstream(at("scan.bin"), std::ios::binary) << bytes;
        OpenOptions options;
        options.raw = RawLayout{2, 3, 4, type.toStdString(), bigEndian, 7};
        const auto scan = openScan(at("scan.bin"), options);
        QCOMPARE(scan->sampleType, type.toStdString());
        const RawRows raw = scan->read({1, 2}, {});
        QCOMPARE(raw.data.size(), std::size_t(16));
        for (int k = 0; k < 16; ++k) {
            const int i = k / 8 * 12 + 4 + k % 8;
            QCOMPARE(raw.data[k], float(type == "int8"         ? std::int8_t(i * 10 - 100)
                                        : type.startsWith('u') ? i * 10
                                                               : i * 10 - 100));
        }
    }

    // Images and noise, read with the wrong byte order and with the right one.
    void wrongOrderOfBytes_data()
    {
        QTest::addColumn<QString>("type");
        for (const char* type : {"uint16", "int16", "uint32", "int32", "float32", "float64"})
            QTest::newRow(type) << type;
    }

    void wrongOrderOfBytes()
    {
        QFETCH(const QString, type);
        constexpr int projections = 9, rows = 3, bins = 80;
        const SampleType& samples = *findSampleType(type.toStdString());
        const auto write = [&](bool noise, float scale) {
            std::vector<float> values;
            unsigned seed = 1;
            for (int k = 0; k < projections * rows * bins; ++k) {
                seed = seed * 1664525 + 1013904223;
                const float random = float(seed >> 16) / 65536;
                const float disc = std::sqrt(std::max(0.0f, 1 - std::pow(float(k % bins - 40) / 30, 2.0f)));
                values.push_back(scale * (noise ? random : 1 - 0.7f * disc + 0.02f * random));
            }
            std::string bytes(values.size() * std::size_t(samples.bytes), '\0');
            samples.fromFloats(values.data(), values.size(), bytes.data());
            std::ofstream(at("little.raw"), std::ios::binary) << bytes;
            samples.swapBytes(bytes.data(), values.size());
            std::ofstream(at("big.raw"), std::ios::binary) << bytes;
        };
        const auto doubts = [&](const char* name, bool bigEndian) {
            OpenOptions options;
            options.raw = RawLayout{projections, rows, bins, type.toStdString(), bigEndian, 0};
            return contains(openScan(at(name), options)->quantityDoubt,
                            bigEndian ? "--big-endian wrong" : "--big-endian missing");
        };
        write(false, 20000); // values as counted by a detector
        QVERIFY(!doubts("little.raw", false) && !doubts("big.raw", true));
        QVERIFY(doubts("big.raw", false) && doubts("little.raw", true));
        write(true, 20000); // noise gives no clue to the byte order
        QVERIFY(!doubts("little.raw", false) && !doubts("big.raw", true));
        write(false, 90); // few photons
        QVERIFY(!doubts("little.raw", false) && !doubts("big.raw", true));
        QVERIFY(doubts("big.raw", false) && doubts("little.raw", true));
    }

  private:
    fs::path at(const std::string& name) const { return *m_folder / name; }
    std::optional<TemporaryFolder> m_folder;
};

SINOSCOPE_TEST(IoRawTest, QCoreApplication)
#include "raw_test.moc"
