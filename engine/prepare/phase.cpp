// SPDX-License-Identifier: GPL-3.0-or-later
// Phase retrieval from one distance: low-pass filters the projections and takes the logarithm of the result. Rows are
// filtered along the bins by FFT. Across the rows, each frequency is convolved with the filter's impulse response,
// cut off where it is small: the result of a row depends only on the rows of its halo, whichever other rows are
// processed.
#include "engine/base/error.h"
#include "engine/base/number_text.h"
#include "engine/base/parallel_for.h"
#include "engine/base/units.h"
#include "engine/filter/transform.h"
#include "engine/prepare/mending.h"
#include "engine/prepare/minus_log.h"

#include <oneapi/tbb/enumerable_thread_specific.h>
#include <oneapi/tbb/info.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numbers>
#include <vector>

namespace engine
{

namespace
{

constexpr const char *phaseId = "phase", *energyId = "phase-energy", *distanceId = "phase-distance",
                     *ratioId = "phase-delta-beta", *pixelId = "phase-pixel";
constexpr double leastOfPhase = 1e-6, mostKeV = 1000, mostPhaseMm = 1e6;

// Returns the scan's value if it can be true.
std::optional<double> upTo(double most, std::optional<double> recorded)
{
    return recorded && *recorded >= leastOfPhase && *recorded <= most ? recorded : std::nullopt;
}

std::optional<double> recordedUm(const Preparation& preparation)
{
    return preparation.pixelSizeMm ? std::optional(lengthIn(*preparation.pixelSizeMm, "mm", "um")) : std::nullopt;
}

std::span<const StepField> phaseParameters()
{
    static const std::vector<StepField> fields =
        stepFields({{.id = phaseId,
                     .label = "Phase retrieval",
                     .summary = "Converts the edge contrast of a coherent beam into density, in place of the logarithm",
                     .kind = FieldKind::choice,
                     .choices = {{"off", "None", "Only the logarithm: attenuation contrast"},
                                 {"paganin", "Paganin",
                                  "One material in a parallel beam, near field (Paganin 2002, equation 10)"}}},
                    {.id = energyId,
                     .label = "Energy",
                     .summary = "Energy of the beam, for phase retrieval; default: that of the scan",
                     .unit = "keV",
                     .form = "KEV",
                     .kind = FieldKind::real,
                     .least = leastOfPhase,
                     .most = mostKeV,
                     .step = 1,
                     .use = {.mayBeLeft = true,
                             .isOfScan = true,
                             .recorded = [](const Preparation& of) { return upTo(mostKeV, of.energyKeV); }}},
                    {.id = distanceId,
                     .label = "Distance",
                     .summary = "Distance from the object to the detector, for phase retrieval; for cone beams divided "
                                "by the magnification; default: that of the scan",
                     .unit = "mm",
                     .form = "MM",
                     .kind = FieldKind::real,
                     .least = leastOfPhase,
                     .most = mostPhaseMm,
                     .step = 10,
                     .use = {.mayBeLeft = true,
                             .isOfScan = true,
                             .recorded = [](const Preparation& of) { return upTo(mostPhaseMm, of.distanceMm); }}},
                    {.id = ratioId,
                     .label = "δ/β",
                     .summary = "Ratio δ/β of the object's refractive index 1 − δ + iβ, for phase retrieval: 10 to "
                                "2000 for X-rays; larger values smooth more",
                     .form = "R",
                     .kind = FieldKind::real,
                     .least = leastOfPhase,
                     .most = 1e6,
                     .step = 10,
                     .use = {.standard = 100}},
                    {.id = pixelId,
                     .label = "Pixel for phase",
                     .summary = "Pixel size at the object, for phase retrieval; default: that of the scan",
                     .unit = "µm",
                     .form = "UM",
                     .kind = FieldKind::real,
                     .least = leastOfPhase,
                     .most = 1e5,
                     .step = 0.1,
                     .use = {.mayBeLeft = true, .isOfScan = true, .isShownUnset = false, .recorded = recordedUm}}});
    return fields;
}

// Returns the user's value, else the scan's.
std::optional<double> knownValue(const PlannedStep& planned, const char* id, const Preparation& preparation)
{
    const double given = planned.value(id);
    return given > 0 ? given : findParameter(id).parameter->use.recorded(preparation);
}

std::optional<double> pixelMmOf(const PlannedStep& planned, const Preparation& preparation)
{
    const double given = planned.value(pixelId) / 1000;
    return given > 0 ? given : preparation.pixelSizeMm;
}

// Returns the length L of the filter 1/(1 + L²k²) in pixels, k in radians per pixel; nothing if a value isn't known.
// With the wavelength λ, the distance z and μ = 4πβ/λ, L² = z·δ/μ = λ·z·(δ/β)/4π.
std::optional<double> lengthPixels(const PlannedStep& planned, const Preparation& preparation)
{
    constexpr double keVMillimetres = 1.239841984e-6; // Planck's constant times the speed of light
    const auto keV = knownValue(planned, energyId, preparation), mm = knownValue(planned, distanceId, preparation),
               pixelMm = pixelMmOf(planned, preparation);
    if (!keV || !mm || !pixelMm)
        return {};
    const double wavelengthMm = keVMillimetres / *keV;
    const double squared = wavelengthMm * *mm * planned.value(ratioId) / (4 * std::numbers::pi);
    return std::sqrt(squared) / *pixelMm;
}

// The impulse response falls as exp(−r/L); for small L it falls as 1/r², because the formula ends abruptly at the
// highest frequency. With a halo of twelve lengths, and 48 rows at least, the part cut off is below 10⁻⁵ of the light
// for L ≥ 1.
constexpr double haloLengths = 12, leastHaloRows = 48, mostHaloRows = 1000;

int phaseHalo(const PlannedStep& planned, const Preparation& preparation)
{
    const std::optional<double> length = lengthPixels(planned, preparation);
    if (!length)
        return 0;
    const double rows = std::ceil(1 + haloLengths * *length);
    return static_cast<int>(std::clamp(rows, leastHaloRows, mostHaloRows));
}

std::optional<Text> objectionToPhase(const PlannedStep& planned, const Preparation& preparation)
{
    std::vector<Text> missing;
    if (!knownValue(planned, energyId, preparation))
        missing.push_back("the energy of the beam" + hint(energyId, "20"));
    if (!knownValue(planned, distanceId, preparation))
        missing.push_back("the distance from the object to the detector" + hint(distanceId, "10cm"));
    if (!pixelMmOf(planned, preparation))
        missing.push_back("the size of the detector's pixels" + hint("pixel", "1.5um"));
    if (missing.empty())
        return {};
    Text all;
    for (std::size_t k = 0; k < missing.size(); ++k)
        all += (k == 0 ? "" : k + 1 < missing.size() ? ", " : " and ") + missing[k];
    return "Phase retrieval needs " + all + ", which the scan doesn't record, or not with a unit: enter " +
           (missing.size() == 1 ? "it." : "them.");
}

// Returns a note that names energy and distance, as far as they are the scan's.
std::optional<Note> takenFromScan(const PlannedStep& planned, const Preparation& preparation)
{
    std::vector<std::string> taken;
    for (const auto& [id, name] : {std::pair(energyId, "energy"), std::pair(distanceId, "distance")}) {
        const StepField& field = *findParameter(id).parameter;
        if (planned.value(id) == 0)
            taken.push_back(std::string(name) + ' ' +
                            numberToText(std::round(*field.use.recorded(preparation) * 1e6) / 1e6) + ' ' + field.unit);
    }
    if (taken.empty())
        return {};
    return "Phase retrieval uses the scan's " + listed(taken) + ".";
}

// Returns a doubt about a distance that was probably meant in metres: the filter does nothing, or an object as wide as
// the detector would touch it.
std::optional<Note> doubtOfDistance(const PlannedStep& planned, const Preparation& preparation, double length, int bins)
{
    constexpr double leastChange = 0.01;
    const double given = planned.value(distanceId), mm = *knownValue(planned, distanceId, preparation);
    const double atNyquist = std::pow(std::numbers::pi * length, 2);
    const bool isIdle = atNyquist / (1 + atNyquist) < leastChange;
    if (!isIdle && (given == 0 || given >= bins * *pixelMmOf(planned, preparation) / 2))
        return {};
    const std::string distance = numberToText(mm);
    return "The distance of " + distance + " mm for phase retrieval is doubtful: " +
           (isIdle ? "even the finest details change by less than 1 %"
                   : "an object as wide as the detector would touch it") +
           ". If it is " + distance + " m, enter it in mm" +
           hint(distanceId, numberToText(std::round(mm * 1e9) / 1e6)) + ".";
}

int phaseLength(int bins, int halo)
{
    int length = 1;
    while (length < bins + 2 * std::min(halo, bins))
        length *= 2;
    return length;
}

// Returns the impulse responses across the rows: [distance][frequency along the bins], distances 0 to halo,
// frequencies 0 to length/2.
std::vector<float> responses(double lengthPixels, int halo, int length)
{
    using std::numbers::pi;
    int samples = 4; // frequencies across the rows, enough to avoid wrap-around within the halo
    while (samples < 4 * halo + 4)
        samples *= 2;
    const int frequencies = length / 2 + 1;
    const Transform<double>& transform = Transform<double>::of(samples, 1);
    std::vector<float> table(static_cast<std::size_t>(halo + 1) * frequencies);
    parallelFor(0, frequencies, [&](int f) {
        TransformRow<double> row(samples);
        const double along = 2 * pi * f / length, squared = lengthPixels * lengthPixels;
        for (int k = 0; k < samples; ++k) {
            const double across = 2 * pi * std::min(k, samples - k) / samples;
            row.data()[k] = 1 / (1 + squared * (along * along + across * across));
        }
        transform.backward(row);
        double sum = row.data()[0].real();
        for (int d = 1; d <= halo; ++d)
            sum += 2 * row.data()[d].real();
        const double whole = 1 / (1 + squared * along * along); // the sum without the cut
        for (int d = 0; d <= halo; ++d)
            table[static_cast<std::size_t>(d) * frequencies + f] =
                static_cast<float>(row.data()[d].real() * whole / sum / length); // FFTW doesn't normalise
    });
    return table;
}

class PaganinFilter
{
  public:
    PaganinFilter(double lengthPixels, int halo, int bins, float smallest)
        : m_halo(halo), m_bins(bins), m_length(phaseLength(bins, halo)), m_smallest(smallest),
          m_responses(responses(lengthPixels, halo, m_length)), m_transform(&Transform<float>::of(m_length, 1))
    {
    }

