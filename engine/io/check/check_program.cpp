// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/check/check_program.h"

#include "engine/io/check/confinement.h"
#include "engine/io/check/messages.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <new>
#include <string_view>
#include <system_error>

namespace engine
{

namespace fs = std::filesystem;
using namespace std::chrono_literals;

namespace
{

constexpr std::size_t mostAnswer = 16 << 20; // bytes

Descriptor inMemory(const std::string& bytes, const fs::path& file)
{
    Descriptor memory(::memfd_create("sinoscope-reading", MFD_CLOEXEC));
    if (memory.number() < 0)
        failToStart(file, errno);
    for (std::size_t done = 0; done < bytes.size();) {
        const ssize_t some = ::write(memory.number(), bytes.data() + done, bytes.size() - done);
        if (some < 0 && errno != EINTR)
            failToStart(file, errno);
        done += static_cast<std::size_t>(std::max<ssize_t>(some, 0));
    }
    if (::lseek(memory.number(), 0, SEEK_SET) != 0)
        failToStart(file, errno);
    return memory;
}

enum class Heard { all, late, tooMuch };

// Receives the answer until it is complete, the helper has ended, or the time limit is reached.
Heard listen(int from, std::chrono::steady_clock::time_point latest, std::string& said)
{
    std::array<char, 1 << 16> part;
    for (;;) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(latest - std::chrono::steady_clock::now());
        if (left.count() <= 0)
            return Heard::late;
        pollfd waited{from, POLLIN, 0};
        if (const int ready = ::poll(&waited, 1, static_cast<int>(left.count())); ready <= 0)
            continue; // timed out, or interrupted
        const ssize_t got = ::read(from, part.data(), part.size());
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return Heard::all;
        said.append(part.data(), static_cast<std::size_t>(got));
        if (said.size() > mostAnswer)
            return Heard::tooMuch;
        if (said.ends_with('\n') && unpacked(said))
            return Heard::all;
    }
}

template <typename Number>
bool takeNumber(const std::string& text, Number& number)
{
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size();
}

constexpr int textsPerFile = 6;

std::optional<CheckAnswer> answerIn(const std::string& said)
{
    const auto texts = unpacked(said);
    if (!texts || texts->size() < 2)
        return {};
    CheckAnswer answer;
    int kind = -1;
    std::size_t parts = 0;
    if (!takeNumber((*texts)[0], kind) || !takeNumber((*texts)[1], parts) || parts > texts->size() - 2)
        return {};
    const auto files = texts->begin() + 2 + static_cast<std::ptrdiff_t>(parts);
    if (kind >= 0) {
        if (kind > static_cast<int>(ErrorKind::cancelled))
            return {};
        try {
            answer.refusal.emplace(static_cast<ErrorKind>(kind), textFrom({texts->begin() + 2, files}));
        } catch (const Error&) { // the parts don't form a valid text
            return {};
        }
    }
    if ((texts->end() - files) % textsPerFile != 0)
        return {};
    for (std::size_t k = 2 + parts; k < texts->size(); k += textsPerFile) {
        FileIdentity identity;
        if (!takeNumber((*texts)[k + 1], identity.device) || !takeNumber((*texts)[k + 2], identity.inode) ||
            !takeNumber((*texts)[k + 3], identity.bytes) || !takeNumber((*texts)[k + 4], identity.modifiedNs) ||
            !takeNumber((*texts)[k + 5], identity.changedNs))
            return {};
        answer.files.emplace_back((*texts)[k], identity);
    }
    return answer;
}

ReadingLimits limitsFor(const fs::path& file)
{
    ReadingLimits limits;
    if (const auto identity = identityOf(file))
        limits.add(identity->bytes);
    return limits;
}

HelperLimits inNumbers(const ReadingLimits& limits)
{
    return {limits.memoryBytes(), limits.processorSeconds()};
}

} // namespace

std::string packed(const std::vector<std::string>& texts)
{
    std::string bytes = std::string(helperName) + ' ' + std::to_string(texts.size()) + '\n';
    for (const std::string& text : texts)
        bytes += std::to_string(text.size()) + ':' + text;
    return bytes + '\n';
}

std::optional<std::vector<std::string>> unpacked(const std::string& bytes)
{
    std::string_view rest = bytes;
    const auto takeSize = [&rest](char mark) -> std::optional<std::size_t> {
        std::size_t size = 0;
        const std::size_t at = rest.find(mark);
        if (at == std::string_view::npos || !takeNumber(std::string(rest.substr(0, at)), size))
            return {};
        rest.remove_prefix(at + 1);
        return size;
    };
    const std::string begin = std::string(helperName) + ' ';
    if (!rest.starts_with(begin))
        return {};
    rest.remove_prefix(begin.size());
    const auto count = takeSize('\n');
    std::vector<std::string> texts;
    for (std::size_t k = 0; count && k < *count; ++k) {
        const auto size = takeSize(':');
        if (!size || *size > rest.size())
            return {};
        texts.emplace_back(rest.substr(0, *size));
        rest.remove_prefix(*size);
    }
    return count && rest == "\n" ? std::optional(std::move(texts)) : std::nullopt;
}

std::string packed(const CheckAnswer& answer)
{
    std::vector<std::string> texts{"-1", "0"};
    if (answer.refusal) {
        const std::vector<std::string> parts = toStrings(answer.refusal->text());
        texts = {std::to_string(static_cast<int>(answer.refusal->kind())), std::to_string(parts.size())};
        texts.insert(texts.end(), parts.begin(), parts.end());
    }
    for (const auto& [path, identity] : answer.files)
        texts.insert(texts.end(), {path.string(), std::to_string(identity.device), std::to_string(identity.inode),
                                   std::to_string(identity.bytes), std::to_string(identity.modifiedNs),
                                   std::to_string(identity.changedNs)});
    return packed(texts);
}

CheckAnswer runCheck(const fs::path& program, const std::vector<std::string>& reading, const fs::path& file,
                     std::chrono::milliseconds longest, const std::stop_token& stop)
{
    throwIfStopped(stop);
    const ReadingLimits limits = limitsFor(file);
    const Descriptor asked = inMemory(packed(reading), file);
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
        failToStart(file, errno);
    const Descriptor answered(ends[0]);
    Descriptor written(ends[1]);
    HelperProcess helper(program, {}, file, asked.number(), written.number());
    written = Descriptor();
    std::string said;
    Heard heard = Heard::all;
    {
        const std::stop_callback onStop(stop, [&helper] { helper.kill(); });
        heard = listen(answered.number(), std::chrono::steady_clock::now() + longest, said);
    }
    const int status = helper.end();
    throwIfStopped(stop);
    if (heard == Heard::late)
        refuseLate(file, longest / 1s);
    std::optional<CheckAnswer> answer = heard == Heard::all ? answerIn(said) : std::nullopt;
    if (!answer)
        refuseEnded(file, heard == Heard::all ? status : 0, inNumbers(limits));
    if (answer->refusal && answer->refusal->kind() == ErrorKind::noMemory)
        refuseForMemory(file, inNumbers(limits));
    return *std::move(answer);
}

CheckAnswer runCheck(const std::vector<std::string>& reading, const fs::path& file, const std::stop_token& stop)
{
    return runCheck(helperFor(file), reading, file, std::chrono::seconds(limitsFor(file).seconds()), stop);
}

} // namespace engine
