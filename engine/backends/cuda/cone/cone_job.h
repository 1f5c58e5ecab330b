// SPDX-License-Identifier: GPL-3.0-or-later
// State of a cone pipeline: the launch, what its geometry allows, and how it is divided.
#pragma once

#include "engine/backends/cuda/cone/cone_kernels.h"
#include "engine/backends/cuda/cone/cone_pipeline.h"
#include "engine/backends/cuda/device/buffer.h"
#include "engine/backends/cuda/device/layered_texture.h"
#include "engine/backends/cuda/prepare/row_block.h"
#include "engine/base/note.h"

#include <string>
#include <vector>

namespace engine::cuda
{

class ConeJob;

// Batch in the layout that the kernel needs.
struct StoredBatch {
    ConeStore store;
    LayeredTexture texture;
    DeviceBuffer<char> data;
    DeviceBuffer<float> unscale;
    bool finite = true;

    void allocate(const ConeJob& job, const RowBlock& batch);
    const ConeStore& target() const { return store; }
};

// A launch, or a part of its volume. Refers to the launch's arguments.
class ConeJob
{
  public:
    ConeJob(ConeKernel kernel, const LaunchArguments& launch);

    std::vector<ConeJob> runs() const; // two if the image has fewer slices than the grid, and slices aren't mirrored
    std::vector<ConeJob> parts(double freeBytes) const; // a single one if everything fits the device
    std::vector<RowBlock> batches() const; // all rows of some projections, or of pairs of them half a turn apart
    std::vector<RowRange> slabs() const;   // ranges of the grid's slices; if mirrored, of its upper half
    std::vector<Note> notes() const;
    double progressOf(double ofThisPart) const { return m_progressFrom + m_progressShare * ofThisPart; }

    bool zFastest() const;    // whether z is the fastest index of the kernel's volume
    bool wantsFinite() const; // whether a value that isn't finite would reach voxels beside its rays
    int margins() const;      // rows, and bins, of zeros around a projection in memory
    bool points() const;      // whether textures are read without interpolation
    ConeArguments arguments(const StoredBatch& stored, const RowBlock& batch) const;
    void enqueue(const ConeArguments& arguments) const;

    const LaunchArguments& launch;
    ConeKernel kernel;
    VolumeGrid grid;        // of this part
    float* image = nullptr; // of this part
    ConeLayout layout = ConeLayout::layers;
    bool half = false, upright = false, mirrored = false, opposite = false;
    bool keepsAll = true; // whether batches stay on the device
    int between = 0;      // slices of other parts that lie in the image between this part's upper and lower halves

  private:
    void setViews();
    void chooseLayout();
    void restrictTo(RowRange slices, bool inPairs);
    double storedBytes(int projections) const;

    std::vector<ProjectionMatrix> m_matrices; // for the grid's slices; pairs: as if the halves were adjacent
    int m_apart = 0;                          // slices of the volume between this part's halves
    std::vector<ConeView> m_views;
    ShuffleVariant m_shuffle = ShuffleVariant::l1Tran;
    std::string m_note;
    int m_group = 1, m_deep = 1;
    ConePatch m_patch;
    double m_progressFrom = 0, m_progressShare = 1;
};

} // namespace engine::cuda
