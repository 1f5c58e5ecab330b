// SPDX-License-Identifier: GPL-3.0-or-later
// What an image needs to be said about it.
#pragma once

#include "engine/base/error.h"
#include "engine/plan/plan.h"
#include "engine/prepare/virtual_detector.h"
#include "engine/reconstruct/reconstruction.h"

#include <vector>

namespace engine
{

// Returns notes about doubtful geometry, an object wider than the detector, and voxels that projections don't see.
// isOfPlane: also if it is carried out as a region. isWide: RecordedFacts::isWide. whole: geometry of all projections,
// with the axis.
std::vector<Note> notesOn(const Reconstruction& result, const Plan& plan, bool isOfPlane, bool isWide,
                          const Geometry& whole, const VirtualDetector& detector);

// Returns whether none of some hundred values spread over the image is a finite number, as when the byte order of the
// scan is wrong.
bool hasNoNumbers(const Volume& image);

// Returns the error of a plane without a single value. gaps: notes about rows of the detector.
Error noValuesIn(const Scan& scan, const std::vector<Note>& gaps);

// Returns the doubts that a preparation leaves. The level of the air follows any change of the beam, interpolated flats
// follow a slow one.
std::vector<Doubt> doubtsLeft(std::vector<Doubt> doubts, const Preparation& preparation);

} // namespace engine
