// SPDX-License-Identifier: GPL-3.0-or-later
// Variants of the methods for OpenCL devices, without a device: names, and which exist for which settings.
#include "engine/backends/method.h"
#include "engine/backends/opencl/parallel/kernel_options.h"
#include "engine/backends/opencl/parallel/variants.h"
#include "engine/base/error.h"
#include "tests/test_program.h"

#include <QTest>

#include <algorithm>

using namespace engine;

class OpenClVariantNamesTest : public QObject
{
    Q_OBJECT

    static Device device()
    {
        Device one;
        one.name = "imagined";
        one.localBytes = 48 * 1024;
        one.hasImages = true;
        return one;
    }

  private slots:
    // A variant has the name, the source and the kind that it has on NVIDIA GPUs.
    void namesAreThoseOfCuda()
    {
        for (const auto& [here, there] : {std::pair("texture-opencl", "texture"), std::pair("alu-opencl", "alu")}) {
            const std::vector<Variant> known = variantsOf(*findMethod(there));
            QVERIFY(!variantsOf(*findMethod(here)).empty());
            for (const Variant& variant : variantsOf(*findMethod(here))) {
                const auto same = std::ranges::find(known, variant.id, &Variant::id);
                QVERIFY2(same != known.end(), variant.id.c_str());
                QCOMPARE(variant.source, same->source);
                QCOMPARE(variant.isTuning, same->isTuning);
            }
        }
        QVERIFY_EXCEPTION_THROWN(opencl::aluVariantFromText("fastest"), Error);
        QVERIFY_EXCEPTION_THROWN(opencl::textureStepFromText("shuffle-reduction"), Error);
    }

    void refusesWhatDoesNotExist()
    {
        const auto problem = [](const char* variant, Interpolation interpolation, Precision precision, int slices,
                                const Device& on = device()) {
            return opencl::aluProblem(
                {.interpolation = interpolation, .precision = precision, .slicesPerPass = slices, .variant = variant},
                on);
        };
        constexpr auto linear = Interpolation::linear, nearest = Interpolation::nearest;
        constexpr auto floats = Precision::single, halves = Precision::half;
        QVERIFY(!problem("", linear, floats, 1));
        QVERIFY(!problem("values", linear, floats, 1));
        QVERIFY(problem("values", nearest, floats, 1));
        QVERIFY(problem("values", nearest, halves, 4));
        QVERIFY(problem("slopes", linear, floats, 1)); // the default
        QVERIFY(!problem("slopes", linear, halves, 4));
        QVERIFY(problem("floats", nearest, halves, 2));
        QVERIFY(!problem("floats", nearest, halves, 4));
        QVERIFY(problem("halves", linear, floats, 4));
        QVERIFY(!problem("halves", linear, halves, 4));
        QVERIFY(problem("one-buffer", linear, floats, 2));
        QVERIFY(!problem("one-buffer", linear, floats, 4));
        QVERIFY(problem("many-buffers", linear, floats, 4));
        QVERIFY(problem("tall-tile", linear, floats, 1) && !problem("square-tile", linear, floats, 1));
        QVERIFY(problem("rolled", linear, floats, 2) && !problem("rolled", linear, floats, 1));
        QVERIFY(!problem("texture-fill", linear, floats, 1));
        Device other = device();
        other.hasImages = false;
        QVERIFY(problem("texture-fill", linear, floats, 1, other)->find("images") != std::string::npos);
        // 128 rows of many samples don't fit.
        Kernel many{.interpolation = Interpolation::oversampled, .oversampling = 16, .slicesPerPass = 4};
        many.variant = "tall-tile";
        QVERIFY(opencl::aluProblem(many, device())->find("local memory") != std::string::npos);
        many.variant.clear();
        QVERIFY(!opencl::aluProblem(many, device()));
        many.oversampling = 64;
        QVERIFY(opencl::aluProblem(many, device())->find("oversampled:64 and 4 slices") != std::string::npos);
    }

    // Variants leave the program of the default alone, and coarse grids ignore them.
    void defaultIsUntouched()
    {
        const auto options = [](const char* variant, bool coarse) {
            return opencl::chosenKernel(opencl::ParallelMethod::alu, {.variant = variant}, 1, coarse, device()).options;
        };
        for (const char* word : {"CACHE", "FLOATS", "BUFFER", "FILL", "ROUNDING", "ORDER", "SINES"})
            QVERIFY2(options("", false).find(word) == std::string::npos, word);
        QCOMPARE(options("conversion", true), options("", true));
        QVERIFY(options("conversion", false) != options("", false));
    }
};

SINOSCOPE_TEST(OpenClVariantNamesTest, QCoreApplication)
#include "opencl_variant_names_test.moc"
