// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/background/figure_cache.h"

#include "engine/compare/compare_settings.h"

#include <algorithm>

namespace ui
{

void KeptFigures::measure(Comparison& comparison)
{
    for (Compared& one : comparison.compared) {
        if (one.metrics || !one.result || !one.reference || one.isPreview())
            continue;
        const auto known = std::ranges::find_if(m_all, [&](const Measured& other) {
            return other.image.lock() == one.result && other.reference.lock() == one.reference &&
                   other.slice == comparison.slice && other.mask == comparison.mask;
        });
        if (known != m_all.end()) {
            one.metrics = known->metrics;
            continue;
        }
        const bool isPlane =
            one.result->request.place.plane().has_value(); // it may have gaps that its reference hasn't
        one.metrics =
            engine::measured(one.result.get(), one.reference.get(), comparison.slice, comparison.mask, isPlane);
        m_all.push_back({one.result, one.reference, comparison.slice, comparison.mask, one.metrics});
    }
}

void KeptFigures::letGo()
{
    std::erase_if(m_all, [](const Measured& one) { return one.image.expired() || one.reference.expired(); });
}

} // namespace ui
