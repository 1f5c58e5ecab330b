// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/options/option_tables.h"

#include "engine/base/error.h"

namespace engine
{

namespace
{

// A slab along the columns or rows is a region.
void setSlab(Request& request, const std::string& text)
{
    if (text.size() < 2 || text[1] != '=') {
        request.place.slab = slabFromText(text);
        return;
    }
    const std::size_t colon = text.find(':');
    require((text[0] == 'x' || text[0] == 'y') && colon != std::string::npos,
            "bad slab '" + text + "'; give x=A:B, y=A:B or C,R,ANGLE,W,T");
    constexpr int anySize = 1'000'000;
    const int size = request.scan ? request.scan->sliceSize() : anySize;
    const std::string from = text.substr(2, colon - 2), to = text.substr(colon + 1);
    const long long first = from.empty() ? 0 : integerFromText(from, "slab"),
                    end = to.empty() ? size : integerFromText(to, "slab");
    require(end > first, "the slab '" + text + "' is empty; the end of A:B is not included");
    require(first >= 0 && end <= size, "the slab '" + text + "' reaches beyond the slice" +
                                           (request.scan ? " of " + std::to_string(size) + " pixels" : ""));
    const int begin = static_cast<int>(first), count = static_cast<int>(end - first);
    request.place.region = text[0] == 'x' ? Region{begin, 0, count, size} : Region{0, begin, size, count};
}

// Without a scan, a plane whose text has no width and height stays without area.
void setPlane(Request& request, const std::string& text)
{
    const VolumeSize volume = request.scan ? volumeOf(*request.scan) : VolumeSize();
    const Plane plane = planeFromText(text, volume);
    if (request.scan)
        validate(plane, volume);
    request.place.plane = plane;
    request.place.slices = {0, 1};
}

} // namespace

std::vector<Option> placeOptions()
{
    using Kind = Option::Kind;
    return {
        {.id = "region",
         .label = "Region",
         .summary = "Reconstruct only this rectangle of each slice, in pixels",
         .unit = "pixels",
         .form = "X,Y,W,H",
         .kind = Kind::text,
         .get = [](const Request& r) { return r.place.region ? toText(*r.place.region) : std::string(); },
         .set = [](Request& r, const std::string& text) { r.place.region = regionFromText(text); },
         .jsonLeftOut = "null",
         .hasNumbers = true,
         .use = {.stage = Stage::backproject, .ofSetting = false, .row = WindowRow::none, .isKept = false}},
        {.id = "slab",
         .label = "Slab",
         .summary = "Reconstruct only an upright slab of the volume, at the cost of its voxels: columns or rows A to B "
                    "(B excluded), or column and row of its middle, the angle of its long side (degrees, "
                    "anticlockwise from the rows), width and thickness",
         .unit = "pixels",
         .form = "x=A:B|y=A:B|C,R,ANGLE,W,T",
         .kind = Kind::text,
         .get = [](const Request& r) { return r.place.slab ? toText(*r.place.slab) : std::string(); },
         .set = setSlab,
         .jsonLeftOut = "null",
         .hasNumbers = true,
         .use = {.stage = Stage::backproject, .ofSetting = false, .row = WindowRow::none, .isKept = false}},
        {.id = "plane",
         .label = "Plane",
         .summary = "Reconstruct one plane in any direction instead of slices: at a column, row or slice, or by its "
                    "centre and two directions (u to the right, v downwards), each as column, row and slice; also "
                    ";width=W;height=H;pixel=P in pixels and voxels",
         .form = "x=C|y=R|z=S|\"centre=C,R,S;u=C,R,S;v=C,R,S\"",
         .kind = Kind::text,
         .get = [](const Request& r) { return r.place.plane ? toText(*r.place.plane) : std::string(); },
         .set = setPlane,
         .jsonLeftOut = "null",
         .hasNumbers = true,
         .use = {.stage = Stage::backproject, .ofSetting = false, .row = WindowRow::none, .isKept = false}}};
}

} // namespace engine
