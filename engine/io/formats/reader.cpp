// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/formats/reader.h"

#include "engine/base/error.h"
#include "engine/io/files/input_file.h"
#include "engine/io/hdf5/hdf5_file.h"

#include <utility>

namespace engine
{

namespace fs = std::filesystem;

Candidate::Candidate(fs::path path, OpenOptions options, std::stop_token stop)
    : m_path(std::move(path)), m_options(std::move(options)), m_stop(std::move(stop))
{
    throwIfStopped(m_stop);
    const Text name = fileText(m_path.string());
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

Candidate::~Candidate()
{
    if (m_hdf5 && *m_hdf5)
        (*m_hdf5)->outliveStop();
}

const Hdf5File* Candidate::hdf5() const
{
    if (!m_hdf5)
        m_hdf5 =
            !m_isFolder && Hdf5File::recognises(m_path) ? std::make_shared<const Hdf5File>(m_path, m_stop) : nullptr;
    return m_hdf5->get();
}

} // namespace engine
