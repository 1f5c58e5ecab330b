#include "engine/compare/reference_image.h"

#include "engine/backproject/method.h"

namespace engine
{

Request exactRequest(const Request& request, int slice, const Reconstruction& made)
{
    Request reference;
    reference.scan = request.scan;
    reference.place.slices = {slice, 1};
    reference.setting.kernel.method = referenceMethod().id;
    reference.setting.filter = request.setting.filter;
    reference.place.region = request.place.region;
    reference.resources.threads = request.resources.threads;
    // The axis as it was used is the axis of the reference, however it was chosen, and isn't looked for again. That of
    // the scan may differ from projection to projection.
    if (made.axisSource != "scan")
        reference.setting.axis = {AxisSettings::Mode::given, made.axisBins};
    return reference;
}

Reconstruction phantomImage(const Reconstruction& like, int slice)
{
    const Scan& scan = *like.request.scan;
    Reconstruction made;
    made.request = like.request;
    made.request.place.slices = {slice, 1};
    made.method = "phantom";
    made.grid = like.grid;
    made.grid.slices = 1;
    made.unit = like.unit;
    made.image = scan.exactImage(slice, like.grid);
    if (const auto pixelSizeMm = scan.pixelSizeMm(); like.unit == "1/mm" && pixelSizeMm)
        for (float& value : made.image.values)
            value = static_cast<float>(value / *pixelSizeMm);
    return made;
}

} // namespace engine
