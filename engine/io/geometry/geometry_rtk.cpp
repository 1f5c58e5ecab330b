// SPDX-License-Identifier: GPL-3.0-or-later
// RTK's geometry.xml: values that differ between projections stand in each projection, common values before all of
// them.
#include "engine/base/error.h"
#include "engine/base/number_text.h"
#include "engine/io/geometry/geometry_file.h"

#include <pugixml.hpp>

#include <array>
#include <cmath>
#include <numbers>
#include <sstream>
#include <utility>

namespace engine
{

namespace
{

// The values of a projection in mm and degrees, named as in the file.
struct RtkProjection {
    double sourceAxis = 0, sourceDetector = 0;
    double gantry = 0, outOfPlane = 0, inPlane = 0;
    double projectionX = 0, projectionY = 0; // of the detector's origin, assumed to be its middle
    double sourceX = 0, sourceY = 0;
    double cylinder = 0; // radius of a curved detector
};
constexpr std::pair<const char*, double RtkProjection::*> rtkNumbers[] = {
    {"SourceToIsocenterDistance", &RtkProjection::sourceAxis},
    {"SourceToDetectorDistance", &RtkProjection::sourceDetector},
    {"GantryAngle", &RtkProjection::gantry},
    {"OutOfPlaneAngle", &RtkProjection::outOfPlane},
    {"InPlaneAngle", &RtkProjection::inPlane},
    {"ProjectionOffsetX", &RtkProjection::projectionX},
    {"ProjectionOffsetY", &RtkProjection::projectionY},
    {"SourceOffsetX", &RtkProjection::sourceX},
    {"SourceOffsetY", &RtkProjection::sourceY},
    {"RadiusCylindricalDetector", &RtkProjection::cylinder}};

constexpr double perDegree = std::numbers::pi / 180;

using Matrix3 = std::array<std::array<double, 3>, 3>;

Matrix3 times(const Matrix3& a, const Matrix3& b)
{
    Matrix3 product{};
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            for (int k = 0; k < 3; ++k)
                product[i][j] += a[i][k] * b[k][j];
    return product;
}

// Returns Rz(−inPlane)·Rx(−outOfPlane)·Ry(−gantry), in RTK's coordinates.
Matrix3 rotationOf(const RtkProjection& p)
{
    const double g = p.gantry * perDegree, o = p.outOfPlane * perDegree, i = p.inPlane * perDegree;
    const Matrix3 aboutY = {{{std::cos(g), 0, -std::sin(g)}, {0, 1, 0}, {std::sin(g), 0, std::cos(g)}}};
    const Matrix3 aboutX = {{{1, 0, 0}, {0, std::cos(o), std::sin(o)}, {0, -std::sin(o), std::cos(o)}}};
    const Matrix3 aboutZ = {{{std::cos(i), std::sin(i), 0}, {-std::sin(i), std::cos(i), 0}, {0, 0, 1}}};
    return times(aboutZ, times(aboutX, aboutY));
}

// RTK's own projection matrix: from RTK's coordinates in mm (x across, y along the axis, z towards the source) to mm
// on the detector. With (x', y', z') rotated, u = D·(x' − sx)/(S − z') + sx − px, and v correspondingly.
std::array<double, 12> rtkMatrix(const RtkProjection& p)
{
    const Matrix3 r = rotationOf(p);
    std::array<double, 12> m{};
    const double shift[] = {p.sourceX - p.projectionX, p.sourceY - p.projectionY}, source[] = {p.sourceX, p.sourceY};
    for (int column = 0; column < 3; ++column) {
        for (int row = 0; row < 2; ++row)
            m[4 * row + column] = p.sourceDetector * r[row][column] - shift[row] * r[2][column];
        m[8 + column] = -r[2][column];
    }
    for (int row = 0; row < 2; ++row)
        m[4 * row + 3] = shift[row] * p.sourceAxis - p.sourceDetector * source[row];
    m[11] = p.sourceAxis;
    return m;
}

// Converts the matrix to our coordinates, bins and rows. RTK's x is our x, its y our z, and its z our −y. RTK's rows
// count up along y; they are reversed when read, so that ours count down.
ProjectionMatrix ourMatrix(const RtkProjection& p, const ConeOptions& pixels, int bins, int rows)
{
    const std::array<double, 12> m = rtkMatrix(p);
    const double pixelU = *pixels.pixelUMm, pixelV = pixels.pixelVMm.value_or(pixelU);
    ProjectionMatrix ours;
    for (int row = 0; row < 3; ++row) {
        ours[4 * row] = m[4 * row];
        ours[4 * row + 1] = -m[4 * row + 2];
        ours[4 * row + 2] = m[4 * row + 1];
        ours[4 * row + 3] = m[4 * row + 3];
    }
    for (int column = 0; column < 4; ++column) {
        ours[column] = ours[column] / pixelU + (bins - 1) / 2.0 * ours[8 + column];
        ours[4 + column] = -ours[4 + column] / pixelV + (rows - 1) / 2.0 * ours[8 + column];
    }
    return ours;
}

void takeNumber(const pugi::xml_node& node, RtkProjection& values, const Text& who)
{
    for (const auto& [name, value] : rtkNumbers)
        if (std::string(node.name()) == name) {
            std::istringstream words(node.child_value());
            std::string word, more;
            words >> word >> more;
            try {
                values.*value = realFromText(word + more, name);
            } catch (const Error&) {
                throw Error(ErrorKind::badFile,
                            who + ": " + name + " is '" + (word + more).substr(0, 40) + "', which is not a number.");
            }
        }
}

// Checks a stored matrix against the parameters, as RTK does ("It is read and checked to be consistent with the
// parameters"). The scale is ignored, as it has no meaning.
void checkMatrix(const std::string& text, const RtkProjection& values, std::size_t index, const Text& who)
{
    std::istringstream words(text);
    std::array<double, 12> stored{};
    for (double& number : stored)
        words >> number;
    const std::array<double, 12> expected = rtkMatrix(values);
    double largest = 0, difference = 0;
    for (int k = 0; k < 12; ++k) {
        largest = std::max(largest, std::abs(expected[k]));
        difference = std::max(difference, std::abs(stored[k] / stored[11] * expected[11] - expected[k]));
    }
    if (!(words && difference < 1e-3 * largest)) // NaN fails
        throw Error(ErrorKind::badFile, who + ": the matrix of projection " + std::to_string(index) +
                                            " doesn't agree with its angles, distances and offsets. Was the file "
                                            "edited?");
}

// Returns the same angle in (−180°, 180°]: RTK writes −3° as 357°.
double withinHalfTurn(double degrees)
{
    const double reduced = std::remainder(degrees, 360.0);
    return reduced <= -180 ? reduced + 360 : reduced;
}

std::vector<RtkProjection> projectionsOf(const std::string& xml, const Text& who)
{
    pugi::xml_document document;
    const pugi::xml_parse_result parsed = document.load_buffer(xml.data(), xml.size());
    if (!parsed)
        throw Error(ErrorKind::badFile, who + " can't be read as XML: " + parsed.description() + " at byte " +
                                            std::to_string(parsed.offset) + ".");
    const pugi::xml_node root = document.child("RTKThreeDCircularGeometry");
    if (!root)
        throw Error(ErrorKind::badFile, who + " is not an RTK geometry: it has no RTKThreeDCircularGeometry.");
    std::vector<RtkProjection> projections;
    RtkProjection current; // omitted values are those of the projection before
    for (const pugi::xml_node& node : root.children()) {
        if (std::string(node.name()) != "Projection") {
            takeNumber(node, current, who);
            continue;
        }
        for (const pugi::xml_node& value : node.children())
            takeNumber(value, current, who);
        if (const pugi::xml_node matrix = node.child("Matrix"))
            checkMatrix(matrix.child_value(), current, projections.size(), who);
        for (double RtkProjection::*angle : {&RtkProjection::inPlane, &RtkProjection::outOfPlane})
            current.*angle = withinHalfTurn(current.*angle);
        projections.push_back(current);
    }
    if (projections.empty())
        throw Error(ErrorKind::badFile, who + " has no projections.");
    return projections;
}

} // namespace

RecordedGeometry geometryFromRtk(const std::string& xml, const Text& who)
{
    const std::vector<RtkProjection> projections = projectionsOf(xml, who);
    const RtkProjection& first = projections.front();
    RecordedGeometry geometry;
    geometry.isCone = true;
    geometry.projections = static_cast<int>(projections.size());
    bool circle = true;
    for (const RtkProjection& p : projections) {
        if (p.cylinder != 0)
            throw Error(ErrorKind::badFile, who + " has a curved detector (RadiusCylindricalDetector " +
                                                numberToText(p.cylinder) + "); only flat detectors are supported.");
        if (p.sourceDetector == 0)
            throw Error(ErrorKind::badFile, who +
                                                " has a SourceToDetectorDistance of 0, which means a parallel beam; "
                                                "open the scan as a parallel beam" +
                                                hint("geometry", "parallel") + ".");
        geometry.anglesRad.push_back(p.gantry * perDegree);
        RtkProjection turned = p;
        turned.gantry = first.gantry;
        for (const auto& [name, value] : rtkNumbers)
            circle = circle && turned.*value == first.*value;
    }
    geometry.rowsUpwards = true;
    geometry.notes.push_back(
        "RTK counts rows upwards; their order is reversed, so that slice 0 is the top, at the greatest y.");
    if (circle && first.sourceX == 0 && first.sourceY == 0) {
        geometry.cone.sourceAxisMm = first.sourceAxis;
        geometry.cone.sourceDetectorMm = first.sourceDetector;
        if (first.projectionX != 0 || first.projectionY != 0) { // if both are 0, the offset counts as not specified
            geometry.cone.offsetUMm = first.projectionX;
            geometry.cone.offsetVMm = -first.projectionY;
        }
        geometry.cone.tiltRad = first.outOfPlane * perDegree;
        geometry.cone.rollRad = first.inPlane * perDegree;
        return geometry;
    }
    geometry.anglesRad.clear(); // contained in the matrices
    geometry.matricesFor = [projections](const ConeOptions& pixels, int bins, int rows) {
        std::vector<ProjectionMatrix> matrices;
        for (const RtkProjection& p : projections)
            matrices.push_back(ourMatrix(p, pixels, bins, rows));
        return matrices;
    };
    geometry.notes.push_back("The geometry differs between projections: each has a projection matrix of its own.");
    return geometry;
}

} // namespace engine
