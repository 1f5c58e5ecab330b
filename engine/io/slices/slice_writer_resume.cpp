// SPDX-License-Identifier: GPL-3.0-or-later
// How a SliceWriter stores complete slices for a later run, and continues after those of an earlier run.
#include "engine/base/error.h"
#include "engine/base/json_text.h"
#include "engine/base/parallel_for.h"
#include "engine/base/remove_file.h"
#include "engine/io/files/folder_entries.h"
#include "engine/io/hdf5/hdf5_file.h"
#include "engine/io/slices/slice_writer_impl.h"
#include "engine/io/tiff/tiff_file.h"

#include <algorithm>
#include <limits>
#include <new>
#include <set>

namespace engine
{

namespace fs = std::filesystem;

namespace
{

// Returns the rest of the line that begins with `begin`; empty if there is none.
std::string lineOf(const std::string& description, const std::string& begin)
{
    const std::size_t at = description.find('\n' + begin);
    const std::size_t from = at + 1 + begin.size();
    return at == std::string::npos ? std::string() : description.substr(from, description.find('\n', from) - from);
}

fs::path journalOf(const fs::path& output, const SliceNames& names, int process)
{
    const fs::path journal = journalName(outputKindOf(output) == OutputKind::folder ? output / names.common() : output);
    return process == 0 ? journal : fs::path(journal.string() + '-' + std::to_string(process));
}

} // namespace

std::string storedConfiguration(const fs::path& path, const SliceNames& names, RowRange slices)
{
    std::error_code unreadable;
    try {
        if (outputKindOf(path) == OutputKind::hdf5) {
            const std::string configuration = "/entry/reconstruction/configuration";
            if (!fs::is_regular_file(path, unreadable))
                return {};
            return Hdf5File(path).text(configuration).value_or("");
        }
        std::string all;
        std::set<std::string> warnings;
        for (int k = 0; k < slices.count; ++k) {
            const fs::path file = path / names.of(slices.first + k);
            const std::string facts =
                fs::is_regular_file(file, unreadable) ? TiffFile(file).description() : std::string();
            const std::string one = lineOf(facts, "madeOf=");
            if (one.empty() || (k > 0 && one != all))
                return {};
            all = one;
            if (const std::string text = lineOf(facts, "warnings="); !text.empty())
                warnings.insert(text);
        }
        return "{\"madeOf\":" + all + ",\"warnings\":" + onOneLine(warnings) + "}";
    } catch (const Error&) { // damaged, or of another program
        return {};
    }
}

fs::path SliceWriter::Impl::journalPath() const
{
    return journalOf(path, names, part.process);
}

int storedSlices(const fs::path& path, const SliceNames& names)
{
    return summaryOf(journalOf(path, names, 0)).slices;
}

void SliceWriter::Impl::requireResumable(const fs::path& path, OutputKind kind, bool overwrite,
                                         const OutputFormat& format)
{
    const auto refuse = [&path](const Text& why) {
        throw Error(ErrorKind::badRequest, optionName("resume") + ": " + fileText(path.string()) + " " + why);
    };
    if (kind == OutputKind::tiff)
        refuse("is only one slice, which can't be resumed; leave the option out.");
    if (kind == OutputKind::hdf5 && format.deflateLevel > 0)
        refuse("is compressed HDF5, which can't be resumed; leave out the compression, or name a folder of TIFFs.");
    if (overwrite)
        refuse("can't be overwritten by a resumable run; leave out " + optionName("overwrite") +
               ", and remove the old files first.");
}

// Throws Error(output) if there are files of stored slices: without a journal their contents are unknown.
void SliceWriter::Impl::requireNoOrphans(const std::vector<fs::path>& outputs) const
{
    std::error_code none;
    for (const fs::path& output : outputs)
        if (const fs::path kept = keptName(output); fs::file_size(kept, none) > 0 && !none)
            throw Error(ErrorKind::output, fileText(kept.string()) + " exists, but its journal " +
                                               fileText(journal->path().string()) +
                                               " is missing, so its contents are unknown. Remove it" +
                                               (outputs.size() > 1 ? " and the other .kept files." : "."));
}

// Opens the journal and the files that an earlier writer has stored, or begins new ones.
void SliceWriter::Impl::openKept(const ProtectedInputs& inputs, const std::string& identity)
{
    journal.emplace(journalPath(), identity);
    std::vector<fs::path> outputs;
    if (kind != OutputKind::folder && part.process == 0)
        outputs.push_back(path);
    for (int k = 0; kind == OutputKind::folder && k < slices.count; ++k)
        outputs.push_back(path / names.of(sliceAt(k)));
    if (journal->isNew())
        requireNoOrphans(outputs);
    std::error_code unreadable;
    for (const fs::path& output : outputs)
        if (!journal->isNaming() || fs::exists(keptName(output), unreadable))
            files.push_back(std::make_unique<PendingFile>(output, inputs, keptName(output).filename()));
    takeIntact();
    wasNamed = journal->isNaming();
    written = wasNamed ? slices.count : journal->slices();
}

FilePart SliceWriter::Impl::keptPart(int k, const KeptGroup& group) const
{
    if (kind == OutputKind::folder)
        return {.file = keptName(path / names.of(sliceAt(k)))};
    return {.file = keptName(path),
            .offset = group.offset + group.sliceBytes * (sliceAt(k) - part.all.first),
            .bytes = group.sliceBytes};
}

// Returns whether the k-th slice is as it was stored. Slices that have their final names already are complete.
bool SliceWriter::Impl::isIntact(int k, const KeptGroup& group, std::size_t inGroup) const
{
    std::error_code unreadable;
    const fs::path output = kind == OutputKind::folder ? path / names.of(sliceAt(k)) : path;
    if (group.sums.empty() || (journal->isNaming() && fs::exists(output, unreadable)))
        return true;
    try {
        return checksumOf(keptPart(k, group)) == group.sums[inGroup];
    } catch (const Error&) {
        return false;
    }
}

// Keeps the leading groups whose slices are as they were stored; the others are reconstructed again.
void SliceWriter::Impl::takeIntact()
{
    std::vector<const KeptGroup*> groupOf;
    std::vector<std::size_t> inGroup;
    for (const KeptGroup& group : journal->groups())
        for (int k = 0; k < group.slices && static_cast<int>(groupOf.size()) < slices.count; ++k) {
            groupOf.push_back(&group);
            inGroup.push_back(static_cast<std::size_t>(k));
        }
    const auto count = static_cast<int>(groupOf.size());
    std::vector<char> isDamaged(groupOf.size());
    parallelFor(0, count, [&](int k) {
        const auto at = static_cast<std::size_t>(k);
        isDamaged[at] = !isIntact(k, *groupOf[at], inGroup[at]);
    });
    const auto first = std::ranges::find(isDamaged, 1);
    if (first == isDamaged.end())
        return;
    const int k = static_cast<int>(first - isDamaged.begin());
    const KeptGroup& group = *groupOf[static_cast<std::size_t>(k)];
    const std::string what = "'" + keptPart(k, group).file.string() + "' has changed since slice " +
                             std::to_string(sliceAt(k)) + " was stored in it";
    if (journal->isNaming())
        throw Error(ErrorKind::output, what + ", so the volume isn't complete. Reconstruct it again without " +
                                           optionName("resume") + " and with " + optionName("overwrite") + ".");
    damaged = what + ": this slice and those after it are reconstructed again.";
    journal->takeBackFrom(static_cast<std::size_t>(&group - journal->groups().data()));
}

// Empties the TIFFs of slices that are not complete: new data would be appended to what an interrupted run has written.
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
    try {
        if (journal) {
            journal->remove();
            journal.reset();
        } else if (left) {
            removeLeft();
        }
    } catch (const std::bad_alloc&) { // the volume is complete; files that stay beside it do no harm
    }
}

