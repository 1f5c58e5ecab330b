// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/files/slices_path.h"

#include "engine/base/error.h"
#include "engine/base/number_text.h"

#include <algorithm>

namespace engine
{

namespace
{

// Returns the unit at the end of a text such as "scan.h5@1/pixel"; empty if there is none.
std::string unitAtEnd(const std::string& text)
{
    const auto unit =
        std::ranges::find_if(imageUnits, [&](const char* one) { return text.ends_with(std::string("@") + one); });
    return unit == imageUnits.end() ? std::string() : *unit;
}

} // namespace

std::string toText(const SlicesPath& path)
{
    std::string text = path.file.string();
    if (!path.axes.empty() || !path.dataset.empty())
        text += '#' + path.dataset + (path.axes.empty() ? std::string() : '@' + path.axes);
    else if (text.ends_with('#') || text.find("#/") != std::string::npos || !unitAtEnd(text).empty())
        text += '#';
    return path.unit.empty() ? text : text + '@' + path.unit;
}

std::string imageUnitFromText(const std::string& text)
{
    const auto unit = std::ranges::find(imageUnits, lowerCase(text));
    require(unit != imageUnits.end(), "bad unit '" + text + "'; give 1/pixel, 1/mm or 1/cm");
    return *unit;
}

std::string volumeAxesFromText(const std::string& text)
{
    std::string letters, axes;
    for (const char c : lowerCase(text))
        if (c != ':' && c != ',' && c != ' ')
            letters += c;
    std::string sorted = letters;
    std::ranges::sort(sorted);
    require(sorted == "xyz", "bad axes '" + text + "'; give z, y and x in the order of the dimensions, such as y:z:x");
    for (const char letter : letters)
        axes += axes.empty() ? std::string{letter} : std::string{':', letter};
    return axes;
}

SlicesPath slicesPathFromText(const std::string& all)
{
    const std::string unit = unitAtEnd(all);
    std::string text = unit.empty() ? all : all.substr(0, all.size() - unit.size() - 1), axes;
    if (const std::size_t at = text.rfind('@');
        at != std::string::npos && text.find('#') < at && text.size() - at == 6) {
        axes = volumeAxesFromText(text.substr(at + 1));
        text.resize(at);
    }
    const std::size_t at = text.ends_with('#') ? text.size() - 1 : text.rfind("#/");
    const SlicesPath path{text.substr(0, at), at == std::string::npos ? std::string() : text.substr(at + 1), axes,
                          unit};
    if (path.file.empty())
        throw Error(ErrorKind::badRequest,
                    "'" + all + "' names no file; give FILE, or FILE#/DATA/SET for a data set of an HDF5 file");
    return path;
}

std::string shortName(const SlicesPath& path)
{
    return toText(SlicesPath{(path.file / "").lexically_normal().parent_path().filename(), path.dataset, path.axes});
}

} // namespace engine
