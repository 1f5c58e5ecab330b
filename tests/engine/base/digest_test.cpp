// SPDX-License-Identifier: GPL-3.0-or-later
// The quick digest: every change of the bytes, or of the digest before them, changes it.
#include "engine/base/digest.h"
#include "tests/fixtures.h"

#include <set>
#include <vector>

class DigestTest : public QObject
{
    Q_OBJECT

  private slots:
    void everyChangeCounts()
    {
        std::vector<std::byte> bytes(203);
        for (std::size_t k = 0; k < bytes.size(); ++k)
            bytes[k] = std::byte(37 * k);
        std::set<std::uint64_t> digests{engine::quickDigest(bytes, 0), engine::quickDigest(bytes, 1)};
        for (std::byte& byte : bytes)
            for (int bit = 0; bit < 8; ++bit) {
                byte ^= std::byte(1 << bit);
                digests.insert(engine::quickDigest(bytes, 0));
                byte ^= std::byte(1 << bit);
            }
        for (std::size_t k = 0; k + 40 <= bytes.size(); ++k) { // two signs, or two values exchanged
            bytes[k] ^= std::byte(128);
            bytes[k + 32] ^= std::byte(128);
            digests.insert(engine::quickDigest(bytes, 0));
            bytes[k] ^= std::byte(128);
            bytes[k + 32] ^= std::byte(128);
            std::swap(bytes[k], bytes[k + 8]);
            digests.insert(engine::quickDigest(bytes, 0));
            std::swap(bytes[k], bytes[k + 8]);
        }
        QCOMPARE(digests.size(), 2 + 8 * bytes.size() + 2 * (bytes.size() - 39));
    }
};

SINOSCOPE_TEST(DigestTest, QCoreApplication)
#include "digest_test.moc"