void SliceWriter::Impl::commitAll()
{
    placeAll();
    keepAll();
}

void SliceWriter::Impl::requireKept(std::optional<int> room) const
{
    const auto sliceBytes = static_cast<std::uintmax_t>(format.bytesPerValue()) * height * width;
    const auto require = [&](const fs::path& kept, std::uintmax_t least) {
        std::error_code unreadable;
        const std::uintmax_t bytes = fs::file_size(kept, unreadable);
        if (unreadable || bytes < least)
            throw Error(ErrorKind::output, fileText(kept.string()) +
                                               ", which should hold complete slices, has been changed. Leave out " +
                                               optionName("resume") + " to reconstruct all slices.");
    };
    if (written == 0)
        return;
    if (kind == OutputKind::hdf5) {
        require(into, room ? static_cast<std::uintmax_t>(offset) + sliceBytes * *room
                           : std::numeric_limits<std::uintmax_t>::max());
        if (journal->offset() != offset)
            throw Error(ErrorKind::output, fileText(journal->path().string()) +
                                               " describes another layout of the file. Leave out " +
                                               optionName("resume") + " to reconstruct all slices.");
        return;
    }
    for (int k = 0; k < written; ++k)
        require(files[static_cast<std::size_t>(k)]->temporary(), format.deflateLevel > 0 ? 1 : sliceBytes);
}

