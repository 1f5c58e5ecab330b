// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/formats/frame_names.h"

#include "engine/base/number_text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <initializer_list>
#include <set>
#include <string>
#include <utility>

namespace engine
{

namespace fs = std::filesystem;

namespace
{

struct KnownWord {
    const char* word;
    FrameKind kind;
    bool begins; // longer words that begin with it count, too
};
constexpr std::array knownWords = {
    KnownWord{"dark", FrameKind::dark, true},       KnownWord{"di", FrameKind::dark, false},
    KnownWord{"dc", FrameKind::dark, false},        KnownWord{"df", FrameKind::dark, false},
    KnownWord{"black", FrameKind::dark, false},     KnownWord{"flat", FrameKind::flat, true},
    KnownWord{"ff", FrameKind::flat, false},        KnownWord{"white", FrameKind::flat, false},
    KnownWord{"bright", FrameKind::flat, true},     KnownWord{"ob", FrameKind::flat, false},
    KnownWord{"openbeam", FrameKind::flat, false},  KnownWord{"ref", FrameKind::side, false},
    KnownWord{"reference", FrameKind::side, true},  KnownWord{"bg", FrameKind::side, false},
    KnownWord{"background", FrameKind::side, true}, KnownWord{"empty", FrameKind::side, false},
    KnownWord{"spr", FrameKind::other, false},      KnownWord{"180deg", FrameKind::other, false},
};

bool isLetter(char sign)
{
    return std::isalpha(static_cast<unsigned char>(sign)) != 0;
}

// "tilt_Flat_0001" → {"tilt", "flat"}; "x_180deg" → {"x", "180deg", "deg"}; "open_beam" has "openbeam", too.
std::set<std::string> wordsOf(const fs::path& name)
{
    const std::string text = lowerCase(name.stem().string());
    std::set<std::string> words;
    std::string last;
    for (std::size_t at = 0; at < text.size();) {
        if (!isLetter(text[at])) {
            ++at;
            continue;
        }
        std::size_t end = at, digits = at;
        while (end < text.size() && isLetter(text[end]))
            ++end;
        while (digits > 0 && std::isdigit(static_cast<unsigned char>(text[digits - 1])))
            --digits;
        const std::string word = text.substr(at, end - at);
        words.insert(word);
        if (digits < at)
            words.insert(text.substr(digits, end - digits));
        if (last == "open" && word == "beam")
            words.insert("openbeam");
        last = word;
        at = end;
    }
    return words;
}

FrameKind kindBy(const std::set<std::string>& words, const std::set<std::string>& ofAll)
{
    for (const KnownWord& known : knownWords)
        for (const std::string& word : words)
            if ((known.begins ? word.starts_with(known.word) : word == known.word) && !ofAll.contains(word))
                return known.kind;
    return FrameKind::projection;
}

// A name as texts and the numbers between them: texts[0] numbers[0] texts[1] … A sign belongs to a number at the
// beginning and after a sign.
struct NumbersInName {
    std::vector<std::string> texts = {{}}, numbers;
};

NumbersInName numbersIn(const std::string& name)
{
    const auto isDigit = [&](std::size_t at) {
        return at < name.size() && std::isdigit(static_cast<unsigned char>(name[at]));
    };
    NumbersInName made;
    for (std::size_t at = 0; at < name.size();) {
        const bool isSigned = (name[at] == '-' || name[at] == '+') && isDigit(at + 1) &&
                              (at == 0 || !std::isalnum(static_cast<unsigned char>(name[at - 1])));
        if (!isSigned && !isDigit(at)) {
            made.texts.back() += name[at++];
            continue;
        }
        std::size_t end = at + 1;
        while (isDigit(end))
            ++end;
        if (end < name.size() && name[end] == '.' && isDigit(end + 1))
            while (isDigit(++end)) {
            }
        made.numbers.push_back(name.substr(at, end - at));
        made.texts.emplace_back();
        at = end;
    }
    return made;
}

} // namespace

std::vector<FrameKind> kindsOf(const std::vector<fs::path>& names)
{
    std::vector<std::set<std::string>> words;
    for (const fs::path& name : names)
        words.push_back(wordsOf(name));
    std::set<std::string> ofAll = words.empty() ? std::set<std::string>() : words.front();
    for (const std::set<std::string>& each : words)
        std::erase_if(ofAll, [&](const std::string& word) { return !each.contains(word); });
    std::vector<FrameKind> kinds;
    for (const std::set<std::string>& each : words)
        kinds.push_back(kindBy(each, ofAll));
    // Files with nothing but darks or flats are named so: they are no projections.
    if (!names.empty() && std::ranges::all_of(names, [](const fs::path& name) {
            const std::string text = lowerCase(name.filename().string());
            return text.starts_with("dark") || text.starts_with("flat");
        }))
        for (std::size_t k = 0; k < names.size(); ++k)
            kinds[k] = kindOf(names[k]);
    return kinds;
}

FrameKind kindOf(const fs::path& name)
{
    static const std::set<std::string> besideKnown = {"before", "after", "pre",    "post",   "start",  "end",  "field",
                                                      "fields", "frame", "frames", "image",  "images", "beam", "open",
                                                      "tif",    "tiff",  "beams",  "whites", "current"};
    const std::string text = lowerCase(name.filename().string());
    const std::set<std::string> words = wordsOf(name);
    const FrameKind kind = kindBy(words, {});
    const bool isPrefixed = text.starts_with("dark") || text.starts_with("flat") || text.starts_with("di_") ||
                            text.starts_with("ff_") || text == "di" || text == "ff";
    const auto isKnown = [](const std::string& word) {
        return besideKnown.contains(word) || kindBy({word}, {}) != FrameKind::projection;
    };
    return isPrefixed || std::ranges::all_of(words, isKnown) ? kind : FrameKind::projection;
}

int orderOf(const fs::path& name)
{
    const std::set<std::string> words = wordsOf(name);
    const auto hasAny = [&](std::initializer_list<const char*> some) {
        return std::ranges::any_of(some, [&](const char* word) { return words.contains(word); });
    };
    return hasAny({"before", "pre", "start"}) ? -1 : hasAny({"after", "post", "end"}) ? 1 : 0;
}

std::optional<std::vector<double>> anglesInNames(const std::vector<fs::path>& names)
{
    if (names.size() < 2)
        return {};
    std::vector<NumbersInName> all;
    for (const fs::path& name : names)
        all.push_back(numbersIn(name.stem().string()));
    std::optional<std::size_t> place; // the number in which the names differ
    for (const NumbersInName& each : all) {
        if (each.texts != all.front().texts)
            return {};
        for (std::size_t k = 0; k < each.numbers.size(); ++k)
            if (each.numbers[k] != all.front().numbers[k] && std::exchange(place, k).value_or(k) != k)
                return {};
    }
    if (!place)
        return {};
    std::vector<double> angles;
    bool areAngles = false;
    for (const NumbersInName& each : all) {
        const std::string& text = each.numbers[*place];
        areAngles |= text.find_first_of(".-+") != std::string::npos;
        double angle = 0;
        std::from_chars(text.data() + (text.starts_with('+') ? 1 : 0), text.data() + text.size(), angle);
        angles.push_back(angle);
    }
    std::vector<double> sorted = angles;
    std::ranges::sort(sorted);
    if (!areAngles || std::ranges::adjacent_find(sorted) != sorted.end() || sorted.back() - sorted.front() > 3600)
        return {};
    return angles;
}

} // namespace engine
