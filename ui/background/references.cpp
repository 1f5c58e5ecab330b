// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/background/references.h"

namespace ui
{

namespace
{

using Kind = ReferenceChoice::Kind;

bool isShared(const Comparison& now, const Compared& one)
{
    return now.against.kind == Kind::file || (now.against.kind == Kind::phantom && one.request.scan->exactImage);
}

// Returns the setting that all others are compared with, or null.
const Compared* chosenIn(const Comparison& now)
{
    return now.against.kind == Kind::setting ? now.find(now.against.id) : nullptr;
}

} // namespace

bool References::Shared::isFor(const Comparison& now, const Compared& one) const
{
    return of == now.against && image->request.scan == one.request.scan &&
           image->request.place.slices.first == now.slice && image->unit == one.result->unit &&
           static_cast<const engine::SliceGrid&>(image->grid) == one.result->grid && files.areUnchanged();
}

// Returns the request for the exact image, or nothing if the setting that determines it has no image yet.
std::optional<engine::Request> References::exactFor(const Comparison& now, const Compared& one) const
{
    const Compared* of = now.against.kind == Kind::exactOf ? now.find(now.against.id) : nullptr;
    const Compared& like = of ? *of : one;
    if (!like.result)
        return std::nullopt;
    return engine::exactRequest(like.request, now.slice, *like.result);
}

Image References::find(const Comparison& now, const Compared& one)
{
    if (isShared(now, one))
        return one.result && !one.isPreview() && m_shared && m_shared->isFor(now, one) ? m_shared->image : nullptr;
    if (const Compared* of = chosenIn(now))
        return of->isPreview() ? nullptr : of->result;
    const auto wanted = exactFor(now, one);
    return wanted ? m_exact.find(*wanted) : nullptr;
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
    if (isShared(now, one)) {
        if (!one.result || one.isPreview())
            return nullptr;
        before(std::nullopt);
        engine::FileImage made = now.against.kind == Kind::phantom
                                     ? engine::FileImage{engine::phantomImage(*one.result, now.slice), {}}
                                     : engine::fileImage(now.against.file, *one.result, now.slice);
        m_shared = Shared{now.against, std::make_shared<const engine::Reconstruction>(std::move(made.image)),
                          std::move(made.files)};
        return m_shared->image;
    }
    const auto wanted = chosenIn(now) ? std::nullopt : exactFor(now, one);
    return wanted ? m_exact.compute(*wanted, before, progress, stop) : nullptr;
}

} // namespace ui
