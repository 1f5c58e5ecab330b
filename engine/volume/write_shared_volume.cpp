// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/volume/write_volume.h"

#include "engine/base/stopwatch.h"
#include "engine/filter/filter.h"
#include "engine/resolve/resolve.h"
#include "engine/stages/prepared_rows.h"
#include "engine/stages/stages.h"
#include "engine/volume/exchanged_scan.h"
#include "engine/volume/rank_assignment.h"
#include "engine/volume/scan_copies.h"
#include "engine/volume/volume_identity.h"
#include "engine/volume/volume_steps.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace engine
{

namespace
{

// Makes all ranks use the first rank's plans for the filter's transforms, so that they round identically.
void shareFilterPlans(const Request& request, Ensemble& ensemble)
{
    const Route route = resolve(request).route;
    if (ensemble.isFirst() && !route.filtersOnDevice)
        planFilter(request.scan->bins(), route.precision,
                   static_cast<std::size_t>(request.place.slices().count) * request.scan->projections());
    const std::string plans = toldByFirst(ensemble, ensemble.isFirst() ? filterPlans() : std::string());
    if (!ensemble.isFirst())
        takeFilterPlans(plans);
}

// Progress of all ranks together, which the first rank shows.
class SharedProgress
{
  public:
    SharedProgress(const Request& request, const Request& part, Ensemble& ensemble, const VolumeProgress& show)
        : m_ensemble(ensemble), m_part(part.place.slices()),
          m_share(double(m_part.count) / request.place.slices().count * projectionsOf(part) / projectionsOf(request))
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
    const double m_share; // this rank's fraction of all work
};

// A volume that several ranks reconstruct: the steps of a single process, with exchanges between the ranks.
class SharedVolume
{
  public:
    SharedVolume(const Request& request, const OpenOptions& opened, const VolumeOutput& output, const Warn& warn,
                 Ensemble& ensemble)
        : m_steps(request, opened, output, warn, ensemble.token()), m_ensemble(ensemble)
    {
    }

    WrittenVolume run(const VolumeProgress& progress)
    {
        if (const Json stored = fromFirst(storedIfThere); stored.is_object())
            return asItWas(m_steps, stored, false);
        takeShare();
        written().format = format();
        openWriter();
        if (wasNamed())
            return asItWas(m_steps, fromFirst(storedWith), true);
        countDone();
        watchCopies();
        shareFilterPlans(m_steps.request, m_ensemble);
        if (written().loading == Loading::exchanged)
            exchange();
        written().made = reconstruct(progress);
        finish();
        return std::move(written());
    }

  private:
    WrittenVolume& written() { return m_steps.written; }
    // Set only on the first rank of a row that has slices.
    std::optional<SliceWriter>& writer() { return m_steps.writer; }

    // Returns what the first rank finds stored with the volume.
    Json fromFirst(Json (*stored)(const VolumeSteps&))
    {
        return parsedJson(toldByFirst(m_ensemble, m_ensemble.isFirst() ? onOneLine(stored(m_steps)) : std::string()));
    }

    void takeShare()
    {
        RankAssignment part =
            rankAssignmentOf(m_steps.request, written().plan, m_steps.madeOf, m_steps.output, m_ensemble);
        m_steps.part = std::move(part.request);
        written().grid = part.grid;
        written().plan = part.plan;
        written().loading = part.loading;
        m_copies = std::move(part.copies);
        if (part.grid.columns > 1)
            m_row = m_ensemble.row(part.grid.columns);
    }
    // Returns the rank that writes the slices of this rank's row.
    int firstOfRow() { return m_ensemble.rank() / written().grid.columns * written().grid.columns; }
    bool writes() { return m_steps.part.place.slices().count > 0 && m_ensemble.rank() == firstOfRow(); }

    // Returns the output format. If its range of whole numbers has to be found, the first rank does it for all.
    OutputFormat format()
    {
        const OutputChoice& stored = m_steps.output.stored;
        OutputFormat format{.type = stored.type, .range = {}, .deflateLevel = stored.deflateLevel};
        if (m_ensemble.isFirst())
            format = outputFormat(stored, m_steps.request, m_steps.stop);
        const Json told = Json::parse(toldByFirst(m_ensemble, onOneLine({format.range.least, format.range.most})));
        format.range = {told[0], told[1]};
        return format;
    }

    // The first rank creates the output; the other ranks that write join it.
    void openWriter()
    {
        const Request& request = m_steps.request;
        const VolumeGrid grid = sectionOf(request).grid;
        std::string begun;
        if (m_ensemble.isFirst()) {
            makeOwnWriter({});
            begun = writer()->begin(grid.width, grid.height, request.scan->pixelSizeMm() ? "1/mm" : "1/pixel");
        }
        begun = toldByFirst(m_ensemble, begun);
        if (!m_ensemble.isFirst() && writes())
            makeOwnWriter(begun);
    }

    void makeOwnWriter(const std::string& begun)
    {
        const Place& place = m_steps.part.place;
        makeWriter(m_steps,
                   identityOf(m_steps.madeOf, m_ensemble.size(), written().grid.columns, place, written().plan,
                              written().format),
                   {.all = m_steps.request.place.slices(),
                    .process = m_ensemble.rank(),
                    .processes = m_ensemble.size(),
                    .begun = begun,
                    .pairsOf = place.pairsOf()});
    }

    // Returns whether an earlier run had written all slices, so that the files only had to be renamed. If not, each
    // writer continues after its stored slices: all ranks have joined the output now.
    bool wasNamed()
    {
        const bool wasNamed = totalOf(writer() && writer()->wasNamed() ? 1 : 0) > 0;
        if (writer())
            writer()->goOn(wasNamed);
        if (wasNamed)
            nameTogether();
        return wasNamed;
    }

    void countDone()
    {
        const std::vector<std::string> done = m_ensemble.exchange(std::to_string(writer() ? writer()->done() : 0));
        m_done = std::stoi(done[static_cast<std::size_t>(firstOfRow())]);
        for (const std::string& of : done)
            written().done += std::stoi(of);
        if (m_ensemble.isFirst())
            requirePossible(m_steps);
    }

    // If ranks read copies of the scan, whatever this rank reads is compared in the end, also for the slices of an
    // interrupted run.
    void watchCopies()
    {
        if (m_copies.empty())
            return;
        m_digests = std::make_shared<RowDigests>();
        Request& part = m_steps.part;
        part.scan = RowDigests::watched(part.scan, m_digests);
        Request done = part;
        for (const RowRange& group : groupsOf(part.place.slices(), written().plan, passOf(part)))
            if (group.first < part.place.slices().first + m_done) {
                done.place.setSlices(group);
                read(done, preparedKey(done).rows, m_steps.stop);
            }
    }

    void compareCopies()
    {
        if (m_copies.empty())
            return;
        const Stopwatch comparing;
        requireSameValues(*m_digests, m_copies, m_steps.request, m_ensemble);
        written().made.timings.elapsedSeconds += comparing.seconds();
        written().made.notes.push_back("The ranks read copies of the scan, whose values were compared.");
    }

    // Replaces this rank's scan by one whose rows are in memory.
    void exchange()
    {
        Request whole = m_steps.request;
        whole.scan = m_steps.part.scan;
        m_exchanged = exchangeProjections(whole, m_steps.part, written().grid, m_ensemble, m_ensemble.token());
        m_steps.part.scan = m_exchanged.scan;
    }

    long long totalOf(long long own)
    {
        long long sum = 0;
        for (const std::string& text : m_ensemble.exchange(std::to_string(own)))
            sum += std::stoll(text);
        return sum;
    }

    Reconstruction reconstruct(const VolumeProgress& progress)
    {
        const Request& part = m_steps.part;
        Reconstruction made;
        made.request = part;
        made.grid = sectionOf(part).grid;
        made.grid.slices = part.place.slices().count;
        const SharedProgress shares(m_steps.request, part, m_ensemble, progress);
        if (part.place.slices().count > 0)
            made = reconstructPart(
                m_steps, [this](Reconstruction& group, const std::stop_token& stopped) { take(group, stopped); },
                shares.ofRank(), m_done, [] { return std::string("complete slices, if any, are kept"); });
        made.timings.writeSeconds -= m_summingSeconds;
        made.timings.reduceSeconds = m_reduceSeconds;
        made.timings.read.seconds += m_exchanged.readSeconds;
        made.timings.exchangeSeconds = m_exchanged.exchangeSeconds;
        made.timings.elapsedSeconds += m_exchanged.elapsedSeconds;
        return madeTogether(made, m_steps.request.place.slices(), m_ensemble, written().ranks);
    }

    void take(Reconstruction& group, const std::stop_token& stopped)
    {
        if (m_row) {
            const Stopwatch summing;
            m_reduceSeconds += m_row->sumAtFirst(group.image.values, stopped);
            m_summingSeconds += summing.seconds();
        }
        if (writer())
            writer()->write(group, stopped);
    }

    void finish()
    {
        compareCopies();
        const long long changed = totalOf(writer() ? writer()->changed() : 0);
        addNotes(m_steps, "", changed, m_ensemble.isFirst() ? writer()->olderSlices() : std::string());
        if (writer() && !m_ensemble.isFirst())
            writer()->complete({});
        // The first rank closes the file when all ranks have written.
        std::vector<std::string> chunkFiles = m_ensemble.exchange(writer() ? writer()->chunkFile() : std::string());
        std::erase(chunkFiles, std::string());
        if (m_ensemble.isFirst())
            writer()->complete(descriptionOf(m_steps), chunkFiles, m_steps.stop);
        nameTogether();
    }

    // Renames the files of all ranks, or of none.
    void nameTogether()
    {
        m_ensemble.exchange({});
        if (writer())
            writer()->place();
        m_ensemble.exchange({});
        if (writer())
            writer()->keep();
    }

    VolumeSteps m_steps;
    Ensemble& m_ensemble;
    std::unique_ptr<RankRow> m_row;    // set if the ranks of a row share the projections, so that images are summed
    ExchangedScan m_exchanged;         // if the ranks exchange projections
    std::vector<std::string> m_copies; // RankAssignment::copies
    std::shared_ptr<RowDigests> m_digests;
    int m_done = 0; // slices of this rank's row that an earlier run has completed
    // Seconds of the sums over the row: without the time spent waiting for its other ranks, and including that time.
    double m_reduceSeconds = 0, m_summingSeconds = 0;
};

} // namespace

WrittenVolume writeVolume(const Request& request, const OpenOptions& opened, const VolumeOutput& output,
                          const std::function<void(const Text&)>& warn, const VolumeProgress& progress,
                          Ensemble& ensemble)
{
    if (ensemble.size() == 1)
        return writeVolume(request, opened, output, warn, progress, ensemble.token());
    return SharedVolume(request, opened, output, warn, ensemble).run(progress);
}

} // namespace engine
