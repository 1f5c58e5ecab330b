// SPDX-License-Identifier: GPL-3.0-or-later
// Reference images, with which images are compared.
#pragma once

#include "engine/compare/setting_list.h"
#include "engine/io/files/file_states.h"
#include "engine/reconstruct/reconstruction.h"

#include <string>

namespace engine
{

// Returns the request for the exact image of one slice, or of the request's plane, which is the image of slice 0. made:
// the image of `request`. The reference has the same
// setting (preparation, filter, axis as used) except the kernel, so that it is the same for every kernel and shows
// the error of a kernel. It also has the same scan, region and threads, and uses a GPU if the request may.
// interpolation: of the reference.
Request exactRequest(const Request& request, int slice, const Reconstruction& made,
                     Interpolation interpolation = Interpolation::linear);

// Returns the phantom's slice on the grid of `like`, or its plane if `like` is one (slice is 0 then). Its scan has an
// exact image. Throws Error.
Reconstruction phantomImage(const Reconstruction& like, int slice);

struct FileImage {
    Reconstruction image; // `from` tells the slice, and the unit that its values had or are assumed to have
    FileStates files;     // the files it was read from
};
// Returns the slice of a file on the grid of `like`, or its region cut out of a whole slice, or the plane that `like`
// shows (filePlane); a file with a single image is used for any slice. Values are interpreted in the unit of the path,
// else in one that the file specifies and that can be converted, else in the unit of `like`; `likelyUnit` then tells
// whether another one fits. Throws Error(badFile), also for values that are not finite, and Error(badRequest) if the
// path's unit can't be converted.
FileImage fileImage(const SlicesPath& path, const Reconstruction& like, int slice);

// Returns the image of a file for the plane that `like` shows: the slice, if the plane is one, or an image of that
// plane, which its file specifies. Values as above. Throws Error(badFile), and Error(badRequest) if the file is of
// something else.
FileImage filePlane(const SlicesPath& path, const Reconstruction& like);

// Describes a choice: "exact method, double precision", "exact method, double precision, as B", "exact phantom", "B",
// "recon.h5, slice 40, interpreted as 1/pixel". of: name of the setting that the choice refers to; made: the image, if
// there is one.
std::string referenceText(const ReferenceChoice& choice, const std::string& of, const Reconstruction* made);

} // namespace engine
