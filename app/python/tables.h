// SPDX-License-Identifier: GPL-3.0-or-later
// The engine's tables of methods and options for Python, which makes arguments, docstrings and stubs of them: a list
// with a dict for each row.
#pragma once

#include <pybind11/pybind11.h>

namespace binding
{

pybind11::list methodTable();
pybind11::list optionTable();  // of a request
pybind11::list openingTable(); // of a scan's file

} // namespace binding
