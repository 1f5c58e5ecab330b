#include "engine/volume/write_volume.h"

#include "engine/backproject/method.h"
#include "engine/base/error.h"
#include "engine/base/json_text.h"
#include "engine/base/stopwatch.h"
#include "engine/filter/filter.h"
#include "engine/io/slices/foreign_slices.h"
#include "engine/io/slices/slice_writer.h"
#include "engine/io/slices/volume_journal.h"
#include "engine/json/reconstruction_json.h"
#include "engine/json/request_json.h"
#include "engine/volume/rank_assignment.h"
#include "engine/volume/slice_division.h"
#include "engine/volume/volume_identity.h"
#include "engine/volume/volume_needs.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

namespace engine
{

namespace fs = std::filesystem;

namespace
{

constexpr const char* originKey = "madeOf"; // in what is stored with slices

std::string withOrigin(const std::string& configuration, const Json& madeOf)
{
    Json json = Json::parse(configuration);
    json[originKey] = madeOf;
    return dumped(json);
}

// Whether all of it is there, made of the same.
bool isMade(const Request& request, const Json& madeOf, const fs::path& path, const std::string& name)
{
    const RowRange& slices = request.place.slices;
    const Json configuration = parsedJson(storedConfiguration(path, name, slices));
    return configuration.is_object() && configuration.contains(originKey) && configuration[originKey] == madeOf &&
           configuration.value("firstSlice", slices.first) == slices.first &&
           configuration.value("slices", slices.count) == slices.count;
}

// Before a journal is looked for in it.
void requireFolderToResume(const fs::path& path)
{
    const fs::path folder = path.parent_path();
    std::error_code unreadable;
    if (outputKindOf(path) != OutputKind::folder && !folder.empty() && !fs::is_directory(folder, unreadable))
        throw Error(ErrorKind::output, "There is no folder '" + folder.string() + "' for '" + path.string() +
                                           "', so there is nothing to resume: make it first, or name another.");
}

// Before any work.
void requirePossible(const VolumeNeeds& needs)
{
    if (!needs.impossible.empty())
        throw Error(needs.failure, needs.impossible.front() + fitsText(needs.fits));
}

// The same transforms everywhere: they round alike.
void shareFilterPlans(const Request& request, Ensemble& ensemble)
{
    if (ensemble.size() == 1)
        return;
    const Method& method = methodFor(request);
    if (ensemble.isFirst() && !method.filters)
        planFilter(request.scan->bins(), method.filterPrecision,
                   static_cast<std::size_t>(request.place.slices.count) * request.scan->projections());
    const std::string plans = toldByFirst(ensemble, ensemble.isFirst() ? filterPlans() : std::string());
    if (!ensemble.isFirst())
        takeFilterPlans(plans);
}

// What all ranks have done of a volume, told by each, for the first one to show.
class SharedProgress
{
  public:
    SharedProgress(const Request& request, const Request& part, Ensemble& ensemble, const VolumeProgress& show)
        : m_ensemble(ensemble), m_part(part.place.slices),
          m_share(double(m_part.count) / request.place.slices.count * projectionsOf(part) / projectionsOf(request))
    {
        m_ensemble.setShareDone(0);
        if (show)
            m_ensemble.onShareDone([this, &show](double ofAll) { show(ofAll, m_part, Stage::backproject); });
    }
    ~SharedProgress() { m_ensemble.onShareDone({}); }
    SharedProgress(const SharedProgress&) = delete;
    SharedProgress& operator=(const SharedProgress&) = delete;

    VolumeProgress ofRank() const
    {
        return [this](double fraction, const RowRange&, Stage) { m_ensemble.setShareDone(fraction * m_share); };
    }

  private:
    Ensemble& m_ensemble;
    const RowRange m_part;
    const double m_share; // of all work
};

// One volume, by a process alone or by one of several.
class VolumeWriting
{
  public:
    VolumeWriting(const Request& request, const OpenOptions& opened, const VolumeOutput& output,
                  const std::function<void(const std::string&)>& warn, Ensemble& ensemble)
        : m_request(request), m_opened(opened), m_output(output), m_warn(warn), m_ensemble(ensemble),
          m_stop(ensemble.token()),
          m_path(output.path.has_filename() ? output.path : output.path.parent_path()), // "folder/"
          m_part(inPairs(request))
    {
    }

    WrittenVolume run(const VolumeProgress& progress)
    {
        m_written.plan = planFor(m_request, m_output);
        m_madeOf = originOf(m_request, m_opened, m_output.stored);
        if (isThere()) {
            m_written.wasThere = true;
            m_written.made.request = m_request;
            return std::move(m_written);
        }
        takeShare();
        m_written.format = format();
        if (!openWriter()) {
            m_written.wasThere = m_written.wasNamed = true;
            m_written.made.request = m_request;
            return std::move(m_written);
        }
        shareFilterPlans(m_request, m_ensemble);
        m_written.made = reconstruct(progress);
        finish();
        return std::move(m_written);
    }

