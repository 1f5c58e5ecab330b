// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/note.h"

#include <algorithm>

namespace engine
{

Text Note::text() const
{
    return id.empty() ? many : std::to_string(count) + (count == 1 ? one : many);
}

void addNote(std::vector<Note>& notes, const Note& note)
{
    const auto there = std::ranges::find_if(notes, [&](const Note& other) {
        return other.id == note.id && other.one == note.one && other.many == note.many;
    });
    if (there == notes.end())
        notes.push_back(note);
    else
        there->count += note.count;
}

void addNotes(std::vector<Note>& notes, const std::vector<Note>& more)
{
    for (const Note& note : more)
        addNote(notes, note);
}

std::vector<std::string> textsOf(const std::vector<Note>& notes, const TextStyle& style)
{
    std::vector<std::string> texts;
    for (const Note& note : notes)
        texts.push_back(note.text().in(style));
    return texts;
}

} // namespace engine
