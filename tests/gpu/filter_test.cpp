// SPDX-License-Identifier: GPL-3.0-or-later
// The filter on GPUs, row by row, compared with that in double precision: rows from one bin to more than a block's
// shared memory holds.
#include "tests/gpu/device.h"

#include "engine/filter/filter.h"
#include "engine/reconstruct/reconstruct.h"
#include "engine/simulate/phantom.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "engine/backends/cuda/filter/cufft_functions.h"
#include "engine/backends/cuda/filter/gpu_filter.h"
#if __has_include(<cufft.h>)
#include <cufft.h>
static_assert(int(CUFFT_C2C) == int(engine::cuda::CufftFunctions::complexToComplex));
static_assert(int(CUFFT_R2C) == int(engine::cuda::CufftFunctions::realToComplex));
static_assert(int(CUFFT_C2R) == int(engine::cuda::CufftFunctions::complexToReal));
static_assert(CUFFT_FORWARD == engine::cuda::CufftFunctions::forward);
static_assert(CUFFT_INVERSE == engine::cuda::CufftFunctions::inverse);
static_assert(int(CUFFT_SUCCESS) == int(engine::cuda::CufftFunctions::success));
static_assert(int(CUFFT_ALLOC_FAILED) == int(engine::cuda::CufftFunctions::allocFailed));
static_assert(sizeof(cufftHandle) == sizeof(int) && sizeof(cufftResult) == sizeof(int));
#endif

using namespace engine;

#define SINOSCOPE_NEEDS_TRANSFORM(transform)                                                                           \
    SINOSCOPE_NEEDS_GPU();                                                                                             \
    if ((transform) != FilterTransform::own && cuda::cufftProblem())                                                   \
    QSKIP(cuda::cufftProblem()->c_str())

class GpuFilterTest : public QObject
{
    Q_OBJECT

    struct Filtered {
        std::vector<float> values;
        float largest = 0;
        bool isFinite = true;
    };

    static Filtered filteredOnGpu(const Sinograms& sinograms, const FilterSettings& settings,
                                  const std::vector<double>& weights, FilterTransform transform)
    {
        cuda::GpuFilter filter;
        filter.setTransform(transform);
        return filteredBy(filter, sinograms, settings, weights);
    }

    static Filtered filteredBy(cuda::GpuFilter& filter, const Sinograms& sinograms, const FilterSettings& settings,
                               const std::vector<double>& weights)
    {
        DeviceBuffer<float> raw(sinograms.values.size());
        checkCuda(cudaMemcpy(raw.data(), sinograms.values.data(), sinograms.values.size() * sizeof(float),
                             cudaMemcpyHostToDevice),
                  "upload");
        filter.prepare(settings, weights, sinograms.bins, nullptr);
        const cuda::GpuFilter::Rows rows = filter.runRows(raw.data(), sinograms.slices, nullptr);
        Filtered made{std::vector<float>(sinograms.values.size())};
        unsigned notFinite = 0;
        checkCuda(
            cudaMemcpy(made.values.data(), rows.values, made.values.size() * sizeof(float), cudaMemcpyDeviceToHost),
            "download");
        checkCuda(cudaMemcpy(&made.largest, rows.largest, sizeof(float), cudaMemcpyDeviceToHost), "download");
        checkCuda(cudaMemcpy(&notFinite, rows.nonFinite, sizeof(unsigned), cudaMemcpyDeviceToHost), "download");
        made.isFinite = notFinite == 0;
        return made;
    }

    static Sinograms randomRows(int slices, int projections, int bins)
    {
        Sinograms made{slices, projections, bins, {}};
        made.values.resize(static_cast<std::size_t>(slices) * projections * bins);
        std::mt19937 random(static_cast<unsigned>(bins));
        std::uniform_real_distribution<float> values(0.1f, 3.0f);
        std::ranges::generate(made.values, [&] { return values(random); });
        return made;
    }

  private slots:
    void rows_data()
    {
        QTest::addColumn<int>("bins");
        QTest::addColumn<int>("projections");
        QTest::addColumn<FilterTransform>("transform");
        // Transforms of 2 to 131072 values: every exponent, with rows that fill half of it and rows that don't; and
        // more of them than a batch of cuFFT has.
        for (const FilterTransform transform :
             {FilterTransform::own, FilterTransform::cufft, FilterTransform::cufftReal})
            for (const int bins :
                 {1, 2, 3, 4, 7, 8, 15, 31, 64, 100, 129, 511, 1000, 2048, 4095, 5000, 12'345, 16'384, 30'000, 65'536})
                QTest::addRow("%d bins, %s", bins, toText(transform).c_str())
                    << bins << (bins > 6000 ? 5 : 301) << transform;
    }

    void rows()
    {
        QFETCH(int, bins);
        QFETCH(int, projections);
        QFETCH(FilterTransform, transform);
        SINOSCOPE_NEEDS_TRANSFORM(transform);
        const Sinograms sinograms = randomRows(3, projections, bins); // an odd number of rows
        std::vector<double> weights;
        for (int k = 0; k < projections; ++k)
            weights.push_back(0.01 * (1 + k % 7));
        for (const PadMode pad : {PadMode::zero, PadMode::edge, PadMode::cylinder})
            for (const Window window : {Window::none, Window::ramLak, Window::hann}) {
                const FilterSettings settings{.window = window, .padMode = pad};
                const auto truth = filterSinograms(sinograms, settings, weights, FilterPrecision::float64, 0);
                const auto& right = std::get<Buffer<double>>(truth.values);
                const Filtered gpu = filteredOnGpu(sinograms, settings, weights, transform);
                double most = 0, worst = 0, largest = 0;
                for (std::size_t k = 0; k < right.size(); ++k) {
                    most = std::max(most, std::abs(right[k]));
                    const double error = std::abs(gpu.values[k] - right[k]);
                    worst = !(error <= worst) ? error : worst; // catches NaN
                    largest = std::max(largest, std::abs(static_cast<double>(gpu.values[k])));
                }
                QVERIFY2(worst <= 2e-6 * most, qPrintable(QString("%1 of %2").arg(worst).arg(most)));
                QCOMPARE(static_cast<double>(gpu.largest), largest);
                QVERIFY(gpu.isFinite);
            }
    }

