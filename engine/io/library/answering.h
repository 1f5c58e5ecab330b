// SPDX-License-Identifier: GPL-3.0-or-later
// How the helper program answers the questions of the program that started it.
#pragma once

#include "engine/io/check/messages.h"

#include <cstddef>
#include <functional>

namespace engine
{

// Memory of the asking program that an answer is written to.
class AnswerMemory
{
  public:
    explicit AnswerMemory(int descriptor); // throws Error(badRequest), std::bad_alloc
    ~AnswerMemory();
    AnswerMemory(const AnswerMemory&) = delete;
    AnswerMemory& operator=(const AnswerMemory&) = delete;

    std::size_t bytes() const { return m_bytes; }
    template <typename T>
    T* values() const
    {
        return static_cast<T*>(m_memory);
    }

  private:
    std::size_t m_bytes = 0;
    void* m_memory = nullptr;
};

// Confines this process, and answers questions until the socket closes. `answerTo` gets what follows the number of the
// question. Returns the exit status.
using Answers = std::function<Parcel(std::uint32_t question, Message& message)>;
int answerQuestions(int socket, const Answers& answerTo);

} // namespace engine
