// What the tests say often: a small scan, a request for it, how far an image is from another, a folder that goes away,
// what a call throws. Without widgets; tests/ui/fixtures.h has those.
#pragma once

#include "engine/error.h"
#include "engine/scan/phantom.h"
#include "engine/setting.h"

#include <QTemporaryDir>

#include <cmath>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>

namespace fixtures
{

// A simulated scan small enough to be reconstructed in milliseconds.
inline std::shared_ptr<const engine::Scan> smallScan(int size = 64, int projections = 90, int slices = 1)
{
    engine::Simulation simulation;
    simulation.size = size;
    simulation.projections = projections;
    simulation.slices = slices;
    return engine::simulate(simulation);
}

// All slices of it, on the processor, everything else as by default.
inline engine::Request requestFor(std::shared_ptr<const engine::Scan> scan, const std::string& method = "cpu")
{
    engine::Request request;
    request.place.slices = {0, scan->rows};
    request.scan = std::move(scan);
    request.setting.kernel.method = method;
    request.resources.device.kind = engine::DeviceSettings::Kind::cpu;
    return request;
}

// ‖values − truth‖ / ‖truth‖; infinite where sizes differ or a value is not a number, so that bounds fail.
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

// Goes away with everything in it.
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

// The Error that a call throws; nothing when it throws none.
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

} // namespace fixtures
