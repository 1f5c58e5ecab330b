// SPDX-License-Identifier: GPL-3.0-or-later
// Helpers of many tests: a small scan, a request for it, the distance between two images, a temporary folder, the
// error that a call throws. Without widgets; tests/ui/fixtures.h has the helpers for widgets.
#pragma once

#include "engine/backends/backend.h"
#include "engine/backends/method.h"
#include "engine/base/error.h"
#include "engine/base/note.h"
#include "engine/request/setting.h"
#include "engine/simulate/phantom.h"
#include "tests/test_program.h"

#include <QTemporaryDir>

#include <algorithm>
#include <cmath>
#include <concepts>
#include <filesystem>
#include <limits>
#include <memory>
#include <numbers>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

extern "C" void __asan_init() __attribute__((weak)); // defined by the address sanitizer, if it is linked

namespace fixtures
{

// Sanitizers make all code many times slower; fewer and smaller cases of each kind suffice to find their errors.
#ifdef SINOSCOPE_SANITIZED
inline constexpr bool sanitized = true;
#else // part of the engine may be sanitized although the tests are not
inline const bool sanitized = __asan_init != nullptr;
#endif
// SINOSCOPE_THOROUGH=1, set by .ci/nightly: all cases of the long tests. Otherwise every second one, to save time.
inline const bool thorough = qEnvironmentVariableIntValue("SINOSCOPE_THOROUGH") != 0;
// The thread sanitizer is the slowest, and cases that differ only in numbers give it nothing more to find.
#ifdef __SANITIZE_THREAD__
inline constexpr bool threadSanitized = true;
#else
inline constexpr bool threadSanitized = false;
#endif

inline constexpr double degree = std::numbers::pi / 180;
inline constexpr float notANumber = std::numeric_limits<float>::quiet_NaN();

// Folder of real scans, any of which may be missing.
inline const std::filesystem::path realData = SINOSCOPE_DATA_DIR;

// A simulated scan small enough to be reconstructed in milliseconds.
inline std::shared_ptr<const engine::Scan> smallScan(int size = 64, int projections = 90, int slices = 1)
{
    engine::Simulation simulation;
    simulation.size = size;
    simulation.projections = projections;
    simulation.slices = slices;
    return engine::simulate(simulation);
}

// A scan that records how often it is read, and which rows; its axis is not known.
struct CountedScan {
    std::shared_ptr<std::vector<engine::RowRange>> reads = std::make_shared<std::vector<engine::RowRange>>();
    std::shared_ptr<const engine::Scan> scan;

    explicit CountedScan(const std::shared_ptr<const engine::Scan>& original)
    {
        auto copy = std::make_shared<engine::Scan>(*original);
        std::get<engine::ParallelBeam>(copy->geometry).axisBins.clear();
        copy->read = [original, log = reads](engine::RowRange rows, std::stop_token stop) {
            log->push_back(rows);
            return original->read(rows, stop);
        };
        scan = copy;
    }
};

// Simulated projections of the phantom that are line integrals of its densities, without counts.
inline engine::Simulation densities(engine::Phantom phantom)
{
    engine::Simulation simulation;
    simulation.phantom = phantom;
    simulation.counts = false;
    simulation.attenuation = 1;
    return simulation;
}

// Returns a request for all slices of a scan on the processor, with default values otherwise.
inline engine::Request requestFor(std::shared_ptr<const engine::Scan> scan, const std::string& method = "cpu")
{
    engine::Request request;
    request.place.setSlices({0, scan->rows});
    request.scan = std::move(scan);
    request.setting.kernel.method = method;
    request.resources.device.backend = "cpu";
    return request;
}

// Returns the grid of a whole slice, with pixels as large as bins.
inline engine::SliceGrid whole(int size)
{
    return {size, 0, 0, size, size, 1};
}

// Returns angles in equal steps from 0; the end of the arc is not included.
inline std::vector<double> evenAngles(int count, double arcRad = std::numbers::pi)
{
    std::vector<double> angles;
    for (int k = 0; k < count; ++k)
        angles.push_back(arcRad * k / count);
    return angles;
}

// Returns ‖values − truth‖ / ‖truth‖; infinity if sizes differ or a value is not a number, so that comparisons with a
// bound fail.
template <typename A, typename B>
double relativeError(const A& values, const B& truth)
{
    if (std::size(values) != std::size(truth) || std::size(truth) == 0)
        return std::numeric_limits<double>::infinity();
    double difference = 0, norm = 0;
    for (std::size_t k = 0; k < std::size(truth); ++k) {
        const double distance = static_cast<double>(values[k]) - static_cast<double>(truth[k]);
        difference += distance * distance;
        norm += static_cast<double>(truth[k]) * static_cast<double>(truth[k]);
    }
    const double error = difference == 0 ? 0 : std::sqrt(difference / norm);
    return std::isnan(error) ? std::numeric_limits<double>::infinity() : error;
}

inline double relativeError(const engine::Volume& image, const engine::Volume& truth)
{
    return relativeError(image.values, truth.values);
}

// Returns max |values − truth|; infinity if sizes differ or a difference is not finite, so that comparisons with a
// bound fail.
template <typename A, typename B>
double largestDifference(const A& values, const B& truth)
{
    if (std::size(values) != std::size(truth) || std::size(truth) == 0)
        return std::numeric_limits<double>::infinity();
    double largest = 0;
    for (std::size_t k = 0; k < std::size(truth); ++k) {
        const double distance = std::abs(static_cast<double>(values[k]) - static_cast<double>(truth[k]));
        if (!std::isfinite(distance))
            return std::numeric_limits<double>::infinity();
        largest = std::max(largest, distance);
    }
    return largest;
}

inline double largestDifference(std::span<const float> values, std::span<const float> truth)
{
    return largestDifference<std::span<const float>, std::span<const float>>(values, truth);
}

using test_program::patienceMs;

// Waits until the condition holds; events are processed meanwhile.
template <typename Condition>
bool comes(const Condition& condition)
{
    return QTest::qWaitFor(condition, patienceMs);
}

// A folder that is removed with all its contents by the destructor.
class TemporaryFolder
{
  public:
    TemporaryFolder()
    {
        if (!m_folder.isValid())
            throw std::runtime_error("no temporary folder: " + m_folder.errorString().toStdString());
    }
    std::filesystem::path path() const { return m_folder.path().toStdString(); }
    std::filesystem::path operator/(const std::string& name) const { return path() / name; }
    QString file(const QString& name) const { return m_folder.filePath(name); }

