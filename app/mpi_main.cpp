// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/interruption.h"
#include "app/cli/last_words.h"
#include "app/cli/parse.h"
#include "app/cli/safe_output.h"
#include "app/cli/text.h"
#include "engine/backends/measured_speeds.h"
#include "engine/base/error.h"
#include "engine/base/json_text.h"
#include "engine/base/version.h"
#include "engine/cluster/ranks.h"
#include "engine/documents/report.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cctype>
#include <iostream>
#include <optional>
#include <sstream>
#include <streambuf>

namespace
{

// A stream buffer that discards the output of all ranks but the first.
class Nowhere : public std::streambuf
{
  protected:
    int_type overflow(int_type character) override { return traits_type::not_eof(character); }
    std::streamsize xsputn(const char_type*, std::streamsize count) override { return count; }
};

// Redirects a stream for its own lifetime.
class Redirected
{
  public:
    Redirected(std::ostream& stream, std::streambuf* to) : m_stream(stream), m_before(stream.rdbuf(to)) {}
    ~Redirected() { m_stream.rdbuf(m_before); }
    Redirected(const Redirected&) = delete;
    Redirected& operator=(const Redirected&) = delete;

  private:
    std::ostream& m_stream;
    std::streambuf* m_before;
};

// Returns version and arguments of this program as JSON, to compare them between ranks.
std::string introduction(int argc, char** argv)
{
    nlohmann::ordered_json json = {{"version", engine::programVersion()}};
    std::string name = "the command";
    for (int k = 1; k < argc; ++k) {
        std::string value = argv[k];
        if (value.size() > 1 && value.starts_with('-') && !std::isdigit(static_cast<unsigned char>(value[1]))) {
            name = value.substr(0, value.find('='));
            value.erase(0, std::min(value.size(), name.size() + 1));
            json.emplace(name, "");
        }
        std::string& values = json.emplace(name, "").first.value().get_ref<std::string&>();
        values += (values.empty() || value.empty() ? "" : " ") + value;
    }
    return engine::onOneLine(json);
}

// Parses the command line on all ranks. Parsing may fail on some of them only, for example because a file exists on
// one machine and not on another; the error is then shared, so that all ranks fail.
std::optional<int> parseAlike(CLI::App& program, int argc, char** argv, engine::Ensemble& ranks)
{
    std::optional<int> status;
    std::ostringstream said;
    {
        const Redirected captured(std::cerr, said.rdbuf());
        status = cli::parse(program, argc, argv);
    }
    if (status.value_or(0) == 0) {
        ranks.exchange({});
        return status;
    }
    if (ranks.size() == 1) {
        std::cerr << said.str();
        return status;
    }
    std::string mistake = said.str().substr(0, said.str().find('\n'));
    if (mistake.starts_with(program.get_name())) // removes "sinoscope-mpi reconstruct: "
        mistake.erase(0, mistake.find(": ") + 2);
    ranks.fail(engine::Error(engine::ErrorKind::badRequest, mistake));
    return status; // not reached: fail() throws
}

int run(int argc, char** argv, engine::Ensemble& ranks, const std::stop_token& stop)
{
    engine::requireAlike(ranks.exchange(introduction(argc, argv)), ranks, "was started differently");
    CLI::App program;
    cli::describe(program, "sinoscope-mpi", "  mpirun -n 4 sinoscope-mpi reconstruct scan.h5 --output volume.h5\n",
                  " (mpirun and srun return a status of their own, usually 1)");
    const cli::Command reconstruct = cli::reconstructCommand(program, &ranks),
                       benchmark = cli::clusterBenchmarkCommand(program, ranks);
    reconstruct.options->footer("Examples:\n"
                                "  mpirun -n 4 sinoscope-mpi reconstruct scan.h5 --output volume.h5\n"
                                "  srun sinoscope-mpi reconstruct scan.h5 --output slices/ --resume");
    if (const auto status = parseAlike(program, argc, argv, ranks))
        return *status;
    // The ranks choose by the speeds that the first one has, and so take the same methods.
    engine::useMeasuredSpeeds(
        engine::measuredSpeedsFrom(engine::toldByFirst(ranks, engine::measuredSpeedsJson(*engine::measuredSpeeds()))));
    const int status = (benchmark.options->parsed() ? benchmark : reconstruct).run(stop);
    if (!std::cout.flush())
        throw engine::Error(engine::ErrorKind::output, "standard output can't be written; is the disk full?");
    return status;
}

void say(const std::string& text)
{
    std::cerr << "sinoscope-mpi: " << cli::plain(text) << '\n';
}

// A rank can't know who sent the signal that stops it.
constexpr const char* stoppedBySignal =
    "cancelled by a signal; MPI sends one to all ranks when another rank ends, and names that rank";

// Skips MPI's own finalisation, since the launcher ends the job.
void leave(engine::Ensemble& ranks)
{
    try {
        ranks.exchange({});          // all ranks have cleaned up
    } catch (const engine::Error&) { // a rank does not answer
    }
    engine::cluster::MpiProcess::giveUp();
}

// Runs this rank. Errors known to all ranks are reported by the first rank. A rank that fails alone reports its own
// error and ends all ranks.
int runRank(int argc, char** argv, const std::stop_token& stop)
{
    engine::cluster::MpiProcess session(argc, argv);
    engine::cluster::Ranks ranks(stop);
    if (ranks.size() > 1)
        app::cancelledWords = stoppedBySignal;
    std::string unexpected;
    int status = 1;
    {
        Nowhere nowhere;
        std::optional<Redirected> out, err;
        if (!ranks.isFirst()) {
            out.emplace(std::cout, &nowhere);
            err.emplace(std::cerr, &nowhere);
        }
        try {
            status = run(argc, argv, ranks, stop);
            app::cancelledWords = nullptr; // the work is done; only MPI remains to be finalised
            return status;
        } catch (const engine::SharedError& error) {
            const bool isCancelled = error.kind() == engine::ErrorKind::cancelled;
            const char* words = isCancelled ? app::cancelledWords.load() : nullptr;
            say(words ? words : error.text().in(engine::commandLineStyle()));
            if (isCancelled)
                leave(ranks);
            return engine::exitStatus(error.kind());
        } catch (const engine::Error& error) {
            unexpected = error.text().in(engine::commandLineStyle());
            status = engine::exitStatus(error.kind());
        } catch (const std::bad_alloc&) {
            unexpected = app::notEnoughMemory;
        } catch (const std::exception& error) {
            unexpected = error.what();
        }
    }
    say(ranks.size() == 1 ? unexpected : ranks.name(ranks.rank()) + ": " + unexpected);
    if (ranks.size() > 1)
        engine::cluster::MpiProcess::endAll(status);
    return status;
}

} // namespace

int main(int argc, char** argv)
{
    app::setLastWords("sinoscope-mpi");
    const cli::SafeOutput out(std::cout), err(std::cerr);
    try {
        const cli::Interruption interruption; // created before MPI's threads
        return runRank(argc, argv, interruption.token());
    } catch (const engine::Error& error) {
        say(error.text().in(engine::commandLineStyle()));
        return engine::exitStatus(error.kind());
    } catch (const std::exception& error) {
        say(error.what());
    }
    return 1;
}
