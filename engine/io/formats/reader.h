// SPDX-License-Identifier: GPL-3.0-or-later
// Readers: each reads one format of scans.
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

// A file or folder to be opened, examined by one reader after the other; the readers share the HDF5 file that the first
// of them opened. To be used by one thread. The path is that of an existing folder, or of a file that can be read and
// isn't empty.
class Candidate
{
  public:
    Candidate(std::filesystem::path path, OpenOptions options, std::stop_token stop = {}); // throws Error(badFile)

    ~Candidate();
    Candidate(const Candidate&) = delete;
    Candidate& operator=(const Candidate&) = delete;

    const std::filesystem::path& path() const { return m_path; }
    const OpenOptions& options() const { return m_options; }
    const std::stop_token& stop() const { return m_stop; } // checked before every file and page
    bool isFolder() const { return m_isFolder; }
    // Returns nullptr if the file isn't HDF5. Throws Error(badFile) if it is and can't be opened: truncated, say.
    const Hdf5File* hdf5() const;

  private:
    std::filesystem::path m_path;
    OpenOptions m_options;
    std::stop_token m_stop;
    bool m_isFolder = false;
    mutable std::optional<std::shared_ptr<const Hdf5File>> m_hdf5; // unset until it is asked for
};

// A file type that several formats may use.
struct Container {
    const char* label;                  // "HDF5"
    const char* withArticle;            // "an HDF5", for messages
    std::vector<const char*> suffixes;  // with the point, lower case
    std::vector<const char*> mimeTypes; // as the desktop entry names them
    bool (*recognises)(const std::filesystem::path& file);
    Text (*contents)(const Candidate&) = nullptr; // describes a file that holds no scan, in a sentence; may be null
};

enum class Sure { no, possible, likely, certain };

// A row of the table of readers. Either the file shows that it is of the format (recognises), or the user says so
// (asked).
struct Reader {
    const char* id = "";
    const char* label = "";   // Scan::format
    const char* summary = ""; // one sentence
    // The type of its files; nullptr: plain numbers, in a file of any name.
    const Container* container = nullptr;
    std::vector<const char*> suffixes = {}; // in addition to those of the container
    const char* folders = nullptr;          // "folder of TIFFs", if it opens folders
    const char* mark = nullptr;             // the feature that it is recognised by, for messages

    // Examines no more than necessary. Called only if the reader can be surer than those before it. Throws
    // Error(badFile).
    Sure (*recognises)(const Candidate&) = nullptr;
    Sure surest = Sure::certain; // the highest value that recognises() returns

    bool takesAxes = false; // accepts DataSets::axes without the name of a data set

    bool (*asked)(const OpenOptions&) = nullptr; // whether the options select this format
    void (*ask)(OpenOptions&) = nullptr;         // sets such options; null: the user must give more details
    const char* option = nullptr;                // id of the option that selects it: "sinogram"
    const char* offer = nullptr; // what the window offers if a file with its suffix can't be opened otherwise
    Text hint = {};              // how to select it: a sentence for users whose file no reader recognises

    // Sets all of the scan but name and format; throws Error(badFile), and badRequest for options that don't fit.
    Scan (*open)(const Candidate&) = nullptr;
};

extern const Container tiffContainer; // tiff_stack.cpp

} // namespace engine
