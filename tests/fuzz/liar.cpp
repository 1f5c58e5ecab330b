// SPDX-License-Identifier: GPL-3.0-or-later
// A helper program that changes its answers: as an attacker would who has taken over the helper by a crafted file. The
// file that SINOSCOPE_LIES names has 12 bytes per lie: number of the answer, kind, position (2 bytes), value (8 bytes).
#include "engine/io/library/server.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace
{

struct Lie {
    std::uint8_t answer, kind;
    std::uint16_t position;
    std::uint64_t value;
};

std::vector<Lie> liesIn(const char* path)
{
    std::vector<char> bytes(1 << 16);
    const int file = ::open(path, O_RDONLY | O_CLOEXEC); // fopen, also of streams, opens nothing here
    const ssize_t got = file < 0 ? 0 : ::read(file, bytes.data(), bytes.size());
    bytes.resize(static_cast<std::size_t>(got > 0 ? got : 0));
    std::vector<Lie> lies;
    for (std::size_t at = 0; at + 12 <= bytes.size(); at += 12) {
        Lie& lie = lies.emplace_back();
        lie.answer = static_cast<std::uint8_t>(bytes[at]);
        lie.kind = static_cast<std::uint8_t>(bytes[at + 1]);
        std::memcpy(&lie.position, &bytes[at + 2], 2);
        std::memcpy(&lie.value, &bytes[at + 4], 8);
    }
    return lies;
}

std::string changed(std::string answer, const Lie& lie)
{
    const std::size_t at = lie.position % (answer.size() + 1);
    const std::string value(reinterpret_cast<const char*>(&lie.value), sizeof lie.value);
    switch (lie.kind % 6) {
    case 0: // one byte
        return at < answer.size() ? answer.replace(at, 1, value, 0, 1) : answer;
    case 1: // a number
        return answer.replace(at / 8 * 8, 8, value);
    case 2:
        return answer.substr(0, at);
    case 3:
        return answer.insert(at, value);
    case 4: // a part twice
        return answer.insert(at, answer.substr(at, lie.value % 256));
    default:
        if (lie.value % 16 == 0)
            ::_exit(1);
        return {};
    }
}

} // namespace

int main()
{
    const char* const path = std::getenv("SINOSCOPE_LIES");
    const std::vector<Lie> lies = liesIn(path ? path : "");
    unsigned number = 0;
    const engine::Answers truth = engine::answersAboutFiles(STDIN_FILENO);
    ::_exit(engine::answerQuestions(STDIN_FILENO, [&](std::uint32_t question, engine::Message& message) {
        std::string answer = truth(question, message).bytes();
        for (const Lie& lie : lies)
            if (lie.answer == number % 256)
                answer = changed(answer, lie);
        ++number;
        return engine::Parcel(answer);
    }));
}
