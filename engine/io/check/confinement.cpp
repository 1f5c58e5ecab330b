// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/check/confinement.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <vector>

namespace engine
{

namespace
{

// Sanitizers use address space and processor time differently, so no limits are set under them.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool isSanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr bool isSanitized = true;
#else
constexpr bool isSanitized = false;
#endif
#else
constexpr bool isSanitized = false;
#endif

void setLimit(__rlimit_resource resource, double most)
{
    rlimit limit = {};
    if (::getrlimit(resource, &limit) != 0)
        return;
    const auto wanted = static_cast<rlim_t>(most);
    limit.rlim_cur = limit.rlim_max == RLIM_INFINITY ? wanted : std::min(wanted, limit.rlim_max);
    ::setrlimit(resource, &limit);
}

// Landlock, since Linux 5.13.
void forbidFiles()
{
#if defined(SYS_landlock_create_ruleset)
    landlock_ruleset_attr rules = {};
    rules.handled_access_fs = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR | LANDLOCK_ACCESS_FS_EXECUTE |
                              LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                              LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR |
                              LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_SOCK |
                              LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_BLOCK |
                              LANDLOCK_ACCESS_FS_MAKE_SYM;
    const auto rulesOnly = static_cast<int>(::syscall(SYS_landlock_create_ruleset, &rules, sizeof rules, 0));
    if (rulesOnly < 0)
        return;
    ::syscall(SYS_landlock_restrict_self, rulesOnly, 0);
    ::close(rulesOnly);
#endif
}

#if defined(__x86_64__)
constexpr std::uint32_t thisMachine = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t thisMachine = AUDIT_ARCH_AARCH64;
#else
constexpr std::uint32_t thisMachine = 0; // no filter on other machines
#endif

// System calls that neither reading a file nor the C library needs.
constexpr long forbiddenCalls[] = {
    SYS_openat,
    SYS_socket,
    SYS_socketpair,
    SYS_connect,
    SYS_bind,
    SYS_sendto,
    SYS_sendmsg,
    SYS_execve,
    SYS_execveat,
    SYS_ptrace,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_kill,
    SYS_tkill,
    SYS_rt_sigqueueinfo,
    SYS_rt_tgsigqueueinfo,
    SYS_renameat,
    SYS_renameat2,
    SYS_unlinkat,
    SYS_mkdirat,
    SYS_linkat,
    SYS_symlinkat,
    SYS_mknodat,
    SYS_fchmod,
    SYS_fchmodat,
    SYS_fchown,
    SYS_fchownat,
    SYS_truncate,
    SYS_ftruncate,
    SYS_fallocate,
    SYS_utimensat,
    SYS_setxattr,
    SYS_lsetxattr,
    SYS_fsetxattr,
    SYS_removexattr,
    SYS_lremovexattr,
    SYS_fremovexattr,
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_chroot,
    SYS_unshare,
    SYS_setns,
    SYS_bpf,
    SYS_perf_event_open,
    SYS_keyctl,
    SYS_add_key,
    SYS_init_module,
    SYS_finit_module,
    SYS_kexec_load,
    SYS_reboot,
    SYS_swapon,
    SYS_swapoff,
    SYS_settimeofday,
    SYS_open_by_handle_at,
#if defined(SYS_io_uring_setup)
    SYS_io_uring_setup,
#endif
#if defined(SYS_pidfd_send_signal)
    SYS_pidfd_send_signal,
#endif
#if defined(SYS_open) // calls that only older architectures have
    SYS_open,
    SYS_fork,
    SYS_vfork,
    SYS_creat,
    SYS_rename,
    SYS_unlink,
    SYS_rmdir,
    SYS_mkdir,
    SYS_link,
    SYS_symlink,
    SYS_mknod,
    SYS_chmod,
    SYS_chown,
    SYS_lchown,
    SYS_utime,
    SYS_utimes,
#endif
};

constexpr std::uint32_t argument(unsigned k) // lower half of the k-th argument, on a little-endian machine
{
    return static_cast<std::uint32_t>(offsetof(seccomp_data, args) + 8 * k);
}

// The seccomp filter for system calls, built instruction by instruction.
class CallFilter
{
  public:
    CallFilter()
    {
        load(offsetof(seccomp_data, arch));
        add(BPF_JMP | BPF_JEQ | BPF_K, thisMachine, 1, 0);
        answer(SECCOMP_RET_ERRNO | EPERM); // system calls of another architecture
        load(offsetof(seccomp_data, nr));
#if defined(__x86_64__)
        add(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1); // system calls of the x32 ABI
        answer(SECCOMP_RET_ERRNO | EPERM);
#endif
        for (const long call : forbiddenCalls)
            on(call, SECCOMP_RET_ERRNO | EPERM);
#if defined(SYS_clone3)
        on(SYS_clone3, SECCOMP_RET_ERRNO | ENOSYS); // makes the C library fall back to clone
#endif
#if defined(SYS_openat2)
        on(SYS_openat2, SECCOMP_RET_ERRNO | ENOSYS);
#endif
        unless(SYS_clone, 0, BPF_JSET, 0x10000); // CLONE_THREAD
        unless(SYS_tgkill, 0, BPF_JEQ, static_cast<std::uint32_t>(::getpid()));
        unless(SYS_prlimit64, 0, BPF_JEQ, 0);
        answer(SECCOMP_RET_ALLOW);
    }

