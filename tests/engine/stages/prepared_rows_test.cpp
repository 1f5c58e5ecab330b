// SPDX-License-Identifier: GPL-3.0-or-later
// Some of the rows that were read are the same as these rows, read alone.
#include "engine/stages/prepared_rows.h"
#include "tests/fixtures.h"

using namespace engine;
using namespace fixtures;

class PreparedRowsTest : public QObject
{
    Q_OBJECT

  private slots:
    void rowsOfAll()
    {
        Simulation simulation;
        simulation.phantom = Phantom::sheppLogan3d;
        simulation.size = 31;
        simulation.projections = 7;
        simulation.slices = 9;
        simulation.rings = 0.05; // flats differ from row to row
        const auto scan = simulate(simulation);
        const RowRange part{2, 6};
        const RawRows all = scan->read(part, {});
        QVERIFY(all.flatFrames > 0 && all.darkFrames > 0);
        for (const RowRange some : {RowRange{2, 6}, {2, 1}, {4, 3}, {7, 1}}) {
            const RawRows made = rowsOf(all, some, 2), right = scan->read(some, {});
            QVERIFY(made.rows == some);
            QVERIFY(made.data == right.data);
            QVERIFY(made.darks == right.darks && made.flats == right.flats);
            QCOMPARE(made.projections, right.projections);
            QCOMPARE(made.bins, right.bins);
        }
    }
};

SINOSCOPE_TEST(PreparedRowsTest, QCoreApplication)
#include "prepared_rows_test.moc"