    void transforms_data()
    {
        QTest::addColumn<FilterTransform>("transform");
        for (const FilterTransform one : {FilterTransform::own, FilterTransform::cufft, FilterTransform::cufftReal})
            QTest::newRow(toText(one).c_str()) << one;
    }

    // What isn't a number stays in the pair of its row, and is reported.
    void notFinite_data() { transforms_data(); }
    void notFinite()
    {
        QFETCH(FilterTransform, transform);
        SINOSCOPE_NEEDS_TRANSFORM(transform);
        for (const int bins : {5, 300, 20'000}) {
            Sinograms sinograms = randomRows(1, 7, bins);
            sinograms.values[static_cast<std::size_t>(3) * bins + bins / 2] = fixtures::notANumber;
            const Filtered gpu = filteredOnGpu(sinograms, {}, std::vector<double>(7, 1.0), transform);
            QVERIFY(!gpu.isFinite);
            QVERIFY(std::isfinite(gpu.largest) && gpu.largest > 0);
            const bool inPairs = transform != FilterTransform::cufftReal;
            for (int row = 0; row < 7; ++row)
                QCOMPARE(std::isfinite(gpu.values[static_cast<std::size_t>(row) * bins]),
                         row != 3 && !(inPairs && row == 2));
        }
    }

    // A filter that is used with one transform after another, and for different numbers of rows, gives the bits of
    // fresh ones.
    void oneAfterAnother()
    {
        SINOSCOPE_NEEDS_TRANSFORM(FilterTransform::cufft);
        cuda::GpuFilter filter;
        for (int k = 0; k < 2; ++k)
            for (const auto transform : {FilterTransform::cufft, FilterTransform::own, FilterTransform::cufftReal})
                for (const int slices : {1, 2, 3, 4, 5, 6, 7, 8, 9, 2}) { // more plans than are kept
                    const Sinograms sinograms = randomRows(slices, 11, 100);
                    const std::vector<double> weights(11, 1.0);
                    filter.setTransform(transform);
                    filter.prepare({}, weights, 100, nullptr);
                    filter.reserve(static_cast<std::size_t>(slices) * 11);
                    QCOMPARE(filteredBy(filter, sinograms, {}, weights).values,
                             filteredOnGpu(sinograms, {}, weights, transform).values);
                }
    }

    // Slices of both geometries and planes, in all layouts of the rows, agree with those of our own kernel to rounding.
    // A reconstructor that has just used that gives the same as a fresh one.
    void images_data()
    {
        QTest::addColumn<QString>("method");
        QTest::addColumn<bool>("isCone");
        QTest::addColumn<bool>("ofPlane");
        for (const char* method : {"standard", "texture", "alu", "tensor"})
            QTest::newRow(method) << method << false << false;
        for (const char* method : {"texture", "columns"})
            QTest::addRow("%s of a cone", method) << method << true << false;
        QTest::newRow("a plane") << "texture" << false << true;
        QTest::newRow("a plane of a cone") << "texture" << true << true;
    }
    void images()
    {
        SINOSCOPE_NEEDS_TRANSFORM(FilterTransform::cufft);
        QFETCH(QString, method);
        QFETCH(bool, isCone);
        QFETCH(bool, ofPlane);
        Simulation simulation{.phantom = Phantom::sheppLogan3d, .size = 65, .projections = 91, .slices = 9};
        if (isCone) {
            simulation.arcDeg = 360;
            simulation.cone = ConeOptions{};
            simulation.cone->sourceAxisMm = 300;
            simulation.cone->sourceDetectorMm = 450;
            simulation.cone->pixelUMm = 1.5;
        }
        Request request;
        request.scan = simulate(simulation);
        request.resources.device = {"cuda", 0};
        request.setting.kernel.method = method.toStdString();
        request.setting.kernel.slicesPerPass = method == "tensor" ? 8 : 1;
        request.place.setSlices({0, method == "tensor" ? 8 : 9}); // in one pass, whose rows are kept
        if (ofPlane)
            request.place.part = // inside the volume: all values are numbers
                PlanePart{{.centre = {32, 32, 4}, .u = {1, 0, 0}, .v = {0, 0.6, 0.8}, .width = 40, .height = 8}, true};
        Reconstructor kept;
        const Reconstruction own = kept.run(request);
        for (const FilterTransform transform : {FilterTransform::cufft, FilterTransform::cufftReal}) {
            request.setting.kernel.transform = transform;
            const Reconstruction made = kept.run(request);
            QCOMPARE(made.method, method.toStdString());
            QVERIFY(!made.timings.filter.reused);
            QCOMPARE(made.image.values, Reconstructor().run(request).image.values);
            double difference = 0, norm = 0;
            for (std::size_t k = 0; k < own.image.values.size(); ++k) {
                difference += std::pow(made.image.values[k] - own.image.values[k], 2);
                norm += std::pow(own.image.values[k], 2);
            }
            QVERIFY2(difference <= 1e-10 * norm && norm > 0, qPrintable(QString::number(std::sqrt(difference / norm))));
            QVERIFY(difference > 0); // they are other kernels
        }
    }
};

SINOSCOPE_TEST(GpuFilterTest, QCoreApplication)
#include "filter_test.moc"
