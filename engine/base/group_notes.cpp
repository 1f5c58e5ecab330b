#include "engine/base/group_notes.h"

#include <algorithm>
#include <utility>

namespace engine
{

namespace
{

// "1 dead pixel was …" as "1 dead pixels were …", so that it can be counted with others.
std::string inPlural(std::string text)
{
    for (const auto& [one, many] :
         {std::pair<std::string, std::string>{" value that is not a number was", " values that are not numbers were"},
          {" row of a projection ", " rows of projections "},
          {" dead pixel was", " dead pixels were"},
          {" slice is seen", " slices are seen"},
          {" slice lies outside the cone and is", " slices lie outside the cone and are"},
          {" slice was freed", " slices were freed"},
          {" zinger became", " zingers became"},
          {" pixel ", " pixels "},
          {" value ", " values "}})
        if (text.starts_with(one))
            return many + text.substr(one.size());
    return text;
}

} // namespace

void addNote(std::vector<std::string>& notes, const std::string& note)
{
    const std::size_t digits = std::min(note.find_first_not_of("0123456789"), note.size());
    const std::string rest = inPlural(note.substr(digits));
    for (std::string& there : notes) {
        if (digits == 0 && there == note)
            return;
        const std::size_t before = std::min(there.find_first_not_of("0123456789"), there.size());
        if (digits == 0 || before == 0 || inPlural(there.substr(before)) != rest)
            continue;
        there = std::to_string(std::stoll(there.substr(0, before)) + std::stoll(note.substr(0, digits))) + rest;
        return;
    }
    notes.push_back(note);
}

void joinNotes(std::vector<std::string>& notes, const std::vector<std::string>& more)
{
    for (const std::string& note : more)
        addNote(notes, note);
}

} // namespace engine
