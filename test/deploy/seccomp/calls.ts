/** System calls by purpose, on x64 and arm64. */
type Calls = Readonly<Record<string, string>>;

const wordsOf = (text: string): string[] => text.trim().split(/\s+/);

const NEEDED: Calls = {
  'Memory.': `
    brk madvise mincore mlock mlock2 mlockall mmap mprotect mremap mseal msync munlock munlockall munmap
    memfd_create membarrier map_shadow_stack pkey_alloc pkey_free pkey_mprotect`,
  'Processes and threads.': `
    arch_prctl clone execve execveat exit exit_group fork get_thread_area getcpu getpgid getpgrp getpid getppid
    getpriority getrlimit getrusage getsid gettid kill pidfd_open pidfd_send_signal prctl prlimit64 restart_syscall rseq
    sched_get_priority_max sched_get_priority_min sched_getaffinity sched_getattr sched_getparam sched_getscheduler
    sched_rr_get_interval sched_setaffinity sched_setattr sched_setparam sched_setscheduler sched_yield
    set_robust_list set_thread_area set_tid_address setpgid setpriority setrlimit setsid get_robust_list
    ioprio_get ioprio_set sysinfo times tgkill tkill uname vfork wait4 waitid
    futex futex_requeue futex_wait futex_waitv futex_wake`,
  'Users: setpriv switches to another user and drops rights.': `
    capget capset getegid geteuid getgid getgroups getresgid getresuid getuid
    setfsgid setfsuid setgid setgroups setregid setresgid setresuid setreuid setuid`,
  'Files.': `
    access chdir chmod chown close close_range copy_file_range creat dup dup2 dup3 faccessat faccessat2 fadvise64
    fallocate fchdir fchmod fchmodat fchmodat2 fchown fchownat fcntl fdatasync fgetxattr flistxattr flock fremovexattr
    fsetxattr fstat fstatfs fsync ftruncate futimesat getcwd getdents getdents64 getxattr ioctl lchown lgetxattr
    link linkat listxattr llistxattr lremovexattr lseek lsetxattr lstat mkdir mkdirat mknod mknodat newfstatat open openat
    openat2 pipe pipe2 pread64 preadv preadv2 pwrite64 pwritev pwritev2 read readahead readlink readlinkat readv
    removexattr rename renameat renameat2 rmdir sendfile setxattr splice stat statfs statx symlink symlinkat sync
    sync_file_range syncfs tee truncate umask unlink unlinkat utime utimensat utimes write writev cachestat
    inotify_add_watch inotify_init inotify_init1 inotify_rm_watch`,
  'Networks.': `
    accept accept4 bind connect getpeername getsockname getsockopt listen recvfrom recvmmsg recvmsg sendmmsg sendmsg
    sendto setsockopt shutdown`,
  'Waiting, signals and time.': `
    alarm clock_getres clock_gettime clock_nanosleep epoll_create epoll_create1 epoll_ctl epoll_pwait epoll_pwait2
    epoll_wait eventfd eventfd2 getitimer gettimeofday nanosleep pause poll ppoll pselect6 rt_sigaction rt_sigpending
    rt_sigprocmask rt_sigqueueinfo rt_sigreturn rt_sigsuspend rt_sigtimedwait rt_tgsigqueueinfo select setitimer
    sigaltstack signalfd signalfd4 time timer_create timer_delete timer_getoverrun timer_gettime timer_settime
    timerfd_create timerfd_gettime timerfd_settime`,
  'Random numbers, and filters that restrict their own process.': `
    getrandom landlock_add_rule landlock_create_ruleset landlock_restrict_self seccomp`,
};

/**
 * The system calls with which a sandbox is created in its own user namespace. The kernel rejects these calls outside of
 * such a namespace.
 */
const OPENED: Calls = {
  'bubblewrap mounts what a sandbox may see, and hides everything else.': 'mount pivot_root umount2',
  'A sandbox hides the name of this machine.': 'sethostname',
};

const groupsOf = (calls: Calls): { purpose: string; names: string[] }[] =>
  Object.entries(calls).map(([purpose, names]) => ({ purpose, names: wordsOf(names).sort() }));

/** The system calls that Node.js, its tools and a browser need. */
export const needed = groupsOf(NEEDED);
/** The system calls that create a sandbox. The sandbox itself denies them to scripts. */
export const opened = groupsOf(OPENED);