// Flushes the slices to the disk before the journal lists them. Checksums are computed from the values if the file has
// the same bytes (32-bit floats in uncompressed HDF5), otherwise from what is read back from the file.
void SliceWriter::Impl::keep(const Reconstruction& part, long long changedBefore)
{
    const Volume& image = part.image;
    KeptGroup group{.slices = image.slices, .changed = changed - changedBefore, .offset = offset};
    for (const Text& warning : warningsOf(part))
        group.warnings.push_back(warning.in(commandLineStyle()));
    if (region) {
        region->store();
        group.sliceBytes = static_cast<long long>(format.bytesPerValue()) * height * width;
    }
    group.sums.resize(static_cast<std::size_t>(image.slices));
    const std::vector<int> order = this->order(image.slices);
    parallelFor(0, image.slices, [&](int k) {
        const int own = order[static_cast<std::size_t>(k)];
        if (!region)
            files[static_cast<std::size_t>(own)]->store();
        const std::optional<std::uint32_t> sum = region && format.type == OutputFormat::Type::float32
                                                     ? checksumOf(std::as_bytes(image.slice(k)))
                                                     : checksumOf(keptPart(own, group));
        if (!sum)
            throw Error(ErrorKind::output, fileText(path.string()) + " became shorter while it was written.");
        group.sums[static_cast<std::size_t>(own - written)] = *sum;
    });
    journal->add(std::move(group));
}

// Removes the journal and the files for the slices if no process has stored a slice, or if none are to be kept.
// Returns the files that can't be removed.
std::vector<fs::path> SliceWriter::Impl::removeKept(bool keepsSlices)
{
    std::vector<fs::path> left;
    if (!journal || journal->isNaming())
        return left;
    for (int process = 0; keepsSlices && process < part.processes; ++process)
        if (summaryOf(journalOf(path, names, process)).slices > 0)
            return left;
    for (const std::unique_ptr<PendingFile>& file : files)
        if (removeFile(file->temporary()))
            left.push_back(file->temporary());
    journal->remove();
    journal.reset();
    return left;
}

// Returns the journals of all processes of the interrupted run.
std::vector<fs::path> SliceWriter::Impl::leftJournals() const
{
    std::vector<fs::path> journals{left->path()};
    std::error_code unreadable;
    const fs::path folder = left->path().parent_path();
    const std::string others = left->path().filename().string() + '-';
    for (const FolderEntry& entry : entriesOf(folder.empty() ? "." : folder, unreadable))
        if (const std::string there = entry.path.filename().string();
            there.starts_with(others) && there.find_first_not_of("0123456789", others.size()) == there.npos)
            journals.push_back(entry.path);
    return journals;
}

SliceWriter::Impl::Reach SliceWriter::Impl::reachOfLeft() const
{
    const RowRange ours = part.all;
    bool isAll = true, isNone = true;
    for (const fs::path& journal : leftJournals()) {
        const std::optional<RowRange> theirs = summaryOf(journal).of;
        const int first = theirs ? theirs->first : 0, end = theirs ? first + theirs->count : 0;
        isAll = isAll && theirs && first >= ours.first && end <= ours.first + ours.count;
        isNone = isNone && (end <= ours.first || first >= ours.first + ours.count);
    }
    return isAll ? Reach::all : isNone || kind != OutputKind::folder ? Reach::none : Reach::some;
}

Text SliceWriter::Impl::leftText() const
{
    int slices = 0;
    for (const fs::path& journal : leftJournals())
        slices += summaryOf(journal).slices;
    if (slices == 0)
        return {};
    const Text kept = std::to_string(slices) + " slices of an interrupted run are kept (" +
                      fileText(left->path().string()) + "); " + optionName("resume") + " continues them";
    switch (reachOfLeft()) {
    case Reach::all:
        return kept + ". Without it, they are removed when all slices are reconstructed.";
    case Reach::some:
        return kept + ". At its end this run removes those that it reconstructs itself; the others stay.";
    case Reach::none:
        break;
    }
    return kept + ". They belong to another part of the volume, and stay.";
}

// Removes the stored slices of an interrupted run that this run has reconstructed itself, and the journals once no
// stored slice is left.
void SliceWriter::Impl::removeLeft() const
{
    const Reach reach = reachOfLeft();
    std::error_code ignored;
    std::vector<fs::path> empty;
    bool isSomeLeft = reach != Reach::all;
    if (kind == OutputKind::folder) {
        isSomeLeft = false;
        const std::string ending = ".kept";
        for (const FolderEntry& entry : entriesOf(path, ignored)) {
            const std::string there = entry.path.filename().string();
            if (!there.starts_with('.') || !there.ends_with(ending))
                continue;
            const auto slice = names.numberIn(there.substr(1, there.size() - 1 - ending.size()));
            if (!slice)
                continue;
            if (*slice >= part.all.first && *slice < part.all.first + part.all.count)
                removeFile(entry.path);
            else if (fs::file_size(entry.path, ignored) == 0)
                empty.push_back(entry.path);
            else
                isSomeLeft = true;
        }
    } else if (!isSomeLeft) {
        removeFile(keptName(path));
    }
    if (isSomeLeft)
        return;
    for (const fs::path& file : empty)
        removeFile(file);
    for (const fs::path& other : leftJournals())
        if (other != left->path())
            removeFile(other);
    left->remove();
}

} // namespace engine
