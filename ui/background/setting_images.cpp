// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/background/setting_images.h"

#include <algorithm>
#include <utility>

namespace ui
{

Image SettingImages::keep(const engine::Request& request, Image made)
{
    const double bytes = sizeof(float) * static_cast<double>(made->image.values.size());
    return m_images.keep(engine::imageKey(request), std::move(made), bytes);
}

Comparison SettingImages::fill(Comparison asked, bool none)
{
    for (Compared& one : asked.compared) {
        one.result = one.reference = nullptr;
        one.metrics.reset();
        if (const Image* kept = none ? nullptr : m_images.find(engine::imageKey(one.request)))
            one.result = *kept;
    }
    return asked;
}

void SettingImages::forget(const Comparison& asked)
{
    m_images.dropIf([&](const engine::ImageKey& key) { return key.scan != asked.a().request.scan; });
    for (const Compared& before : m_listed)
        if (!asked.find(before.id))
            m_images.dropIf([&](const engine::ImageKey& key) {
                return key.setting == engine::imageKey(before.request).setting &&
                       std::ranges::none_of(asked.compared, [&](const Compared& one) {
                           return engine::imageKey(one.request).setting == key.setting;
                       });
            });
    m_listed = asked.compared;
}

} // namespace ui
