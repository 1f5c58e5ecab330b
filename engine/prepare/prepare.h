// SPDX-License-Identifier: GPL-3.0-or-later
// Preparation: the single path from recorded data to line integrals, for slices, previews, the axis and volumes.
#pragma once

#include "engine/base/note.h"
#include "engine/prepare/steps.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace engine
{

struct Prepared {
    Sinograms sinograms;     // line integrals: attenuation per pixel, summed
    std::vector<Note> notes; // one sentence each, with counts: dead pixels mended, values clamped
};

// Prepares rows with the steps of preparationOf(quantity). Every line (one row of one projection) goes through all
// steps while it is in the cache. threads: 0 for all. Throws Error: badRequest if sizes don't fit, badFile for a row
// without a good pixel or a good value, cancelled, noMemory.
Prepared prepareRows(const RawRows& raw, Quantity quantity, int threads, std::stop_token stop = {});

// Prepares rows with the given steps. Throws Error(badRequest) also when the steps make no sense. rows: the rows of
// the scan to return, all rows of `raw` if not given; `raw` must also hold their halo, as far as the scan has it
// (withHalo). taken: run only the first `taken` steps, to inspect their result (quantityAfter), which may still have
// gaps.
Prepared prepareRows(const RawRows& raw, Quantity quantity, const Preparation& preparation, int threads,
                     std::stop_token stop = {}, std::optional<RowRange> rows = {},
                     std::optional<std::size_t> taken = {});

// Preparation for a device: holds the work common to all lines, and the program for each line.
class DevicePreparation
{
  public:
    // The preparation must be suitable for devices (isForDevices). Throws Error.
    DevicePreparation(std::shared_ptr<const RawRows> raw, Quantity quantity, Preparation preparation, int threads,
                      std::stop_token stop = {});
    ~DevicePreparation();

    const RawRows& raw() const { return *m_raw; }
    DevicePreparation(const DevicePreparation&) = delete; // the steps hold its address
    DevicePreparation& operator=(const DevicePreparation&) = delete;

    const LineProgram& program() const { return m_program; }
    SinogramView shape() const;      // of the result, without values
    std::vector<Note> notes() const; // complete once the device has finished and counted

  private:
    struct Steps;
    std::shared_ptr<const RawRows> m_raw;
    Sinograms m_sinograms; // only their shape
    Preparation m_preparation;
    std::unique_ptr<Steps> m_steps;
    LineProgram m_program;
};

} // namespace engine
