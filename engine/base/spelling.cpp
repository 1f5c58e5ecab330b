// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/spelling.h"

#include "engine/base/number_text.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace engine
{

namespace
{

// Returns the edit distance, computed one row at a time.
std::size_t editDistance(const std::string& a, const std::string& b)
{
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t above = row[j];
            row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
            diagonal = above;
        }
    }
    return row.back();
}

} // namespace

std::vector<std::string> spelledLike(const std::string& word, std::vector<std::string> valid)
{
    constexpr std::size_t leastBeginning = 3; // letters
    const std::size_t letters = word.size() - std::min(word.find_first_not_of('-'), word.size());
    const auto begins = [&](const std::string& name) {
        return (letters >= leastBeginning && name.starts_with(word)) ||
               (name.size() >= leastBeginning && word.starts_with(name));
    };
    std::erase_if(valid,
                  [&](const std::string& name) { return !begins(name) && editDistance(word, name) > 1 + letters / 3; });
    std::ranges::stable_sort(
        valid, {}, [&](const std::string& name) { return std::pair(!begins(name), editDistance(word, name)); });
    return valid;
}

std::string unknownText(const std::string& what, const std::string& word, const std::vector<std::string>& valid)
{
    std::string all;
    for (const std::string& name : valid)
        all += (all.empty() ? "" : ", ") + name;
    const std::vector<std::string> similar = spelledLike(lowerCase(word), valid);
    return what + " '" + word + "'; " +
           (similar.empty() ? "choose one of " : "did you mean " + similar.front() + "? All: ") + all;
}

} // namespace engine
