// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/library/mat_reader.h"

#include "engine/base/error.h"

#include <matio.h>

#include <algorithm>
#include <array>
#include <mutex>
#include <span>
#include <utility>

namespace engine
{

namespace
{

constexpr std::size_t mostNested = 3; // structs in structs; deeper ones are not described

void closeMat(mat_t* file)
{
    if (file)
        Mat_Close(file);
}

void freeVariable(matvar_t* variable)
{
    Mat_VarFree(variable);
}

struct NamedField {
    std::string name;
    const matvar_t* value = nullptr;
};

// Returns the fields of a struct that have a name and a place in its data: in a damaged file these may be missing.
std::vector<NamedField> fieldsOf(const matvar_t& structure)
{
    std::vector<NamedField> fields;
    if (structure.class_type != MAT_C_STRUCT || !structure.data)
        return fields;
    const std::size_t count = std::min<std::size_t>(Mat_VarGetNumberOfFields(const_cast<matvar_t*>(&structure)),
                                                    structure.nbytes / sizeof(matvar_t*));
    char* const* names = Mat_VarGetStructFieldnames(&structure);
    for (std::size_t k = 0; k < count; ++k) {
        const matvar_t* value = static_cast<matvar_t* const*>(structure.data)[k];
        const bool isNamed = names && names[k] && value;
        fields.push_back({isNamed ? names[k] : "", isNamed ? value : nullptr});
    }
    return fields;
}

template <typename Number, typename T>
void convertNumbers(const void* from, std::size_t count, T* out)
{
    for (std::size_t k = 0; k < count; ++k)
        out[k] = static_cast<T>(static_cast<double>(static_cast<const Number*>(from)[k]));
}

template <typename T>
struct NumberKind {
    matio_classes kind;
    void (*convert)(const void* from, std::size_t count, T* out);
};

// Returns null for classes without numbers.
template <typename T>
const NumberKind<T>* numberKind(const matvar_t& variable)
{
    static constexpr std::array<NumberKind<T>, 10> kinds{{{MAT_C_DOUBLE, convertNumbers<double, T>},
                                                          {MAT_C_SINGLE, convertNumbers<float, T>},
                                                          {MAT_C_INT8, convertNumbers<std::int8_t, T>},
                                                          {MAT_C_UINT8, convertNumbers<std::uint8_t, T>},
                                                          {MAT_C_INT16, convertNumbers<std::int16_t, T>},
                                                          {MAT_C_UINT16, convertNumbers<std::uint16_t, T>},
                                                          {MAT_C_INT32, convertNumbers<std::int32_t, T>},
                                                          {MAT_C_UINT32, convertNumbers<std::uint32_t, T>},
                                                          {MAT_C_INT64, convertNumbers<std::int64_t, T>},
                                                          {MAT_C_UINT64, convertNumbers<std::uint64_t, T>}}};
    const auto* found = std::ranges::find(kinds, variable.class_type, &NumberKind<T>::kind);
    return found == kinds.end() || variable.isComplex ? nullptr : found;
}

std::vector<std::size_t> shapeOf(const matvar_t& variable)
{
    constexpr int mostDimensions = 32;
    if (!variable.dims || variable.rank < 1 || variable.rank > mostDimensions)
        return {};
    return {variable.dims, variable.dims + variable.rank};
}

bool hasAllNumbers(const matvar_t& variable, const std::vector<std::size_t>& shape)
{
    std::size_t count = 1;
    for (const std::size_t length : shape)
        if (__builtin_mul_overflow(count, length, &count))
            return false;
    return !shape.empty() && variable.data && variable.data_size > 0 &&
           variable.nbytes / static_cast<std::size_t>(variable.data_size) >= count;
}

std::string charactersOf(const matvar_t& variable)
{
    std::string text;
    if (variable.class_type != MAT_C_CHAR || !variable.data || variable.data_size < 1)
        return text;
    const std::size_t count = variable.nbytes / static_cast<std::size_t>(variable.data_size);
    for (std::size_t k = 0; k < std::min<std::size_t>(count, 200); ++k) {
        const unsigned letter = variable.data_size == 2 ? static_cast<const std::uint16_t*>(variable.data)[k]
                                                        : static_cast<const unsigned char*>(variable.data)[k];
        if (letter >= 32 && letter < 127)
            text += static_cast<char>(letter);
    }
    return text;
}

} // namespace

MatReader::MatReader(std::unique_ptr<InputFile> file)
    : m_input(std::move(file)), m_inflated(*m_input), m_file(nullptr, closeMat), m_read(nullptr, freeVariable)
{
    static std::once_flag silenced; // matio would print what we report better; its versions differ in a const
    std::call_once(silenced, [] { Mat_LogInitFunc("", [](int, auto*) {}); });
    open();
    while (m_read.reset(Mat_VarReadNext(m_file.get())), m_read) {
        m_readNumber = m_next++;
        m_variables.push_back(described(*m_read, {m_readNumber, {}}));
    }
}

MatReader::~MatReader() = default;

void MatReader::open()
{
    m_file.reset(Mat_Open(m_inflated.path().c_str(), MAT_ACC_RDONLY));
    if (!m_file || Mat_GetVersion(m_file.get()) != MAT_FT_MAT5)
        throw Error(ErrorKind::badFile, fileText(m_input->path().string()) +
                                            ": it can't be read as a MATLAB file of version 5; save it with -v7.");
    m_next = 0;
}

MatVariable MatReader::described(const matvar_t& variable, Place place)
{
    MatVariable found;
    found.name = variable.name ? variable.name : "";
    found.shape = shapeOf(variable);
    found.number = m_places.size();
    m_places.push_back(place);
    if (numberKind<float>(variable)) {
        found.kind = MatVariable::Kind::numbers;
        found.isWhole = hasAllNumbers(variable, found.shape);
    } else if (variable.class_type == MAT_C_CHAR) {
        found.kind = MatVariable::Kind::text;
        found.text = charactersOf(variable);
    } else if (variable.class_type == MAT_C_STRUCT && place.fields.size() < mostNested) {
        found.kind = MatVariable::Kind::structure;
        const std::vector<NamedField> fields = fieldsOf(variable);
        place.fields.push_back(0);
        for (std::size_t k = 0; k < fields.size(); ++k)
            if (fields[k].value) {
                place.fields.back() = k;
                found.fields.push_back(described(*fields[k].value, place));
                found.fields.back().name = fields[k].name;
            }
    }
    return found;
}

// Reads the variable again, unless it is the last one that was read.
const matvar_t& MatReader::at(std::uint64_t number)
{
    const auto require = [](bool isThere) {
        if (!isThere)
            throw Error(ErrorKind::badRequest, "there is no such variable");
    };
    require(number < m_places.size());
    const Place& place = m_places[number];
    if (!m_read || m_readNumber != place.variable) {
        m_read.reset();
        if (m_next > place.variable)
            open();
        for (; m_next < place.variable; ++m_next)
            require(std::unique_ptr<matvar_t, void (*)(matvar_t*)>(Mat_VarReadNextInfo(m_file.get()), freeVariable) !=
                    nullptr);
        m_read.reset(Mat_VarReadNext(m_file.get()));
        m_readNumber = m_next++;
    }
    require(m_read != nullptr);
    const matvar_t* found = m_read.get();
    for (const std::size_t field : place.fields) {
        const std::vector<NamedField> fields = fieldsOf(*found);
        require(field < fields.size() && fields[field].value);
        found = fields[field].value;
    }
    return *found;
}

namespace
{

template <typename T>
void readNumbers(const matvar_t& variable, std::size_t count, T* out)
{
    const NumberKind<T>* const kind = numberKind<T>(variable);
    if (!kind || !hasAllNumbers(variable, {count}))
        throw Error(ErrorKind::badRequest, "the variable has other numbers");
    kind->convert(variable.data, count, out);
}

} // namespace

void MatReader::read(std::uint64_t number, std::size_t count, float* out)
{
    readNumbers(at(number), count, out);
}

void MatReader::read(std::uint64_t number, std::size_t count, double* out)
{
    readNumbers(at(number), count, out);
}

} // namespace engine
