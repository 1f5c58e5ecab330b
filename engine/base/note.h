// SPDX-License-Identifier: GPL-3.0-or-later
// Notes on a scan or a result: what was assumed, mended or left out.
#pragma once

#include "engine/base/text.h"

#include <string>
#include <vector>

namespace engine
{

// A sentence, or a count and what it counts: notes of one id count the same.
struct Note {
    Note() = default;
    Note(Text sentence) : many(std::move(sentence)) {}
    Note(std::string sentence) : many(std::move(sentence)) {}
    Note(const char* sentence) : many(sentence) {}
    // 1 ONE REST or N MANY REST, such as "dead pixel was", "dead pixels were" and " replaced."
    Note(std::string id, long long count, const std::string& one, const std::string& many, const Text& rest)
        : id(std::move(id)), count(count), one(' ' + one + rest), many(' ' + many + rest)
    {
    }

    std::string id = {}; // empty: nothing is counted
    long long count = 0;
    Text one = {}, many = {};

    Text text() const;
    bool operator==(const Note&) const = default;
};

// Adds a note of a part of a volume to those of all of it: counts of one id and the same texts are summed, the same
// sentence is kept once.
void addNote(std::vector<Note>& notes, const Note& note);
void addNotes(std::vector<Note>& notes, const std::vector<Note>& more);

// The sentences, one each.
std::vector<std::string> textsOf(const std::vector<Note>& notes, const TextStyle& style);

} // namespace engine
