// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers in the types of files and detectors.
#pragma once

#include "engine/base/uninitialized.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace engine
{

struct SampleType {
    const char* name; // "uint16", "float32", …
    int bytes;
    // Whether rows in memory store this type unchanged: float32, and types of up to 16 bits, which save half or three
    // quarters of the memory. Other types become float32.
    bool isKept;
    // Converts `count` numbers in the byte order of this machine; `from` needn't be aligned.
    void (*toFloats)(const char* from, std::size_t count, float* out);
    void (*fromFloats)(const float* from, std::size_t count, char* out); // from values that this type can represent
    void (*swapBytes)(char* numbers, std::size_t count);                 // in place
};

// "uint8", "int8", … "float64".
const std::vector<SampleType>& sampleTypes();
const SampleType* findSampleType(const std::string& name); // null when unknown
const SampleType& floatSamples();                          // float32
const SampleType& keptType(const SampleType& stored);

// Numbers of a type that is stored unchanged, in the byte order of this machine.
class Samples
{
  public:
    Samples() = default; // empty, of type float32
    Samples(Values floats) : m_numbers(std::move(floats)) {}
    // Allocates uninitialised memory. Throws std::bad_alloc, std::length_error.
    Samples(const SampleType& kept, std::size_t count);

    const SampleType& type() const;
    std::size_t size() const;
    float operator[](std::size_t index) const;
    Values toFloats() const;

    char* bytes();
    const char* bytes() const;
    Values& floats() { return std::get<Values>(m_numbers); } // throws std::bad_variant_access for another type
    const Values& floats() const { return std::get<Values>(m_numbers); }

    template <typename Visitor>
    decltype(auto) visit(Visitor&& visitor) const
    {
        return std::visit(std::forward<Visitor>(visitor), m_numbers);
    }
    bool operator==(const Samples&) const = default;

  private:
    std::variant<Values, Buffer<std::uint8_t>, Buffer<std::int8_t>, Buffer<std::uint16_t>, Buffer<std::int16_t>>
        m_numbers;
};

} // namespace engine
