#include "engine/compare/reference_image.h"

#include "engine/backproject/method.h"

namespace engine
{

Request exactRequest(const Request& request, int slice, const Reconstruction& made)
{
    Request reference;
    reference.scan = request.scan;
    reference.place.slices = {slice, 1};
    reference.setting.filter = request.setting.filter;
    reference.place.region = request.place.region;
    reference.resources.threads = request.resources.threads;
    reference.resources.device = request.resources.device;
    const Method& method = referenceMethodFor(reference);
    reference.setting.kernel.method = method.id;
    if (method.device == DeviceSettings::Kind::cpu) // the same for all who leave it to the processor
        reference.resources.device = {};
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
