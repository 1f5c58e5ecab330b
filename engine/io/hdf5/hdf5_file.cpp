// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/hdf5/hdf5_file.h"

#include "engine/base/error.h"
#include "engine/io/files/input_file.h"
#include "engine/io/hdf5/hdf5_dataset_impl.h"

#include <array>
#include <map>
#include <mutex>
#include <set>
#include <string_view>
#include <utility>

namespace engine
{

struct Hdf5File::Impl {
    std::shared_ptr<HelperSession> session;
    mutable std::mutex mutex;                      // of what follows
    mutable std::set<std::filesystem::path> files; // that data sets are read from, and this file
    mutable std::map<int, Hdf5Nodes> nodes;        // by depth
    mutable std::map<std::string, Node> kinds;     // by path

    Parcel ask(HelperQuestion question, const std::string& at, const Parcel& more = {}) const
    {
        return session->ask(question, session->path(), at, more);
    }
};

// Looks for HDF5's signature at the beginning, or after a user block of 512, 1024, 2048, … bytes.
bool Hdf5File::recognises(const std::filesystem::path& path)
{
    constexpr std::string_view signature = "\x89HDF\r\n\x1a\n";
    const InputFile file(path);
    for (std::uintmax_t at = 0; at + signature.size() <= file.bytes(); at = at == 0 ? 512 : 2 * at) {
        std::array<char, signature.size()> there{};
        if (file.read(there.data(), there.size(), at) == there.size() &&
            std::string_view(there.data(), there.size()) == signature)
            return true;
    }
    return false;
}

Hdf5File::Hdf5File(const std::filesystem::path& path, std::stop_token stop)
    : Hdf5File(std::make_shared<HelperSession>(path, std::move(stop)))
{
}

Hdf5File::Hdf5File(std::shared_ptr<HelperSession> session)
{
    auto impl = std::make_shared<Impl>();
    impl->session = std::move(session);
    impl->files.insert(impl->session->path());
    m_impl = std::move(impl);
    node("/"); // opens it
}

void Hdf5File::outliveStop() const
{
    m_impl->session->outliveStop();
}

const std::filesystem::path& Hdf5File::path() const
{
    return m_impl->session->path();
}

Hdf5File::Node Hdf5File::node(const std::string& path) const
{
    const std::lock_guard lock(m_impl->mutex);
    if (const auto known = m_impl->kinds.find(path); known != m_impl->kinds.end())
        return known->second;
    const auto kind = m_impl->ask(HelperQuestion::node, path).take<std::uint32_t>();
    if (kind > static_cast<std::uint32_t>(Node::broken))
        throw Error(ErrorKind::badFile, fileText(this->path().string()) + ": " + path + " is of no known kind.");
    return m_impl->kinds[path] = static_cast<Node>(kind);
}

std::vector<std::string> Hdf5File::children(const std::string& group) const
{
    return m_impl->ask(HelperQuestion::children, group).takeList<std::string>();
}

const Hdf5Nodes& Hdf5File::nodes(int depth) const
{
    const std::lock_guard lock(m_impl->mutex);
    if (const auto known = m_impl->nodes.find(depth); known != m_impl->nodes.end())
        return known->second;
    Parcel answer = m_impl->ask(HelperQuestion::nodes, "/", Parcel().add(depth));
    Hdf5Nodes found;
    found.groups = answer.takeList<std::string>();
    found.datasets = answer.takeList<std::string>();
    for (const std::string& group : found.groups)
        m_impl->kinds.try_emplace(group, Node::group);
    for (const std::string& set : found.datasets)
        m_impl->kinds.try_emplace(set, Node::dataset);
    return m_impl->nodes[depth] = std::move(found);
}

Hdf5Dataset Hdf5File::dataset(const std::string& path) const
{
    Hdf5Dataset dataset = openDataset(m_impl->session, this->path(), path);
    const std::lock_guard lock(m_impl->mutex);
    m_impl->files.insert(dataset.files().begin(), dataset.files().end());
    return dataset;
}

std::optional<std::string> Hdf5File::text(const std::string& path) const
{
    Parcel answer = m_impl->ask(HelperQuestion::text, path);
    return answer.take<bool>() ? std::optional(answer.take<std::string>()) : std::nullopt;
}

std::optional<std::string> Hdf5File::attribute(const std::string& path, const std::string& name) const
{
    Parcel answer = m_impl->ask(HelperQuestion::attribute, path, Parcel().add(name));
    return answer.take<bool>() ? std::optional(answer.take<std::string>()) : std::nullopt;
}

std::optional<double> Hdf5File::number(const std::string& path) const
{
    if (node(path) != Node::dataset)
        return {};
    const Hdf5Dataset found = dataset(path);
    if (found.sampleType().empty() || found.size() < 1 || found.size() > (1 << 20))
        return {};
    return found.numbers().front();
}

std::vector<std::filesystem::path> Hdf5File::files() const
{
    const std::lock_guard lock(m_impl->mutex);
    return {m_impl->files.begin(), m_impl->files.end()};
}

std::string Hdf5File::whyBroken(const std::string& path) const
{
    return m_impl->ask(HelperQuestion::whyBroken, path).take<std::string>();
}

} // namespace engine
