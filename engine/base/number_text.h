// SPDX-License-Identifier: GPL-3.0-or-later
// Conversion between text, as users and reports write it, and numbers; lists of names as text.
#pragma once

#include "engine/base/error.h"

#include <algorithm>
#include <string>
#include <vector>

namespace engine
{

// The whole text must be a number. Throws Error(badRequest) that names `what` and the text.
long long integerFromText(const std::string& text, const std::string& what);
double realFromText(const std::string& text, const std::string& what); // finite
double realWithin(const std::string& text, const std::string& what, double least, double most);

// Parses "1,2.5": exactly as many numbers as requested, each with fromText(). Throws Error(badRequest) as that does.
template <typename Number>
std::vector<Number> numbersFromText(const std::string& text, std::size_t count, const std::string& what,
                                    Number (*fromText)(const std::string&, const std::string&))
{
    std::vector<Number> numbers;
    for (std::size_t first = 0; first <= text.size();) {
        const std::size_t comma = std::min(text.find(',', first), text.size());
        numbers.push_back(fromText(text.substr(first, comma - first), what));
        first = comma + 1;
    }
    require(numbers.size() == count, "bad " + what + " '" + text + "': " + std::to_string(numbers.size()) +
                                         (numbers.size() == 1 ? " number" : " numbers") + " instead of " +
                                         std::to_string(count));
    return numbers;
}

// Parses "800M", "12 GB" (powers of 1000), "2GiB" (of 1024), or "B" for bytes. Throws Error(badRequest).
double bytesFromText(const std::string& text);
std::string bytesToText(double bytes); // exact, in the largest unit that gives a whole number
std::string sizeText(double bytes);    // for people: "1.5 GB", three digits; powers of 1000, as for rates and disks

// Returns the shortest text that is read as the same number, with a decimal point whatever the user's language.
std::string numberToText(double value);

// Returns "a, b and c"; `last` precedes the last item.
std::string listed(const std::vector<std::string>& items, const std::string& last = " and ");

// Converts ASCII letters only.
std::string lowerCase(std::string text);

} // namespace engine