    void run(const RowsAtWork& work) const
    {
        tbb::enumerable_thread_specific<Room> rooms;
        const int projections = work.sinograms.projections;
        parallelFor(0, (projections + 1) / 2, [&](int pair) {
            throwIfStopped(work.stop);
            filterPair(work, 2 * pair, std::min(2 * pair + 1, projections - 1), rooms.local());
        });
    }

    static std::size_t bytes(const RowsShape& shape, int halo)
    {
        const std::size_t row = sizeof(std::complex<float>) * phaseLength(shape.bins, halo);
        return row * shape.rows * tbb::info::default_concurrency() + row * (halo + 1) / 4;
    }

  private:
    struct Room {
        std::vector<TransformRow<float>> spectra;
        std::vector<TransformRow<float>> sum; // a single element, made on first use
    };

    // Filters two projections as the real and imaginary parts of one complex one: the filter is real and even.
    void filterPair(const RowsAtWork& work, int a, int b, Room& room) const
    {
        const auto rows = static_cast<std::size_t>(work.rows.count);
        while (room.spectra.size() < rows)
            room.spectra.emplace_back(m_length);
        if (room.sum.empty())
            room.sum.emplace_back(m_length);
        for (int row = 0; row < work.rows.count; ++row) {
            fill(lineOf(work, work.rows.first + row, a), lineOf(work, work.rows.first + row, b),
                 room.spectra[row].data());
            m_transform->forward(room.spectra[row]);
        }
        for (int row = work.kept.first; row < work.kept.first + work.kept.count; ++row) {
            gather(room, row - work.rows.first, work.rows.count);
            m_transform->backward(room.sum.front());
            float *first = lineOf(work, row, a), *second = lineOf(work, row, b);
            const std::complex<float>* made = room.sum.front().data();
            for (int bin = 0; bin < m_bins; ++bin) {
                second[bin] = attenuationOf(made[bin].imag());
                // Written last: if the number of projections is odd, the last one is both a and b
                first[bin] = attenuationOf(made[bin].real());
            }
        }
    }

