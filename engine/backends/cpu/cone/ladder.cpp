// SPDX-License-Identifier: GPL-3.0-or-later
// Method `ladder`: the processor kernels of Chen et al. (IPSJ report, Table 2) as a sequence of steps, each of which
// adds one technique to the previous one. For comparison; `cpu` uses the step `share` for small volumes. Each voxel is
// summed in the order of the projections.
#include "engine/backends/cone/views.h"
#include "engine/backends/cpu/cone/ladder_kernel.h"
#include "engine/backends/cpu/cone/ladder_scalar.h"
#include "engine/backends/cpu/cone/stored_columns.h"
#include "engine/backends/cpu/parallel/launches.h"
#include "engine/base/error.h"
#include "engine/base/parallel_for.h"
#include "engine/base/stopwatch.h"
#include "engine/data/half_scale.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>

namespace engine
{

namespace
{

constexpr int ladderSlices[] = {1, 2, 4, 8, 16, 32, 64};

enum class LadderStep { scalar, baseline, transpose, share, shareLm, symmetry, scratchpad, subline, prefetch };

struct StepRow {
    LadderStep step;
    const char *id, *summary, *source; // the source in Chen et al. (IPSJ report)
};

constexpr StepRow stepRows[] = {
    {LadderStep::scalar, "scalar",
     "each voxel separately, slice by slice, as in RTK, in plain code of single precision", "Listing 1"},
    {LadderStep::baseline, "baseline", "as `scalar`, with vector instructions and positions in double precision",
     "Listing 1"},
    {LadderStep::transpose, "transpose", "projections and volume transposed: neighbours in memory along the axis",
     "Listing 4"},
    {LadderStep::share, "share", "as `transpose`; in addition, values common to a column of voxels are computed once",
     "Listing 5"},
    {LadderStep::shareLm, "share-lm",
     "as `share`; in addition, two bins are first interpolated into a column in the core's cache (local memory)",
     "Fig. 2 and Table 2"},
    {LadderStep::symmetry, "symmetry",
     "as `share`; in addition, each row is also used for the mirrored row where the geometry is symmetric",
     "Listing 6"},
    {LadderStep::scratchpad, "scratchpad", "as `symmetry`; in addition, projections innermost: sums stay in registers",
     "Listing 7"},
    {LadderStep::subline, "subline",
     "as `symmetry`; in addition, two bins are first interpolated into a column in the core's cache",
     "Listing 8 and Fig. 2"},
    {LadderStep::prefetch, "prefetch",
     "as `subline`; in addition, the next column is interpolated before this one is read", "Algorithm 1"},
};

constexpr int batches[] = {1, 2, 4, 8, 16, 32};

std::string batchToText(int batch)
{
    return "batch-" + std::to_string(batch);
}

// Returns how many projections the variant adds to all voxels before the next ones; 0: all of them.
int batchOf(const std::string& variant)
{
    for (const int batch : batches)
        if (variant == batchToText(batch))
            return batch;
    return 0;
}

LadderStep stepOf(const std::string& variant)
{
    for (const StepRow& row : stepRows)
        if (variant == row.id)
            return row.step;
    require(variant.empty() || batchOf(variant) > 0, "`ladder` has no step '" + variant + "'");
    return LadderStep::prefetch;
}

// Projections surrounded by zeros. Lines are rows (Listing 1) or bins (from Listing 4 on).
struct LadderImages {
    int lines = 0, points = 0;
    AlignedMemory memory; // [projection][lines + 2·ladderMargin][points + 2·ladderMargin]

