// SPDX-License-Identifier: GPL-3.0-or-later
// A MATLAB file of version 5, read with matio: in the helper program only.
#pragma once

#include "engine/io/check/mat_contents.h"
#include "engine/io/files/input_file.h"
#include "engine/io/library/inflated_mat.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

struct _mat_t;
struct matvar_t;

namespace engine
{

class MatReader
{
  public:
    explicit MatReader(std::unique_ptr<InputFile> file); // throws Error(badFile)
    ~MatReader();
    MatReader(const MatReader&) = delete;
    MatReader& operator=(const MatReader&) = delete;

    const std::vector<MatVariable>& variables() const { return m_variables; }
    // Read the numbers of a variable that is whole (MatVariable::number). Throw Error(badRequest) if there is no such
    // variable, or if it hasn't this many numbers.
    void read(std::uint64_t number, std::size_t count, float* out);
    void read(std::uint64_t number, std::size_t count, double* out);

  private:
    struct Place { // of a variable: its number in the file, and those of the fields that lead to it
        std::size_t variable = 0;
        std::vector<std::size_t> fields;
    };
    void open();
    MatVariable described(const matvar_t& variable, Place place);
    const matvar_t& at(std::uint64_t number);

    std::unique_ptr<InputFile> m_input;
    InflatedMat m_inflated;
    std::unique_ptr<_mat_t, void (*)(_mat_t*)> m_file;     // reads m_inflated
    std::unique_ptr<matvar_t, void (*)(matvar_t*)> m_read; // the last variable that was read
    std::size_t m_readNumber = 0, m_next = 0;              // m_next: of the variable that the file's position is at
    std::vector<Place> m_places;                           // by number of the variable
    std::vector<MatVariable> m_variables;
};

} // namespace engine
