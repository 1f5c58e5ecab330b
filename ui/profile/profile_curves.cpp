// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profile/profile_curves.h"

#include "engine/base/error.h"
#include "engine/compare/edge.h"
#include "engine/request/section.h"
#include "ui/widgets/displayed_number.h"
#include "ui/widgets/save_file.h"

#include <QFileInfo>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

namespace ui
{

namespace
{

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// Returns the sides of a pixel of the whole image: a coarse one counts them, too.
engine::PixelSides pixelSidesOf(const Comparison& comparison)
{
    const Image source = comparison.hasResult() ? comparison.a().result : nullptr;
    if (!source || !source->request.scan)
        return {};
    engine::Request whole = source->request;
    whole.place.previewStep = 1;
    const engine::PixelSides sides = engine::sectionOf(whole).pixel;
    return sides.isInMm && sides.across > 0 ? sides : engine::PixelSides();
}

// Returns the length of a pixel along the line; around a circle, the mean.
double pixelSizeAlong(const engine::Shape& shape, const engine::PixelSides& sides)
{
    const auto* line = std::get_if<engine::Line>(&shape);
    const double x = line ? line->x1 - line->x0 : 1, y = line ? line->y1 - line->y0 : 1, length = std::hypot(x, y);
    return sides.across == sides.down || !(length > 0) ? sides.across
                                                       : std::hypot(x * sides.across, y * sides.down) / length;
}

QString number(double value)
{
    return std::isfinite(value) ? QString::number(value, 'g', 9) : QString();
}

// Adds the curves of the chosen setting, of the other visible ones, and of the reference of the chosen one.
void addLine(ProfileCurves& profile, const Comparison& comparison, const engine::Mark& line, int place)
{
    const engine::PixelSides sides = pixelSidesOf(comparison);
    const auto add = [&](Curve curve, Curve::Role role, const QString& name, const QString& brief, int colour,
                         std::ptrdiff_t inList) {
        if (curve.position.isEmpty())
            return;
        curve.role = role;
        curve.place = static_cast<int>(inList);
        curve.briefName = brief;
        curve.line = place;
        curve.name = profile.lines.size() < 2 ? name : name + QStringLiteral(", ") + QString::fromStdString(line.name);
        curve.colour = colour;
        profile.curves.push_back(std::move(curve));
    };
    add(curveAlong(comparison.planeB(), line, sides), Curve::Role::reference, profile.referenceName,
        comparison.briefReferenceName(), 0, std::ssize(comparison.compared));
    const Compared* chosen = &comparison.a();
    const auto addSetting = [&](const Compared& one, Curve::Role role) {
        if (!one.result || one.result == one.reference || (one.result == chosen->reference && &one != chosen))
            return; // it is the reference itself
        Curve curve = curveAlong(comparison.planeOf(one), line, sides);
        curve.error = absoluteDifference(curve, curveAlong(comparison.referenceOf(one), line, sides));
        curve.title = one.wholeTitle();
        add(std::move(curve), role, one.label(), one.name, one.colour, &one - comparison.compared.data());
    };
    for (const Compared& one : comparison.compared)
        if (&one != chosen && one.visible)
            addSetting(one, Curve::Role::other);
    addSetting(*chosen, Curve::Role::chosen); // on top of all others
}

// Returns comment lines (#) that describe the line and its columns.
QString csvHead(const ProfileCurves& profile, std::size_t place, const std::vector<const Curve*>& curves)
{
    const ProfileLine& line = profile.lines[place];
    QString text = QStringLiteral("# %1: %2, %3 wide, in pixels of %4\n")
                       .arg(line.name, QString::fromStdString(engine::toText(line.shape)))
                       .arg(line.width)
                       .arg(profile.source);
    for (const Curve* curve : curves) {
        text += QStringLiteral("# %1: %2").arg(curve->name, curve->title);
        if (curve->edgeWidth)
            text += QStringLiteral(", edge width (10-90 %) %1 %2").arg(number(*curve->edgeWidth), profile.positionUnit);
        text += u'\n';
    }
    return text;
}

QString csvOf(const ProfileCurves& profile, std::size_t place)
{
    std::vector<const Curve*> ordered = profile.inOrder();
    std::erase_if(ordered, [place](const Curve* one) { return one->line != static_cast<int>(place); });
    if (ordered.empty())
        return {};
    const Curve* finest = *std::ranges::max_element(ordered, {}, [](const Curve* one) { return one->position.size(); });
    const auto name = [](const QString& of) { return QString(of).replace(u',', u';'); }; // a comma would end the cell
    QString text = csvHead(profile, place, ordered) + QStringLiteral("position (%1)").arg(profile.positionUnit);
    for (const Curve* curve : ordered)
        text += QStringLiteral(",%1 (%2)").arg(name(curve->name), profile.unit);
    for (const Curve* curve : ordered)
        if (!curve->error.isEmpty())
            text += QStringLiteral(",|%1 - %2| (%3)").arg(name(curve->name), name(profile.referenceName), profile.unit);
    text += u'\n';
    for (const double where : finest->position) {
        text += number(where);
        for (const Curve* curve : ordered)
            text += u',' + number(valueAt(curve->position, curve->value, where));
        for (const Curve* curve : ordered)
            if (!curve->error.isEmpty())
                text += u',' + number(valueAt(curve->position, curve->error, where));
        text += u'\n';
    }
    return text;
}

} // namespace

const Curve* ProfileCurves::find(Curve::Role role) const
{
    const auto found = std::ranges::find_if(curves, [role](const Curve& c) { return c.role == role && c.line == 0; });
    return found == curves.end() ? nullptr : &*found;
}

std::vector<const Curve*> ProfileCurves::inOrder() const
{
    std::vector<const Curve*> ordered;
    for (const Curve& curve : curves)
        ordered.push_back(&curve);
    std::ranges::stable_sort(ordered, {}, [](const Curve* one) { return std::pair(one->line, one->place); });
    return ordered;
}

Curve curveAlong(const GridSlice& plane, const engine::Mark& line, const engine::PixelSides& sides)
{
    Curve curve;
    const engine::SliceGrid& grid = plane.grid;
    if (!plane || grid.width <= 0 || grid.height <= 0 || !(grid.step > 0))
        return curve;
    const engine::Profile profile = engine::profileOf(plane.values(), grid, line.shape, line.width);
    curve.position.reserve(static_cast<qsizetype>(profile.position.size()));
    const double pixelSize = pixelSizeAlong(line.shape, sides);
    for (const double position : profile.position)
        curve.position.push_back(position * pixelSize);
    curve.value = QVector<double>(profile.value.begin(), profile.value.end());
    curve.title = plane.title;
    if (std::holds_alternative<engine::Line>(line.shape) && grid.step == 1) // a coarse image blurs every edge
        curve.edgeWidth = engine::edgeWidth({{curve.position.begin(), curve.position.end()}, profile.value});
    return curve;
}

QStringList edgeWidthTexts(const ProfileCurves& curves)
{
    QStringList texts;
    for (const Curve* curve : curves.inOrder())
        if (curve->edgeWidth)
            texts << QStringLiteral("%1 %2 %3")
                         .arg(curve->name, significantText(*curve->edgeWidth, 3), curves.positionUnit);
    return texts;
}

QVector<double> absoluteDifference(const Curve& curve, const Curve& reference)
{
    QVector<double> result;
    const qsizetype count = curve.position.size();
    // Grids of the same step sample the line at the same places, up to rounding.
    if (count == 0 || count != reference.position.size() ||
        !(std::abs(curve.position.back() - reference.position.back()) <=
          1e-6 * std::abs(curve.position.back()) + 1e-12))
        return result;
    result.reserve(count);
    for (qsizetype k = 0; k < count; ++k)
        result.push_back(std::abs(curve.value[k] - reference.value[k]));
    return result;
}

ProfileCurves profileCurves(const Comparison& comparison, const engine::Mark& line)
{
    return profileCurves(comparison, std::vector{&line});
}

ProfileCurves profileCurves(const Comparison& comparison, const std::vector<const engine::Mark*>& lines)
{
    ProfileCurves profile;
    if (comparison.compared.empty())
        return profile;
    const engine::PixelSides sides = pixelSidesOf(comparison);
    if (!lines.empty())
        profile.pixelSize = pixelSizeAlong(lines.front()->shape, sides);
    profile.positionUnit = sides.isInMm ? QStringLiteral("mm") : QStringLiteral("px");
    profile.referenceName = comparison.referenceName();
    profile.unit = comparison.planeA().unit;
    if (const Image& made = comparison.a().result; made && made->request.place.plane())
        profile.source = QStringLiteral("the plane ") + QString::fromStdString(toText(*made->request.place.plane()));
    for (const engine::Mark* line : lines) {
        profile.lines.push_back({QString::fromStdString(line->name), line->shape, line->width,
                                 engine::lengthOf(line->shape) * pixelSizeAlong(line->shape, sides)});
        profile.length = std::max(profile.length, profile.lines.back().length);
    }
    for (std::size_t k = lines.size(); k-- > 0;) // the chosen line on top of all others
        addLine(profile, comparison, *lines[k], static_cast<int>(k));
    return profile;
}

double valueAt(const QVector<double>& position, const QVector<double>& value, double where)
{
    if (position.isEmpty() || position.size() != value.size())
        return nan;
    // Tolerates rounding at the ends, never more than a thousandth of a sample.
    const double slack = position.size() > 1 ? 1e-3 * (position[1] - position[0]) : 0;
    if (!(where >= position.front() - slack && where <= position.back() + slack))
        return nan;
    const auto above = std::lower_bound(position.begin(), position.end(), where);
    if (above == position.begin())
        return value.front();
    if (above == position.end())
        return value.back();
    const qsizetype k = above - position.begin();
    const double fraction = (where - position[k - 1]) / (position[k] - position[k - 1]);
    if (fraction >= 1)
        return value[k]; // avoids 0·NaN from the neighbour
    return value[k - 1] + fraction * (value[k] - value[k - 1]);
}

QString profileCsv(const ProfileCurves& profile)
{
    QStringList tables;
    for (std::size_t place = 0; place < profile.lines.size(); ++place)
        tables << csvOf(profile, place);
    tables.removeAll(QString());
    return tables.join(u'\n');
}

void writeProfileCsv(const QString& path, const ProfileCurves& profile)
{
    const QByteArray bytes = profileCsv(profile).toUtf8();
    if (bytes.isEmpty())
        throw engine::Error(engine::ErrorKind::output,
                            "no profile to write to " + path.toStdString() + "; reconstruct a slice first");
    if (const QString why = saveFile(path, bytes); !why.isEmpty())
        throw engine::Error(engine::ErrorKind::output, "can't write the profile to " + path.toStdString() + ": " +
                                                           why.toStdString() + "; choose another folder or name");
}

} // namespace ui
