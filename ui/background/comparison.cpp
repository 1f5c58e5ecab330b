// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/background/comparison.h"

#include "engine/backends/method.h"
#include "engine/compare/reference_image.h"
#include "engine/options/options.h"
#include "ui/background/setting_differences.h"
#include "ui/widgets/engine_text.h"
#include "ui/widgets/short_name.h"

#include <QCoreApplication>

#include <algorithm>
#include <set>

namespace ui
{

namespace
{

QString tr(const char* text)
{
    return QCoreApplication::translate("ui::Comparison", text);
}

// Returns the grid of a plane's image, in pixels of the full one. A coarse image has the same centre, and larger
// pixels.
engine::SliceGrid gridOfPlane(const engine::Reconstruction& made)
{
    const engine::Plane plane = *made.request.place.plane();
    const int step = std::max(1, made.request.place.previewStep);
    const auto first = [step](int full, int coarse) { return (full - 1) / 2.0 - step * (coarse - 1) / 2.0; };
    return {std::max(plane.width, plane.height),
            first(plane.width, made.image.width),
            first(plane.height, made.image.height),
            made.image.width,
            made.image.height,
            static_cast<double>(step)};
}

} // namespace

QString Compared::label() const
{
    return !different.isEmpty() ? different : !name.isEmpty() ? name : title();
}

QString Compared::wholeTitle() const
{
    return name.isEmpty() ? title() : name + QStringLiteral(" · ") + title();
}

QString Compared::wholeDescription() const
{
    return name.isEmpty() ? description() : name + QStringLiteral(" · ") + description();
}

QString Compared::title() const
{
    const engine::Request& asked = result ? result->request : request;
    const engine::Kernel& kernel = asked.setting.kernel;
    const std::string id = result ? result->method : kernel.method;
    const engine::Method* method = result ? engine::methodOf(*result) : engine::findMethod(request);
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

QString Compared::description() const
{
    QStringList parts{title()};
    const engine::Request standard;
    engine::Request asked;
    asked.scan = request.scan;
    asked.setting = request.setting;
    for (const engine::Option& option : engine::options()) {
        // Options of the kernel are already in the title.
        if (!option.use.stage || option.use.stage == engine::Stage::backproject || (option.idle && option.idle(asked)))
            continue;
        const QString text = QString::fromStdString(option.get(asked));
        const bool isSaid = option.kind == engine::Option::Kind::choice && option.use.stage != engine::Stage::prepare;
        if (!text.isEmpty() && text != QString::fromStdString(option.get(standard)))
            parts << (isSaid ? text : QString::fromStdString(engine::lowerLabel(option)) + u' ' + text);
    }
    return parts.join(QStringLiteral(" · "));
}

QString wholeDescriptionOf(const NamedSetting& setting, const engine::Scan* scan)
{
    Compared described{QString::fromStdString(setting.name)};
    described.request.scan = {std::shared_ptr<void>(), scan}; // not owned
    described.request.setting = setting.setting;
    return described.wholeDescription();
}

bool isDoubtful(const Image& image)
{
    return image && (!image->doubts.empty() || (image->request.scan && image->request.scan->likelierTurn));
}

GridSlice planeOf(const Image& image, int slice, const QString& title)
{
    GridSlice plane;
    plane.title = title;
    if (!image)
        return plane;
    plane.volume = {image, &image->image};
    plane.index = image->request.place.plane() ? 0 : slice - image->request.place.slices().first;
    plane.grid =
        image->request.place.plane() ? gridOfPlane(*image) : static_cast<const engine::SliceGrid&>(image->grid);
    plane.unit = QString::fromStdString(image->unit);
    return plane;
}

const Compared& Comparison::a() const
{
    static const Compared nothing;
    return compared.empty() ? nothing : compared[std::min(chosen, compared.size() - 1)];
}

const Compared* Comparison::find(int id) const
{
    const auto found = std::ranges::find(compared, id, &Compared::id);
    return found == compared.end() ? nullptr : &*found;
}

std::vector<const Compared*> Comparison::shown() const
{
    std::vector<const Compared*> all;
    for (const Compared& one : compared)
        if (one.visible || &one == &a())
            all.push_back(&one);
    return all;
}

bool Comparison::hasOwnReference() const
{
    return !compared.empty() && against.kind != ReferenceChoice::Kind::setting;
}

double Comparison::heldBytes() const
{
    std::set<const engine::Reconstruction*> images;
    for (const Compared& one : compared)
        images.insert({one.result.get(), one.reference.get()});
    double bytes = 0;
    for (const engine::Reconstruction* image : images)
        if (image)
            bytes += sizeof(float) * static_cast<double>(image->image.values.size());
    return bytes;
}

GridSlice Comparison::planeOf(const Compared& one) const
{
    GridSlice plane = ui::planeOf(one.result, slice, compared.size() > 1 ? one.label() : one.wholeTitle());
    plane.explanation = one.wholeDescription();
    return plane;
}

GridSlice Comparison::referenceOf(const Compared& one) const
{
    GridSlice plane = ui::planeOf(one.reference, slice, referenceTitleOf(one));
    using Kind = ReferenceChoice::Kind;
    if (against.kind == Kind::exact || against.kind == Kind::exactOf) {
        const engine::Method* made = one.reference ? engine::methodOf(*one.reference) : nullptr;
        const engine::Method& method = made ? *made : engine::referenceMethod(engine::geometryOf(one.request));
        const Compared* of = against.kind == Kind::exactOf ? find(against.id) : nullptr;
        plane.explanation =
            tr("The reference: what the exact method makes of the same projections, not the object itself. With %1 "
               "interpolation and the preparation, filter and axis of %2.\n%3: %4")
                .arg(QString::fromStdString(engine::toText(against.interpolation)), of ? of->name : one.name,
                     QString::fromUtf8(method.label), QString::fromUtf8(method.summary));
        if (one.reference)
            for (const QString& note : inWindow(one.reference->notes))
                plane.explanation += QLatin1Char('\n') + note;
    } else if (against.kind == Kind::phantom) {
        plane.explanation = tr("The phantom itself: its exact mean over each pixel, not a reconstruction.");
    } else if (against.kind == Kind::setting) {
        if (const Compared* of = find(against.id))
            plane.explanation = of->wholeDescription();
    } else if (against.kind == Kind::file) {
        plane.explanation = tr("Read from %1, not computed here.").arg(QString::fromStdString(toText(against.file)));
    }
    return plane;
}

QString Comparison::referenceName() const
{
    switch (against.kind) {
    case ReferenceChoice::Kind::phantom:
        return tr("phantom");
    case ReferenceChoice::Kind::file:
        return shortened(QString::fromStdString(shortName(against.file)));
    case ReferenceChoice::Kind::setting:
        if (const Compared* of = find(against.id))
            return of->label();
        [[fallthrough]];
    default:
        return tr("exact method");
    }
}

QString Comparison::briefReferenceName() const
{
    const Compared* of = find(against.id);
    switch (against.kind) {
    case ReferenceChoice::Kind::exact:
    case ReferenceChoice::Kind::exactOf:
        return tr("exact");
    case ReferenceChoice::Kind::setting:
        return of ? of->name : referenceName();
    default:
        return referenceName();
    }
}

QString Comparison::sharedText() const
{
    using Kind = ReferenceChoice::Kind;
    const Compared* of = find(against.id);
    const bool isCone = a().request.scan && std::holds_alternative<engine::ConeBeam>(a().request.scan->geometry);
    switch (against.kind) {
    case Kind::phantom:
        return tr("Independent of the reconstruction: the difference also shows noise, filter, preparation and axis.");
    case Kind::file:
        return tr("It isn't known what the two have in common.");
    case Kind::setting:
        if (of == &a())
            return {};
        return of ? tr("The difference shows everything that differs: it isn't known which of the two is better.")
                  : QString();
    case Kind::exactOf:
        if (of && of != &a())
            return tr("Has the preparation, filter and axis of %1: the difference shows what other choices change, not "
                      "whether they are right.")
                .arg(of->name);
        [[fallthrough]];
    default:
        return tr("Same preparation, filter and axis: the difference shows only the error of the kernel: its "
                  "interpolation and its rounding.") +
               u' ' +
               (isCone ? tr("It doesn't show a wrong axis.")
                       : tr("It doesn't show a wrong axis: unfold “Axis: compare methods” to check it."));
    }
}

QString Comparison::referenceTitle() const
{
    return referenceTitleOf(a());
}

QString Comparison::referenceTitleOf(const Compared& one) const
{
    const Compared* of = find(against.id);
    const bool isImage = against.kind == ReferenceChoice::Kind::setting; // named as in titles
    const QString name = !of ? QString() : isImage ? of->label() : of->name;
    const QString text =
        QString::fromStdString(engine::referenceText(against, name.toStdString(), one.reference.get()));
    // The text of a file begins with its name, which may be too long for the panel: the shortened name replaces it.
    if (against.kind != ReferenceChoice::Kind::file)
        return text;
    return referenceName() + text.mid(QString::fromStdString(shortName(against.file)).size());
}

void nameByDifferences(Comparison& comparison, const SettingList& list)
{
    const std::vector<QString> names = namesByDifferences(list);
    for (std::size_t k = 0; k < names.size(); ++k)
        for (Compared& one : comparison.compared)
            if (one.id == list.settings[k].id)
                one.different = names[k];
}

QString maskText(const engine::Mask& mask)
{
    if (mask.region)
        return tr("inside the region");
    if (mask.area)
        return tr("inside the %1").arg(QString::fromStdString(engine::toText(*mask.area)));
    if (mask.discRadius)
        return tr("inside the disc of %1 of the width")
            .arg(QString::number(*mask.discRadius * 100, 'g', 3) + QChar(0x202f) + u'%');
    return {};
}

QString areaText(const Comparison& comparison)
{
    // For an area called "disc", its size is more informative than its name.
    const bool isDisc = comparison.mask.discRadius && comparison.areaName == QLatin1String("disc");
    return comparison.areaName.isEmpty() || isDisc ? maskText(comparison.mask)
                                                   : tr("inside %1").arg(comparison.areaName);
}

QString againstText(const Comparison& comparison)
{
    const QString area = areaText(comparison);
    return area.isEmpty() ? comparison.referenceTitle() : comparison.referenceTitle() + QStringLiteral(", ") + area;
}

} // namespace ui
