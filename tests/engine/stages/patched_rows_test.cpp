// SPDX-License-Identifier: GPL-3.0-or-later
// Planes through a scan of which some rows can't be read or have no light: they have gaps there, and elsewhere the same
// values as through the whole scan.
#include "engine/reconstruct/reconstruct.h"
#include "engine/stages/patched_rows.h"
#include "tests/fixtures.h"
#include "tests/plane_gaps.h"

#include <algorithm>
#include <cmath>
#include <set>

using namespace engine;
using namespace fixtures;

class PatchedRowsTest : public QObject
{
    Q_OBJECT

    // Returns the scan with rows that can't be read and others without light.
    static std::shared_ptr<const Scan> broken(const Scan& whole, const std::set<int>& unreadable,
                                              const std::set<int>& dark)
    {
        auto scan = std::make_shared<Scan>(whole);
        scan->readFrames = {};
        scan->readEvery = {};
        scan->read = [read = whole.read, unreadable, dark](const RowRange& rows, const std::stop_token& stop) {
            RawRows raw = read(rows, stop);
            for (int row = rows.first; row < rows.first + rows.count; ++row) {
                if (unreadable.contains(row))
                    throw Error(ErrorKind::badFile, "row " + std::to_string(row) + " is damaged");
                for (int k = 0; dark.contains(row) && k < raw.flatFrames; ++k)
                    std::fill_n(raw.flats.begin() + (k * rows.count + row - rows.first) * raw.bins, raw.bins, 0.0F);
            }
            return raw;
        };
        return scan;
    }

    static Request planeOf(const std::shared_ptr<const Scan>& scan, const char* text)
    {
        Request request = requestFor(scan);
        request.place.part = PlanePart{planeFromText(text, volumeOf(*scan)), true};
        return request;
    }

  private slots:
    void rowsAreReplaced()
    {
        const auto whole = smallScan(32, 20, 12), scan = broken(*whole, {3, 4, 11}, {0, 7});
        const PatchedRows made = readPatched(requestFor(scan), {0, 12}, {});
        QVERIFY(made.gaps == std::vector<int>({0, 3, 4, 7, 11}));
        QVERIFY(mentions(made.notes, "rows 3, 4 and 11 of the detector, which can't be read: row"));
        QVERIFY(mentions(made.notes, "rows 0 and 7 of the detector, which have no light"));
        const RawRows all = whole->read({0, 12}, {});
        const int source[] = {1, 1, 2, 2, 5, 5, 6, 6, 8, 9, 10, 10};
        for (int p = 0; p < 20; ++p)
            for (int row = 0; row < 12; ++row)
                for (int bin = 0; bin < 32; ++bin)
                    QCOMPARE(made.raw.data[(p * 12 + row) * 32 + bin], all.data[(p * 12 + source[row]) * 32 + bin]);
        QVERIFY(fails(ErrorKind::badFile, {"damaged"}, [&] {
            std::set<int> every;
            for (int row = 0; row < 12; ++row)
                every.insert(row);
            readPatched(requestFor(broken(*whole, every, {})), {0, 12}, {});
        }));
    }

    void planesHaveGaps()
    {
        const auto whole = smallScan(33, 40, 15), scan = broken(*whole, {4, 5}, {0, 10});
        for (const char* text : {"x=12", "y=20", "centre=16,16,7; u=0.6,0.8,0; v=-0.64,0.48,0.6"}) {
            Reconstructor live;
            const Reconstruction made = live.run(planeOf(scan, text)), right = live.beside().run(planeOf(whole, text));
            QVERIFY(mentions(made.notes, "rows 4, 5"));
            QVERIFY(mentions(made.notes, "rows 0 and 10"));
            const Plane plane = *made.request.place.plane();
            const std::set<int> gaps{0, 4, 5, 10};
            int shown = 0, missing = 0;
            for (int y = 0; y < plane.height; ++y)
                for (int x = 0; x < plane.width; ++x) {
                    const double row = plane.centre[2] + plane.pixel * ((x - (plane.width - 1) / 2.0) * plane.u[2] +
                                                                        (y - (plane.height - 1) / 2.0) * plane.v[2]);
                    const int below = static_cast<int>(std::floor(row + 1e-6));
                    const bool isNear = gaps.contains(below) || gaps.contains(below + 1);
                    const auto k = static_cast<std::size_t>(y) * plane.width + x;
                    const bool isMissing = std::isnan(made.image.values[k]);
                    if (isBeyond(plane, x, y, whole->slices())) {
                        QVERIFY(isMissing);
                        continue;
                    }
                    (isMissing ? missing : shown) += 1;
                    if (gaps.contains(static_cast<int>(std::lround(row))) && std::abs(row - std::round(row)) < 0.4)
                        QVERIFY2(isMissing, qPrintable(QString("%1 row %2").arg(text).arg(row)));
                    if (!isNear && !gaps.contains(below - 1))
                        QCOMPARE(made.image.values[k], right.image.values[k]);
                }
            QVERIFY(shown > missing && missing > 0);
            const Reconstruction again = live.run(planeOf(scan, text));
            QVERIFY(again.timings.read.reused && mentions(again.notes, "rows 4, 5"));
        }
    }

    // A plane without a single value is refused, with the reason.
    void emptyPlanesFail()
    {
        const auto whole = smallScan(33, 40, 15);
        QVERIFY(fails(ErrorKind::badFile, {"no value", "row 10", "no light"},
                      [&] { Reconstructor().run(planeOf(broken(*whole, {}, {10}), "z=10.3")); }));
        auto nowhere = std::make_shared<Scan>(*whole);
        nowhere->read = [read = whole->read](const RowRange& rows, const std::stop_token& stop) {
            RawRows raw = read(rows, stop);
            std::ranges::fill(raw.flats, notANumber);
            return raw;
        };
        nowhere->readFrames = {};
        nowhere->readEvery = {};
        QVERIFY(fails(ErrorKind::badFile, {}, [&] { Reconstructor().run(planeOf(nowhere, "z=10.3")); }));
    }

    // Images without gaps name the row instead.
    void slicesFail()
    {
        const auto scan = broken(*smallScan(33, 40, 15), {4}, {10});
        Request request = requestFor(scan);
        request.place.setSlices({4, 1});
        QVERIFY(fails(ErrorKind::badFile, {"row 4 is damaged"}, [&] { Reconstructor().run(request); }));
        request.place.setSlices({10, 1});
        QVERIFY(fails(ErrorKind::badFile, {"Row 10", "dead"}, [&] { Reconstructor().run(request); }));
    }
};

SINOSCOPE_TEST(PatchedRowsTest, QCoreApplication)
#include "patched_rows_test.moc"
