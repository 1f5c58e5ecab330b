// SPDX-License-Identifier: GPL-3.0-or-later
// An OpenCL device that fails at the n-th call, for every seventh n, or for every n with SINOSCOPE_THOROUGH: the error
// is clear, the processor takes over, and the next request gives the same values.
#include "tests/failing_calls.h"
#include "tests/opencl/opencl.h"

#include "engine/backends/opencl/device/check.h"
#include "engine/scan/cone_options.h"
#include "engine/simulate/phantom.h"

using namespace engine;
using namespace fixtures;

namespace
{

std::atomic<int> failingCall = 0; // the n-th call from now fails, once; 0: none

} // namespace

// Stands between the engine and the check of each call, engine::opencl::check, as the program is linked with --wrap
// (tests/CMakeLists.txt).
extern "C" {
void __real__ZN6engine6opencl5checkEiPKc(cl_int status, const char* what);
void __wrap__ZN6engine6opencl5checkEiPKc(cl_int status, const char* what)
{
    const bool fails = status == CL_SUCCESS && isDue(failingCall);
    __real__ZN6engine6opencl5checkEiPKc(fails ? CL_INVALID_OPERATION : status, what);
}
}

class FailingOpenClTest : public QObject
{
    Q_OBJECT

    // A scan of two passes of eight slices, or of a cone beam in batches.
    static Request requestOf(bool isCone)
    {
        Simulation simulation;
        simulation.size = 32;
        simulation.slices = 16;
        simulation.projections = 24;
        if (isCone) {
            simulation.arcDeg = 360;
            ConeOptions& cone = simulation.cone.emplace();
            cone.sourceAxisMm = 120;
            cone.sourceDetectorMm = 180;
            cone.pixelUMm = 1.5;
        }
        Request request = requestFor(simulate(simulation), isCone ? "texture-opencl" : "alu-opencl");
        request.setting.kernel.slicesPerPass = isCone ? 8 : 4;
        request.setting.kernel.batch = isCone ? 12 : 0;
        return request;
    }

  private slots:
    void calls_data()
    {
        QTest::addColumn<bool>("isCone");
        QTest::newRow("slices") << false;
        QTest::newRow("cone beam") << true;
    }

    void calls()
    {
        SINOSCOPE_NEEDS_OPENCL();
        QFETCH(bool, isCone);
        Request request = requestOf(isCone);
        request.resources.device = {"opencl", 0};
        const FailedCalls calls = failEach(failingCall, ErrorKind::device, request, thorough ? 1 : 7, 1e-2);
        qInfo("%d calls, %d harmless", calls.all, calls.harmless);
        QVERIFY(calls.all >= 10);
        QVERIFY(calls.harmless < 10); // an opened device tries images, or does without them
    }
};

SINOSCOPE_TEST(FailingOpenClTest, QCoreApplication)
#include "failing_opencl_test.moc"
