// SPDX-License-Identifier: GPL-3.0-or-later
// Sentences for people, in which the names of options and files are values: each program writes them in its own way.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace engine
{

// How a program writes what a text mentions.
struct TextStyle {
    std::function<std::string(const std::string& id)> option; // "--angles" or "Angles"
    bool asides = true;                                       // with what helps only where options are typed
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
    std::string plain() const; // with asides, and options by their ids

    Text& operator+=(const Text& more);
    friend Text operator+(Text one, const Text& other) { return std::move(one += other); }
    bool operator==(const Text&) const = default;

  private:
    friend Text aside(Text text);
    std::vector<Part> m_parts; // words that follow each other are one part
};

// The name of an option of the command line, a field of the window or a key of a recipe: "angles".
Text optionName(std::string_view id);
// The path of a file, in quotes.
Text fileText(std::string path);
// " (TEXT)", which programs without typed options leave out.
Text aside(Text text);
// " (angles)" or " (angles 0:360)", as an aside.
Text hint(std::string_view id, const std::string& value = {});

// As several strings, and back, for files and for other processes. textFrom() throws Error(badFile) for others.
std::vector<std::string> toStrings(const Text& text);
Text textFrom(const std::vector<std::string>& strings);

// Options as flags, with asides: of the command line, and of the documents that repeat it.
const TextStyle& commandLineStyle();

} // namespace engine
