// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/measure/published_speeds.h"

#include <array>

namespace engine
{

namespace
{

// tests/packaging/figures_test.py compares the numbers with the results.
constexpr std::array publishedSlices = {
    PublishedSpeed{"Sinoscope", "tensor, 128 slices of halves", 21453, true},
    PublishedSpeed{"tomocupy", "lprec, log-polar, floats; evenly spaced angles only", 6207},
    PublishedSpeed{"Sinoscope", "alu, 4 slices of halves", 5310, true},
    PublishedSpeed{"ufo-filters", "stacked, 4 slices of halves, linear", 4008},
    PublishedSpeed{"Sinoscope", "alu, 1 slice of floats", 3640, true},
    PublishedSpeed{"tomocupy", "fourierrec, halves; evenly spaced angles only", 3530},
    PublishedSpeed{"tomocupy", "fourierrec, floats; evenly spaced angles only", 2190},
    PublishedSpeed{"ufo-filters", "stacked, 2 slices of floats", 2014},
    PublishedSpeed{"ASTRA 2.5", "2-D back-projection", 945},
    PublishedSpeed{"silx", "texture, 4 pixels per thread", 934},
    PublishedSpeed{"ASTRA 2.5", "3-D parallel back-projection", 496},
    PublishedSpeed{"tomocupy", "linerec, floats", 446},
    PublishedSpeed{"LEAP", "parallel beam, voxel-driven", 428},
    PublishedSpeed{"TIGRE", "parallel beam", 298},
};
constexpr std::array publishedWholeSlices = {
    PublishedSpeed{"Sinoscope", "tensor, 128 slices of halves, with copies to and from the GPU", 8034, true},
    PublishedSpeed{"tomocupy", "lprec, log-polar, floats; evenly spaced angles only", 5351},
    PublishedSpeed{"ToMoBAR", "FOURIER_INV; evenly spaced angles only", 3497},
    PublishedSpeed{"Sinoscope", "alu, 1 slice of floats, with copies to and from the GPU", 2274, true},
    PublishedSpeed{"ASTRA 2.5", "FBP_CUDA", 854},
};
constexpr std::array publishedCones = {
    PublishedSpeed{"Sinoscope", "texture, halves", 3612, true},
    PublishedSpeed{"Sinoscope", "texture, floats", 1776, true},
    PublishedSpeed{"Sinoscope", "columns, floats, full precision", 1350, true},
    PublishedSpeed{"TIGRE", "FDK", 427},
    PublishedSpeed{"RTK", "FDK", 187},
};
constexpr std::array publishedOnProcessor = {
    PublishedSpeed{"Sinoscope", "cpu, from Python", 3.70, true},
    PublishedSpeed{"ASTRA 2.5", "FBP with the linear projector", 0.224},
    PublishedSpeed{"scikit-image 0.19", "iradon", 0.121},
};

constexpr const char* sideBySide =
    "CUDA events, data on the GPU, median of ten; the log-polar and Fourier methods as if "
    "each voxel were updated by each projection. Other programs: h200-others.json; Sinoscope, from 2026-11-21 on: "
    "h200-kernels-papers.json, h200-tensor.json, h200-cones.md";
constexpr std::array publishedTable = {
    PublishedGroup{"a slice of 2048² from 2048 projections, back-projection alone", true, false, false, "NVIDIA H200",
                   "2026-11-20", sideBySide, publishedSlices},
    PublishedGroup{"a slice of 2048² from 2048 projections, with the filter", true, false, true, "NVIDIA H200",
                   "2026-11-20", sideBySide, publishedWholeSlices},
    PublishedGroup{"a cone beam, 1024³ voxels from 1024 projections of 1024², back-projection alone", true, true, false,
                   "NVIDIA H200", "2026-11-20", sideBySide, publishedCones},
    PublishedGroup{"a slice of 511² from 803 projections, with the filter", false, false, true,
                   "one core of an AMD EPYC with AVX2", "2026-11-27",
                   "Called from Python in turns, median of nine. cpu-python.json", publishedOnProcessor},
};

} // namespace

std::span<const PublishedGroup> publishedGroups()
{
    return publishedTable;
}

} // namespace engine
