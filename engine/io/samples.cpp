#include "engine/io/samples.h"

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

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

// Loops that compilers make vectors of.
template <typename Sample>
void convertSamples(const char* from, std::size_t count, bool swap, float* out)
{
    using Bits = Word<sizeof(Sample)>;
    const auto each = [&](auto turn) {
        for (std::size_t i = 0; i < count; ++i) {
            typename Bits::Type word;
            std::memcpy(&word, from + i * sizeof(Sample), sizeof(Sample));
            out[i] = static_cast<float>(std::bit_cast<Sample>(turn(word)));
        }
    };
    if (swap)
        each(Bits::swapped);
    else
        each([](typename Bits::Type word) { return word; });
}

template <typename Sample>
constexpr SampleType row(const char* name)
{
    return {name, sizeof(Sample), convertSamples<Sample>};
}

} // namespace

const std::vector<SampleType>& sampleTypes()
{
    static const std::vector<SampleType> types = {row<std::uint8_t>("uint8"),   row<std::int8_t>("int8"),
                                                  row<std::uint16_t>("uint16"), row<std::int16_t>("int16"),
                                                  row<std::uint32_t>("uint32"), row<std::int32_t>("int32"),
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

} // namespace engine
