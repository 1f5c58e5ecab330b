// SPDX-License-Identifier: GPL-3.0-or-later
// A reader: one format that scans come in, and what all of them are given.
#pragma once

#include "engine/base/text.h"
#include "engine/io/frames/open_options.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace engine
{

class Hdf5File;

// What is to be opened, looked at by one reader after the other; they share what the first of them opened. For one
// thread. It exists: a folder, or a file that can be read and isn't empty.
class Candidate
{
  public:
    Candidate(std::filesystem::path path, OpenOptions options, std::stop_token stop = {}); // throws Error(badFile)

    const std::filesystem::path& path() const { return m_path; }
    const OpenOptions& options() const { return m_options; }
    const std::stop_token& stop() const { return m_stop; } // asked before every file and page
    bool isFolder() const { return m_isFolder; }
    // nullptr where it isn't HDF5. Throws Error(badFile) where it is and can't be opened: truncated, say.
    const Hdf5File* hdf5() const;

  private:
    std::filesystem::path m_path;
    OpenOptions m_options;
    std::stop_token m_stop;
    bool m_isFolder = false;
    mutable std::optional<std::shared_ptr<const Hdf5File>> m_hdf5; // nothing before it is asked for
};

// A kind of file that several formats may be kept in.
struct Container {
    const char* label;                  // "HDF5"
    const char* withArticle;            // "an HDF5", for messages
    std::vector<const char*> suffixes;  // with the point, lower case
    std::vector<const char*> mimeTypes; // as the desktop entry names it
    bool (*recognises)(const std::filesystem::path& file);
    bool isCheckedFirst = false; // by the helper program (file_check.h): its library doesn't stand damaged files
    Text (*contents)(const Candidate&) = nullptr; // a sentence for a file that holds no scan; may be null
};

enum class Sure { no, possible, likely, certain };

// A row. Either the file says that it is of the format (recognises), or the user does (asked).
struct Reader {
    const char* id = "";
    const char* label = "";   // Scan::format
    const char* summary = ""; // one sentence
    // What its files are kept in; nullptr: numbers that don't say what they are, in a file of any name.
    const Container* container = nullptr;
    std::vector<const char*> suffixes = {}; // beside those of the container
    const char* folders = nullptr;          // "folder of TIFFs", where it opens folders
    const char* mark = nullptr;             // that it is recognised by, as messages name it

    // Looks at no more than it has to, and is asked only when it can be surer than those before it. Throws
    // Error(badFile).
    Sure (*recognises)(const Candidate&) = nullptr;
    Sure surest = Sure::certain; // that it ever is

    bool takesAxes = false; // DataSets::axes without naming a data set

    bool (*asked)(const OpenOptions&) = nullptr; // do the options name this format?
    void (*ask)(OpenOptions&) = nullptr;         // makes them; null: the user has to say more than that
    const char* option = nullptr;                // id of the one that asks: "sinogram"
    const char* offer = nullptr;                 // the window's, when a file of its suffix can't be opened otherwise
    Text hint = {}; // how to ask for it, a sentence for whom nothing recognises the file of

    // All but name and format; throws Error(badFile), and badRequest for options that don't fit.
    Scan (*open)(const Candidate&) = nullptr;
};

extern const Container tiffContainer; // tiff_stack.cpp

} // namespace engine
