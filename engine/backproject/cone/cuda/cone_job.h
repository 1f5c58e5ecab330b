// SPDX-License-Identifier: GPL-3.0-or-later
// What a cone pipeline is at: the launch, what its geometry allows, and how it is divided.
#pragma once

#include "engine/backproject/cone/cuda/cone_kernels.h"
#include "engine/backproject/cone/cuda/cone_pipeline.h"
#include "engine/base/note.h"
#include "engine/cuda/buffer.h"
#include "engine/cuda/layered_texture.h"

#include <string>
#include <vector>

namespace engine::cuda
{

// Projections [first, first + count), or pairs of them, half a turn apart.
struct ConeBatch {
    int index = 0, first = 0, count = 0;
    bool paired = false;

    int projections() const { return paired ? 2 * count : count; }
    std::vector<int> all(int ofProjections) const; // in the order in which they lie on the device
};

class ConeJob;

// A batch as the kernel wants it.
struct StoredBatch {
    ConeStore store;
    LayeredTexture texture;
    DeviceBuffer<char> data;
    DeviceBuffer<float> unscale;
    bool finite = true;

    void allocate(const ConeJob& job, const ConeBatch& batch);
    const ConeStore& target() const { return store; }
};

// Refers to the launch.
class ConeJob
{
  public:
    ConeJob(ConeKernel kernel, const LaunchArguments& launch);

    std::vector<ConeJob> runs() const; // two where the image has fewer slices than the grid and none mirror others
    std::vector<ConeJob> parts(double freeBytes) const; // one where all fits the device
    std::vector<ConeBatch> batches() const;
    std::vector<RowRange> slabs() const; // of the grid's slices; mirrored: of the upper half
    std::vector<Note> notes() const;
    double progressOf(double ofThisPart) const { return m_progressFrom + m_progressShare * ofThisPart; }

    bool zFastest() const;    // the kernel's volume has it so
    bool wantsFinite() const; // a value that isn't finite would reach a voxel beside its rays
    bool points() const;      // textures aren't interpolated
    ConeArguments arguments(const StoredBatch& stored, const ConeBatch& batch) const;
    void enqueue(const ConeArguments& arguments) const;

    const LaunchArguments& launch;
    ConeKernel kernel;
    VolumeGrid grid;        // of this part
    float* image = nullptr; // of this part
    ConeLayout layout = ConeLayout::layers;
    bool half = false, upright = false, mirrored = false, opposite = false;
    bool keepsAll = true; // batches stay on the device
    int between = 0;      // slices of other parts in the image, between its upper half and the lower one

  private:
    void setViews();
    void chooseLayout();
    void restrictTo(RowRange slices, bool inPairs);
    double storedBytes(int projections) const;

    std::vector<ProjectionMatrix> m_matrices; // of the grid around its middle
    int m_apart = 0;                          // slices between its halves, in the volume
    std::vector<ConeView> m_views;
    ShuffleVariant m_shuffle = ShuffleVariant::l1Tran;
    std::string m_note;
    int m_group = 1, m_deep = 1;
    ConePatch m_patch;
    double m_progressFrom = 0, m_progressShare = 1;
};

} // namespace engine::cuda
