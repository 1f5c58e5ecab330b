// SPDX-License-Identifier: GPL-3.0-or-later
// Notes on a scan or a result: what was assumed, repaired or left out.
#pragma once

#include "engine/base/text.h"

#include <string>
#include <vector>

namespace engine
{

// A sentence, or a count with the text of what it counts. Notes with the same id count the same thing.
struct Note {
    Note() = default;
    Note(Text sentence) : many(std::move(sentence)) {}
    Note(std::string sentence) : many(std::move(sentence)) {}
    Note(const char* sentence) : many(sentence) {}
    // Text for 1: "1 ONE REST", otherwise "N MANY REST", such as "dead pixel was", "dead pixels were" and "
    // replaced."
    Note(std::string id, long long count, const std::string& one, const std::string& many, const Text& rest)
        : id(std::move(id)), count(count), one(' ' + one + rest), many(' ' + many + rest)
    {
    }

    std::string id = {}; // empty: a sentence without count
    long long count = 0;
    Text one = {}, many = {};

    Text text() const;
    bool operator==(const Note&) const = default;
};

// Adds a note of a part of a volume to the notes of the whole volume: counts with the same id and texts are summed,
// equal sentences are added once.
void addNote(std::vector<Note>& notes, const Note& note);
void addNotes(std::vector<Note>& notes, const std::vector<Note>& more);

// Returns one sentence per note.
std::vector<std::string> textsOf(const std::vector<Note>& notes, const TextStyle& style);

} // namespace engine
