// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/slices/slice_writer_impl.h"

#include "engine/base/error.h"
#include "engine/base/number_text.h"
#include "engine/base/parallel_for.h"
#include "engine/io/files/folder_entries.h"
#include "engine/io/files/pending_file.h"
#include "engine/io/files/stale_files.h"
#include "engine/io/hdf5/deflate_chunk.h"
#include "engine/io/slices/stored_slices.h"
#include "engine/io/slices/write_description.h"
#include "engine/io/tiff/tiff_file.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <numeric>
#include <optional>
#include <set>
#include <vector>

namespace engine
{

namespace fs = std::filesystem;

OutputKind outputKindOf(const fs::path& path)
{
    if (hasTiffSuffix(path))
        return OutputKind::tiff;
    const std::string extension = lowerCase(path.extension().string());
    if (extension == ".h5" || extension == ".hdf5" || extension == ".hdf" || extension == ".nxs")
        return OutputKind::hdf5;
    return OutputKind::folder;
}

void requireOutputName(const std::string& name)
{
    if (name.empty())
        throw Error(ErrorKind::badRequest, "the name is empty");
    if (name == "-")
        throw Error(ErrorKind::badRequest, "slices can't be written to standard output ('-'); name a file or a folder");
    const fs::path path(name);
    const std::string extension = path.extension().string();
    std::error_code unreadable;
    if (extension.size() < 2 || !std::isalpha(static_cast<unsigned char>(extension[1])) ||
        outputKindOf(path) != OutputKind::folder || fs::is_directory(path, unreadable))
        return;
    throw Error(ErrorKind::badRequest, "'" + name + "': " + extension +
                                           " files are not written; name F.tif (one slice), F.h5 (all slices), or a "
                                           "folder of TIFFs (a folder with such a name must end in /)");
}

SliceWriter::Impl::~Impl()
{
    try {
        discard(true);
    } catch (...) { // no threads or no memory for it: the remaining files are removed one by one
    }
}

// Removes the files on all cores: the system takes a millisecond to delete a file of some megabytes.
std::vector<fs::path> SliceWriter::Impl::discard(bool keepsSlices)
{
    hdf5.reset();
    region.reset();
    placed.reset();
    std::vector<fs::path> left = removeKept(keepsSlices);
    std::vector<char> stays(files.size());
    parallelFor(0, static_cast<int>(files.size()), [&](int k) {
        const auto at = static_cast<std::size_t>(k);
        stays[at] = files[at]->removeTemporary() ? 1 : 0;
    });
    for (std::size_t k = 0; k < files.size(); ++k)
        if (stays[k])
            left.push_back(files[k]->temporary());
    files.clear();
    return left;
}

Text SliceWriter::discard(bool keepsSlices)
{
    const std::vector<fs::path> left = m_impl->discard(keepsSlices);
    if (left.empty())
        return {};
    return fileText(left.front().string()) +
           (left.size() > 1 ? " and " + std::to_string(left.size() - 1) + " more temporary files" : "") +
           " can't be removed. Remove " + (left.size() > 1 ? "them." : "it.");
}

void SliceWriter::Impl::start(int imageWidth, int imageHeight, const std::string& imageUnit)
{
    height = imageHeight;
    width = imageWidth;
    unit = imageUnit;
    isStarted = true;
    if (kind == OutputKind::hdf5)
        startHdf5();
    else if (format.deflateLevel == 0)
        requireRoom(files[0]->temporary(), path,
                    static_cast<long long>(format.bytesPerValue()) * (slices.count - written) * height * width);
}

void SliceWriter::Impl::startHdf5()
{
    into = files[0]->temporary();
    hdf5 = std::make_unique<Hdf5Output>(into, path, written > 0 || isKept);
    hdf5->group("/entry", "NXentry");
    hdf5->group("/entry/reconstruction", "NXprocess");
    hdf5->group(volumeGroup, "NXdata");
    const std::vector<long long> shape{part.all.count, height, width};
    if (format.deflateLevel > 0) {
        hdf5->chunks(data, shape, format, {1, rowsPerChunk(height, width, format), width});
    } else {
        offset = hdf5->numbers(data, shape, format.type);
        region = std::make_unique<FileRegion>(into, path, offset,
                                              static_cast<long long>(format.bytesPerValue()) *
                                                  (slices.count - written) * height * width);
    }
    hdf5->attribute(data, "interpretation", "image");
    if (format.type == OutputFormat::Type::uint16) { // programs show units and name with the stored numbers
        hdf5->attribute(data, "long_name", "stored numbers (attenuation = scale_factor * stored + add_offset)");
        hdf5->attribute(data, "scale_factor", format.step());
        hdf5->attribute(data, "add_offset", format.range.least);
        hdf5->attribute(data, scaledUnits, unit);
    } else {
        hdf5->attribute(data, "units", unit);
        hdf5->attribute(data, "long_name", "attenuation (" + unit + ")");
    }
    hdf5->link(data, "/exchange/data");
}

Place SliceWriter::Impl::next(int count) const
{
    Place place;
    const RowRange following{slices.first + written, count};
    if (part.pairsOf)
        place.part = MirroredPairs{following, *part.pairsOf};
    else
        place.setSlices(following);
    return place;
}

int SliceWriter::Impl::sliceAt(int k) const
{
    return engine::sliceAt(next(0), slices.first + k);
}

std::vector<int> SliceWriter::Impl::order(int count) const
{
    std::vector<int> order(static_cast<std::size_t>(count));
    std::iota(order.begin(), order.end(), written);
    std::ranges::sort(order, {}, [this](int k) { return sliceAt(k); });
    return order;
}

void SliceWriter::Impl::writeRegion(const Volume& image, const std::stop_token& stop)
{
    std::span<const float> left(image.values);
    for (const RowRange& run : runsOf(next(image.slices))) {
        const std::size_t size = run.count * image.sliceSize();
        writeRun(run, left.first(size), stop);
        left = left.subspan(size);
    }
}

void SliceWriter::Impl::writeRun(RowRange run, std::span<const float> values, const std::stop_token& stop)
{
    const auto bytes = static_cast<long long>(format.bytesPerValue());
    const auto count = bytes * static_cast<long long>(values.size());
    const long long at = bytes * height * width * (run.first - part.all.first);
    if (format.type == OutputFormat::Type::float32)
        return region->write(at, std::as_bytes(values), stop);
    region->write(
        at, count,
        [&](long long from, std::span<std::byte> to) {
            const auto some =
                values.subspan(static_cast<std::size_t>(from / bytes), to.size() / format.bytesPerValue());
            changed += store(format, some, to.data());
        },
        stop);
}

// Deflates chunks with all threads and writes them in order.
void SliceWriter::Impl::writeChunks(const Volume& image, const std::stop_token& stop)
{
    const int rows = rowsPerChunk(height, width, format), perSlice = chunksOfASlice();
    const int count = perSlice * image.slices, together = 64;
    const std::vector<int> order = this->order(image.slices);
    std::vector<std::vector<std::byte>> deflated(together);
    for (int first = 0; first < count; first += together) {
        const int some = std::min(together, count - first);
        parallelFor(0, some, [&](int k) {
            throwIfStopped(stop);
            const int slice = (first + k) / perSlice, row = (first + k) % perSlice * rows;
            const auto size = static_cast<std::size_t>(std::min(rows, height - row)) * width;
            const auto values = image.slice(slice).subspan(static_cast<std::size_t>(row) * width, size);
            changed += deflateChunk(format, values, static_cast<std::size_t>(rows) * width, deflated[k]);
        });
        for (int k = 0; k < some; ++k) {
            const int slice = sliceAt(order[static_cast<std::size_t>((first + k) / perSlice)]) - part.all.first;
            const long long chunk = static_cast<long long>(slice) * perSlice + (first + k) % perSlice;
            if (chunks)
                chunks->add(chunk, deflated[k]);
            else
                writeChunk(chunk, deflated[k]);
        }
    }
}

int SliceWriter::Impl::chunksOfASlice() const
{
    const int rows = rowsPerChunk(height, width, format);
    return (height + rows - 1) / rows;
}

void SliceWriter::Impl::writeChunk(long long chunk, std::span<const std::byte> deflated)
{
    const int perSlice = chunksOfASlice();
    hdf5->writeChunk(data, {chunk / perSlice, chunk % perSlice * rowsPerChunk(height, width, format), 0}, deflated);
}

// Writes the chunks of the other processes, in addition to this process's own.
void SliceWriter::Impl::takeChunks(std::span<const std::string> files, const std::stop_token& stop)
{
    const long long all = static_cast<long long>(part.all.count) * chunksOfASlice();
    long long count = static_cast<long long>(slices.count) * chunksOfASlice();
    std::vector<std::byte> deflated;
    for (const std::string& file : files) {
        StoredChunks stored(file, path);
        for (; stored.hasMore(); ++count) {
            throwIfStopped(stop);
            const long long chunk = stored.next(deflated);
            writeChunk(chunk, deflated);
        }
    }
    if (count != all)
        throw Error(ErrorKind::output, fileText(path.string()) + ": only " + std::to_string(count) + " of " +
                                           std::to_string(all) + " chunks were written.");
}

void SliceWriter::Impl::writeTiffs(const Reconstruction& part, const std::stop_token& stop)
{
    const Volume& image = part.image;
    const std::vector<int> order = this->order(image.slices);
    parallelFor(0, image.slices, [&](int k) {
        throwIfStopped(stop);
        const int own = order[static_cast<std::size_t>(k)];
        const PendingFile& file = *files[static_cast<std::size_t>(own)];
        const std::span<const float> values = image.slice(k);
        std::vector<std::byte> made;
        const std::byte* bytes = std::as_bytes(values).data();
        if (format.type != OutputFormat::Type::float32) {
            made.resize(values.size() * format.bytesPerValue());
            changed += store(format, values, made.data());
            bytes = made.data();
        }
        const SliceFacts facts = describe ? describe(part, sliceAt(own)) : SliceFacts();
        writeTiff(file.temporary(), file.path(), width, height, format, unit, facts, bytes);
    });
}

void SliceWriter::Impl::finishHdf5(const VolumeDescription& description)
{
    hdf5->text("/implements", "exchange");
    describeVolume(*hdf5, description);
    hdf5->close();
    hdf5.reset();
}

SliceWriter::SliceWriter(const fs::path& path, const SliceNames& names, RowRange slices, bool overwrite,
                         const ProtectedInputs& inputs, const OutputFormat& format, DescribeSlice describe,
                         const std::string& identity, const OutputPart& part)
    : m_impl(std::make_unique<Impl>())
{
    m_impl->part = part;
    m_impl->path = path;
    m_impl->names = names;
    m_impl->describe = std::move(describe);
    m_impl->slices = slices;
    m_impl->kind = outputKindOf(path);
    m_impl->format = format;
    if (slices.count < 1)
        throw Error(ErrorKind::badRequest, "There is no slice to write to " + fileText(path.string()) + ".");
    if (m_impl->kind == OutputKind::tiff && slices.count > 1)
        throw Error(ErrorKind::badRequest, fileText(path.string()) + " is one TIFF file, but " +
                                               std::to_string(slices.count) +
                                               " slices are to be written. Name a folder or an .h5 file.");
    if (!identity.empty())
        Impl::requireResumable(path, m_impl->kind, overwrite, format);
    else if (part.process == 0 && m_impl->kind != OutputKind::tiff)
        m_impl->left = VolumeJournal::leftAt(m_impl->journalPath());
    if (part.process > 0) {
        m_impl->join(inputs, overwrite, identity);
        return;
    }
    if (!identity.empty() && m_impl->kind == OutputKind::hdf5) {
        const fs::path named = followed(path);
        m_impl->unfinished = clearUnfinished(
            named.parent_path(), [&](const std::string& file) { return file == named.filename().string(); });
        m_impl->openKept(inputs, identity);
        return;
    }
    if (m_impl->kind != OutputKind::folder) {
        m_impl->files.push_back(std::make_unique<PendingFile>(path, overwrite, inputs));
        m_impl->unfinished = m_impl->files[0]->unfinished();
        return;
    }
    std::error_code unreadable;
    followed(path);
    if (fs::exists(path, unreadable) && !fs::is_directory(path, unreadable))
        throw Error(ErrorKind::output,
                    fileText(path.string()) +
                        " exists and is not a folder. Name a folder, or a file ending in .tif or .h5.");
    m_impl->folders = std::make_unique<MadeFolders>(path);
    m_impl->unfinished = clearUnfinished(path, [&](const std::string& file) {
        return names.numberIn(file).has_value() || file == seenName(path.filename().string());
    });
    if (!identity.empty()) {
        m_impl->openKept(inputs, identity);
        return;
    }
    for (int k = 0; k < slices.count; ++k)
        m_impl->files.push_back(
            std::make_unique<PendingFile>(path / names.of(m_impl->sliceAt(k)), overwrite, inputs, false));
}

SliceWriter::SliceWriter(const fs::path& path, const SliceNames& names, RowRange slices, bool overwrite,
                         const ProtectedInputs& inputs, const OutputFormat& format, DescribeSlice describe,
                         const std::string& identity, const std::optional<RowRange>& pairsOf)
    : SliceWriter(path, names, slices, overwrite, inputs, format, std::move(describe), identity,
                  OutputPart{.all = pairsOf.value_or(slices), .pairsOf = pairsOf})
{
    if (m_impl->wasNamed)
        m_impl->commitAll();
    goOn(m_impl->wasNamed);
}

SliceWriter::~SliceWriter() = default;

bool SliceWriter::wasNamed() const
{
    return m_impl->wasNamed;
}

std::vector<std::string> SliceWriter::warnings() const
{
    std::set<std::string> texts;
    if (m_impl->journal)
        for (const KeptGroup& group : m_impl->journal->groups())
            texts.insert(group.warnings.begin(), group.warnings.end());
    return {texts.begin(), texts.end()};
}

int SliceWriter::done() const
{
    return m_impl->written;
}

void SliceWriter::write(const Reconstruction& part, std::stop_token stop)
{
    Impl& to = *m_impl;
    const Volume& image = part.image;
    if (!to.isStarted) {
        to.start(image.width, image.height, part.unit);
        to.requireKept(to.part.pairsOf ? to.part.all.count : to.written);
    }
    if (image.height != to.height || image.width != to.width || image.slices > to.slices.count - to.written ||
        image.values.size() != image.slices * image.sliceSize() || part.request.place.pairsOf() != to.part.pairsOf)
        throw Error(ErrorKind::badRequest, fileText(to.path.string()) + ": " + std::to_string(image.slices) +
                                               " slices of " + std::to_string(image.width) + " x " +
                                               std::to_string(image.height) +
                                               " pixels don't fit: " + std::to_string(to.written) + " of " +
                                               std::to_string(to.slices.count) + " slices are written already.");
    const long long changedBefore = to.changed;
    if (to.region)
        to.writeRegion(image, stop);
    else if (to.kind == OutputKind::hdf5)
        to.writeChunks(image, stop);
    else
        to.writeTiffs(part, stop);
    if (to.journal)
        to.keep(part, changedBefore);
    to.written += image.slices;
}

void SliceWriter::finish(const VolumeDescription& description)
{
    m_impl->complete(description, {}, {});
    m_impl->commitAll();
}

void SliceWriter::Impl::complete(const VolumeDescription& description, std::span<const std::string> chunkFiles,
                                 const std::stop_token& stop)
{
    if (written != slices.count)
        throw Error(ErrorKind::output, fileText(path.string()) + ": only " + std::to_string(written) + " of " +
                                           std::to_string(slices.count) + " slices were written.");
    region.reset();
    if (chunks)
        chunks->store();
    if (hdf5 && format.deflateLevel > 0)
        takeChunks(chunkFiles, stop);
    if (hdf5)
        finishHdf5(description);
}

std::string SliceWriter::chunkFile() const
{
    return m_impl->chunks ? m_impl->chunks->path().string() : std::string();
}

std::string SliceWriter::olderSlices() const
{
    const Impl& to = *m_impl;
    if (to.kind != OutputKind::folder ||
        std::ranges::none_of(to.files, [](const auto& file) { return file->replaces(); }))
        return {};
    std::set<std::string> ours, others;
    for (int k = 0; k < to.part.all.count; ++k)
        ours.insert(to.names.of(to.part.all.first + k));
    std::error_code unreadable;
    for (const FolderEntry& entry : entriesOf(to.path, unreadable))
        if (const std::string there = entry.path.filename().string(); to.names.numberIn(there) && !ours.contains(there))
            others.insert(there);
    if (others.empty())
        return {};
    const std::string which = *others.begin() + (others.size() > 1 ? " to " + *others.rbegin() : "");
    return "The folder still has " + std::to_string(others.size()) + (others.size() > 1 ? " slices" : " slice") +
           " from before, which this run does not replace: " + which + ".";
}

Text SliceWriter::unfinished() const
{
    const Impl& to = *m_impl;
    const Text kept = to.left ? to.leftText() : Text(to.damaged), others = unfinishedText(to.unfinished);
    return kept + (kept.empty() || others.empty() ? "" : " ") + others;
}

long long SliceWriter::changed() const
{
    return m_impl->changed;
}

Volume readTiffImage(const fs::path& path)
{
    return readSlice({path}).image;
}

std::unique_ptr<PendingFile> pendingTiffImage(const fs::path& path, const Volume& image, int slice, bool overwrite,
                                              const ProtectedInputs& inputs, const std::string& unit,
                                              const SliceFacts& facts)
{
    if (slice < 0 || slice >= image.slices || image.width < 1 || image.height < 1)
        throw Error(ErrorKind::badRequest, fileText(path.string()) + ": there is no slice " + std::to_string(slice) +
                                               "; the number of slices in the image is " +
                                               std::to_string(image.slices) + ".");
    auto pending = std::make_unique<PendingFile>(path, overwrite, inputs);
    writeTiff(pending->temporary(), path, image.width, image.height, {}, unit, facts,
              std::as_bytes(image.slice(slice)).data());
    return pending;
}

void writeTiffImage(const fs::path& path, const Volume& image, int slice, bool overwrite, const ProtectedInputs& inputs,
                    const std::string& unit, const SliceFacts& facts)
{
    pendingTiffImage(path, image, slice, overwrite, inputs, unit, facts)->commit();
}

} // namespace engine
