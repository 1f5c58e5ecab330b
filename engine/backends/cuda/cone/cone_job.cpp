// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backends/cuda/cone/cone_job.h"

#include "engine/backends/cone/single_views.h"
#include "engine/backends/cuda/cone/cone_variants.h"

#include <algorithm>
#include <cmath>

namespace engine::cuda
{

void StoredBatch::allocate(const ConeJob& job, const RowBlock& batch)
{
    const SinogramView& data = job.launch.sinograms;
    const int valueBytes = job.half ? 2 : 4;
    unscale.reserve(1);
    store.layout = job.layout;
    store.half = job.half;
    if (job.layout == ConeLayout::rows || job.layout == ConeLayout::columns) {
        const bool rows = job.layout == ConeLayout::rows;
        const int margins = job.margins();
        store.margin = margins > 0 ? coneMarginBefore : 0;
        store.linePitch = rows ? data.bins + margins : (data.slices + margins + 7) / 8 * 8;
        store.projectionStride =
            static_cast<std::size_t>(store.linePitch) * ((rows ? data.slices : data.bins) + margins);
        this->data.reserve(store.projectionStride * batch.count() * valueBytes);
        store.data = this->data.data();
        return;
    }
    const bool symmetric = job.layout == ConeLayout::mirrored || job.layout == ConeLayout::fourfold;
    const int channels = job.layout == ConeLayout::fourfold ? 4 : symmetric ? 2 : 1;
    const int rows = symmetric ? mirroredRows(data.slices) : data.slices;
    const bool turned = job.layout == ConeLayout::turned;
    texture = LayeredTexture(turned ? rows : data.bins, turned ? data.bins : rows, batch.projections.count, channels,
                             job.half, !job.points());
    store.surface = texture.surface();
}

ConeJob::ConeJob(ConeKernel kernel_, const LaunchArguments& launch_)
    : launch(launch_), kernel(kernel_), grid(launch_.grid), image(launch_.image.values.data()),
      half(launch_.kernel.precision == Precision::half), m_matrices(viewsOf(launch_, FilterPrecision::float32)),
      m_shuffle(shuffleVariantOf(launch_.kernel.variant))
{
    m_deep = launch.kernel.slicesPerPass == 1 ? 1 : mostDeepColumns;
    setViews();
    chooseLayout();
}

std::vector<ConeJob> ConeJob::runs() const
{
    const int made = launch.image.slices;
    if (made == grid.slices)
        return {*this};
    if (mirrored) {
        ConeJob pairs = *this;
        pairs.restrictTo({0, made}, true);
        pairs.between = 0; // the image has no other slices in between
        return {pairs};
    }
    const int lower = made / 2, upper = made - lower;
    ConeJob above = *this, below = *this;
    above.restrictTo({0, upper}, false);
    below.restrictTo({grid.slices - lower, lower}, false);
    below.image = launch.image.values.data() + launch.image.sliceSize() * static_cast<std::size_t>(upper);
    above.m_progressShare = static_cast<double>(upper) / made;
    below.m_progressFrom = above.m_progressShare;
    below.m_progressShare = static_cast<double>(lower) / made;
    return {above, below};
}

void ConeJob::setViews()
{
    upright = haveUprightColumns(m_matrices);
    mirrored = grid.slices > 1 && areMirrored(m_matrices, grid.slices, launch.sinograms.slices);
    m_views = singleViewsOf(m_matrices, grid);
    double steepest = 0;
    for (const ConeView& view : m_views) {
        const float x = 0.5F * static_cast<float>(grid.width - 1), y = 0.5F * static_cast<float>(grid.height - 1);
        const float spread = x * std::abs(view.wx) + y * std::abs(view.wy);
        for (const float w : {view.w0 - spread, view.w0 + spread})
            steepest = std::max(steepest, std::abs(static_cast<double>(view.rz) / w - 1));
    }
    m_group = steepest * 7 < 0.999 ? 8 : steepest * 3 < 0.999 ? 4 : 1;
    opposite = areOpposite(m_views);
}

void ConeJob::chooseLayout()
{
    const std::string& variant = launch.kernel.variant;
    // Falls back to the general kernel, which computes weights in full precision.
    const auto generally = [&](const std::string& why) {
        kernel = ConeKernel::shuffle;
        m_shuffle = ShuffleVariant::rtk32;
        m_note = why + ": the general kernel, rtk-32 of `shuffle`, was used.";
    };
    const char* notUpright =
        "` needs voxel columns parallel to the detector's columns, which tilt, roll or the scan's matrices prevent";
    if (kernel == ConeKernel::columns) {
        layout = ConeLayout::columns;
        m_patch = upright ? conePatchFor(m_views.data(), static_cast<int>(m_views.size()), grid.width, grid.height,
                                         grid.slices, m_deep)
                          : ConePatch{};
        if (m_patch.bins > 0) {
            mirrored = false; // its kernel uses no symmetry
            return;
        }
        generally(upright ? "`columns` has too little shared memory for a block of this cone beam"
                          : std::string("`columns") + notUpright);
    }
    if (kernel == ConeKernel::shuffle) {
        if (!upright && m_shuffle != ShuffleVariant::rtk32)
            generally(std::string("`shuffle") + notUpright);
        layout = m_shuffle == ShuffleVariant::texTran  ? ConeLayout::turned
                 : m_shuffle == ShuffleVariant::bpL1   ? ConeLayout::rows
                 : m_shuffle == ShuffleVariant::l1Tran ? ConeLayout::columns
                                                       : ConeLayout::layers;
        mirrored = mirrored && m_shuffle != ShuffleVariant::rtk32;
        return;
    }
    layout = ConeLayout::layers;
    if (kernel == ConeKernel::standard || variant == singleVariant || !mirrored) {
        mirrored = false;
        return;
    }
    // Texels of four floats are fetched at a quarter of the rate, so `fourfold` is the default only for halves.
    const bool four = variant.empty() ? half : variant == fourfoldVariant;
    layout = opposite && four ? ConeLayout::fourfold : ConeLayout::mirrored;
}

bool ConeJob::zFastest() const
{
    return kernel == ConeKernel::shuffle && m_shuffle != ShuffleVariant::rtk32;
}

bool ConeJob::wantsFinite() const
{
    return kernel == ConeKernel::columns && m_group > 1 && m_deep > 1;
}

bool ConeJob::points() const
{
    return kernel == ConeKernel::shuffle || launch.kernel.interpolation == Interpolation::nearest;
}

std::vector<Note> ConeJob::notes() const
{
    return m_note.empty() ? std::vector<Note>() : std::vector<Note>{m_note};
}

std::vector<RowBlock> ConeJob::batches() const
{
    const SinogramView& data = launch.sinograms;
    const bool paired = layout == ConeLayout::fourfold;
    const int count = paired ? data.projections / 2 : data.projections;
    // Eight batches overlap well; each batch has a gigabyte of floats at most.
    const double projectionBytes = 4.0 * data.bins * data.slices * (paired ? 2 : 1);
    const int most = static_cast<int>(std::clamp(1e9 / projectionBytes, 1.0, static_cast<double>(mostConeViews)));
    const int asked = paired ? launch.kernel.batch / 2 : launch.kernel.batch;
    const int each =
        launch.kernel.batch > 0 ? std::clamp(asked, 1, most) : std::clamp((count + 7) / 8, std::min(16, most), most);
    std::vector<RowBlock> list;
    for (int first = 0; first < count; first += each)
        list.push_back({{0, data.slices}, {first, std::min(each, count - first)}, paired ? count : 0});
    return list;
}

std::vector<RowRange> ConeJob::slabs() const
{
    const int slices = mirrored ? (grid.slices + 1) / 2 : grid.slices;
    const double bytes = 4.0 * grid.width * grid.height * grid.slices;
    const int wanted = keepsAll && !zFastest() ? static_cast<int>(std::clamp(bytes / 2.5e8, 1.0, 8.0)) : 1;
    const int each = ((slices + wanted - 1) / wanted + 15) / 16 * 16;
    std::vector<RowRange> list;
    for (int first = 0; first < slices; first += each)
        list.push_back({first, std::min(each, slices - first)});
    return list;
}

int ConeJob::margins() const
{
    return kernel == ConeKernel::shuffle ? coneMarginBefore + coneMarginAfter : 0;
}

double ConeJob::storedBytes(int projections) const
{
    const SinogramView& data = launch.sinograms;
    const double values =
        double(data.bins + margins()) * projections *
        (layout == ConeLayout::mirrored || layout == ConeLayout::fourfold ? 2 * mirroredRows(data.slices)
                                                                          : (data.slices + margins() + 7) / 8 * 8);
    return values * (half ? 2 : 4);
}

std::vector<ConeJob> ConeJob::parts(double freeBytes) const
{
    const SinogramView& data = launch.sinograms;
    const int batch = batches().front().count();
    const double floats = 4.0 * data.bins * data.slices * batch;
    const double work = 5 * floats + (1 << 28); // two uploads (recorded and raw), the filtered batch, transforms
    const double slice = 4.0 * grid.width * grid.height * (zFastest() ? 2 : 1);
    ConeJob part = *this;
    double left = freeBytes - work - storedBytes(data.projections);
    part.keepsAll = left >= std::min(0.25 * freeBytes, slice * grid.slices);
    if (!part.keepsAll)
        left = freeBytes - work - 2 * storedBytes(batch);
    const int most = static_cast<int>(std::clamp(left / slice, 1.0, static_cast<double>(grid.slices)));
    std::vector<ConeJob> list;
    if (most >= grid.slices) {
        list.push_back(part);
        return list;
    }
    // Mirrored slices are divided from both ends towards the middle.
    const bool inPairs = mirrored && most > 1;
    const int end = inPairs ? (grid.slices + 1) / 2 : grid.slices, each = inPairs ? most / 2 : most;
    for (int first = 0; first < end; first += each) {
        list.push_back(part);
        const int count = std::min(each, end - first);
        list.back().restrictTo({first, inPairs ? std::min(2 * count, grid.slices - 2 * first) : count}, inPairs);
        list.back().m_progressFrom = progressOf(static_cast<double>(first) / end);
        list.back().m_progressShare = m_progressShare * count / end;
    }
    return list;
}

// Restricts the job to some of its slices. Without inPairs these are `slices`. With inPairs there are slices.count of
// them: the first half begins at slices.first, and the second half mirrors the first.
void ConeJob::restrictTo(RowRange slices, bool inPairs)
{
    // The middle of mirrored pairs is the middle of all slices. So the matrices are first moved as if the two halves
    // were adjacent there, because the check for mirrored rows in setViews needs that. Afterwards the views are
    // shifted.
    const double moved = inPairs ? (grid.slices - slices.count) / 2.0 : slices.first;
    if (inPairs) {
        between = grid.slices - 2 * slices.first - slices.count;
        m_apart += between;
    }
    image += static_cast<std::size_t>(slices.first) * grid.width * grid.height;
    grid.slices = slices.count;
    for (ProjectionMatrix& m : m_matrices)
        for (int row = 0; row < 3; ++row)
            m[4 * row + 3] += m[4 * row + 2] * moved;
    setViews();
    for (ConeView& view : m_views) // shifts the views to the upper slices
        view.r0 -= view.rz * 0.5F * static_cast<float>(m_apart);
    chooseLayout();
}

ConeArguments ConeJob::arguments(const StoredBatch& stored, const RowBlock& batch) const
{
    ConeArguments a;
    a.data = stored.store.data;
    a.projectionStride = stored.store.projectionStride;
    a.linePitch = stored.store.linePitch;
    a.texture = stored.texture.texture();
    a.half = half;
    a.linear = launch.kernel.interpolation == Interpolation::linear;
    a.upright = upright;
    a.mirrored = mirrored;
    a.bins = launch.sinograms.bins;
    a.rows = launch.sinograms.slices;
    a.hostViews = m_views.data() + batch.projections.first;
    a.projections = batch.projections.count;
    a.unscale = stored.unscale.data();
    a.width = grid.width;
    a.height = grid.height;
    a.slices = grid.slices;
    a.patch = m_patch;
    a.deep = m_deep;
    a.group = stored.finite ? m_group : 1;
    return a;
}

void ConeJob::enqueue(const ConeArguments& a) const
{
    switch (kernel) {
    case ConeKernel::standard:
        return launchConeStandard(a);
    case ConeKernel::shuffle:
        return launchConeShuffle(a, m_shuffle);
    case ConeKernel::texture:
        return launchConeTexture(a, layout);
    case ConeKernel::columns:
        return launchConeColumns(a);
    }
}

} // namespace engine::cuda