    std::ptrdiff_t stride() const { return points + 2 * ladderMargin; }
    std::ptrdiff_t size() const { return stride() * (lines + 2 * ladderMargin); }
    float* at(int p) const
    {
        return reinterpret_cast<float*>(memory.data()) + p * size() + ladderMargin * (stride() + 1);
    }
};

class LadderLaunch
{
  public:
    explicit LadderLaunch(const LaunchArguments& arguments)
        : m_arguments(arguments), m_views(viewsOf(arguments, FilterPrecision::float32)), m_grid(arguments.grid),
          m_kernels(ladderKernels()), m_step(stepOf(arguments.kernel.variant)),
          m_transposed(m_step >= LadderStep::transpose), m_batch(batchOf(arguments.kernel.variant))
    {
        if (m_step == LadderStep::scalar)
            for (const ProjectionMatrix& view : m_views)
                m_scalarViews.push_back(scalarViewOf(view, m_grid));
        if (m_step >= LadderStep::share && !haveUprightColumns(m_views)) {
            m_step = LadderStep::transpose;
            m_notes.push_back("columns of voxels are not upright on the detector (tilt, roll or matrices), so "
                              "the voxels of a column share no values: `ladder` runs its step `transpose` instead");
        }
        m_halves =
            m_step >= LadderStep::symmetry && areMirrored(m_views, m_grid.slices, arguments.sinograms.slices) ? 2 : 1;
        if (m_step >= LadderStep::symmetry && m_halves == 1)
            m_notes.push_back("the volume is not symmetric on the detector: `ladder` runs without symmetry");
        m_voxels = (m_grid.slices + m_halves - 1) / m_halves;
        m_stored = (m_voxels + 7) / 8 * 8;
    }

    LaunchReport run()
    {
        const Stopwatch watch;
        double kernelSeconds = 0;
        tbb::task_arena arena = arenaOf(m_arguments.threads);
        arena.execute([&] {
            store();
            const Stopwatch kernelWatch;
            if (!m_transposed)
                sumSlices();
            else if (m_step < LadderStep::scratchpad && m_step != LadderStep::shareLm)
                sumColumnsByProjection();
            else
                sumColumns();
            kernelSeconds = kernelWatch.seconds();
            if (m_transposed)
                writeColumns();
        });
        throwIfStopped(m_arguments.stop);
        return {.kernelSeconds = kernelSeconds, .totalSeconds = watch.seconds(), .notes = m_notes};
    }

  private:
    bool stopped() const { return m_arguments.stop.stop_requested(); }
    int projections() const { return m_arguments.sinograms.projections; }
    void tellProgress(double share) const
    {
        if (m_arguments.progress && !stopped())
            m_arguments.progress(share);
    }

    void store()
    {
        const SinogramView& data = m_arguments.sinograms;
        const bool half = m_arguments.kernel.precision == Precision::half;
        const auto scale = static_cast<float>(half ? halfScaleOf(data, m_arguments.stop) : 1);
        m_unscale = 1 / scale;
        m_images.lines = m_transposed ? data.bins : data.slices;
        m_images.points = m_transposed ? data.slices : data.bins;
        m_images.memory.reserve(data.projections * m_images.size() * sizeof(float));
        parallelFor(0, data.projections, [&](int p) {
            if (stopped())
                return;
            float* image = m_images.at(p);
            std::fill_n(image - ladderMargin * (m_images.stride() + 1), m_images.size(), 0.0f);
            const std::ptrdiff_t toBin = m_transposed ? m_images.stride() : 1,
                                 toRow = m_transposed ? 1 : m_images.stride();
            for (int row = 0; row < data.slices; ++row) {
                const float* from =
                    data.floats.data() + (static_cast<std::size_t>(row) * data.projections + p) * data.bins;
                for (int bin = 0; bin < data.bins; ++bin)
                    image[bin * toBin + row * toRow] = half ? fromHalf(toHalf(from[bin] * scale)) : from[bin];
            }
        });
        if (m_transposed) // m_columns holds the volume as [column][row][half][slice]
            m_columns.assign(static_cast<std::size_t>(m_grid.width) * m_grid.height * m_halves * m_stored, 0.0f);
    }

    // Returns a line of voxels along x (Listing 1) or along the axis.
    LadderLine lineFrom(int p, int i, int j, int k) const
    {
        const ProjectionMatrix& m = m_views[p];
        const auto at = [&](int row) {
            return m[4 * row] * i + m[4 * row + 1] * j + m[4 * row + 2] * k + m[4 * row + 3];
        };
        const bool alongX = !m_transposed;
        const int axis = alongX ? 0 : 2, line = alongX ? 1 : 0, point = alongX ? 0 : 1;
        return {m_images.at(p), m_images.stride(),  m_images.lines,      m_images.points, at(line), at(point),
                at(2),          m[4 * line + axis], m[4 * point + axis], m[8 + axis]};
    }

