// SPDX-License-Identifier: GPL-3.0-or-later
// MATLAB files for the tests, written with matio
#pragma once

#include <matio.h>

#include <filesystem>
#include <string>
#include <vector>

namespace made
{

inline constexpr int matProjections = 4, matBins = 3;

inline matvar_t* matrixOf(const char* name, std::size_t height, std::size_t width, std::vector<double> columns)
{
    std::size_t dims[] = {height, width};
    return Mat_VarCreate(name, MAT_C_DOUBLE, MAT_T_DOUBLE, 2, dims, columns.data(), 0);
}

inline matvar_t* textIn(const char* name, std::string text)
{
    std::size_t dims[] = {1, text.size()};
    return Mat_VarCreate(name, MAT_C_CHAR, MAT_T_UINT8, 2, dims, text.data(), 0);
}

inline matvar_t* structOf(const char* name, const std::vector<matvar_t*>& fields)
{
    std::vector<const char*> names;
    for (const matvar_t* field : fields)
        names.push_back(field->name);
    std::size_t dims[] = {1, 1};
    matvar_t* made = Mat_VarCreateStruct(name, 2, dims, names.data(), unsigned(names.size()));
    for (std::size_t k = 0; k < fields.size(); ++k)
        Mat_VarSetStructFieldByName(made, names[k], 0, fields[k]);
    return made;
}

inline void writeMat(const std::filesystem::path& path, const std::vector<matvar_t*>& variables,
                     matio_compression compression = MAT_COMPRESSION_ZLIB)
{
    mat_t* file = Mat_CreateVer(path.c_str(), nullptr, MAT_FT_MAT5);
    for (matvar_t* variable : variables) {
        Mat_VarWrite(file, variable, compression);
        Mat_VarFree(variable);
    }
    Mat_Close(file);
}

// Returns a sinogram whose element (p, b) is 10·p + b.
inline matvar_t* sinogramNamed(const char* name)
{
    std::vector<double> columns;
    for (int bin = 0; bin < matBins; ++bin)
        for (int projection = 0; projection < matProjections; ++projection)
            columns.push_back(10 * projection + bin);
    return matrixOf(name, matProjections, matBins, columns);
}

inline matvar_t* scanOf(const std::vector<double>& angles, double distance = 400, const char* unit = "mm")
{
    return structOf("CtData", {textIn("type", "2d"), sinogramNamed("sinogram"),
                               structOf("parameters",
                                        {matrixOf("distanceSourceOrigin", 1, 1, {distance}),
                                         matrixOf("distanceSourceDetector", 1, 1, {550}),
                                         matrixOf("pixelSize", 1, 1, {0.05}), matrixOf("pixelSizePost", 1, 1, {0.2}),
                                         textIn("distanceUnit", unit), matrixOf("angles", 1, angles.size(), angles)})});
}

} // namespace made