  private:
    QTemporaryDir m_folder;
};

// Returns the sorted names of a folder's entries.
inline std::vector<std::string> namesIn(const std::filesystem::path& folder)
{
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
}

inline bool contains(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

// Returns whether the text contains `part` when its options are written as command-line flags.
inline bool contains(const std::same_as<engine::Text> auto& text, const std::string& part)
{
    return contains(text.in(engine::commandLineStyle()), part);
}

inline bool contains(const std::same_as<engine::Note> auto& note, const std::string& part)
{
    return contains(note.text(), part);
}

// Whether one of the notes contains the text.
inline bool mentions(const std::vector<engine::Note>& notes, const std::string& text)
{
    return std::any_of(notes.begin(), notes.end(), [&](const engine::Note& note) { return contains(note, text); });
}

// Returns the Error that a call throws; nothing if it throws none.
template <typename Call>
std::optional<engine::Error> errorOf(const Call& call)
{
    try {
        call();
    } catch (const engine::Error& error) {
        return error;
    }
    return std::nullopt;
}

// Whether a call throws an Error of this kind whose message contains each of the words; otherwise prints what
// happened.
template <typename Call>
bool fails(engine::ErrorKind kind, const std::vector<std::string>& words, const Call& call)
{
    const std::optional<engine::Error> error = errorOf(call);
    if (!error) {
        qWarning("no Error was thrown");
        return false;
    }
    bool asExpected = error->kind() == kind;
    if (!asExpected)
        qWarning("kind %d instead of %d: %s", int(error->kind()), int(kind), error->what());
    for (const std::string& word : words)
        if (!contains(error->text(), word)) {
            qWarning("'%s' lacks '%s'", error->what(), word.c_str());
            asExpected = false;
        }
    return asExpected;
}

template <typename Call>
bool fails(engine::ErrorKind kind, const Call& call)
{
    return fails(kind, {}, call);
}

// Returns the number of settings of the table's methods that the device supports, with at most this many slices per
// pass.
inline std::size_t settingsOn(const engine::DeviceSettings& device, int mostSlicesPerPass)
{
    using namespace engine;
    std::size_t count = 0;
    Request request;
    request.resources.device = device;
    for (const Method& method : methods())
        for (const Interpolation interpolation :
             {Interpolation::nearest, Interpolation::linear, Interpolation::oversampled, Interpolation::cubic})
            for (const Precision precision : {Precision::single, Precision::half})
                for (const int slices : method.slicesPerPass) {
                    request.setting.kernel = {.method = method.id,
                                              .interpolation = interpolation,
                                              .precision = precision,
                                              .slicesPerPass = slices};
                    const bool here = device.backend == "auto" || device.backend == method.backend->id;
                    count += here && slices <= mostSlicesPerPass && !refusalOf(method, request);
                }
    return count;
}

} // namespace fixtures
