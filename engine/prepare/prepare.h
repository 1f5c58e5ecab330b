// SPDX-License-Identifier: GPL-3.0-or-later
// The one way from what a detector recorded to line integrals: for slices, previews, the axis and volumes.
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
    Sinograms sinograms;     // line integrals, attenuation times pixels
    std::vector<Note> notes; // dead pixels mended, values clamped: one sentence each with counts
};

// Every line (one row of one projection) goes through all steps of preparationOf(quantity) while it is in the
// cache. threads: 0 for all. Throws Error: badRequest when sizes don't fit, badFile for a row without a good pixel
// or a good value, cancelled, noMemory.
Prepared prepareRows(const RawRows& raw, Quantity quantity, int threads, std::stop_token stop = {});

// The same by other steps. Throws Error(badRequest) when they make no sense. rows: of the scan, that come back; raw
// holds their halo besides, where the scan has it (withHalo). All that raw holds when left out. taken: only the first
// so many of the steps, to look at what they make (quantityAfter), with its gaps.
Prepared prepareRows(const RawRows& raw, Quantity quantity, const Preparation& preparation, int threads,
                     std::stop_token stop = {}, std::optional<RowRange> rows = {},
                     std::optional<std::size_t> taken = {});

// The same for a device: what is the same for all lines, and what is to be done to each.
class DevicePreparation
{
  public:
    // By steps that are for devices (isForDevices). Throws Error.
    DevicePreparation(std::shared_ptr<const RawRows> raw, Quantity quantity, Preparation preparation, int threads,
                      std::stop_token stop = {});
    ~DevicePreparation();

    const RawRows& raw() const { return *m_raw; }
    DevicePreparation(const DevicePreparation&) = delete; // the steps know its place
    DevicePreparation& operator=(const DevicePreparation&) = delete;

    const LineProgram& program() const { return m_program; }
    SinogramView shape() const;      // of what comes out, without values
    std::vector<Note> notes() const; // when the device has done it and counted

  private:
    struct Steps;
    std::shared_ptr<const RawRows> m_raw;
    Sinograms m_sinograms; // their shape alone
    Preparation m_preparation;
    std::unique_ptr<Steps> m_steps;
    LineProgram m_program;
};

} // namespace engine
