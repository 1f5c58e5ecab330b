// What a SliceWriter keeps for the next one, and takes from the one before.
#include "engine/error.h"
#include "engine/io/check_readings.h"
#include "engine/io/file_check.h"
#include "engine/io/folder_entries.h"
#include "engine/io/hdf5_file.h"
#include "engine/io/tiff_file.h"
#include "engine/io/write_slices_impl.h"
#include "engine/parallel_for.h"

#include <limits>
#include <new>

namespace engine
{

namespace fs = std::filesystem;

namespace
{

// The rest of the line that begins so; empty where there is none.
std::string lineOf(const std::string& description, const std::string& begin)
{
    const std::size_t at = description.find('\n' + begin);
    const std::size_t from = at + 1 + begin.size();
    return at == std::string::npos ? std::string() : description.substr(from, description.find('\n', from) - from);
}

} // namespace

std::string storedConfiguration(const fs::path& path, const std::string& name, RowRange slices)
{
    std::error_code unreadable;
    try {
        if (outputKindOf(path) == OutputKind::hdf5) {
            const std::string configuration = "/entry/reconstruction/configuration";
            if (!fs::is_regular_file(path, unreadable))
                return {};
            requireChecked(readingOfText(path, configuration));
            return Hdf5File(path).text(configuration).value_or("");
        }
        std::string all;
        for (int k = 0; k < slices.count; ++k) {
            const fs::path file = path / numberedSlice(name, slices.first + k);
            const std::string one =
                fs::is_regular_file(file, unreadable) ? lineOf(TiffFile(file).description(), "madeOf=") : std::string();
            if (one.empty() || (k > 0 && one != all))
                return {};
            all = one;
        }
        return "{\"madeOf\":" + all + "}";
    } catch (const Error&) { // damaged, or of another program
        return {};
    }
}

fs::path SliceWriter::Impl::journalPath() const
{
    const fs::path journal = journalName(kind == OutputKind::folder ? path / name : path);
    return part.process == 0 ? journal : fs::path(journal.string() + '-' + std::to_string(part.process));
}

void SliceWriter::Impl::requireResumable(const fs::path& path, OutputKind kind, bool overwrite,
                                         const OutputFormat& format)
{
    const auto refuse = [&path](const std::string& why) {
        throw Error(ErrorKind::badRequest, "--resume: '" + path.string() + "' " + why);
    };
    if (kind == OutputKind::tiff)
        refuse("is one slice, of which nothing is kept; leave it out.");
    if (kind == OutputKind::hdf5 && format.deflateLevel > 0)
        refuse(
            "is compressed HDF5, which can't be gone on with; leave out the compression, or name a folder of TIFFs.");
    if (overwrite)
        refuse("may not be replaced at the same time; leave out --overwrite, and remove what is to go.");
}

// What an earlier writer has kept goes on, or a journal is begun.
void SliceWriter::Impl::openKept(const Inputs& inputs, const std::string& identity)
{
    journal.emplace(journalPath(), identity);
    std::vector<fs::path> outputs;
    if (kind != OutputKind::folder && part.process == 0)
        outputs.push_back(path);
    for (int k = 0; kind == OutputKind::folder && k < slices.count; ++k)
        outputs.push_back(path / numberedSlice(name, sliceAt(k)));
    std::error_code unreadable;
    try {
        for (const fs::path& output : outputs)
            if (!journal->isNaming() || fs::exists(keptName(output), unreadable))
                files.push_back(std::make_unique<PendingFile>(output, inputs, keptName(output).filename()));
    } catch (const Error&) { // what was begun with nothing would refuse others
        if (journal->slices() == 0 && !journal->isNaming())
            journal->remove();
        throw;
    }
    if (journal->isNaming() && !isAlone()) { // the others may have names to give, too
        wasNamed = true;
        written = slices.count;
        return;
    }
    if (journal->isNaming()) {
        commitAll();
        written = slices.count;
        wasNamed = true;
        return;
    }
    if (journal->slices() >= slices.count && isAlone()) // a volume is made of one group at least
        journal->takeBackLast();
    written = journal->slices();
    changed = journal->changed();
    emptyOthers();
}

// What was written of others than are done is none of theirs: a TIFF would go on behind it.
void SliceWriter::Impl::emptyOthers() const
{
    std::error_code unreadable;
    for (int k = written; kind == OutputKind::folder && k < slices.count; ++k)
        fs::resize_file(files[static_cast<std::size_t>(k)]->temporary(), 0, unreadable);
}

void SliceWriter::Impl::placeAll()
{
    std::vector<PendingFile*> all;
    for (const std::unique_ptr<PendingFile>& file : files)
        all.push_back(file.get());
    if (journal && !journal->isNaming() && !files.empty()) {
        parallelFor(0, static_cast<int>(files.size()), [this](int k) { files[static_cast<std::size_t>(k)]->store(); });
        journal->setNaming();
    }
    if (!all.empty())
        placed = std::make_unique<PlacedFiles>(all);
}

void SliceWriter::Impl::keepAll()
{
    if (placed)
        placed->keep();
    if (folders)
        folders->keep();
    if (placed && kind == OutputKind::hdf5)
        noteWritten(path);
    try {
        if (journal)
            journal->remove();
        else
            removeKept();
    } catch (const std::bad_alloc&) { // the volume is there; what stays beside it takes nothing from it
    }
}

void SliceWriter::Impl::commitAll()
{
    placeAll();
    keepAll();
}

// Of the size that they had.
void SliceWriter::Impl::requireKept() const
{
    const auto sliceBytes = static_cast<std::uintmax_t>(format.bytesPerValue()) * height * width;
    const auto require = [&](const fs::path& kept, std::uintmax_t least) {
        std::error_code unreadable;
        const std::uintmax_t bytes = fs::file_size(kept, unreadable);
        if (unreadable || bytes < least)
            throw Error(ErrorKind::output, "'" + kept.string() +
                                               "', which should hold complete slices, has been changed. Leave --resume "
                                               "out to make all anew.");
    };
    if (written == 0)
        return;
    if (kind == OutputKind::hdf5) {
        // Of several processes the first looks at all of it before it is lengthened (begin).
        require(into, isAlone() || isKept
                          ? static_cast<std::uintmax_t>(offset) + sliceBytes * (part.pairsOf ? all().count : written)
                          : std::numeric_limits<std::uintmax_t>::max());
        if (journal->offset() != offset)
            throw Error(ErrorKind::output, "'" + journal->path().string() +
                                               "' is of another arrangement of the file. Leave --resume out to make "
                                               "all anew.");
        return;
    }
    for (int k = 0; k < written; ++k)
        require(files[static_cast<std::size_t>(k)]->temporary(), format.deflateLevel > 0 ? 1 : sliceBytes);
}

// On the disk for good, before it is said to be there.
void SliceWriter::Impl::keep(int count, long long changedBefore)
{
    if (region)
        region->store();
    else
        parallelFor(0, count, [&](int k) { files[static_cast<std::size_t>(written + k)]->store(); });
    journal->add(count, changed - changedBefore, offset);
}

// Of a run that could have been gone on with; this one has made it all.
void SliceWriter::Impl::removeKept() const
{
    std::error_code ignored;
    if (part.process > 0 || !fs::remove(journalPath(), ignored))
        return;
    const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
    const std::string journals = journalPath().filename().string() + '-'; // of several processes
    std::vector<fs::path> kept;
    for (const FolderEntry& entry : entriesOf(kind == OutputKind::folder ? path : folder, ignored)) {
        const std::string there = entry.path.filename().string(), ending = ".kept";
        if (there.starts_with(journals) ||
            (kind == OutputKind::folder && there.starts_with('.') && there.ends_with(ending) &&
             isNumberedSlice(there.substr(1, there.size() - 1 - ending.size()), name)))
            kept.push_back(entry.path);
    }
    if (kind != OutputKind::folder)
        kept.push_back(keptName(path));
    for (const fs::path& file : kept)
        fs::remove(file, ignored);
}

} // namespace engine
