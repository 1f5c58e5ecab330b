// SPDX-License-Identifier: GPL-3.0-or-later
// Texts for people in which names of options and files are marked, so that each program can write them in its own
// way.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace engine
{

// How a program writes the marked parts of a text.
struct TextStyle {
    std::function<std::string(const std::string& id)> option; // "--angles" or "Angles"
    bool asides = true;                                       // with remarks that only help where options are typed
};

class Text
{
  public:
    enum class Kind { words, option, file };
    struct Part {
        Kind kind = Kind::words;
        std::string text;     // words, the id of an option, or a path
        bool isAside = false; // shown only in a style with asides
        bool operator==(const Part&) const = default;
    };

    Text() = default;
    Text(std::string words);
    Text(std::string_view words) : Text(std::string(words)) {}
    Text(const char* words) : Text(std::string(words)) {}
    explicit Text(Part part);

    const std::vector<Part>& parts() const { return m_parts; }
    bool empty() const { return m_parts.empty(); }
    std::string in(const TextStyle& style) const;
    std::string plain() const; // with asides; options as their ids

    Text& operator+=(const Text& more);
    friend Text operator+(Text one, const Text& other) { return std::move(one += other); }
    bool operator==(const Text&) const = default;

  private:
    friend Text aside(Text text);
    std::vector<Part> m_parts; // adjacent words form one part
};

// Returns the name of an option (of the command line, of a field in the window, of a key of a recipe): "angles".
Text optionName(std::string_view id);
// Returns the path of a file, in quotes.
Text fileText(std::string path);
// Returns " (TEXT)" as an aside, which programs without typed options leave out.
Text aside(Text text);
// Returns " (angles)" or " (angles 0:360)", as an aside.
Text hint(std::string_view id, const std::string& value = {});

// Convert to strings and back, for files and other processes. textFrom() throws Error(badFile) for invalid strings.
std::vector<std::string> toStrings(const Text& text);
Text textFrom(const std::vector<std::string>& strings);

// Options as flags, with asides: for the command line and the documents that repeat its texts.
const TextStyle& commandLineStyle();

} // namespace engine