  private:
    void say(const std::string& text) const
    {
        if (m_warn && !text.empty())
            m_warn(text);
    }
    bool isAlone() const { return m_ensemble.size() == 1; }

    bool isThere()
    {
        if (m_output.resumes && m_ensemble.isFirst())
            requireFolderToResume(m_path);
        const bool isThere =
            m_output.resumes && m_ensemble.isFirst() && isMade(m_request, m_madeOf, m_path, m_output.name);
        return !toldByFirst(m_ensemble, isThere ? "there" : "").empty();
    }

    void takeShare()
    {
        if (isAlone())
            return;
        RankAssignment part = rankAssignmentOf(m_request, m_written.plan, m_madeOf, m_output, m_ensemble);
        m_part = std::move(part.request);
        m_written.grid = part.grid;
        m_written.plan = part.plan;
        if (m_written.grid.columns > 1)
            m_row = m_ensemble.row(m_written.grid.columns);
    }
    // The rank of its row that writes.
    int firstOfRow() const { return m_ensemble.rank() / m_written.grid.columns * m_written.grid.columns; }
    bool writes() const { return m_part.place.slices.count > 0 && m_ensemble.rank() == firstOfRow(); }

    // The range of whole numbers is the first one's to find.
    OutputFormat format()
    {
        OutputFormat format{.type = m_output.stored.type, .range = {}, .deflateLevel = m_output.stored.deflateLevel};
        if (m_ensemble.isFirst())
            format = outputFormat(m_output.stored, m_request, m_stop);
        const std::string range = toldByFirst(m_ensemble, onOneLine({format.range.least, format.range.most}));
        const Json told = Json::parse(range);
        format.range = {told[0], told[1]};
        return format;
    }

    // False where all was written before, and had its names given now.
    bool openWriter()
    {
        const VolumeGrid grid = gridOf(m_request);
        if (m_ensemble.isFirst())
            makeWriter({});
        std::string begun;
        if (m_ensemble.isFirst() && !isAlone())
            begun = m_writer->begin(grid.width, grid.height, m_request.scan->pixelSizeMm() ? "1/mm" : "1/pixel");
        begun = toldByFirst(m_ensemble, begun);
        if (!m_ensemble.isFirst() && writes())
            makeWriter(begun);
        if (isAlone() ? m_writer->wasNamed() : wasNamedTogether())
            return false;
        const std::vector<std::string> done = m_ensemble.exchange(std::to_string(m_writer ? m_writer->done() : 0));
        m_done = std::stoi(done[static_cast<std::size_t>(firstOfRow())]);
        for (const std::string& of : done)
            m_written.done += std::stoi(of);
        if (m_ensemble.isFirst()) {
            requirePossible(needsOf(m_request, m_output, m_written.done));
            say(m_writer->unfinished());
            if (outputKindOf(m_path) == OutputKind::folder) // of what it is to replace finish() speaks
                say(mixedSlicesText(m_path, m_output.name, m_request.place.slices,
                                    m_output.overwrite ? std::string() : onOneLine(m_madeOf)));
        }
        return true;
    }

    ProtectedInputs inputs() const
    {
        ProtectedInputs inputs(*m_request.scan);
        for (const NamedInput& input : m_output.alsoRead)
            inputs.add(input);
        return inputs;
    }

    void makeWriter(const std::string& begun)
    {
        const Place& place = m_part.place;
        try {
            m_writer.emplace(
                m_path, m_output.name, place.slices, m_output.overwrite, inputs(), m_written.format,
                [this](const Reconstruction& part, int slice) {
                    SliceFacts facts = sliceFacts(part, slice, m_opened);
                    facts.lines += std::string(originKey) + '=' + onOneLine(m_madeOf) + '\n';
                    return facts;
                },
                m_output.resumes ? identityOf(m_madeOf, m_ensemble.size(), m_written.grid.columns, place,
                                              m_written.plan, m_written.format)
                                 : std::string(),
                OutputPart{.all = m_request.place.slices,
                           .process = m_ensemble.rank(),
                           .processes = m_ensemble.size(),
                           .begun = begun,
                           .pairsOf = place.pairsOf});
        } catch (const OtherVolume& other) {
            throw other.inWords(identityDifference(other.difference()));
        }
    }

    // What several processes have kept goes on once all know of all.
    bool wasNamedTogether()
    {
        const bool wasNamed = total(m_writer && m_writer->wasNamed() ? 1 : 0) > 0;
        if (m_writer)
            m_writer->goOn(wasNamed);
        if (wasNamed)
            nameTogether();
        return wasNamed;
    }

    long long totalOf(long long own)
    {
        long long sum = 0;
        for (const std::string& text : m_ensemble.exchange(std::to_string(own)))
            sum += std::stoll(text);
        return sum;
    }
    int total(int own) { return static_cast<int>(totalOf(own)); }

