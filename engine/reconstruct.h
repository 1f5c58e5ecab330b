// The way in: a request becomes a reconstruction.
#pragma once

#include "engine/prepare/prepare.h"
#include "engine/reconstruction.h"

#include <functional>
#include <memory>
#include <stop_token>

namespace engine
{

// Called from the thread that runs, often; fraction of the stage in [0, 1].
using Progress = std::function<void(Stage, double fraction)>;

// Rows of one scan, read and prepared.
struct PreparedRows {
    std::shared_ptr<const Scan> scan;
    RowRange rows;
    Prepared prepared;
    double readSeconds = 0, prepareSeconds = 0;
};

// The same as they were recorded.
struct RecordedRows {
    std::shared_ptr<const Scan> scan;
    std::shared_ptr<const RawRows> raw;
    double readSeconds = 0;
    // For a GPU that prepares them (preparesOnDevice), begun already; null: begun by the run.
    std::shared_ptr<const DevicePreparation> preparation = {};
    double startSeconds = 0;
};

// By as many threads as the request may have. Throws Error.
RawRows read(const Request& request, RowRange rows, const std::stop_token& stop);

// readSeconds: what reading them took, to be kept beside them. Throws Error.
PreparedRows prepare(const Request& request, const RawRows& raw, double readSeconds, const std::stop_token& stop);

// Reads, prepares, filters and back-projects. Keeps each stage's result under the part of the
// request that it depends on, so that another kernel doesn't read or filter again, and moving the
// slice doesn't look for the axis again. One thread at a time; memory: the rows of the last request
// as read, prepared, and filtered (once in float, once in double for `exact`).
class Reconstructor
{
  public:
    Reconstructor();
    ~Reconstructor();
    Reconstructor(Reconstructor&&) noexcept;
    Reconstructor& operator=(Reconstructor&&) noexcept;

    // Lets go of all rows, and takes these for the next run instead of reading them. They serve once: filtered
    // where they are, to save memory. Without rows it only lets go.
    void take(PreparedRows rows);

    // The same, for run to prepare, where that is done: on a GPU that takes them (preparesOnDevice), or by all cores.
    void take(RecordedRows rows);

    // Throws Error; after `cancelled` the stages that were completed are kept.
    Reconstruction run(const Request& request, const Progress& progress = {}, std::stop_token stop = {});

  private:
    struct Stages;
    std::unique_ptr<Stages> m_stages;
};

// Begins what a GPU is to do. Throws Error.
void startPreparation(const Request& request, RecordedRows& rows, const std::stop_token& stop);

// Does the request's method prepare recorded rows itself, on its device, all at once with the rest?
bool preparesOnDevice(const Request& request);

// Throws Error(badRequest) when the request makes no sense for its scan (slice out of range, axis
// outside the detector, region outside the slice, negative threads, no such method).
void validate(const Request& request);

} // namespace engine
