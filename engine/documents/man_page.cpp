// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/documents/man_page.h"

#include "engine/base/error.h"

#include <array>

namespace engine
{

namespace
{

std::string upperCase(std::string text)
{
    for (char& c : text)
        if (c >= 'a' && c <= 'z')
            c = static_cast<char>(c - 'a' + 'A');
    return text;
}

// Escapes text so that roff prints it unchanged. In roff a backslash, and a full stop or apostrophe at the beginning of
// a line, have a special meaning, and a hyphen becomes a dash, which can't be copied into a command.
std::string escaped(const std::string& text)
{
    std::string result;
    for (const char c : text) {
        if ((c == '.' || c == '\'') && (result.empty() || result.back() == '\n'))
            result += "\\&";
        if (c == '\\')
            result += "\\e";
        else if (c == '-')
            result += "\\-";
        else
            result += c;
    }
    return result;
}

// Escapes a list of choices and allows a line break after each of them.
std::string breakable(const std::string& choices)
{
    std::string result;
    for (const char c : escaped(choices)) {
        result += c;
        if (c == '|')
            result += "\\:";
    }
    return result;
}

std::string section(const std::string& title)
{
    return ".SH " + title + '\n';
}

std::string optionText(const ManOption& option)
{
    return ".TP\n\\fB" + escaped(option.names) + "\\fR" +
           (option.value.empty() ? std::string() : " \\fI" + breakable(option.value) + "\\fR") + '\n' +
           (option.meaning.empty() ? "\\&" : escaped(option.meaning) + '.') + '\n';
}

std::string exampleText(const std::string& examples)
{
    return ".nf\n" + escaped(examples) + (examples.ends_with('\n') ? "" : "\n") + ".fi\n";
}

std::string commandText(const ManCommand& command)
{
    std::string text = ".SS " + escaped(command.name) + '\n' + escaped(command.meaning) + ".\n";
    for (const ManOption& option : command.options)
        text += optionText(option);
    return command.examples.empty() ? text : text + ".PP\nExamples:\n.PP\n" + exampleText(command.examples);
}

} // namespace

std::string manPageText(const ManPage& page)
{
    std::string text = ".TH " + upperCase(page.program) + " 1 \"\" Sinoscope \"User commands\"\n";
    text += section("NAME") + escaped(page.program) + " \\- " + escaped(page.meaning) + '\n';
    text += section("SYNOPSIS") + "\\fB" + escaped(page.program) + "\\fR " + escaped(page.synopsis) + '\n';
    text += section("OPTIONS");
    for (const ManOption& option : page.options)
        text += optionText(option);
    if (!page.commands.empty())
        text += section("COMMANDS");
    for (const ManCommand& command : page.commands)
        text += commandText(command);
    text += section("EXIT STATUS");
    for (const ExitStatus& status : exitStatuses())
        text += optionText({std::to_string(status.status), "", status.meaning});
    if (!page.examples.empty())
        text += section("EXAMPLES") + exampleText(page.examples);
    text += section("SEE ALSO");
    for (std::size_t k = 0; k < page.seeAlso.size(); ++k)
        text += ".BR " + escaped(page.seeAlso[k]) + " (1)" + (k + 1 < page.seeAlso.size() ? " ," : "") + '\n';
    return text;
}

std::span<const ExitStatus> exitStatuses()
{
    static constexpr std::array<ExitStatus, 5> all{
        {{0, "done"},
         {1, "failed: too little memory, a GPU that fails, an error above its bound in a verification, a slower build "
             "in a comparison of benchmarks"},
         {2, "bad request, bad file, or an output that can't be written"},
         {doubtedStatus, "written, but doubtful, as warnings tell (only if the option `strict` asks for it)"},
         {130, "interrupted"}}};
    return all;
}

} // namespace engine
