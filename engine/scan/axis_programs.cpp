// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scan/axis_programs.h"

#include "engine/base/number_text.h"

#include <array>
#include <cmath>

namespace engine
{

namespace
{

// gridrec multiplies the transform of bin j by exp(−2πi·j·center/N): it rotates about the centre of bin `center`. Its
// default, N/2, is half a bin off the middle of the detector (tomopy issue 409). The iterative methods of tomopy
// place bin j at j + 1/2 − center.
constexpr std::array<AxisProgram, 5> knownPrograms{{
    {"astra", "ASTRA", "astra.geom_postalignment(proj_geom, ", ")", 0, true,
     "astra/functions.py, geom_postalignment: bins that the detector is shifted by"},
    {"tomopy", "tomopy (gridrec, find_center_vo)", "center=", "", 0, false,
     "libtomo/gridrec/gridrec.c, set_filter_tables; issue 409"},
    {"tomopy-iterative", "tomopy (iterative)", "center=", "", 0.5, false, "libtomo/recon/utils.c, preprocessing"},
    {"nabu", "nabu", "rotation_axis_position = ", "", 0, false,
     "documentation, parameters estimation: the middle is (detector_width - 1)/2"},
    {"tomocupy", "tomocupy", "--rotation-axis ", "", 0, false,
     "tomo_functions.py, fbp_filter_center; kernels_linerec.cuh: moves bin `center` to n/2 and rotates about it"},
}};

} // namespace

std::span<const AxisProgram> axisPrograms()
{
    return knownPrograms;
}

const AxisProgram* findAxisProgram(const std::string& id)
{
    for (const AxisProgram& program : knownPrograms)
        if (id == program.id)
            return &program;
    return nullptr;
}

double axisOf(const AxisProgram& program, double axisBins, int bins)
{
    return program.isShift ? (bins - 1) / 2.0 - axisBins : axisBins + program.offset;
}

double axisFrom(const AxisProgram& program, double theirs, int bins)
{
    return program.isShift ? (bins - 1) / 2.0 - theirs : theirs - program.offset;
}

std::string axisTextOf(const AxisProgram& program, double axisBins, int bins)
{
    const double theirs = axisOf(program, axisBins, bins);
    return program.before + numberToText(std::round(theirs * 1e4) / 1e4) + program.after;
}

bool axisFromProgramText(const std::string& text, double& axisBins)
{
    const std::size_t colon = text.find(':');
    const AxisProgram* program = colon == std::string::npos ? nullptr : findAxisProgram(text.substr(0, colon));
    if (!program || program->isShift)
        return false;
    axisBins = axisFrom(*program, realFromText(text.substr(colon + 1), std::string(program->label) + "'s axis"), 0);
    return true;
}

} // namespace engine
