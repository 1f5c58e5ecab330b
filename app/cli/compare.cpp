#include "app/cli/commands.h"
#include "app/cli/options.h"
#include "app/cli/report_file.h"
#include "app/cli/text.h"
#include "engine/compare/metrics.h"
#include "engine/error.h"
#include "engine/io/write_slices.h"
#include "engine/report.h"

#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>

namespace cli
{

namespace
{

struct Options {
    std::string image, reference;
    double disc = 0; // 0: not asked for
    std::string region;
    std::string json;
};

std::string sizeText(const engine::Volume& image)
{
    return std::to_string(image.width) + " × " + std::to_string(image.height);
}

int compareFiles(const Options& options)
{
    ReportFile report(options.json);
    const engine::Volume image = engine::readTiffImage(options.image);
    const engine::Volume reference = engine::readTiffImage(options.reference);
    if (image.width != reference.width || image.height != reference.height)
        throw engine::Error(engine::ErrorKind::badRequest, "the images differ in size: " + options.image + " has " +
                                                               sizeText(image) + " pixels, " + options.reference +
                                                               " has " + sizeText(reference));
    engine::Mask mask;
    if (options.disc > 0)
        mask.discRadius = options.disc;
    if (!options.region.empty())
        mask.region = regionFromText(options.region);
    const engine::Metrics metrics =
        engine::compareImages(image.slice(0), reference.slice(0), image.width, image.height, mask);
    report.write(engine::metricsJson(metrics));
    if (report.textWanted())
        std::cout << listing(
            {{"pixels", std::to_string(metrics.pixels)},
             {"not finite", metrics.notFinite > 0 ? std::to_string(metrics.notFinite) + " (no figures)" : ""},
             {"RMSE", number(metrics.rmse, 6) +
                          (metrics.referenceRange > 0
                               ? " (" + number(100 * metrics.rmse / metrics.referenceRange, 4) + " % of the range)"
                               : std::string())},
             {"maximum", number(metrics.maximum, 6)},
             {"PSNR", number(metrics.psnrDb, 6) + " dB"},
             {"SSIM", number(metrics.ssim, 6)},
             {"means", number(metrics.meanImage, 6) + " and " + number(metrics.meanReference, 6)},
             {"range", number(metrics.referenceRange, 6) + " (of the reference)"}});
    return 0;
}

} // namespace

Command compareCommand(CLI::App& program)
{
    CLI::App* command =
        program.add_subcommand("compare", "Measure how far an image is from a reference: RMSE, PSNR, SSIM");
    command->footer("Examples:\n"
                    "  sinoscope-cli compare half.tif exact.tif\n"
                    "  sinoscope-cli compare half.tif exact.tif --disc 0.9 --json -");
    const auto options = std::make_shared<Options>();
    command->add_option("A", options->image, "TIFF image")->required()->type_name("FILE");
    command->add_option("B", options->reference, "TIFF image: the reference")->required()->type_name("FILE");
    command->add_option("--disc", options->disc, "Only inside a disc around the middle; 1 touches the nearer edges")
        ->type_name("R")
        ->check(realNumber(0, 1, false));
    addRegion(*command, options->region, "Only this rectangle of the image, in pixels");
    addJson(*command, options->json);
    return {command, [options](std::stop_token) { return compareFiles(*options); }};
}

} // namespace cli
