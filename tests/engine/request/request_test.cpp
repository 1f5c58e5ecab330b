// SPDX-License-Identifier: GPL-3.0-or-later
// Text forms of requests, and which method handles a request.
#include "engine/backends/cuda/device/devices.h"
#include "engine/backends/devices.h"
#include "engine/backends/method.h"
#include "engine/backends/support.h"
#include "engine/base/error.h"
#include "engine/compare/compare_settings.h"
#include "engine/compare/reference_image.h"
#include "engine/filter/windows.h"
#include "engine/options/options.h"
#include "engine/reconstruct/reconstruct.h"
#include "engine/request/setting.h"
#include "engine/resolve/resolve.h"
#include "tests/fixtures.h"

#include <string>

using namespace engine;
using namespace fixtures;

namespace
{

// Returns the message of the Error that the call throws; empty if it throws none or one of another kind.
template <typename Call>
std::string messageOf(ErrorKind kind, const Call& call)
{
    const auto error = errorOf(call);
    return error && error->kind() == kind ? error->what() : std::string();
}

} // namespace

class RequestTest : public QObject
{
    Q_OBJECT
  private slots:
    void slicesAndRegionsOfPlaces()
    {
        const RowRange rows{3, 4};
        const Region region{1, 2, 5, 6};
        Place place;
        place.setSlices(rows);
        place.setRegion(region);
        QVERIFY((place == Place{Slices{rows, region}}));
        place.part = MirroredPairs{{0, 4}, {2, 12}, region};
        place.setSlices(rows);
        place.setRegion({});
        QVERIFY((place == Place{MirroredPairs{rows, {2, 12}}}));
        place.part = SlabPart{{0, 4}, Slab{10, 10, 30, 9, 3}};
        place.setSlices(rows);
        QVERIFY((place == Place{SlabPart{rows, Slab{10, 10, 30, 9, 3}}}));
        place.setRegion(region);
        QVERIFY((place == Place{Slices{rows, region}}));
        const PlanePart plane{Plane{.width = 9, .height = 5}, true};
        place.part = plane;
        place.setSlices(rows);
        QVERIFY((place == Place{plane}));
        QVERIFY((place.slices() == RowRange{0, 1}));
    }

    void textsComeBack()
    {
        for (const auto value :
             {Interpolation::nearest, Interpolation::linear, Interpolation::oversampled, Interpolation::cubic})
            QVERIFY(interpolationFromText(toText(value)) == value);
        for (const auto value : {Precision::single, Precision::half})
            QVERIFY(precisionFromText(toText(value)) == value);
        for (const FilterWindow& row : filterWindows())
            QVERIFY(windowFromText(toText(row.window)) == row.window);
        for (const auto value : {PadMode::zero, PadMode::edge, PadMode::cylinder})
            QVERIFY(padModeFromText(toText(value)) == value);
        for (const std::string text : {"auto", "middle", "295.75", "-3"})
            QCOMPARE(toText(axisFromText(text)), text);
        for (const std::string text : {"auto", "cpu", "cuda", "cuda:1"})
            QCOMPARE(toText(deviceFromText(text)), text);
    }

    void oversamplingFactor()
    {
        int factor = 4;
        QVERIFY(interpolationFromText("oversampled", &factor) == Interpolation::oversampled);
        QCOMPARE(factor, 4);
        QVERIFY(interpolationFromText("oversampled:16", &factor) == Interpolation::oversampled);
        QCOMPARE(factor, 16);
        for (const char* text : {"oversampled:0", "oversampled:65", "oversampled:", "oversampled:4x", "linear:2"})
            QVERIFY(contains(messageOf(ErrorKind::badRequest, [&] { interpolationFromText(text); }), text));
    }

    void badTextsNameTheValue()
    {
        QVERIFY(contains(messageOf(ErrorKind::badRequest, [] { windowFromText("hanning"); }), "hanning"));
        QVERIFY(contains(messageOf(ErrorKind::badRequest, [] { windowFromText("hanning"); }), "hann,"));
        QVERIFY(contains(messageOf(ErrorKind::badRequest, [] { precisionFromText("double"); }), "double"));
        for (const char* text : {"nan", "inf", "12px", ""})
            QVERIFY(!messageOf(ErrorKind::badRequest, [&] { axisFromText(text); }).empty());
        for (const char* text : {"gpu", "cuda:", "cuda:-1", "cuda:1.5"})
            QVERIFY(!messageOf(ErrorKind::badRequest, [&] { deviceFromText(text); }).empty());
    }

