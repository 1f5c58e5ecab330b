// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/options.h"
#include "app/cli/text.h"
#include "engine/backends/backend.h"
#include "engine/backends/method.h"
#include "engine/base/number_text.h"
#include "engine/documents/man_page.h"
#include "engine/documents/schemas.h"
#include "engine/io/open/open_fields.h"
#include "engine/io/open/readers.h"
#include "engine/options/options.h"
#include "engine/prepare/steps.h"
#include "engine/scan/cone_fields.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <iostream>
#include <memory>

namespace cli
{

namespace
{

// Returns a cell of a Markdown table, with '|' escaped.
std::string cell(std::string text)
{
    for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2)
        text.insert(at, 1, '\\');
    return text;
}

void row(const std::vector<std::string>& cells)
{
    for (const std::string& text : cells)
        std::cout << "| " << cell(text) << ' ';
    std::cout << "|\n";
}

void heading(const std::string& title, const std::vector<std::string>& columns)
{
    std::cout << "\n## " << title << '\n';
    row(columns);
    for (std::size_t k = 0; k < columns.size(); ++k)
        std::cout << "| --- ";
    std::cout << "|\n";
}

std::string code(const std::string& text)
{
    return text.empty() ? text : '`' + text + '`';
}

// Returns the range of a field, such as "0 to 1 × Nyquist"; empty if it has none.
template <typename Owner>
std::string limitsOf(const engine::Field<Owner>& field)
{
    if (!(field.most > field.least))
        return {};
    return (field.leastIncluded ? "" : "above ") + engine::numberToText(field.least) + " to " +
           engine::numberToText(field.most) + (*field.unit ? std::string(" ") + field.unit : std::string());
}

// Prints the option's flag, label, summary, values and default (the value in a new owner).
template <typename Owner>
void fieldRow(const engine::Field<Owner>& field)
{
    const std::string form = engine::formOf(field), limits = limitsOf(field), standard = field.get(Owner());
    std::string values = limits;
    for (const engine::FieldChoice& choice : field.choices)
        values += (values.empty() ? "" : ", ") + code(choice.id) +
                  (choice.summary.empty() ? "" : " (" + choice.summary + ")");
    const bool isBoolean = field.kind == engine::FieldKind::boolean;
    row({code("--" + std::string(field.id) + (isBoolean || !field.choices.empty() || form.empty() ? "" : " " + form)),
         field.label, field.summary, values, isBoolean ? "" : code(standard)});
}

template <typename Table>
void fieldTable(const std::string& title, const Table& table)
{
    heading(title, {"option", "in the window", "meaning", "values", "default"});
    for (const auto& field : table)
        fieldRow(field);
}

void stepTable()
{
    heading("Steps of the preparation", {"step", "id", "what it does", "source"});
    for (const engine::Step& step : engine::steps())
        row({step.label, code(step.id), step.summary, step.reference});
}

void methodTable()
{
    heading("Methods of back-projection", {"method", "in the window", "what it does", "on", "source"});
    for (const engine::Method& method : engine::methods())
        row({code(method.id), method.label, method.summary, method.backend->deviceLabel, method.reference});
}

void readerTable()
{
    heading("Formats of scans", {"format", "files", "what is read"});
    for (const engine::Reader& reader : engine::readers()) {
        std::vector<std::string> files;
        if (reader.container)
            files.insert(files.end(), reader.container->suffixes.begin(), reader.container->suffixes.end());
        files.insert(files.end(), reader.suffixes.begin(), reader.suffixes.end());
        if (reader.folders)
            files.emplace_back(reader.folders);
        row({reader.label, joined(files, ", "), reader.summary});
    }
}

int printReference()
{
    std::cout << "# Reference\n"
                 "All options, steps, methods and formats, from the program's own tables "
                 "(`sinoscope-cli reference` prints this page).\n\n"
                 "An empty default means that the program decides, or that nothing is set.\n";
    fieldTable("Options of a reconstruction", engine::options());
    stepTable();
    methodTable();
    fieldTable("Options for opening a scan", engine::openFields());
    fieldTable("Options for the geometry and the slices", engine::coneFields());
    readerTable();
    heading("Exit statuses", {"status", "meaning"});
    for (const engine::ExitStatus& status : engine::exitStatuses())
        row({std::to_string(status.status), status.meaning});
    return 0;
}

int printSchema(const std::string& id)
{
    const auto schemas = engine::documentSchemas();
    std::cout << std::ranges::find(schemas, id, &engine::DocumentSchema::id)->json() << '\n';
    return 0;
}

} // namespace

Command referenceCommand(CLI::App& program)
{
    CLI::App* command =
        program.add_subcommand("reference", "Print the reference of all options, steps, methods and formats");
    command->footer("Examples:\n"
                    "  sinoscope-cli reference\n"
                    "  sinoscope-cli reference > reference.md\n"
                    "  sinoscope-cli reference --schema recipe");
    std::vector<std::string> ids;
    for (const engine::DocumentSchema& schema : engine::documentSchemas())
        ids.emplace_back(schema.id);
    const auto schema = std::make_shared<std::string>();
    command->add_option("--schema", *schema, "Print the JSON Schema of such a file instead")
        ->type_name(joined(ids, "|"))
        ->check(oneOf(ids));
    return {command, [schema](std::stop_token) { return schema->empty() ? printReference() : printSchema(*schema); }};
}

} // namespace cli