    float* lineOf(const RowsAtWork& work, int row, int projection) const
    {
        return work.sinograms.values.data() +
               (static_cast<std::size_t>(row) * work.sinograms.projections + projection) * m_bins;
    }

    // Pads the line with its end values, each up to the middle of the padding.
    void fill(const float* a, const float* b, std::complex<float>* to) const
    {
        for (int bin = 0; bin < m_bins; ++bin)
            to[bin] = {a[bin], b[bin]};
        const int middle = m_bins + (m_length - m_bins) / 2;
        std::fill(to + m_bins, to + middle, std::complex<float>(a[m_bins - 1], b[m_bins - 1]));
        std::fill(to + middle, to + m_length, std::complex<float>(a[0], b[0]));
    }

    // Sums the responses of all rows of the halo. Beyond the detector, its first and last rows are repeated.
    void gather(Room& room, int row, int rows) const
    {
        const int frequencies = m_length / 2 + 1;
        std::complex<float>* sum = room.sum.front().data();
        std::fill_n(sum, m_length, std::complex<float>());
        for (int d = 0; d <= m_halo; ++d) {
            const float* response = m_responses.data() + static_cast<std::size_t>(d) * frequencies;
            const std::complex<float>* above = room.spectra[std::max(0, row - d)].data();
            const std::complex<float>* below = room.spectra[std::min(rows - 1, row + d)].data();
            const float both = d == 0 ? 0.0F : 1.0F;
            for (int f = 0; f < frequencies; ++f)
                sum[f] += response[f] * (above[f] + both * below[f]);
            for (int f = 1; f < m_length - m_length / 2; ++f)
                sum[m_length - f] += response[f] * (above[m_length - f] + both * below[m_length - f]);
        }
    }

