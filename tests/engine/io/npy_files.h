// SPDX-License-Identifier: GPL-3.0-or-later
// NumPy arrays as the contents of test files
#pragma once

#include <cstddef>
#include <string>

namespace made
{

// Returns a header as NumPy writes it: it ends with a line feed, at a multiple of 64 bytes.
inline std::string npyHeader(const std::string& dictionary, int version = 1)
{
    const std::size_t first = version == 1 ? 10 : 12;
    std::string text = dictionary;
    text.append((64 - (first + text.size() + 1) % 64) % 64, ' ');
    text += '\n';
    std::string all = "\x93NUMPY";
    all += char(version);
    all += char(0);
    for (std::size_t k = 0; k < first - 8; ++k)
        all += char(text.size() >> 8 * k & 0xff);
    return all + text;
}

inline std::string npyDictionary(const std::string& descr, bool fortran, const std::string& shape)
{
    return "{'descr': '" + descr + "', 'fortran_order': " + (fortran ? "True" : "False") + ", 'shape': (" + shape +
           "), }";
}

} // namespace made