    void automaticIsNeverExact()
    {
        Request request;
        QCOMPARE(std::string(methodFor(request).id) == "exact", false);
        request.resources.device.backend = "cpu";
        for (const int slices : {1, 2, 4, 8}) {
            request.setting.kernel.slicesPerPass = slices;
            QCOMPARE(std::string(methodFor(request).id), std::string("cpu"));
        }
        request.setting.kernel.method = "exact";
        QCOMPARE(std::string(methodFor(request).id), std::string("exact"));
    }

    // The criteria of `auto` are in the table of methods, and can be tested on a machine without the devices.
    void ranksAndUsefulSlices()
    {
        const auto rank = [](const char* id, const Request& request) { return findMethod(id)->rank(request); };
        Request request;
        for (const char* id : {"exact", "double", "exact-cuda"})
            QVERIFY(!findMethod(id)->rank);
        QVERIFY(yardstick().yardstick && std::string(yardstick().id) == "exact");
        QVERIFY(rank("cpu", request) < rank("standard", request));
        QVERIFY(rank("standard", request) < rank("texture", request));
        QVERIFY(rank("hybrid", request) < rank("alu", request));
        QVERIFY(rank("alu", request) < rank("tensor", request));
        request.setting.kernel.precision = Precision::half;
        request.setting.kernel.slicesPerPass = 4;
        QVERIFY(rank("hybrid", request) > rank("alu", request));
        request.setting.kernel.interpolation = Interpolation::nearest;
        QVERIFY(rank("hybrid", request) < rank("alu", request));

        const auto worthwhile = [](const char* id, const Request& asked) { return findMethod(id)->worthwhile(asked); };
        request = {};
        request.setting.kernel.slicesPerPass = 64;
        QVERIFY(!worthwhile("cpu", request));
        request.setting.kernel.precision = Precision::half;
        QVERIFY(worthwhile("cpu", request));
        request.setting.kernel.slicesPerPass = 8;
        QVERIFY(worthwhile("tensor", request));
        request.setting.kernel.interpolation = Interpolation::cubic;
        QVERIFY(!worthwhile("tensor", request));
        request.setting.kernel.method = "tensor"; // requested by name
        QVERIFY(worthwhile("tensor", request));
    }

    void processorTakesOver()
    {
        Request request;
        request.setting.kernel.method = "alu";
        request.place.setSlices({0, 40});
        for (const auto& [asked, taken] : {std::pair(4, 4), std::pair(128, 32), std::pair(3, 32)}) {
            request.setting.kernel.slicesPerPass = asked;
            Request onCpu = request;
            const Method* method = processorMethodFor(onCpu);
            QVERIFY(method && std::string(method->id) == "cpu");
            QCOMPARE(onCpu.setting.kernel.slicesPerPass, taken);
        }
        request.setting.kernel.interpolation = Interpolation::oversampled;
        request.setting.kernel.oversampling = 65;
        QVERIFY(!processorMethodFor(request));
    }

    // The processor takes over from a GPU that fails; from an NVIDIA GPU that the user chose only for the reference.
    void processorTakesOverFrom()
    {
        struct Case {
            const Backend& method;
            const char* chosen;
            bool isReference, takesOver;
        };
        for (const auto& [backend, chosen, isReference, expected] :
             {Case{cudaBackend, "auto", false, true}, Case{cudaBackend, "cuda", false, false},
              Case{cudaBackend, "cuda", true, true}, Case{openClBackend, "opencl", false, true},
              Case{cpuBackend, "auto", false, false}, Case{cpuBackend, "cpu", true, false}}) {
            Method method = yardstick();
            method.backend = &backend;
            method.isReference = isReference;
            QCOMPARE(processorMayTakeOver(method, {chosen, 0}), expected);
        }
    }

    // A request in double precision keeps it when the processor takes over.
    void processorTakesOverInDouble()
    {
        for (const auto& [interpolation, id] :
             {std::pair(Interpolation::linear, "double"), std::pair(Interpolation::cubic, "exact")}) {
            Request request;
            request.setting.kernel.method = "exact-cuda";
            request.setting.kernel.interpolation = interpolation;
            const Method* method = processorMethodFor(request);
            QVERIFY(method);
            QCOMPARE(std::string(method->id), std::string(id));
            QCOMPARE(method->filterPrecision, findMethod("exact-cuda")->filterPrecision);
        }
    }

