#include "ui/comparison.h"

#include "engine/backproject/method.h"

#include <QCoreApplication>

namespace ui
{

namespace
{

QString tr(const char* text)
{
    return QCoreApplication::translate("ui::Comparison", text);
}

} // namespace

QString Compared::title() const
{
    const engine::Kernel& kernel = (result ? result->request : request).setting.kernel;
    const std::string id = result ? result->method : kernel.method;
    const engine::Method* method = engine::findMethod(id);
    const bool inDouble = method && method->filterPrecision == engine::FilterPrecision::float64;
    QString text = QString::fromStdString(id) + " · " + QString::fromStdString(engine::toText(kernel.interpolation));
    if (kernel.interpolation == engine::Interpolation::oversampled)
        text += QStringLiteral(" ×%1").arg(kernel.oversampling);
    text += " · " + (inDouble && kernel.precision == engine::Precision::single
                         ? tr("double")
                         : QString::fromStdString(engine::toText(kernel.precision)));
    if (kernel.slicesPerPass > 1)
        text += " · " + tr("%1 slices").arg(kernel.slicesPerPass);
    if (!kernel.variant.empty() && method && engine::hasVariant(*method, kernel.variant))
        text += " · " + QString::fromStdString(kernel.variant);
    return text;
}

Plane Comparison::planeOf(const Compared& one) const
{
    Plane plane;
    plane.title = &one == &reference ? tr("exact") : one.name.isEmpty() ? one.title() : one.name + " · " + one.title();
    if (!one.result)
        return plane;
    plane.volume = {one.result, &one.result->image};
    plane.index = slice - one.result->request.place.slices.first;
    plane.grid = one.result->grid;
    plane.unit = QString::fromStdString(one.result->unit);
    return plane;
}

Plane Comparison::planeB() const
{
    Plane plane = planeOf(b());
    if (hasSecond())
        return plane;
    const engine::Method& method = engine::referenceMethod();
    plane.title = "B · " + tr("exact, double precision");
    plane.explanation = tr("The reference, with linear interpolation and the filter and axis of A.\n%1: %2")
                            .arg(QString::fromUtf8(method.label), QString::fromUtf8(method.summary));
    return plane;
}

// It comes as an image alone: its grid is that of the results with as many pixels.
Plane Comparison::planeOfPhantom() const
{
    if (!phantom)
        return {};
    for (const Plane& other : {planeOf(reference), planeA(), planeB()})
        if (other && other.grid.width == phantom->width && other.grid.height == phantom->height) {
            Plane plane = other;
            plane.volume = phantom;
            plane.index = 0;
            return plane;
        }
    return {};
}

void Comparison::measure(Compared& one, bool both) const
{
    const Plane plane = planeOf(one);
    const auto against = [&](std::span<const float> truth) -> std::optional<engine::Metrics> {
        if (one.isPreview() || !plane || truth.empty() || plane.values().size() != truth.size())
            return std::nullopt;
        return engine::compareImages(plane.values(), truth, plane.grid.width, plane.grid.height, mask);
    };
    if (phantom && !one.againstPhantom)
        one.againstPhantom = against(phantom->slice(0));
    if (&one != &reference && !one.againstExact && (both || !phantom)) // against itself it would say nothing
        one.againstExact = against(planeOf(reference).values());
}

void Comparison::measure()
{
    for (Compared& one : compared)
        measure(one, false);
    if (!hasSecond()) // it stands in B's place
        measure(reference, false);
}

engine::Volume phantomLike(const engine::Reconstruction& like, int slice)
{
    const engine::Scan& scan = *like.request.scan;
    engine::Volume image = scan.exactImage(slice, like.grid);
    if (const auto pixelSizeMm = scan.pixelSizeMm(); like.unit == "1/mm" && pixelSizeMm)
        for (float& value : image.values)
            value = static_cast<float>(value / *pixelSizeMm);
    return image;
}

} // namespace ui
