// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/numbers/tried_setting.h"

#include <utility>

namespace ui
{

bool TriedSetting::isPlacedAs(const engine::Request& request) const
{
    return isSameObject(scan, request.scan) && region == request.place.region() && device == request.resources.device &&
           threads == request.resources.threads;
}

bool TriedSetting::isOf(const engine::Request& request) const
{
    return setting == request.setting && isPlacedAs(request);
}

Speeds TriedSetting::speeds() const
{
    const auto spread = [this](double ImageRun::*figure) {
        std::vector<double> values;
        for (const ImageRun& run : runs)
            if (!run.isReplaced)
                values.push_back(run.*figure);
        return engine::spreadOf(std::move(values));
    };
    return {spread(&ImageRun::kernelGups), spread(&ImageRun::totalGups), spread(&ImageRun::totalSeconds), limits, gpu};
}

MeasuredAgainst againstOf(const Comparison& comparison)
{
    using Kind = ReferenceChoice::Kind;
    MeasuredAgainst made{comparison.slice, comparison.mask, comparison.against.kind, comparison.against.file, {}};
    const Compared* of = comparison.find(comparison.against.id);
    if (of && (made.kind == Kind::setting || made.kind == Kind::exactOf))
        made.setting = of->request.setting;
    if (made.setting && made.kind == Kind::exactOf)
        made.setting->kernel = {}; // the exact image shares all but the kernel
    return made;
}

} // namespace ui
