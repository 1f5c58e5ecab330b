// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/check/mat_contents.h"

#include "engine/base/error.h"

#include <unistd.h>

#include <algorithm>
#include <type_traits>

namespace engine
{

namespace
{

constexpr int mostNested = 4; // structs in structs

// Returns how many bytes of an open file are stored: a file may claim any size by holes.
double storedBytes(const InputFile& file)
{
    constexpr int mostParts = 10'000;
    const auto end = static_cast<off_t>(file.bytes());
    off_t stored = 0;
    int parts = 0;
    for (off_t at = 0; at < end && parts < mostParts; ++parts) {
        const off_t begin = ::lseek(file.descriptor(), at, SEEK_DATA);
        if (begin < 0) // the rest is a hole
            break;
        at = std::max(begin, ::lseek(file.descriptor(), begin, SEEK_HOLE));
        stored += at - begin;
    }
    return static_cast<double>(stored);
}

std::vector<MatVariable> variablesIn(Parcel& parcel, double mostNumbers, int nested)
{
    std::vector<MatVariable> variables;
    for (auto left = parcel.take<std::uint64_t>(); left > 0; --left) {
        MatVariable variable;
        variable.name = parcel.take<std::string>();
        const auto kind = parcel.take<std::uint32_t>();
        parcel.require(kind <= static_cast<std::uint32_t>(MatVariable::Kind::other) && nested <= mostNested);
        variable.kind = static_cast<MatVariable::Kind>(kind);
        variable.isWhole = parcel.take<bool>();
        variable.shape = parcel.takeList<std::size_t>();
        variable.text = parcel.take<std::string>();
        variable.number = parcel.take<std::uint64_t>();
        variable.fields = variablesIn(parcel, mostNumbers, nested + 1);
        double count = 1;
        for (const std::size_t length : variable.shape)
            count *= static_cast<double>(length);
        parcel.require(!variable.isWhole || count <= mostNumbers);
        variables.push_back(std::move(variable));
    }
    return variables;
}

} // namespace

std::size_t MatVariable::count() const
{
    std::size_t count = 1;
    for (const std::size_t length : shape)
        count *= length;
    return count;
}

const MatVariable* MatVariable::field(std::string_view wanted) const
{
    const auto found = std::ranges::find(fields, wanted, &MatVariable::name);
    return found == fields.end() ? nullptr : &*found;
}

void addTo(Parcel& parcel, const std::vector<MatVariable>& variables)
{
    parcel.add(std::uint64_t{variables.size()});
    for (const MatVariable& variable : variables) {
        parcel.add(variable.name).add(static_cast<std::uint32_t>(variable.kind)).add(variable.isWhole);
        parcel.add(variable.shape).add(variable.text).add(variable.number);
        addTo(parcel, variable.fields);
    }
}

std::vector<MatVariable> matVariablesIn(Parcel& parcel, double mostNumbers)
{
    return variablesIn(parcel, mostNumbers, 0);
}

// The helper decompresses the file once, and then reads its variables from that copy. Only a file that is made to fill
// the memory is compressed more than this (inflated_mat.cpp).
MatContents::MatContents(const std::filesystem::path& file, std::stop_token stop, std::filesystem::path program)
    : m_session(file, std::move(stop), std::move(program))
{
    constexpr double always = 64 << 20, times = 16;
    const double stored = storedBytes(m_session.file());
    m_workBytes = times / 4 * stored;
    Parcel answer = m_session.ask(HelperQuestion::matVariables, file, {}, {}, m_workBytes);
    m_variables = matVariablesIn(answer, always + times * stored);
}

template <typename T>
std::vector<T> MatContents::read(const MatVariable& variable)
{
    std::vector<T> numbers(variable.count());
    m_session.askForValues(HelperQuestion::matNumbers, m_session.path(), {},
                           Parcel().add(variable.number).add(std::is_same_v<T, double>),
                           reinterpret_cast<char*>(numbers.data()), numbers.size() * sizeof(T), m_workBytes);
    return numbers;
}

std::vector<double> MatContents::doubles(const MatVariable& variable)
{
    return read<double>(variable);
}

std::vector<float> MatContents::floats(const MatVariable& variable)
{
    return read<float>(variable);
}

} // namespace engine