    void install()
    {
        const sock_fprog program{static_cast<unsigned short>(m_code.size()), m_code.data()};
        if (thisMachine != 0)
            ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
    }

  private:
    void add(unsigned code, std::uint32_t value, std::uint8_t ifTrue = 0, std::uint8_t ifFalse = 0)
    {
        m_code.push_back({static_cast<std::uint16_t>(code), ifTrue, ifFalse, value});
    }
    void load(std::size_t at)
    {
        add(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(at));
    }
    void answer(std::uint32_t what)
    {
        add(BPF_RET | BPF_K, what);
    }
    void on(long call, std::uint32_t what)
    {
        add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(call), 0, 1);
        answer(what);
    }
    // Denies the call (EPERM) unless its k-th argument passes the test. For other calls these instructions are skipped,
    // and the call's number stays loaded for the next test.
    void unless(long call, unsigned k, unsigned test, std::uint32_t value)
    {
        add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(call), 0, 4);
        load(argument(k));
        add(BPF_JMP | test | BPF_K, value, 1, 0);
        answer(SECCOMP_RET_ERRNO | EPERM);
        answer(SECCOMP_RET_ALLOW);
    }

    std::vector<sock_filter> m_code;
};

} // namespace

namespace
{

bool isConfined = false; // written before a second thread exists

void setFileLimit(double bytes)
{
    rlimit limit = {};
    if (!isConfined || ::getrlimit(RLIMIT_FSIZE, &limit) != 0)
        return;
    limit.rlim_cur = bytes < static_cast<double>(limit.rlim_max) ? static_cast<rlim_t>(bytes) : limit.rlim_max;
    ::setrlimit(RLIMIT_FSIZE, &limit);
}

} // namespace

void confineProcess()
{
    if (isSanitized) // sanitizers need system calls that the filter denies
        return;
    ::prctl(PR_SET_DUMPABLE, 0); // crashes are expected here: nothing should report them
    setLimit(RLIMIT_CORE, 0);
    setLimit(RLIMIT_FSIZE, 0);
    isConfined = true;
    if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return;
    forbidFiles();
    CallFilter().install();
}

// Room for a chunk or a text of 64 MB, which even a small file may have (size_limits.h), and for its converted copies.
HelperLimits limitsOfQuestion(double workBytes)
{
    constexpr double memory = 400 << 20, bytesPerSecond = 4 << 20;
    constexpr int seconds = 3;
    return {memory + 4 * workBytes, seconds + static_cast<int>(workBytes / bytesPerSecond)};
}

void limitQuestion(double workBytes)
{
    if (isSanitized)
        return;
    const HelperLimits limits = limitsOfQuestion(workBytes);
    rusage used = {};
    ::getrusage(RUSAGE_SELF, &used);
    setLimit(RLIMIT_AS, limits.memoryBytes);
    setLimit(RLIMIT_CPU,
             static_cast<double>(used.ru_utime.tv_sec + used.ru_stime.tv_sec + 1) + limits.processorSeconds);
}

RoomForCopy::RoomForCopy(double bytes)
{
    setFileLimit(bytes);
}

RoomForCopy::~RoomForCopy()
{
    setFileLimit(0);
}

} // namespace engine
