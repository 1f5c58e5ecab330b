// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/files/slices_path.h"

#include "engine/base/error.h"
#include "engine/base/number_text.h"

#include <algorithm>

namespace engine
{

std::string toText(const SlicesPath& path)
{
    const std::string file = path.file.string();
    if (!path.axes.empty())
        return file + '#' + path.dataset + '@' + path.axes;
    if (!path.dataset.empty())
        return file + '#' + path.dataset;
    return file.ends_with('#') || file.find("#/") != std::string::npos ? file + '#' : file;
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
    std::string text = all, axes;
    if (const std::size_t at = all.rfind('@'); at != std::string::npos && all.find('#') < at && all.size() - at == 6) {
        axes = volumeAxesFromText(all.substr(at + 1));
        text = all.substr(0, at);
    }
    const std::size_t at = text.ends_with('#') ? text.size() - 1 : text.rfind("#/");
    const SlicesPath path{text.substr(0, at), at == std::string::npos ? std::string() : text.substr(at + 1), axes};
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
