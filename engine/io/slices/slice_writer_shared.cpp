// SPDX-License-Identifier: GPL-3.0-or-later
// An output that several processes write: the first one creates it, the others join it, and it gets its name when all
// have finished.
#include "engine/base/error.h"
#include "engine/base/json_text.h"
#include "engine/io/files/input_file.h"
#include "engine/io/files/stale_files.h"
#include "engine/io/slices/slice_writer_impl.h"

#include <chrono>
#include <fstream>
#include <random>
#include <thread>

namespace engine
{

namespace fs = std::filesystem;

namespace
{

using BegunJson = nlohmann::ordered_json;

std::string randomToken()
{
    std::random_device random;
    std::string token;
    for (int k = 0; k < 4; ++k)
        token += std::to_string(random()) + '.';
    return token;
}

bool isSeen(const fs::path& seen, const std::string& token)
{
    try {
        return beginningOf(seen, token.size() + 1) == token;
    } catch (const Error&) { // not visible yet
        return false;
    }
}

// Waits up to 2 s, as network file systems may take a moment to show a file that another machine has created. Throws
// Error(output) if the file isn't visible then.
void requireSeen(const fs::path& seen, const std::string& token, const fs::path& path)
{
    using namespace std::chrono_literals;
    for (int attempt = 0; !isSeen(seen, token); ++attempt) {
        if (attempt == 20)
            throw Error(ErrorKind::output, fileText(path.string()) +
                                               " can't be written by several ranks: " + fileText(seen.string()) +
                                               ", which the first rank has created beside it, isn't visible to this "
                                               "rank. Name an output on a file system that all machines share.");
        std::this_thread::sleep_for(100ms);
    }
}

} // namespace

std::string SliceWriter::begin(int width, int height, const std::string& unit)
{
    Impl& to = *m_impl;
    std::error_code unknown;
    const fs::path path = fs::absolute(to.path, unknown).lexically_normal();
    if (to.kind == OutputKind::hdf5 && !to.wasNamed) {
        const auto before = static_cast<long long>(fs::file_size(to.files[0]->temporary(), unknown));
        const auto sliceBytes = static_cast<long long>(to.format.bytesPerValue()) * height * width;
        to.isKept = to.journal && !unknown && before > sliceBytes * to.part.all.count;
        to.start(width, height, unit);
        to.requireKept(to.isKept ? std::optional(to.part.all.count) : std::nullopt); // before the file is extended
        if (to.region)
            to.region->lengthen(sliceBytes * to.part.all.count);
    }
    const fs::path folder = to.kind == OutputKind::folder ? path : path.parent_path();
    to.seen =
        std::make_unique<PendingFile>(folder / seenName(path.filename().string()), true, ProtectedInputs(), false);
    const std::string token = randomToken();
    std::ofstream(to.seen->temporary(), std::ios::binary) << token;
    to.seen->store();
    BegunJson begun = {{"path", path.string()},  {"seen", to.seen->temporary().string()},
                       {"token", token},         {"width", width},
                       {"height", height},       {"unit", unit},
                       {"offset", to.offset},    {"isKept", to.isKept},
                       {"wasNamed", to.wasNamed}};
    if (to.kind == OutputKind::hdf5 && !to.wasNamed)
        begun["temporary"] = fs::absolute(to.into, unknown).lexically_normal().string();
    begun["folders"] = BegunJson::array();
    if (to.folders)
        for (const fs::path& made : to.folders->made())
            begun["folders"].push_back(made.string());
    return onOneLine(begun);
}

// Opens the output that the first process has created. The constructor calls it on the other processes.
void SliceWriter::Impl::join(const ProtectedInputs& inputs, bool overwrite, const std::string& identity)
{
    const BegunJson begun = BegunJson::parse(part.begun);
    const fs::path shownAs = path;
    path = begun["path"].get<std::string>();
    requireSeen(begun["seen"].get<std::string>(), begun["token"], path);
    if (kind == OutputKind::folder) {
        std::vector<fs::path> made;
        for (const auto& folder : begun["folders"])
            made.emplace_back(folder.get<std::string>());
        folders = std::make_unique<MadeFolders>(std::move(made));
    }
    if (!identity.empty())
        openKept(inputs, identity);
    else if (kind == OutputKind::folder)
        for (int k = 0; k < slices.count; ++k)
            files.push_back(std::make_unique<PendingFile>(path / names.of(sliceAt(k)), overwrite, inputs, false));
    if (kind != OutputKind::hdf5 || begun["wasNamed"].get<bool>())
        return;
    width = begun["width"];
    height = begun["height"];
    unit = begun["unit"];
    offset = begun["offset"];
    isKept = begun["isKept"];
    isStarted = true;
    into = begun["temporary"].get<std::string>();
    if (format.deflateLevel > 0) {
        chunks.emplace(path);
        return;
    }
    region = std::make_unique<FileRegion>(into, shownAs, offset,
                                          static_cast<long long>(format.bytesPerValue()) * (slices.count - written) *
                                              height * width);
    requireKept(isKept ? std::optional(part.all.count) : std::nullopt);
}

void SliceWriter::goOn(bool wasNamed)
{
    Impl& to = *m_impl;
    to.seen.reset();
    to.wasNamed = wasNamed;
    if (!to.journal || wasNamed)
        return;
    if (to.journal->slices() >= to.slices.count) // at least one group is reconstructed
        to.journal->takeBackLast();
    to.written = to.journal->slices();
    to.changed = to.journal->changed();
    to.emptyOthers();
}

void SliceWriter::complete(const VolumeDescription& description, std::span<const std::string> chunkFiles,
                           const std::stop_token& stop)
{
    if (m_impl->region)
        m_impl->region->store();
    m_impl->complete(description, chunkFiles, stop);
}

void SliceWriter::place()
{
    m_impl->placeAll();
}

void SliceWriter::keep()
{
    m_impl->keepAll();
}

} // namespace engine
