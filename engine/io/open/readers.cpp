#include "engine/io/open/readers.h"

#include "engine/base/error.h"
#include "engine/base/number_text.h"
#include "engine/io/files/input_file.h"
#include "engine/io/hdf5/hdf5_file.h"
#include "engine/io/open/reader_rows.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace engine
{

namespace fs = std::filesystem;

std::span<const Reader> readers()
{
    static const auto table = readerRows();
    return table;
}

Candidate::Candidate(fs::path path, OpenOptions options, std::stop_token stop)
    : m_path(std::move(path)), m_options(std::move(options)), m_stop(std::move(stop))
{
    throwIfStopped(m_stop);
    const std::string name = "'" + m_path.string() + "'";
    if (!fs::exists(m_path))
        throw Error(ErrorKind::badFile, "There is no file or folder " + name + ".");
    m_isFolder = fs::is_directory(m_path);
    if (m_isFolder)
        return;
    if (!fs::is_regular_file(m_path))
        throw Error(ErrorKind::badFile, name + " is neither a file nor a folder.");
    if (InputFile(m_path).bytes() == 0)
        throw Error(ErrorKind::badFile, name + " is empty.");
}

const Hdf5File* Candidate::hdf5() const
{
    if (!m_hdf5)
        m_hdf5 = !m_isFolder && Hdf5File::recognises(m_path) ? std::make_shared<const Hdf5File>(m_path) : nullptr;
    return m_hdf5->get();
}

const Reader* readerFor(const Candidate& candidate)
{
    for (const Reader& reader : readers())
        if (reader.asked && reader.asked(candidate.options()))
            return &reader;
    const Reader* surest = nullptr;
    Sure highest = Sure::no;
    for (const Reader& reader : readers()) {
        if (!reader.recognises || reader.surest <= highest)
            continue; // a look at a large file's groups may take its time
        const Sure sure = reader.recognises(candidate);
        if (sure > highest) {
            highest = sure;
            surest = &reader;
        }
    }
    return surest;
}

namespace
{

template <typename Value>
void addOnce(std::vector<Value>& values, const Value& value)
{
    if (std::find(values.begin(), values.end(), value) == values.end())
        values.push_back(value);
}

std::string listed(const std::vector<std::string>& items, const std::string& last)
{
    std::string text;
    for (std::size_t i = 0; i < items.size(); ++i)
        text += (i == 0 ? "" : i + 1 < items.size() ? ", " : last) + items[i];
    return text;
}

// "HDF5 file (DXchange or NXtomo)"; formats that are named after their container are not worth a word.
std::string filesInWords(const Container& container)
{
    std::vector<std::string> formats;
    for (const Reader& reader : readers())
        if (reader.container == &container && !std::string(reader.label).starts_with(container.label))
            formats.push_back(reader.label);
    return std::string(container.label) + " file" + (formats.empty() ? "" : " (" + listed(formats, " or ") + ")");
}

} // namespace

const Reader* alternativeFor(const fs::path& path, const OpenOptions& options)
{
    const std::string suffix = lowerCase(path.extension().string());
    for (const Reader& reader : readers()) {
        const std::vector<std::string> suffixes = suffixesOf(reader);
        if (reader.ask && !reader.asked(options) &&
            std::find(suffixes.begin(), suffixes.end(), suffix) != suffixes.end())
            return &reader;
    }
    return nullptr;
}

std::vector<const Container*> containers()
{
    std::vector<const Container*> found;
    for (const Reader& reader : readers())
        if (reader.container)
            addOnce(found, reader.container);
    return found;
}

const Container* containerOf(const fs::path& file)
{
    for (const Container* container : containers())
        if (container->recognises(file))
            return container;
    return nullptr;
}

std::string quotedList(const std::vector<fs::path>& paths)
{
    constexpr std::size_t most = 3;
    std::vector<std::string> names;
    for (const fs::path& path : paths)
        if (names.size() < most)
            names.push_back("'" + path.string() + "'");
    if (paths.size() > most)
        names.push_back(std::to_string(paths.size() - most) + " more");
    return listed(names, " and ");
}

void noteOutside(Scan& scan, const fs::path& file, const std::vector<fs::path>& ledTo)
{
    std::error_code unknown;
    const fs::path folders[] = {fs::weakly_canonical(fs::absolute(file, unknown).parent_path(), unknown),
                                fs::weakly_canonical(file, unknown).parent_path()};
    const auto isBelow = [](const fs::path& target, const fs::path& folder) {
        return !folder.empty() && std::ranges::mismatch(folder, target).in1 == folder.end();
    };
    for (const fs::path& path : ledTo) {
        const fs::path target = fs::weakly_canonical(path, unknown);
        if (std::ranges::none_of(folders, [&](const fs::path& folder) { return isBelow(target, folder); }))
            scan.outside.push_back(target.empty() ? path : target);
    }
    if (!scan.outside.empty())
        scan.notes.push_back("The scan leads out of its folder: read is also " + quotedList(scan.outside) + ".");
}

std::vector<std::string> suffixesOf(const Reader& reader)
{
    std::vector<std::string> suffixes;
    if (reader.container)
        suffixes.assign(reader.container->suffixes.begin(), reader.container->suffixes.end());
    suffixes.insert(suffixes.end(), reader.suffixes.begin(), reader.suffixes.end());
    return suffixes;
}

std::vector<std::string> scanSuffixes()
{
    std::vector<std::string> suffixes;
    for (const Reader& reader : readers())
        for (const std::string& suffix : suffixesOf(reader))
            addOnce(suffixes, suffix);
    return suffixes;
}

std::string withoutSuffix(const std::string& name)
{
    for (const std::string& suffix : scanSuffixes())
        if (lowerCase(name).ends_with(suffix))
            return name.substr(0, name.size() - suffix.size());
    return name;
}

std::string scansInWords(bool layouts)
{
    std::vector<std::string> forms;
    for (const Reader& reader : readers()) {
        if (reader.container)
            addOnce(forms, filesInWords(*reader.container));
        else if (layouts || !reader.asked || reader.ask)
            forms.push_back(std::string(reader.label) + " file");
        if (reader.folders)
            forms.push_back(reader.folders);
    }
    return listed(forms, ", or ");
}

} // namespace engine
