// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/error.h"
#include "engine/io/check/helper_session.h"
#include "engine/io/files/folder_entries.h"
#include "engine/io/library/answering.h"
#include "engine/io/library/server.h"

#include <dlfcn.h>
#include <hdf5.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <new>
#include <optional>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

namespace engine
{

namespace
{

// Returns the folders in which HDF5 looks for plug-ins.
std::vector<std::filesystem::path> folders()
{
    const char* const given = std::getenv("HDF5_PLUGIN_PATH");
    std::vector<std::filesystem::path> found;
    std::istringstream all(given ? given : H5_DEFAULT_PLUGINDIR);
    for (std::string folder; std::getline(all, folder, ':');)
        if (!folder.empty())
            found.emplace_back(folder);
    return found;
}

// Loads a plug-in, and leaves it loaded if it has this filter.
H5Z_func_t filterIn(const std::filesystem::path& file, int id)
{
    void* library = ::dlopen(file.c_str(), RTLD_LAZY | RTLD_LOCAL);
    if (!library)
        return nullptr;
    using Type = H5PL_type_t (*)();
    using Info = const void* (*)();
    const auto type = reinterpret_cast<Type>(::dlsym(library, "H5PLget_plugin_type"));
    const auto info = reinterpret_cast<Info>(::dlsym(library, "H5PLget_plugin_info"));
    if (type && info && type() == H5PL_TYPE_FILTER)
        if (const auto* filter = static_cast<const H5Z_class2_t*>(info()); filter && filter->id == id)
            return filter->filter;
    ::dlclose(library);
    return nullptr;
}

// Returns the first one found, as HDF5 does; null if there is none.
H5Z_func_t findFilter(int id)
{
    for (const std::filesystem::path& folder : folders()) {
        std::error_code unreadable;
        for (const FolderEntry& entry : entriesOf(folder, unreadable))
            if (entry.path.filename().string().find(".so") != std::string::npos)
                if (const H5Z_func_t filter = filterIn(entry.path, id))
                    return filter;
    }
    return nullptr;
}

// Decodes the first `stored` bytes of the memory into it. Returns the number of decoded bytes; 0 on failure.
std::size_t decode(H5Z_func_t filter, const std::vector<unsigned>& parameters, std::size_t stored,
                   const AnswerMemory& memory)
{
    std::size_t capacity = stored;
    void* bytes = std::malloc(capacity); // the plug-in may reallocate it
    if (!bytes)
        throw std::bad_alloc();
    std::memcpy(bytes, memory.values<char>(), stored);
    const std::size_t made = filter(H5Z_FLAG_REVERSE, parameters.size(), parameters.data(), stored, &capacity, &bytes);
    const std::unique_ptr<void, decltype(&std::free)> owned(bytes, std::free);
    if (made > memory.bytes())
        return 0;
    std::memcpy(memory.values<char>(), bytes, made);
    return made;
}

} // namespace

int servePlugin(int socket, int id)
{
    const H5Z_func_t filter = findFilter(id);
    std::optional<AnswerMemory> memory;
    return answerQuestions(socket, [&](std::uint32_t question, Message& message) {
        Parcel answer;
        if (question == static_cast<std::uint32_t>(HelperQuestion::hasPlugin)) {
            answer.add(filter != nullptr);
            return answer;
        }
        if (message.descriptor.number() >= 0) {
            memory.reset();
            memory.emplace(message.descriptor.number());
        }
        const auto parameters = message.parcel.takeList<unsigned>();
        const auto stored = message.parcel.take<std::uint64_t>();
        if (!filter || !memory || stored > memory->bytes())
            throw Error(ErrorKind::badRequest, "there is nothing to decode");
        answer.add(std::uint64_t{decode(filter, parameters, stored, *memory)});
        return answer;
    });
}

} // namespace engine
