// SPDX-License-Identifier: GPL-3.0-or-later
// What images are measured against.
#pragma once

#include "engine/compare/setting_list.h"
#include "engine/io/files/file_states.h"
#include "engine/reconstruct/reconstruction.h"

#include <string>

namespace engine
{

// The exact image of one slice for `made`, the image of `request`. It shares the whole setting (preparation, filter,
// axis as used) except the kernel, so that it is the same for every kernel and shows what a kernel costs; and scan,
// region, threads, and a GPU where the request may use one.
Request exactRequest(const Request& request, int slice, const Reconstruction& made);

// The phantom's slice as `like` would show it, as an image of its own. Its scan has an exact image. Throws Error.
Reconstruction phantomImage(const Reconstruction& like, int slice);

struct FileImage {
    Reconstruction image; // whose `from` says the slice, and the unit that its values had or are taken to have
    FileStates files;     // that it was read from
};
// The slice of a file beside `like`, on its grid, or its region cut out of a whole slice; a file of one image stands
// for any. Values are taken as they are, in the unit of `like` unless the file says another one that they can be
// converted from. Throws Error(badFile), also for values that are no numbers.
FileImage fileImage(const SlicesPath& path, const Reconstruction& like, int slice);

// A choice in words: "exact, double precision", "exact, double precision, as B", "exact phantom", "B",
// "recon.h5, slice 40, taken as 1/pixel". of: what the setting is called that it leans on; made: the image, where there
// is one.
std::string referenceText(const ReferenceChoice& choice, const std::string& of, const Reconstruction* made);

} // namespace engine