    // The reference shares all settings except the kernel, so that its difference is due to the kernel alone,
    // whatever the preparation.
    void referenceSharesTheSetting()
    {
        Request request = requestFor(smallScan(), "cpu");
        setField(option("rings"), request, "sorting");
        setField(option("filter"), request, "hann");
        setField(option("precision"), request, "half");
        const Reconstruction made = Reconstructor().run(request);
        const Request reference = exactRequest(request, 0, made);
        QVERIFY(reference.setting.preparation == request.setting.preparation);
        QVERIFY(reference.setting.filter == request.setting.filter);
        QVERIFY(reference.setting.kernel.precision == Precision::single);
        setField(option("precision"), request, "float");
        const Reconstruction single = Reconstructor().run(request), exact = Reconstructor().run(reference);
        QVERIFY(measured(&single, &exact, 0, {})->psnrDb > 100);
    }

    // The reference is computed on a GPU if there is one that may be used, otherwise on the processor; the request is
    // the same for any device.
    void referenceIsMadeWhereItIsFast()
    {
        Request like = requestFor(smallScan());
        const Reconstruction made = Reconstructor().run(like);
        like.resources.threads = 1;
        const Request onProcessor = exactRequest(like, 0, made);
        QCOMPARE(onProcessor.setting.kernel.method, std::string("double"));
        QVERIFY(onProcessor.resources.device == DeviceSettings());
        like.resources.device = {};
        const Request automatic = exactRequest(like, 0, made);
        like.resources.device = {"cuda", 0};
        const Request onGpu = exactRequest(like, 0, made);
        if (cudaBackend.devices().devices.empty()) {
            QVERIFY(automatic == onProcessor && onGpu == onProcessor);
        } else {
            QCOMPARE(automatic.setting.kernel.method, std::string("exact-cuda"));
            QCOMPARE(onGpu.setting.kernel.method, std::string("exact-cuda"));
            QVERIFY(onGpu.resources.device == like.resources.device);
        }
        for (const Request& request : {onProcessor, automatic, onGpu})
            QVERIFY(!errorOf([&] { validate(request); }));
    }

    void everyRowIsFoundByItsId()
    {
        QVERIFY(methods().size() >= 2);
        for (const Method& method : methods()) {
            for (const GeometryKind& kind : geometryKinds()) // within a geometry, ids are unique
                if (method.takes(kind.example))
                    QCOMPARE(findMethod(method.id, kind.example), &method);
            QVERIFY(!method.slicesPerPass.empty());
            QVERIFY(method.backend != nullptr && method.unsupported != nullptr);
        }
        QCOMPARE(findMethod("auto"), nullptr);
        QCOMPARE(findMethod("texture3000"), nullptr);
    }

    void impossibleRequestsSayWhy()
    {
        Request request;
        request.setting.kernel.method = "magic";
        QVERIFY(contains(messageOf(ErrorKind::badRequest, [&] { methodFor(request); }), "'magic'"));
        QVERIFY(contains(messageOf(ErrorKind::badRequest, [&] { methodFor(request); }), "cpu"));
        request.setting.kernel.method = "cpu";
        request.setting.kernel.slicesPerPass = 3;
        QCOMPARE(messageOf(ErrorKind::badRequest, [&] { methodFor(request); }),
                 std::string("`cpu` reconstructs 1, 2, 4, 8, 16, 32 or 64 slices simultaneously, not 3"));
        request.setting.kernel.slicesPerPass = 1;
        request.setting.kernel.interpolation = Interpolation::oversampled;
        request.setting.kernel.oversampling = 65;
        QVERIFY(contains(messageOf(ErrorKind::badRequest, [&] { methodFor(request); }), "not 65"));
        request.setting.kernel.interpolation = Interpolation::linear; // the factor then has no effect
        QCOMPARE(std::string(methodFor(request).id), std::string("cpu"));
    }

    void missingGpu()
    {
        Request request;
        request.resources.device = {"cuda", 99};
        QVERIFY(contains(messageOf(ErrorKind::device, [&] { methodFor(request); }), "NVIDIA GPU"));
        request.resources.device.index = 0;
        request.setting.kernel.method = "cpu";
        const ErrorKind kind = cudaBackend.devices().devices.empty() ? ErrorKind::device : ErrorKind::badRequest;
        QVERIFY(!messageOf(kind, [&] { methodFor(request); }).empty());
        const auto reason = refusalOf(*findMethod("cpu"), request);
        QVERIFY(reason && contains(*reason, "processor"));
    }
};

SINOSCOPE_TEST(RequestTest, QCoreApplication)
#include "request_test.moc"