    float* column(int i, int j)
    {
        return m_columns.data() + (static_cast<std::size_t>(i) * m_grid.height + j) * m_halves * m_stored;
    }
    float* mirrored(float* sums) const { return m_halves == 2 ? sums + m_stored : nullptr; }

    void sumSlices()
    {
        std::fill(m_arguments.image.values.begin(), m_arguments.image.values.end(), 0.0f);
        const int lines = m_grid.slices * m_grid.height;
        const int padded = (m_grid.width + 7) / 8 * 8;
        for (int p = 0; p < projections() && !stopped(); ++p) {
            parallelFor(tbb::blocked_range<int>(0, lines, 64), [&](const tbb::blocked_range<int>& part) {
                std::vector<float> sums(padded);
                for (int line = part.begin(); line < part.end() && !stopped(); ++line) {
                    float* image = m_arguments.image.values.data() + static_cast<std::size_t>(line) * m_grid.width;
                    std::copy_n(image, m_grid.width, sums.data());
                    addLine(p, line % m_grid.height, line / m_grid.height, sums);
                    std::copy_n(sums.data(), m_grid.width, image);
                }
            });
            tellProgress((p + 1.0) / projections());
        }
        for (float& value : m_arguments.image.values)
            value *= m_unscale;
    }

    // sums: of the voxels along x at row j of slice k, in whole vectors.
    void addLine(int p, int j, int k, std::vector<float>& sums)
    {
        if (m_step != LadderStep::scalar)
            return m_kernels.addAny(lineFrom(p, 0, j, k), static_cast<int>(sums.size()), sums.data());
        const auto fromMiddle = [](int voxel, int count) { return static_cast<float>(voxel - (count - 1) / 2.0); };
        addScalar(lineFrom(p, 0, j, k), m_scalarViews[p], fromMiddle(0, m_grid.width), fromMiddle(j, m_grid.height),
                  fromMiddle(k, m_grid.slices), m_grid.width, sums.data());
    }

    void sumColumnsByProjection()
    {
        const int lines = m_grid.width * m_grid.height;
        for (int p = 0; p < projections() && !stopped(); ++p) {
            parallelFor(tbb::blocked_range<int>(0, lines, 64), [&](const tbb::blocked_range<int>& part) {
                for (int n = part.begin(); n < part.end() && !stopped(); ++n) {
                    const int i = n / m_grid.height, j = n % m_grid.height;
                    float* sums = column(i, j);
                    if (m_step == LadderStep::transpose)
                        m_kernels.addAny(lineFrom(p, i, j, 0), m_stored, sums);
                    else
                        m_kernels.addShared(lineFrom(p, i, j, 0), m_stored, sums, mirrored(sums));
                }
            });
            tellProgress((p + 1.0) / projections());
        }
    }

    void sumColumns()
    {
        const int batch = m_batch > 0 ? m_batch : projections();
        for (int first = 0; first < projections() && !stopped(); first += batch)
            addBatch(first, std::min(first + batch, projections()));
    }

    // Adds the projections first…last−1 to all columns.
    void addBatch(int first, int last)
    {
        const int lines = m_grid.width * m_grid.height;
        std::atomic<int> done = 0;
        parallelFor(tbb::blocked_range<int>(0, lines, 16), [&](const tbb::blocked_range<int>& part) {
            std::array<std::vector<float>, 2> buffers;
            for (auto& buffer : buffers)
                buffer.resize(m_images.stride());
            for (int n = part.begin(); n < part.end() && !stopped(); ++n) {
                const int i = n / m_grid.height, j = n % m_grid.height;
                if (m_step == LadderStep::scratchpad)
                    addScratchpad(i, j);
                else
                    addSublines(i, j, first, last, buffers);
                const int now = ++done;
                if (now % 256 == 0 || now == lines)
                    tellProgress((first + static_cast<double>(now) / lines * (last - first)) / projections());
            }
        });
    }

