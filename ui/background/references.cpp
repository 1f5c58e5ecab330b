// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/background/references.h"

#include <algorithm>

namespace ui
{

namespace
{

using Kind = ReferenceChoice::Kind;

// Returns the setting that the choice of the reference names, or null.
const Compared* namedIn(const Comparison& now)
{
    return now.against.kind == Kind::setting || now.against.kind == Kind::exactOf ? now.find(now.against.id) : nullptr;
}

} // namespace

bool hasSharedReference(const Comparison& now, const Compared& one)
{
    return now.against.kind == Kind::file || (now.against.kind == Kind::phantom && one.request.scan->exactImage);
}

std::optional<engine::Request> referenceRequest(const Comparison& now, const Compared& one)
{
    const Compared* named = namedIn(now);
    const bool isOfPlane = one.request.place.plane().has_value(); // other settings have no image of it
    if (!one.result || hasSharedReference(now, one))
        return std::nullopt;
    if (named && now.against.kind == Kind::setting)
        return isOfPlane ? std::optional(named->request) : std::nullopt;
    const Compared& like = named ? *named : one;
    if (!like.result && !isOfPlane)
        return std::nullopt;
    engine::Request exact = engine::exactRequest(like.request, now.slice, like.result ? *like.result : *one.result,
                                                 now.against.interpolation);
    if (!like.result) // the image has the axis of another setting
        exact.setting.axis = like.request.setting.axis;
    return exact;
}

bool References::Shared::isFor(const Comparison& now, const Compared& one) const
{
    const engine::Place& place = image->request.place;
    return of == now.against && image->request.scan == one.request.scan && place.plane() == one.request.place.plane() &&
           (place.plane() || place.slices().first == now.slice) && image->unit == one.result->unit &&
           static_cast<const engine::SliceGrid&>(image->grid) == one.result->grid && files.areUnchanged();
}

Image References::find(const Comparison& now, const Compared& one)
{
    if (hasSharedReference(now, one)) {
        const auto isRight = [&](const Shared& made) { return made.isFor(now, one); };
        const auto made = one.result && !one.isPreview() ? std::ranges::find_if(m_shared, isRight) : m_shared.end();
        return made == m_shared.end() ? nullptr : made->image;
    }
    if (const auto wanted = referenceRequest(now, one))
        return m_reconstructed.find(*wanted);
    const Compared* of = now.against.kind == Kind::setting ? namedIn(now) : nullptr;
    return of && !of->isPreview() ? of->result : nullptr;
}

void References::findAll(Comparison& now)
{
    for (Compared& one : now.compared)
        if (!one.reference && one.result)
            one.reference = find(now, one);
}

Image References::compute(const Comparison& now, const Compared& one, const ExactReference::BeforeBand& before,
                          const ExactReference::Progress& progress, const std::stop_token& stop)
{
    if (Image there = find(now, one))
        return there;
    if (hasSharedReference(now, one)) {
        if (!one.result || one.isPreview())
            return nullptr;
        before(std::nullopt);
        engine::FileImage made = now.against.kind == Kind::phantom
                                     ? engine::FileImage{engine::phantomImage(*one.result, now.slice), {}}
                                     : engine::fileImage(now.against.file, *one.result, now.slice);
        m_shared.push_back({now.against, std::make_shared<const engine::Reconstruction>(std::move(made.image)),
                            std::move(made.files)});
        if (m_shared.size() > 3)
            m_shared.pop_front();
        return m_shared.back().image;
    }
    const auto wanted = referenceRequest(now, one);
    return wanted ? m_reconstructed.compute(*wanted, before, progress, stop) : nullptr;
}

} // namespace ui
