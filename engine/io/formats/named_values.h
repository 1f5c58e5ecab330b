// SPDX-License-Identifier: GPL-3.0-or-later
// Text files with lines NAME=VALUE in sections, as scanners write them.
#pragma once

#include "engine/base/text.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace engine
{

class NamedValues
{
  public:
    // Takes the values of these sections ("[acquisition]", in lower case). Names are compared in lower case; of equal
    // ones the first counts. who: names the file in messages.
    NamedValues(const std::string& text, Text who, const std::vector<std::string>& sections);

    const Text& who() const { return m_who; }
    std::string text(const std::string& name) const;                   // empty if it is missing
    bool says(const std::string& name, const std::string& word) const; // begins with the word, in lower case

    // The next throw Error(badFile) that names file, name and value. Nothing if the name is missing.
    std::optional<double> number(const std::string& name) const;
    double numberIn(const std::string& name, const std::string& text) const; // of a part of its value
    double needed(const std::string& name) const;
    double positive(const std::string& name) const;         // needed, and above 0
    int count(const std::string& name, double value) const; // a whole number from 1 to a million

  private:
    Text m_who;
    std::map<std::string, std::string> m_values;
};

} // namespace engine
