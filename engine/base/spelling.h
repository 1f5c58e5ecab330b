// SPDX-License-Identifier: GPL-3.0-or-later
// Words that are spelt like one that isn't known.
#pragma once

#include <string>
#include <vector>

namespace engine
{

// Of the valid words those that begin with the word or that it begins with, then those a few letters away from it; the
// nearest first.
// Source of the distance: Levenshtein 1966.
std::vector<std::string> spelledLike(const std::string& word, std::vector<std::string> valid);

// "unknown value 'hamm'; did you mean hamming? All: hann, hamming": of `what`, such as "unknown value".
std::string unknownText(const std::string& what, const std::string& word, const std::vector<std::string>& valid);

} // namespace engine