    void addScratchpad(int i, int j)
    {
        std::vector<LadderLine> lines;
        for (int p = 0; p < projections(); ++p)
            lines.push_back(lineFrom(p, i, j, 0));
        float* sums = column(i, j);
        m_kernels.addAll(lines.data(), projections(), m_stored, sums, mirrored(sums));
    }

    void addSublines(int i, int j, int first, int last, std::array<std::vector<float>, 2>& buffers)
    {
        float* sums = column(i, j);
        LadderLine line = lineFrom(first, i, j, 0);
        if (m_step == LadderStep::prefetch)
            m_kernels.interpolateLines(line, buffers[first % 2].data());
        for (int p = first; p < last && !stopped(); ++p) {
            LadderLine next;
            if (m_step != LadderStep::prefetch) {
                line = lineFrom(p, i, j, 0);
                m_kernels.interpolateLines(line, buffers[p % 2].data());
            } else if (p + 1 < last) {
                next = lineFrom(p + 1, i, j, 0);
                m_kernels.interpolateLines(next, buffers[(p + 1) % 2].data());
            }
            m_kernels.addColumn(line, buffers[p % 2].data(), m_stored, sums, mirrored(sums));
            line = next;
        }
    }

    void writeColumns()
    {
        parallelFor(0, m_grid.height, [&](int j) {
            for (int k = 0; k < m_grid.slices && !stopped(); ++k) {
                float* image = m_arguments.image.slice(k).data() + static_cast<std::size_t>(j) * m_grid.width;
                const int place = k < m_voxels ? k : m_stored + m_grid.slices - 1 - k;
                for (int i = 0; i < m_grid.width; ++i)
                    image[i] = column(i, j)[place] * m_unscale;
            }
        });
    }

    const LaunchArguments& m_arguments;
    std::vector<ProjectionMatrix> m_views;
    const VolumeGrid& m_grid;
    LadderKernels m_kernels;
    LadderStep m_step;
    bool m_transposed;                     // projections and volume
    int m_batch;                           // see batchOf
    std::vector<ScalarView> m_scalarViews; // of the step `scalar`
    std::vector<Note> m_notes;
    int m_halves = 1;
    int m_voxels = 0, m_stored = 0; // voxels per half of a column; m_stored: in whole vectors
    float m_unscale = 1;
    LadderImages m_images;
    Values m_columns;
};

std::vector<Variant> ladderSteps()
{
    std::vector<Variant> variants;
    for (const StepRow& row : stepRows)
        variants.push_back({row.id, row.summary, std::string("Chen et al. (IPSJ report), ") + row.source});
    for (const int batch : batches)
        variants.push_back({batchToText(batch),
                            "as `prefetch`, with " + std::to_string(batch) +
                                (batch == 1 ? " projection" : " projections") + " added to all voxels before the next",
                            "Chen et al. (IPSJ report), Fig. 4"});
    return variants;
}

} // namespace

LaunchReport launchLadder(const LaunchArguments& arguments)
{
    return LadderLaunch(arguments).run();
}

const Method ladderMethod = {
    .id = "ladder",
    .label = "Ladder of Chen et al.",
    .summary = "The optimisation steps of a paper on cone beams on processors, each as a variant, for comparison.",
    .reference = "Chen et al. (IPSJ report), Listings 1 and 4 to 8, Algorithm 1",
    .filterPrecision = FilterPrecision::float32,
    .slicesPerPass = {std::begin(ladderSlices), std::end(ladderSlices)},
    .unsupported = [](const Request& request, const Machine&) -> std::optional<std::string> {
        if (request.setting.kernel.interpolation == Interpolation::nearest)
            return "`ladder` interpolates linearly between bins and rows, as in its paper, not nearest";
        return coneLimits(ladderMethod, request);
    },
    .takes = takesConeBeam,
    .variants = ladderSteps,
};

} // namespace engine
