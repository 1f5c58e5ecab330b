// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/library/server.h"

#include "engine/base/error.h"
#include "engine/io/check/confinement.h"
#include "engine/io/check/messages.h"
#include "engine/io/hdf5/hdf5_questions.h"
#include "engine/io/library/library_file.h"

#include <malloc.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <new>
#include <thread>

namespace engine
{

namespace
{

namespace fs = std::filesystem;

// The program at the other end of the socket, which opens files for this process.
class Asker : public LibraryAccess
{
  public:
    explicit Asker(int socket) : m_socket(socket) {}

    std::unique_ptr<InputFile> open(const fs::path& path) override
    {
        Message reply = ask(MessageKind::wantFile, Parcel().add(path));
        const int descriptor = reply.descriptor.release();
        return descriptor < 0 ? nullptr : std::make_unique<InputFile>(path, descriptor);
    }
    std::vector<std::string> namesIn(const fs::path& folder) override
    {
        return ask(MessageKind::wantNames, Parcel().add(folder)).parcel.takeList<std::string>();
    }
    bool decodes(int filter) override { return ask(MessageKind::wantFilter, Parcel().add(filter)).parcel.take<bool>(); }

  private:
    Message ask(MessageKind kind, const Parcel& parcel)
    {
        if (!write(m_socket, kind, parcel))
            ::_exit(0);
        Received received = receive(m_socket);
        if (!received.message)
            ::_exit(0);
        return *std::move(received.message);
    }

    int m_socket;
};

// Memory of the asking program that an answer is written to.
class SharedMemory
{
  public:
    SharedMemory(int descriptor, std::size_t bytes) : m_bytes(bytes)
    {
        struct stat status = {};
        if (::fstat(descriptor, &status) != 0 || static_cast<std::uint64_t>(status.st_size) < bytes)
            throw Error(ErrorKind::badRequest, "there is too little memory for the values");
        m_memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
        if (m_memory == MAP_FAILED)
            throw std::bad_alloc();
    }
    ~SharedMemory() { ::munmap(m_memory, m_bytes); }
    SharedMemory(const SharedMemory&) = delete;
    SharedMemory& operator=(const SharedMemory&) = delete;
    template <typename T>
    T* values() const
    {
        return static_cast<T*>(m_memory);
    }

  private:
    std::size_t m_bytes;
    void* m_memory = nullptr;
};

class Server
{
  public:
    explicit Server(int socket) : m_access(socket) {}

    Parcel answerTo(Message& message)
    {
        Parcel& asked = message.parcel;
        const auto question = static_cast<Hdf5Question>(asked.take<std::uint32_t>());
        limitQuestion(asked.take<double>());
        const auto name = asked.take<std::string>(), path = asked.take<std::string>();
        const LibraryFile& file = fileOf(name);
        Parcel answer;
        switch (question) {
        case Hdf5Question::node:
            return answer.add(static_cast<std::uint32_t>(file.node(path)));
        case Hdf5Question::children:
            return answer.add(file.children(path));
        case Hdf5Question::nodes: {
            const Hdf5Nodes& nodes = file.nodes(asked.take<int>());
            return answer.add(nodes.groups).add(nodes.datasets);
        }
        case Hdf5Question::text:
        case Hdf5Question::attribute: {
            const auto text =
                question == Hdf5Question::text ? file.text(path) : file.attribute(path, asked.take<std::string>());
            return answer.add(text.has_value()).add(text.value_or(""));
        }
        case Hdf5Question::whyBroken:
            return answer.add(file.whyBroken(path));
        default:
            break;
        }
        const LibraryDataset& dataset = datasetOf(file, name, path);
        switch (question) {
        case Hdf5Question::dataset:
            addTo(answer, DatasetFacts{dataset.shape(), dataset.chunk(), dataset.files(), dataset.sampleType(),
                                       dataset.canGrow(), dataset.gaps(), dataset.chunkFormat(), dataset.chunkFile(),
                                       dataset.areEdgesFiltered(), dataset.fillValue()});
            break;
        case Hdf5Question::written:
            answer.add(dataset.hasStorage()).add(dataset.isWhole());
            break;
        case Hdf5Question::stored:
            addTo(answer, dataset.stored());
            break;
        case Hdf5Question::parts:
            addTo(answer, dataset.parts());
            break;
        case Hdf5Question::places: {
            const auto first = asked.take<long long>(), count = asked.take<long long>();
            addTo(answer, dataset.places(first, count));
            break;
        }
        case Hdf5Question::read:
            read(dataset, message);
            break;
        default:
            throw Error(ErrorKind::badRequest, "there is no such question");
        }
        return answer;
    }

  private:
    const LibraryFile& fileOf(const std::string& name)
    {
        const auto known = m_files.find(name);
        return known != m_files.end() ? known->second : m_files.try_emplace(name, name, m_access).first->second;
    }

    const LibraryDataset& datasetOf(const LibraryFile& file, const std::string& name, const std::string& path)
    {
        const auto known = m_datasets.find({name, path});
        return known != m_datasets.end() ? known->second
                                         : m_datasets.try_emplace({name, path}, file.dataset(path)).first->second;
    }

    static void read(const LibraryDataset& dataset, Message& message)
    {
        const auto start = message.parcel.takeList<long long>(), count = message.parcel.takeList<long long>();
        const bool asDouble = message.parcel.take<bool>();
        std::size_t bytes = asDouble ? sizeof(double) : sizeof(float);
        for (const long long some : count)
            bytes *= static_cast<std::size_t>(some);
        const SharedMemory memory(message.descriptor.number(), bytes);
        if (asDouble)
            dataset.read(start, count, memory.values<double>());
        else
            dataset.read(start, count, memory.values<float>());
    }

    Asker m_access;
    std::map<std::string, LibraryFile> m_files;
    std::map<std::pair<std::string, std::string>, LibraryDataset> m_datasets; // by file and path
};

} // namespace

int serveFiles(int socket)
{
#if defined(M_PERTURB)
    ::mallopt(M_PERTURB, 0xa5); // makes reads of uninitialised or freed memory fail here
#endif
    confineProcess(Opening::isForbidden);
    std::thread([socket] { // ends this process with the asking one, also while a library computes
        pollfd waited{socket, POLLRDHUP, 0};
        while (::poll(&waited, 1, -1) < 0 || (waited.revents & (POLLRDHUP | POLLHUP | POLLERR)) == 0) {
        }
        ::_exit(0);
    })
        .detach();
    Server server(socket);
    for (;;) {
        Received received = receive(socket);
        if (!received.message)
            return 0;
        MessageKind kind = MessageKind::answer;
        Parcel answer;
        try {
            answer = server.answerTo(*received.message);
        } catch (const Error& error) {
            kind = MessageKind::failure;
            answer = parcelOf(error);
        } catch (const std::bad_alloc&) {
            ::_exit(exitNoMemory);
        } catch (const std::exception& error) {
            kind = MessageKind::failure;
            answer = parcelOf(Error(ErrorKind::badFile, error.what()));
        }
        if (!write(socket, kind, answer))
            return 0;
    }
}

} // namespace engine
