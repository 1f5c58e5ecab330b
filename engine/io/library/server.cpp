// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/library/server.h"

#include "engine/base/error.h"
#include "engine/io/hdf5/hdf5_questions.h"
#include "engine/io/library/answering.h"
#include "engine/io/library/library_file.h"
#include "engine/io/library/mat_reader.h"

#include <unistd.h>

#include <malloc.h>

#include <map>
#include <memory>
#include <optional>

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

class Server
{
  public:
    explicit Server(int socket) : m_access(socket) {}

    Parcel answerTo(HelperQuestion question, Message& message)
    {
        Parcel& asked = message.parcel;
        const auto name = asked.take<std::string>(), path = asked.take<std::string>();
        Parcel answer;
        if (question == HelperQuestion::matVariables) {
            addTo(answer, matOf(name).variables());
            return answer;
        }
        if (question == HelperQuestion::matNumbers) {
            readMat(matOf(name), message);
            return answer;
        }
        const LibraryFile& file = fileOf(name);
        switch (question) {
        case HelperQuestion::node:
            return answer.add(static_cast<std::uint32_t>(file.node(path)));
        case HelperQuestion::children:
            return answer.add(file.children(path));
        case HelperQuestion::nodes: {
            const Hdf5Nodes& nodes = file.nodes(asked.take<int>());
            return answer.add(nodes.groups).add(nodes.datasets);
        }
        case HelperQuestion::text:
        case HelperQuestion::attribute: {
            const auto text =
                question == HelperQuestion::text ? file.text(path) : file.attribute(path, asked.take<std::string>());
            return answer.add(text.has_value()).add(text.value_or(""));
        }
        case HelperQuestion::whyBroken:
            return answer.add(file.whyBroken(path));
        default:
            break;
        }
        const LibraryDataset& dataset = datasetOf(file, name, path);
        switch (question) {
        case HelperQuestion::dataset:
            addTo(answer, dataset.facts());
            break;
        case HelperQuestion::hasStorage:
            return answer.add(dataset.hasStorage());
        case HelperQuestion::isWhole:
            return answer.add(dataset.isWhole());
        case HelperQuestion::stored:
            addTo(answer, dataset.stored());
            break;
        case HelperQuestion::parts:
            addTo(answer, dataset.parts());
            break;
        case HelperQuestion::places: {
            const auto first = asked.take<long long>(), count = asked.take<long long>();
            addTo(answer, dataset.places(first, count));
            break;
        }
        case HelperQuestion::read:
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

    MatReader& matOf(const std::string& name)
    {
        if (!m_mat) {
            auto input = m_access.open(name);
            if (!input)
                throw Error(ErrorKind::badFile, fileText(name) + " can't be read.");
            m_mat.emplace(std::move(input));
        }
        return *m_mat;
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
        const AnswerMemory memory(message.descriptor.number());
        if (memory.bytes() < bytes)
            throw Error(ErrorKind::badRequest, "there is too little memory for the values");
        if (asDouble)
            dataset.read(start, count, memory.values<double>());
        else
            dataset.read(start, count, memory.values<float>());
    }

    static void readMat(MatReader& file, Message& message)
    {
        const auto number = message.parcel.take<std::uint64_t>();
        const bool asDouble = message.parcel.take<bool>();
        const AnswerMemory memory(message.descriptor.number());
        if (asDouble)
            file.read(number, memory.bytes() / sizeof(double), memory.values<double>());
        else
            file.read(number, memory.bytes() / sizeof(float), memory.values<float>());
    }

    Asker m_access;
    std::optional<MatReader> m_mat;
    std::map<std::string, LibraryFile> m_files;
    std::map<std::pair<std::string, std::string>, LibraryDataset> m_datasets; // by file and path
};

} // namespace

Answers answersAboutFiles(int socket)
{
    return [server = std::make_shared<Server>(socket)](std::uint32_t question, Message& message) {
        return server->answerTo(static_cast<HelperQuestion>(question), message);
    };
}

int serveFiles(int socket)
{
#if defined(M_PERTURB)
    ::mallopt(M_PERTURB, 0xa5); // makes reads of uninitialised or freed memory fail here
#endif
    return answerQuestions(socket, answersAboutFiles(socket));
}

} // namespace engine
