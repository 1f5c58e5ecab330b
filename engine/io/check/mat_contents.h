// SPDX-License-Identifier: GPL-3.0-or-later
// The variables of a MATLAB file of version 5, as the helper program describes them.
#pragma once

#include "engine/io/check/helper_session.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace engine
{

// A variable, or a field of a struct.
struct MatVariable {
    enum class Kind : std::uint32_t { numbers, text, structure, other }; // numbers: real ones; other: complex, cells …
    std::string name;
    Kind kind = Kind::other;
    bool isWhole = false;           // all of its numbers are there
    std::vector<std::size_t> shape; // two dimensions or more: rows, columns, …
    std::string text;               // its beginning, printable ASCII only
    std::vector<MatVariable> fields;
    std::uint64_t number = 0; // by which the helper knows it

    std::size_t count() const;                             // of numbers
    const MatVariable* field(std::string_view name) const; // null if there is none
};

void addTo(Parcel& parcel, const std::vector<MatVariable>& variables);
// Throws Error(badFile) for what can't be true: more numbers than `mostNumbers` in a variable.
std::vector<MatVariable> matVariablesIn(Parcel& parcel, double mostNumbers);

// An open MATLAB file. The functions throw the errors of HelperSession.
class MatContents
{
  public:
    // `program`: as for HelperSession.
    explicit MatContents(const std::filesystem::path& file, std::stop_token stop = {},
                         std::filesystem::path program = {});

    const std::vector<MatVariable>& variables() const { return m_variables; }
    // Return the numbers of a variable that is whole: the row counts fastest, then the column, as in MATLAB.
    std::vector<double> doubles(const MatVariable& variable);
    std::vector<float> floats(const MatVariable& variable);

  private:
    template <typename T>
    std::vector<T> read(const MatVariable& variable);

    HelperSession m_session;
    double m_workBytes = 0;
    std::vector<MatVariable> m_variables;
};

} // namespace engine
