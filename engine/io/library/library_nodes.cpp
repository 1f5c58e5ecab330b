// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/library/library_nodes.h"

#include "engine/io/files/size_limits.h"
#include "engine/io/hdf5/hdf5_library.h"

#include <hdf5.h>

#include <set>
#include <utility>

namespace engine
{

namespace
{

#if H5_VERSION_GE(1, 12, 0)
using ObjectInfo = H5O_info1_t;
#else
using ObjectInfo = H5O_info_t;
#endif

std::vector<std::string> linksOf(hid_t group, int most)
{
    struct Links {
        std::vector<std::string> names;
        std::size_t most;
    } links{{}, static_cast<std::size_t>(most)};
    const auto collect = [](hid_t, const char* name, const H5L_info_t*, void* data) -> herr_t {
        Links& found = *static_cast<Links*>(data);
        found.names.emplace_back(name);
        return found.names.size() < found.most ? 0 : 1; // 1: stop
    };
    hsize_t at = 0;
    H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, &at, collect, &links);
    return links.names;
}

class Walk
{
  public:
    Hdf5Nodes nodes;

    void visit(hid_t parent, const std::string& name, const std::string& path, int depth)
    {
        ObjectInfo info;
        if (H5Oget_info_by_name2(parent, name.c_str(), &info, H5O_INFO_BASIC, H5P_DEFAULT) < 0)
            return;
        if (info.type == H5O_TYPE_DATASET)
            nodes.datasets.push_back(path);
        if (info.type != H5O_TYPE_GROUP)
            return;
        nodes.groups.push_back(path);
        if (depth == 0 || m_left < 1 || !m_entered.insert({info.fileno, info.addr}).second)
            return;
        const Hdf5Handle group(H5Gopen2(parent, name.c_str(), H5P_DEFAULT), H5Gclose);
        if (!group)
            return;
        for (const std::string& link : linksOf(group.id(), m_left)) {
            if (--m_left < 0)
                return;
            visit(group.id(), link, path == "/" ? path + link : path + '/' + link, depth - 1);
        }
    }

  private:
    int m_left = mostLinks;
    std::set<std::pair<unsigned long, haddr_t>> m_entered; // groups that were entered, by their file and address
};

} // namespace

Hdf5Nodes nodesOf(std::int64_t file, int depth)
{
    Walk walk;
    walk.visit(file, "/", "/", depth);
    return std::move(walk.nodes);
}

} // namespace engine
