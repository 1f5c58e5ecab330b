// SPDX-License-Identifier: GPL-3.0-or-later
// Table rows of the cone-beam methods for NVIDIA GPUs. A build without CUDA has them too; there each reports why it
// can't be used.
#include "engine/backends/cone/views.h"
#include "engine/backends/cuda/cone/cone_variants.h"
#include "engine/backends/cuda/methods.h"

namespace engine
{

namespace
{

extern const Method coneStandardMethod, shuffleMethod, coneTextureMethod, columnsMethod;

std::vector<Variant> shuffleVariantRows()
{
    std::vector<Variant> rows;
    for (const cuda::ShuffleVariantName& name : cuda::shuffleVariants)
        rows.push_back({name.id, name.summary, "Chen et al. 2019, Table 3"});
    return rows;
}

std::vector<Variant> coneTextureVariantRows()
{
    return {{cuda::singleVariant, "one value per texel: no symmetry is used"},
            {cuda::mirroredVariant, "mirrored rows in one texel: two updates per fetch", "Chen et al. 2019, Theorem 1"},
            {cuda::fourfoldVariant, "mirrored rows of opposite projections in one texel: four updates per fetch"}};
}

const Method coneStandardMethod = {
    .id = "standard",
    .label = "Standard (texture)",
    .summary = "One thread per voxel, with all three products of its position and the matrix; the texture unit "
               "interpolates; any trajectory.",
    .reference = "Chen et al. (IPSJ report), Listing 1; RTK's kernel",
    .filterPrecision = FilterPrecision::float32,
    .slicesPerPass = {1},
    .unsupported = [](const Request& request, const Machine&) { return coneLimits(coneStandardMethod, request); },
    .takes = takesConeBeam,
    .filters = [](const Request&, const Machine&) { return true; },
    .preparesToo = true,
    .rank = [](const Request&) { return 2; },
    .textureWeights = true,
};

const Method shuffleMethod = {
    .id = "shuffle",
    .label = "Shuffle (iFDK)",
    .summary = "Lanes along z, positions shared by shuffles, mirrored voxels; interpolation in 32 bits.",
    .reference = "Chen et al. 2019, Listing 1 and Table 3",
    .filterPrecision = FilterPrecision::float32,
    .slicesPerPass = {1},
    .unsupported = [](const Request& request, const Machine&) { return coneLimits(shuffleMethod, request); },
    .takes = takesConeBeam,
    .filters = [](const Request&, const Machine&) { return true; },
    .preparesToo = true,
    .inMirroredPairs = true,
    .variants = shuffleVariantRows,
};

const Method coneTextureMethod = {
    .id = "texture",
    .label = "Texture, symmetric",
    .summary = "The texture unit interpolates; where the geometry is symmetric, one fetch serves mirrored rows and "
               "opposite projections. Any trajectory.",
    .reference = "Chen et al. 2019, Theorem 1; texels of several values after Chilingaryan et al. 2020 (section 5.3)",
    .filterPrecision = FilterPrecision::float32,
    .slicesPerPass = {1, 8},
    .unsupported = [](const Request& request, const Machine&) { return coneLimits(coneTextureMethod, request); },
    .takes = takesConeBeam,
    .planes = PlaneSupport::all,
    .planesInHalf = true,
    .filters = [](const Request&, const Machine&) { return true; },
    .preparesToo = true,
    .inMirroredPairs = true,
    // In half precision this is the fastest method; for volumes only if the slices can be mirrored in pairs
    // (h100-cone-slabs.json). For floats `columns` is preferred, because it computes weights in full precision.
    .rank =
        [](const Request& r) {
            const bool isVolume = r.setting.kernel.slicesPerPass > 1;
            return r.setting.kernel.precision == Precision::half && (!isVolume || mayBeMirrored(r)) ? 5 : 3;
        },
    .textureWeights = true,
    .variants = coneTextureVariantRows,
};

const Method columnsMethod = {
    .id = "columns",
    .label = "Columns, full precision",
    .summary = "Interpolates between bins once per column of voxels, then between rows from registers, in full "
               "precision; no symmetry needed.",
    .reference = "Chen et al. 2019, Theorems 2 and 3; shared memory after Chilingaryan et al. 2020 (section 6)",
    .filterPrecision = FilterPrecision::float32,
    .slicesPerPass = {1, 16},
    .unsupported = [](const Request& request, const Machine&) { return coneLimits(columnsMethod, request); },
    .takes = takesConeBeam,
    .filters = [](const Request&, const Machine&) { return true; },
    .preparesToo = true,
    .rank = [](const Request&) { return 4; },
};

} // namespace

std::vector<Method> cuda::coneMethods()
{
    return {coneStandardMethod, shuffleMethod, coneTextureMethod, columnsMethod};
}

} // namespace engine
