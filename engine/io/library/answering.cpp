// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/library/answering.h"

#include "engine/base/error.h"
#include "engine/io/check/confinement.h"
#include "engine/io/check/helper_process.h"

#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <new>
#include <thread>

namespace engine
{

AnswerMemory::AnswerMemory(int descriptor)
{
    struct stat status = {};
    if (::fstat(descriptor, &status) != 0 || status.st_size <= 0)
        throw Error(ErrorKind::badRequest, "there is no memory for the values");
    m_bytes = static_cast<std::size_t>(status.st_size);
    m_memory = ::mmap(nullptr, m_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (m_memory == MAP_FAILED)
        throw std::bad_alloc();
}

AnswerMemory::~AnswerMemory()
{
    ::munmap(m_memory, m_bytes);
}

int answerQuestions(int socket, const Answers& answerTo)
{
    confineProcess();
    std::thread([socket] { // ends this process with the asking one, also while a library computes
        pollfd waited{socket, POLLRDHUP, 0};
        while (::poll(&waited, 1, -1) < 0 || (waited.revents & (POLLRDHUP | POLLHUP | POLLERR)) == 0) {
        }
        ::_exit(0);
    })
        .detach();
    for (;;) {
        Received received = receive(socket);
        if (!received.message)
            return 0;
        MessageKind kind = MessageKind::answer;
        Parcel answer;
        try {
            const auto question = received.message->parcel.take<std::uint32_t>();
            limitQuestion(received.message->parcel.take<double>());
            answer = answerTo(question, *received.message);
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
