// SPDX-License-Identifier: GPL-3.0-or-later
// Suggestions for misspelt words.
#pragma once

#include <string>
#include <vector>

namespace engine
{

// Returns similar words among the valid ones, nearest first: valid words that are a beginning of the word or begin with
// it, then words that differ from it by a few letters.
// Source of the distance: Levenshtein 1966.
std::vector<std::string> spelledLike(const std::string& word, std::vector<std::string> valid);

// Returns "unknown value 'hamm'; did you mean hamming? All: hann, hamming", with `what` such as "unknown value".
std::string unknownText(const std::string& what, const std::string& word, const std::vector<std::string>& valid);

} // namespace engine
