// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/check/check_program.h"

#include "engine/io/check/confinement.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstring>
#include <new>
#include <string_view>
#include <system_error>

namespace engine
{

namespace fs = std::filesystem;
using namespace std::chrono_literals;

namespace
{

constexpr const char* helperName = "sinoscope-check";
constexpr std::size_t mostAnswer = 16 << 20; // bytes

class Descriptor
{
  public:
    Descriptor() = default;
    explicit Descriptor(int number) : m_number(number) {}
    Descriptor(Descriptor&& other) noexcept : m_number(std::exchange(other.m_number, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept
    {
        std::swap(m_number, other.m_number);
        return *this;
    }
    ~Descriptor()
    {
        if (m_number >= 0)
            ::close(m_number);
    }
    int number() const { return m_number; }

  private:
    int m_number = -1;
};

[[noreturn]] void refuse(const fs::path& file, const Text& why)
{
    throw Error(ErrorKind::badFile, fileText(file.string()) + " can't be opened: " + why);
}

[[noreturn]] void failToStart(const fs::path& file, int error)
{
    if (error == ENOMEM || error == EAGAIN || error == EMFILE || error == ENFILE)
        throw Error(ErrorKind::noMemory, "There is not enough memory, or there are too many processes, to open " +
                                             fileText(file.string()) + ": " + std::generic_category().message(error) +
                                             ".");
    refuse(file, std::string("the program ") + helperName +
                     ", which reads it first, can't be started: " + std::generic_category().message(error) + ".");
}

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

// A running helper process; the destructor kills it.
class Helper
{
  public:
    Helper(const fs::path& program, const std::vector<std::string>& reading, const fs::path& file)
    {
        const Descriptor asked = inMemory(packed(reading), file);
        std::array<int, 2> ends{};
        if (::pipe2(ends.data(), O_CLOEXEC) != 0)
            failToStart(file, errno);
        m_answer = Descriptor(ends[0]);
        const Descriptor written(ends[1]);
        start(program, file, asked.number(), written.number());
    }
    ~Helper()
    {
        if (m_process > 0)
            end();
    }
    Helper(const Helper&) = delete;
    Helper& operator=(const Helper&) = delete;

    int answer() const { return m_answer.number(); }
    void kill() const { ::kill(m_process, SIGKILL); } // safe: until waitpid() the process number can't be reused
    // Kills the process and returns its wait status; 0 if another part of the program, or the system, has already
    // waited for it.
    int end()
    {
        kill();
        int status = 0;
        while (::waitpid(m_process, &status, 0) < 0 && errno == EINTR) {
        }
        m_process = -1;
        return status;
    }

  private:
    // posix_spawn uses vfork: the memory of this process, however large, isn't copied.
    void start(const fs::path& program, const fs::path& file, int asked, int written)
    {
        struct Attributes {
            posix_spawnattr_t of;
            posix_spawn_file_actions_t files;
            Attributes() { ::posix_spawnattr_init(&of), ::posix_spawn_file_actions_init(&files); }
            ~Attributes() { ::posix_spawn_file_actions_destroy(&files), ::posix_spawnattr_destroy(&of); }
        } how;
        sigset_t none, all;
        sigemptyset(&none);
        sigfillset(&all);
        // A process group of its own: Ctrl+C at the terminal reaches only this program, which then ends the helper.
        ::posix_spawnattr_setflags(&how.of, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
        ::posix_spawnattr_setsigmask(&how.of, &none);
        ::posix_spawnattr_setsigdefault(&how.of, &all);
        std::string name = helperName;
        const std::array<char*, 2> arguments{name.data(), nullptr};
        int error = ::posix_spawn_file_actions_adddup2(&how.files, asked, STDIN_FILENO);
        if (error == 0)
            error = ::posix_spawn_file_actions_adddup2(&how.files, written, STDOUT_FILENO);
        if (error == 0)
            error = ::posix_spawn_file_actions_addopen(&how.files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
        if (error == 0)
            error = ::posix_spawn_file_actions_addclosefrom_np(&how.files, STDERR_FILENO + 1);
        if (error == 0)
            error = ::posix_spawn(&m_process, program.c_str(), &how.files, &how.of, arguments.data(), environ);
        if (error != 0) {
            m_process = -1;
            failToStart(file, error);
        }
    }

    Descriptor m_answer;
    pid_t m_process = -1;
};

enum class Heard { all, late, tooMuch };

// Receives the answer until it is complete, the helper has ended, or the time limit is reached.
Heard listen(const Helper& helper, std::chrono::steady_clock::time_point latest, std::string& said)
{
    std::array<char, 1 << 16> part;
    for (;;) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(latest - std::chrono::steady_clock::now());
        if (left.count() <= 0)
            return Heard::late;
        pollfd waited{helper.answer(), POLLIN, 0};
        if (const int ready = ::poll(&waited, 1, static_cast<int>(left.count())); ready <= 0)
            continue; // timed out, or interrupted
        const ssize_t got = ::read(helper.answer(), part.data(), part.size());
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

// Returns whether the memory limit that this process was started with (ulimit -v), and which the helper inherits, is
// no higher than `bytes`.
bool isLimitedTo(double bytes)
{
    rlimit limit = {};
    return ::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
           static_cast<double>(limit.rlim_cur) <= bytes;
}

std::string megabytes(double bytes)
{
    return std::to_string(static_cast<long long>(bytes / 1e6)) + " MB";
}

[[noreturn]] void refuseForMemory(const fs::path& file, const ReadingLimits& limits)
{
    if (isLimitedTo(limits.memoryBytes()))
        throw Error(ErrorKind::noMemory, "There is not enough memory to open " + fileText(file.string()) + ".");
    refuse(file, "reading its contents takes more than " + megabytes(limits.memoryBytes()) +
                     " of memory. It is damaged, or crafted to exhaust the memory.");
}

// Reports a helper that ended without an answer.
[[noreturn]] void refuseEnded(const fs::path& file, int status, const ReadingLimits& limits)
{
    if (WIFEXITED(status) && WEXITSTATUS(status) == exitNoMemory)
        refuseForMemory(file, limits);
    if (!WIFSIGNALED(status) || WTERMSIG(status) == SIGKILL) // killed by the kernel when out of memory, or by somebody
        refuse(file, "the program that reads it first ended without an answer. The file is damaged, or the system is "
                     "short of memory.");
    const int signal = WTERMSIG(status);
    if (signal == SIGXCPU)
        refuse(file, "reading its contents takes more than " + std::to_string(limits.processorSeconds()) +
                         " s of processor time. It is damaged, or crafted to keep the program busy.");
    refuse(file, "the library that reads it crashes (" + std::string(::strsignal(signal)) +
                     "), as it did in a separate process. The file is damaged, or crafted to do harm.");
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

namespace
{

// Returns the folder of this code: of the program, or of the shared library of which it is a part.
fs::path ownFolder()
{
    static const char anchor = 0;
    Dl_info info{};
    link_map* library = nullptr;
    // The program itself has no name in this list.
    if (::dladdr1(&anchor, &info, reinterpret_cast<void**>(&library), RTLD_DL_LINKMAP) != 0 && library &&
        library->l_name && library->l_name[0] != 0)
        return fs::path(library->l_name).parent_path();
    std::error_code unknown;
    return fs::read_symlink("/proc/self/exe", unknown).parent_path();
}

} // namespace

fs::path helperFor(const fs::path& file)
{
    const fs::path folder = ownFolder();
    for (const char* place : {".", "../lib/sinoscope"})
        if (const fs::path helper = folder / place / helperName; !folder.empty() && ::access(helper.c_str(), X_OK) == 0)
            return helper;
    refuse(file, std::string("files are first read by the program ") + helperName +
                     ", which is missing beside this one or can't be executed (in " + fileText(folder.string()) +
                     "). Install Sinoscope again.");
}

CheckAnswer runCheck(const fs::path& program, const std::vector<std::string>& reading, const fs::path& file,
                     std::chrono::milliseconds longest, const std::stop_token& stop)
{
    throwIfStopped(stop);
    const ReadingLimits limits = limitsFor(file);
    Helper helper(program, reading, file);
    std::string said;
    Heard heard = Heard::all;
    {
        const std::stop_callback onStop(stop, [&helper] { helper.kill(); });
        heard = listen(helper, std::chrono::steady_clock::now() + longest, said);
    }
    const int status = helper.end();
    throwIfStopped(stop);
    if (heard == Heard::late)
        refuse(file, "reading its contents takes more than " + std::to_string(longest / 1s) +
                         " s. It is damaged, crafted to keep the program waiting, or on a very slow disk.");
    std::optional<CheckAnswer> answer = heard == Heard::all ? answerIn(said) : std::nullopt;
    if (!answer)
        refuseEnded(file, heard == Heard::all ? status : 0, limits);
    if (answer->refusal && answer->refusal->kind() == ErrorKind::noMemory)
        refuseForMemory(file, limits);
    return *std::move(answer);
}

CheckAnswer runCheck(const std::vector<std::string>& reading, const fs::path& file, const std::stop_token& stop)
{
    return runCheck(helperFor(file), reading, file, std::chrono::seconds(limitsFor(file).seconds()), stop);
}

} // namespace engine
