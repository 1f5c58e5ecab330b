// SPDX-License-Identifier: GPL-3.0-or-later
// Reconstructs a volume from file to file in a child process in which the n-th start of a thread or the n-th
// allocation fails: this program's own pthread_create and malloc replace the system's in all code. Include it in one
// source file only.
#pragma once

#include "engine/base/error.h"
#include "engine/io/open/open_scan.h"
#include "engine/io/slices/slice_writer.h"
#include "engine/io/slices/stored_slices.h"
#include "engine/io/slices/write_scan.h"
#include "engine/options/options.h"
#include "engine/volume/reconstruct_volume.h"
#include "tests/fixtures.h"

#include <csignal>
#include <cstring>
#include <fstream>
#include <iterator>
#include <new>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace trials
{

constexpr int slices = 3;
inline constexpr const char* scanName = "scan.h5";

using Options = std::vector<std::pair<std::string, std::string>>; // option ids and values

inline engine::Request requestWith(const std::filesystem::path& scan, const Options& options)
{
    engine::Request request = fixtures::requestFor(engine::openScan(scan));
    for (const auto& [id, value] : options)
        engine::setField(engine::option(id), request, value);
    return request;
}

// Reads the scan, overlaps the stages, and writes each group of slices.
inline void makeVolume(const std::filesystem::path& from, const std::filesystem::path& to, const Options& options = {})
{
    const engine::Request request = requestWith(from, options);
    engine::VolumePlan plan = engine::planVolume(request, true);
    plan.slicesPerGroup = 1;
    engine::SliceWriter writer(to, "slice", request.place.slices(), false, engine::ProtectedInputs(*request.scan));
    engine::reconstructVolume(request, plan, [&](const engine::Reconstruction& group, const std::stop_token& stop) {
        writer.write(group, stop);
    });
    writer.finish({"{}"});
}

enum class Outcome { done, noMemory, otherError, foreignException, crashed, hung };

struct Trial {
    Outcome outcome = Outcome::crashed;
    std::string message;
};

// Does the work in a child process, after calling `before` there.
template <typename Work, typename Before>
Trial attempt(const Work& work, const Before& before)
{
    int ends[2];
    if (::pipe(ends) != 0)
        throw std::runtime_error("no pipe");
    const pid_t child = ::fork();
    if (child < 0)
        throw std::runtime_error("no process");
    if (child == 0) {
        const rlimit noCore{0, 0};
        ::setrlimit(RLIMIT_CORE, &noCore);
        ::dup2(ends[1], STDERR_FILENO); // includes the messages of abort()
        ::alarm(fixtures::patienceMs / 1000);
        for (const int signal : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL}) // Qt Test's handlers start a debugger
            ::signal(signal, SIG_DFL);
        Outcome outcome = Outcome::done;
        const auto failed = [&](Outcome how, const char* message) {
            outcome = how;
            [[maybe_unused]] const auto told = ::write(STDERR_FILENO, message, std::strlen(message));
        };
        before();
        try {
            work();
        } catch (const engine::Error& error) {
            failed(error.kind() == engine::ErrorKind::noMemory ? Outcome::noMemory : Outcome::otherError, error.what());
        } catch (const std::bad_alloc&) { // the programs report it with a remedy
            failed(Outcome::noMemory, "bad_alloc");
        } catch (const std::exception& error) {
            failed(Outcome::foreignException, error.what());
        }
        ::_exit(static_cast<int>(outcome));
    }
    ::close(ends[1]);
    Trial trial;
    char text[512];
    for (ssize_t got = 0; (got = ::read(ends[0], text, sizeof text)) > 0;)
        trial.message.append(text, static_cast<std::size_t>(got));
    ::close(ends[0]);
    int status = 0;
    ::waitpid(child, &status, 0);
    if (WIFEXITED(status))
        trial.outcome = static_cast<Outcome>(WEXITSTATUS(status));
    else
        trial.outcome = WTERMSIG(status) == SIGALRM ? Outcome::hung : Outcome::crashed;
    return trial;
}

// A scan and, for comparison, its undisturbed reconstruction. A child process makes both: if this process started the
// engine's threads, they would be missing in its later children.
class Scene
{
  public:
    explicit Scene(const std::string& outputName, Options options = {})
        : m_output(outputName), m_options(std::move(options))
    {
        const Trial made = attempt(
            [&] {
                engine::Simulation simulation;
                simulation.size = 64;
                simulation.projections = 90;
                simulation.slices = slices;
                engine::writeScan(*engine::simulate(simulation), &simulation, engine::ScanFormat::dxchange,
                                  m_folder / scanName, false);
                trials::makeVolume(m_folder / scanName, m_truth / m_output, m_options);
            },
            [] {});
        if (made.outcome != Outcome::done)
            throw std::runtime_error(made.message);
    }

    void makeVolume() const { trials::makeVolume(scan(), output(), m_options); }
    std::filesystem::path scan() const { return m_folder / scanName; }
    std::filesystem::path output() const { return m_folder / m_output; }

    // Returns an empty text if the folder contains either the complete output or nothing beside the scan, otherwise
    // what is wrong. Removes the output.
    std::string wrongWith(const Trial& trial) const
    {
        const std::vector<std::string> names = fixtures::namesIn(m_folder.path());
        std::string wrong;
        for (const std::string& name : names)
            if (name != scanName && (name != m_output || trial.outcome != Outcome::done))
                wrong += " left: " + name;
        if (trial.outcome == Outcome::done && !sameAsTruth())
            wrong += " other slices";
        if (trial.outcome > Outcome::otherError)
            wrong += std::string(trial.outcome == Outcome::hung      ? " hung"
                                 : trial.outcome == Outcome::crashed ? " crashed"
                                                                     : " no Error") +
                     ": " + trial.message;
        for (const std::string& name : names)
            if (name != scanName)
                std::filesystem::remove_all(m_folder / name);
        return wrong;
    }

  private:
    static std::string bytesOf(const std::filesystem::path& file)
    {
        std::ifstream in(file, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    // Compares only the numbers of HDF5 files, since the files contain a date.
    bool sameAsTruth() const
    {
        const auto compare = [this] {
            for (int k = 0; k < slices; ++k)
                engine::require(engine::readSlice({m_truth / m_output}, k).image.values ==
                                    engine::readSlice({m_folder / m_output}, k).image.values,
                                "other slices");
        };
        if (m_output.ends_with(".h5"))
            return attempt(compare, [] {}).outcome == Outcome::done;
        for (int k = 0; k < slices; ++k) {
            const std::string name = m_output + "/slice_0000" + std::to_string(k) + ".tiff";
            if (const std::string bytes = bytesOf(m_truth / name); bytes.empty() || bytesOf(m_folder / name) != bytes)
                return false;
        }
        return true;
    }

    fixtures::TemporaryFolder m_folder, m_truth;
    std::string m_output;
    Options m_options;
};

} // namespace trials
