// SPDX-License-Identifier: GPL-3.0-or-later
// The variants of the methods for OpenCL devices against `exact`, on noise.
#include "engine/backends/backend.h"
#include "engine/backends/method.h"
#include "engine/measure/verify.h"
#include "engine/measure/verify_cases.h"
#include "tests/opencl/opencl.h"

#include <cmath>

using namespace engine;
using namespace fixtures;

namespace
{

constexpr DeviceSettings onOpenCl{"opencl", 0};
constexpr Interpolation allInterpolations[] = {Interpolation::linear, Interpolation::nearest,
                                               Interpolation::oversampled, Interpolation::cubic};

// Images of one noise, with `exact` and with other kernels.
class NoiseImages
{
  public:
    NoiseImages(int size, int projections, int slices) : m_noise(parallelNoise(size, projections, slices, 1))
    {
        auto scan = std::make_shared<Scan>();
        scan->geometry = m_noise.geometry;
        scan->rows = slices;
        m_request.scan = std::move(scan);
        m_request.resources.device = onOpenCl;
    }

    // Returns nothing if the method can't do that, else the image; values that were not written are NaN.
    std::optional<Volume> imageOf(const Method& method, const Kernel& kernel)
    {
        m_request.setting.kernel = kernel;
        m_request.setting.kernel.method = method.id;
        if (method.backend == &openClBackend && refusalOf(method, m_request))
            return std::nullopt;
        const VolumeGrid& grid = m_noise.grid;
        Volume image(grid.slices, grid.height, grid.width);
        std::ranges::fill(image.values, notANumber);
        const bool isDouble = method.filterPrecision == FilterPrecision::float64;
        launch(method,
               {.sinograms = isDouble ? m_noise.twice : m_noise.single,
                .geometry = m_noise.geometry,
                .grid = grid,
                .kernel = m_request.setting.kernel,
                .image = image},
               m_workspace);
        return image;
    }

    // Returns ‖image − exact‖ / ‖exact‖ with the same interpolation; NaN if a value is.
    double errorOf(const Volume& image, Interpolation interpolation)
    {
        Volume& exact = m_exact[interpolation];
        if (exact.values.empty())
            exact = *imageOf(*findMethod("exact"), {.interpolation = interpolation, .oversampling = 4});
        double difference = 0, norm = 0;
        for (std::size_t k = 0; k < image.values.size(); ++k) {
            difference += std::pow(image.values[k] - exact.values[k], 2);
            norm += std::pow(exact.values[k], 2);
        }
        return std::sqrt(difference / norm);
    }

  private:
    Noise m_noise;
    Request m_request;
    Workspace m_workspace;
    std::map<Interpolation, Volume> m_exact;
};

} // namespace

class OpenClVariantsTest : public QObject
{
    Q_OBJECT

  private slots:
    void initTestCase() { SINOSCOPE_NEEDS_OPENCL(); }

    void everyVariantAgainstExact_data()
    {
        QTest::addColumn<QString>("method");
        QTest::addColumn<QString>("variant");
        for (const char* id : {"texture-opencl", "hybrid-opencl", "alu-opencl"})
            for (const Variant& variant : variantsOf(*findMethod(id)))
                if (thorough || std::string(id) != "hybrid-opencl" || variant.id[0] % 4 == 0) // 0/8, 4/8, 8/8
                    QTest::addRow("%s, %s", id, variant.id.c_str()) << id << QString::fromStdString(variant.id);
    }

    // Odd sizes, a partial last pass, and for some kernels several tiles. PoCL compiles each kernel, which takes most
    // of the time: one interpolation after another, in turn, and tunings with one precision or the other, unless all
    // cases are wanted.
    void everyVariantAgainstExact()
    {
        QFETCH(QString, method);
        QFETCH(QString, variant);
        constexpr int size = 77, projections = 13, slices = 5;
        const Method& row = *findMethod(method.toStdString());
        const std::vector<Variant> known = variantsOf(row);
        const bool isTuning = std::ranges::find(known, variant.toStdString(), &Variant::id)->isTuning;
        NoiseImages images(size, projections, slices);
        static std::size_t turn = 0;
        int done = 0;
        for (const int perPass : {1, 2, 4})
            for (const Precision precision : {Precision::single, Precision::half}) {
                ++turn;
                if (!thorough && isTuning && turn % 4 >= 2) // which stores what the default stores
                    continue;
                for (std::size_t k = 0, tried = 0; k < std::size(allInterpolations); ++k) {
                    Kernel kernel{.interpolation = allInterpolations[(turn + k) % std::size(allInterpolations)],
                                  .oversampling = verifiedOversampling,
                                  .precision = precision,
                                  .slicesPerPass = perPass,
                                  .variant = variant.toStdString()};
                    if (!thorough && tried > 0)
                        break;
                    const std::optional<Volume> image = images.imageOf(row, kernel);
                    if (!image)
                        continue;
                    ++tried;
                    ++done;
                    const double error = images.errorOf(*image, kernel.interpolation);
                    const double bound = errorBound(row, kernel.interpolation, precision, size, projections);
                    QVERIFY2(error <= bound,
                             qPrintable(QString("%1 %2 ×%3: %4 > %5")
                                            .arg(toText(kernel.interpolation).c_str(), toText(precision).c_str())
                                            .arg(perPass)
                                            .arg(error)
                                            .arg(bound)));
                }
            }
        QVERIFY(done > 0);
    }

    // Several thousand projections don't fit constant memory at once (PoCL has more); Algorithm 5 reads them from
    // global memory, 256 at a time, in splits that begin anywhere.
    void manyProjections()
    {
        constexpr int size = 19, projections = 1031;
        NoiseImages images(size, projections, 1);
        for (const char* variant : {"z-order", "four-projections", "shared-constants"}) {
            const Kernel kernel{.variant = variant};
            const std::optional<Volume> image = images.imageOf(*findMethod("texture-opencl"), kernel);
            const double error = images.errorOf(*image, Interpolation::linear);
            QVERIFY2(error <= errorBound(*findMethod("texture-opencl"), Interpolation::linear, Precision::single, size,
                                         projections),
                     variant);
        }
    }
};

SINOSCOPE_TEST(OpenClVariantsTest, QCoreApplication)
#include "opencl_variants_test.moc"
