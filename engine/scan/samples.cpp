// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scan/samples.h"

#include "engine/base/parallel_for.h"
#include "engine/data/half_scale.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <type_traits>

namespace engine
{

namespace
{

template <int bytes>
struct Word;
template <>
struct Word<1> {
    using Type = std::uint8_t;
    static Type swapped(Type word) { return word; }
};
template <>
struct Word<2> {
    using Type = std::uint16_t;
    static Type swapped(Type word) { return __builtin_bswap16(word); }
};
template <>
struct Word<4> {
    using Type = std::uint32_t;
    static Type swapped(Type word) { return __builtin_bswap32(word); }
};
template <>
struct Word<8> {
    using Type = std::uint64_t;
    static Type swapped(Type word) { return __builtin_bswap64(word); }
};

struct Half {
    std::uint16_t bits = 0;
    Half() = default;
    explicit Half(float value) : bits(toHalf(value)) {}
    explicit operator float() const { return fromHalf(bits); }
};

// Simple loops, which compilers vectorise.
template <typename Sample>
void samplesToFloats(const char* from, std::size_t count, float* out)
{
    for (std::size_t i = 0; i < count; ++i) {
        Sample sample;
        std::memcpy(&sample, from + i * sizeof(Sample), sizeof(Sample));
        out[i] = static_cast<float>(sample);
    }
}

template <typename Sample>
void samplesFromFloats(const float* from, std::size_t count, char* out)
{
    for (std::size_t i = 0; i < count; ++i) {
        const auto sample = static_cast<Sample>(from[i]);
        std::memcpy(out + i * sizeof(Sample), &sample, sizeof(Sample));
    }
}

template <typename Sample>
void swapSamples(char* numbers, std::size_t count)
{
    using Bits = Word<sizeof(Sample)>;
    for (std::size_t i = 0; i < count; ++i) {
        typename Bits::Type word;
        std::memcpy(&word, numbers + i * sizeof(Sample), sizeof(Sample));
        word = Bits::swapped(word);
        std::memcpy(numbers + i * sizeof(Sample), &word, sizeof(Sample));
    }
}

template <typename Sample>
constexpr SampleType row(const char* name)
{
    const bool isKept = std::is_integral_v<Sample> ? sizeof(Sample) <= 2 : std::is_same_v<Sample, float>;
    return {name, sizeof(Sample), isKept, samplesToFloats<Sample>, samplesFromFloats<Sample>, swapSamples<Sample>};
}

} // namespace

const std::vector<SampleType>& sampleTypes()
{
    static const std::vector<SampleType> types = {
        row<std::uint8_t>("uint8"),   row<std::int8_t>("int8"),     row<std::uint16_t>("uint16"),
        row<std::int16_t>("int16"),   row<std::uint32_t>("uint32"), row<std::int32_t>("int32"),
        row<std::uint64_t>("uint64"), row<std::int64_t>("int64"),   row<Half>("float16"),
        row<float>("float32"),        row<double>("float64")};
    return types;
}

const SampleType* findSampleType(const std::string& name)
{
    for (const SampleType& type : sampleTypes())
        if (name == type.name)
            return &type;
    return nullptr;
}

const SampleType& floatSamples()
{
    static const SampleType& type = *findSampleType("float32");
    return type;
}

const SampleType& keptType(const SampleType& stored)
{
    return stored.isKept ? stored : floatSamples();
}

namespace
{

template <typename Number>
const char* nameOf()
{
    if constexpr (std::is_same_v<Number, float>)
        return "float32";
    else if constexpr (sizeof(Number) == 1)
        return std::is_signed_v<Number> ? "int8" : "uint8";
    else
        return std::is_signed_v<Number> ? "int16" : "uint16";
}

} // namespace

Samples::Samples(const SampleType& kept, std::size_t count)
{
    const std::string name = kept.name;
    if (name == "uint8")
        m_numbers.emplace<Buffer<std::uint8_t>>(count);
    else if (name == "int8")
        m_numbers.emplace<Buffer<std::int8_t>>(count);
    else if (name == "uint16")
        m_numbers.emplace<Buffer<std::uint16_t>>(count);
    else if (name == "int16")
        m_numbers.emplace<Buffer<std::int16_t>>(count);
    else if (name == "float32")
        m_numbers.emplace<Values>(count);
    else
        throw std::logic_error("rows keep no numbers as " + name);
}

const SampleType& Samples::type() const
{
    return visit([](const auto& numbers) -> const SampleType& {
        static const SampleType& type = *findSampleType(nameOf<typename std::decay_t<decltype(numbers)>::value_type>());
        return type;
    });
}

std::size_t Samples::size() const
{
    return visit([](const auto& numbers) { return numbers.size(); });
}

float Samples::operator[](std::size_t index) const
{
    return visit([index](const auto& numbers) { return static_cast<float>(numbers[index]); });
}

Values Samples::toFloats() const
{
    return visit([](const auto& numbers) {
        Values floats(numbers.size());
        constexpr std::size_t together = 1 << 18;
        parallelFor(tbb::blocked_range<std::size_t>(0, numbers.size(), together), [&](const auto& part) {
            std::copy(numbers.begin() + part.begin(), numbers.begin() + part.end(), floats.begin() + part.begin());
        });
        return floats;
    });
}

char* Samples::bytes()
{
    return std::visit([](auto& numbers) { return reinterpret_cast<char*>(numbers.data()); }, m_numbers);
}

const char* Samples::bytes() const
{
    return visit([](const auto& numbers) { return reinterpret_cast<const char*>(numbers.data()); });
}

} // namespace engine
