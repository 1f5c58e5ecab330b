// Notes of a volume's parts as notes of all of it.
#pragma once

#include <string>
#include <vector>

namespace engine
{

// Notes that differ in the number alone that they begin with are one, with their sum: "2 dead pixels were …".
void addNote(std::vector<std::string>& notes, const std::string& note);
void joinNotes(std::vector<std::string>& notes, const std::vector<std::string>& more);

} // namespace engine