    float attenuationOf(float light) const { return -std::log(std::max(light, m_smallest)); }

    int m_halo, m_bins, m_length;
    float m_smallest;
    std::vector<float> m_responses;
    const Transform<float>* m_transform;
};

StepAtWork startPhase(const StepArguments& arguments)
{
    const PlannedStep& planned = arguments.planned;
    const double length = lengthPixels(planned, arguments.preparation).value();
    const int halo = phaseHalo(planned, arguments.preparation);
    const auto filter = std::make_shared<const PaganinFilter>(length, halo, arguments.raw.bins, smallestTransmission);
    const auto counts = std::make_shared<MendCounts>();
    const auto notes = [counts, length, halo, taken = takenFromScan(planned, arguments.preparation),
                        doubt = doubtOfDistance(planned, arguments.preparation, length, arguments.raw.bins)] {
        std::vector<Note> all = mendNotes(*counts, leastTransmission);
        for (const std::optional<Note>& note : {taken, doubt})
            if (note)
                all.push_back(*note);
        all.push_back("Phase retrieval (Paganin) smoothed the projections over " +
                      numberToText(std::round(length * 100) / 100) + " pixels, with " + std::to_string(halo) +
                      " rows on each side of a slice.");
        if (const double cut = std::exp(-halo / length); cut > 1e-5)
            all.push_back("Phase retrieval is limited to " + std::to_string(halo) +
                          " rows on each side of a slice and ignores a fraction of " +
                          numberToText(std::round(cut * 1e6) / 1e6) + " beyond them.");
        return all;
    };
    return {.apply =
                [counts](LineAtWork& line) {
                    markDarkness(line.values);
                    mendLine(line, smallestTransmission, *counts);
                },
            .finish =
                [counts, &sinograms = arguments.sinograms, &raw = arguments.raw] {
                    if (counts->emptyLines > 0)
                        fillEmptyLines(sinograms, raw);
                },
            .whole = [filter](const RowsAtWork& work) { filter->run(work); },
            .notes = notes};
}

} // namespace

extern constinit const Step phaseStep{
    .id = "phase",
    .label = "Phase retrieval",
    .summary = "Converts projections with the edge contrast of a coherent beam into line integrals of one material.",
    .reference =
        "Paganin, Mayo, Gureyev, Miller and Wilkins, Simultaneous phase and amplitude extraction from a single "
        "defocused image of a homogeneous object, J. Microsc. 206, 33, 2002, equation 10",
    .page = "phase.md",
    .from = {.quantity = Quantity::transmission},
    .to = {.quantity = Quantity::attenuation, .gaps = Gaps::mended},
    .isByDefault = false,
    .parameters = phaseParameters,
    .halo = phaseHalo,
    .objection = objectionToPhase,
    .bytes = [](const RowsShape& shape) { return PaganinFilter::bytes(shape, 0); },
    .start = startPhase,
};

} // namespace engine