    Reconstruction reconstruct(const VolumeProgress& progress)
    {
        Reconstruction made;
        made.request = m_part;
        made.grid = gridOf(m_part);
        made.grid.slices = m_part.place.slices.count;
        const SharedProgress shares(m_request, m_part, m_ensemble, progress);
        try {
            if (m_part.place.slices.count > 0)
                made = reconstructVolume(
                    m_part, m_written.plan,
                    [this](Reconstruction& group, const std::stop_token& stopped) { take(group, stopped); },
                    isAlone() ? progress : shares.ofRank(), m_stop, m_done);
        } catch (const Error& error) {
            if (!m_output.resumes || (isAlone() && m_writer->done() == 0))
                throw;
            const std::string kept = isAlone() ? std::to_string(m_writer->done()) + " of " +
                                                     std::to_string(m_request.place.slices.count) + " slices are kept"
                                               : "what was complete, if anything, is kept";
            throw Error(error.kind(), std::string(error.what()) + (error.kind() == ErrorKind::cancelled ? ": " : " ") +
                                          kept + ", and --resume goes on from there");
        }
        made.timings.writeSeconds -= m_summingSeconds;
        made.timings.reduceSeconds = m_reduceSeconds;
        if (isAlone())
            made.request.place = m_request.place;
        return isAlone() ? std::move(made) : madeTogether(made, m_request.place.slices, m_ensemble, m_written.ranks);
    }

    void take(Reconstruction& group, const std::stop_token& stopped)
    {
        if (m_row) {
            const Stopwatch summing;
            m_reduceSeconds += m_row->sumAtFirst(group.image.values, stopped);
            m_summingSeconds += summing.seconds();
        }
        if (m_writer)
            m_writer->write(group, stopped);
    }

    void finish()
    {
        Reconstruction& made = m_written.made;
        if (m_written.done > 0)
            made.notes.push_back((isAlone() && !m_part.place.pairsOf ? "The first " : "") +
                                 std::to_string(m_written.done) +
                                 " slices were made by a run that was interrupted; figures are of the others.");
        const long long changed = totalOf(m_writer ? m_writer->changed() : 0);
        m_written.note = storageNote(m_written.format, !m_output.stored.range, changed, made);
        if (!m_written.note.text.empty())
            made.notes.push_back(m_written.note.text);
        if (m_written.note.isLoss)
            say(m_written.note.text);
        if (const std::string older = m_ensemble.isFirst() ? m_writer->olderSlices() : ""; !older.empty()) {
            made.notes.push_back(older);
            say(older);
        }
        const std::string configuration = withOrigin(configurationJson(made, m_opened), m_madeOf);
        if (isAlone())
            return m_writer->finish(configuration);
        if (m_writer && !m_ensemble.isFirst())
            m_writer->complete({});
        // The first one closes the file when all have written.
        std::vector<std::string> chunkFiles = m_ensemble.exchange(m_writer ? m_writer->chunkFile() : std::string());
        std::erase(chunkFiles, std::string());
        if (m_ensemble.isFirst())
            m_writer->complete(configuration, chunkFiles, m_stop);
        nameTogether();
    }

    // All names are given, or none is.
    void nameTogether()
    {
        m_ensemble.exchange({});
        if (m_writer)
            m_writer->place();
        m_ensemble.exchange({});
        if (m_writer)
            m_writer->keep();
    }

    const Request& m_request;
    const OpenOptions& m_opened;
    const VolumeOutput& m_output;
    const std::function<void(const std::string&)>& m_warn;
    Ensemble& m_ensemble;
    const std::stop_token m_stop;
    const fs::path m_path;
    Request m_part;                                   // with this rank's slices and projections
    std::unique_ptr<RankRow> m_row;                   // none of one alone
    int m_done = 0;                                   // of its slices
    double m_reduceSeconds = 0, m_summingSeconds = 0; // without waiting for the others of the row, and with it
    Json m_madeOf;
    WrittenVolume m_written;
    std::optional<SliceWriter> m_writer; // of the first of a row, where that has slices
};

} // namespace

std::string resultName(const fs::path& scan)
{
    return (scan.has_filename() ? scan : scan.parent_path()).stem().string();
}

WrittenVolume writeVolume(const Request& request, const OpenOptions& opened, const VolumeOutput& output,
                          const std::function<void(const std::string&)>& warn, const VolumeProgress& progress,
                          std::stop_token stop)
{
    Alone alone(std::move(stop));
    return writeVolume(request, opened, output, warn, progress, alone);
}

WrittenVolume writeVolume(const Request& request, const OpenOptions& opened, const VolumeOutput& output,
                          const std::function<void(const std::string&)>& warn, const VolumeProgress& progress,
                          Ensemble& ensemble)
{
    return VolumeWriting(request, opened, output, warn, ensemble).run(progress);
}

} // namespace engine
