// Numbers as files have them, and as floats.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace engine
{

struct SampleType {
    const char* name; // "uint16", "float32", …
    int bytes;
    // `count` numbers from `from`, which needn't be aligned; swap: their bytes are in the other order than here.
    void (*convert)(const char* from, std::size_t count, bool swap, float* out);
};

// "uint8", "int8", … "float64".
const std::vector<SampleType>& sampleTypes();
const SampleType* findSampleType(const std::string& name); // null when unknown

} // namespace engine
