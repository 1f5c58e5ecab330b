// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/options/option_tables.h"

#include "engine/base/error.h"

namespace engine
{

namespace
{

constexpr const char *slabAlone = "a slab can't be combined with a region or with pairs of slices",
                     *planeAlone = "a plane can't be combined with a region or slab, with pairs of slices or with some "
                                   "of the projections";

void setRegion(Request& request, const Region& region)
{
    require(!request.place.slab(), slabAlone);
    require(!request.place.plane(), planeAlone);
    request.place.setRegion(region);
}

// A slab along the columns or rows is a region.
void setSlab(Request& request, const std::string& text)
{
    Place& place = request.place;
    require(!place.region() && !place.pairsOf(), slabAlone);
    require(!place.plane(), planeAlone);
    if (text.size() < 2 || text[1] != '=') {
        place.part = SlabPart{place.slices(), slabFromText(text)};
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
    setRegion(request, text[0] == 'x' ? Region{begin, 0, count, size} : Region{0, begin, size, count});
}

// Without a scan, a plane whose text has no width and height stays without area.
void setPlane(Request& request, const std::string& text)
{
    const VolumeSize volume = request.scan ? volumeOf(*request.scan) : VolumeSize();
    const Plane plane = planeFromText(text, volume);
    if (request.scan)
        validate(plane, volume);
    require(!request.place.region() && !request.place.slab(), planeAlone);
    request.place.part = PlanePart{plane};
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
         .get = [](const Request& r) { return r.place.region() ? toText(*r.place.region()) : std::string(); },
         .set = [](Request& r, const std::string& text) { setRegion(r, regionFromText(text)); },
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
         .get = [](const Request& r) { return r.place.slab() ? toText(*r.place.slab()) : std::string(); },
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
         .get = [](const Request& r) { return r.place.plane() ? toText(*r.place.plane()) : std::string(); },
         .set = setPlane,
         .jsonLeftOut = "null",
         .hasNumbers = true,
         .use = {.stage = Stage::backproject, .ofSetting = false, .row = WindowRow::none, .isKept = false}}};
}

} // namespace engine
