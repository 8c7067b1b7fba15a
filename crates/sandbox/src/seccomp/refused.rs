//! Table of refused system calls: names, conditions and reasons. All other calls are allowed,
//! because an allowlist would break whenever a runtime adds a call.

use super::condition::Word;
use super::condition::Word::{Is, OwnPid};
use super::condition::{Case, is, masked, upper_is_zero};
use super::rules::{Group, Whom};
use crate::audit::Class;

/// Calls with a path that an audit watches although this filter does not refuse them.
pub(crate) const WATCHED: &[&str] = &[
    "creat",
    "link",
    "linkat",
    "mkdir",
    "mkdirat",
    "mknod",
    "mknodat",
    "open",
    "openat",
    "openat2",
    "rename",
    "renameat",
    "renameat2",
    "rmdir",
    "symlink",
    "symlinkat",
    "truncate",
    "unlink",
    "unlinkat",
];

const CLONE_PARENT: u32 = libc::CLONE_PARENT as u32;
const CLONE_THREAD: u32 = libc::CLONE_THREAD as u32;
/// Flags of all namespaces. The time namespace has no bit in `clone`.
const CLONE_NEW: u32 = (libc::CLONE_NEWCGROUP
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWNET
    | libc::CLONE_NEWNS
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWUSER
    | libc::CLONE_NEWUTS) as u32;

const SHARED_WITHOUT_FILE: u32 = (libc::MAP_SHARED | libc::MAP_ANONYMOUS) as u32;
const GROWS_DOWN: u32 = libc::MAP_GROWSDOWN as u32;

/// Mode bits set-user-ID and set-group-ID.
const SET_ID: u32 = libc::S_ISUID | libc::S_ISGID;
const ANY_SET_ID: &[Word] =
    &[Is(libc::S_ISUID), Is(libc::S_ISGID), Is(libc::S_ISUID | libc::S_ISGID)];

/// Flags of `open` that create a file.
const CREATE: u32 = libc::O_CREAT as u32;
const NAMELESS: u32 = (libc::O_TMPFILE & !libc::O_DIRECTORY) as u32;
const MAKE: u32 = CREATE | NAMELESS;
const ANY_MAKE: &[Word] = &[Is(CREATE), Is(NAMELESS), Is(MAKE)];

const TRUNCATE: u32 = libc::O_TRUNC as u32;
const ACCESS: u32 = libc::O_ACCMODE as u32;

const fn word(value: libc::c_int) -> Word {
    Is(value.cast_unsigned())
}

/// Every refused call, by reason.
pub(crate) const REFUSED: &[Group] = &[
    // Processes.
    Group {
        class: Class::Processes,
        whom: Whom::OneProcess,
        case: Case::Always,
        errno: libc::EPERM,
        why: "a bot is one process: what ends, stops and counts it reaches all of it",
        calls: &["fork", "vfork"],
    },
    Group {
        class: Class::Processes,
        whom: Whom::OneProcess,
        case: Case::Unless(&[masked(0, CLONE_THREAD | CLONE_NEW, &[Is(CLONE_THREAD)])]),
        errno: libc::EPERM,
        why: "a bot may have threads, not processes or namespaces",
        calls: &["clone"],
    },
    Group {
        class: Class::Processes,
        whom: Whom::Starters,
        case: Case::Unless(&[masked(0, CLONE_PARENT | CLONE_NEW, &[Is(0)])]),
        errno: libc::EPERM,
        why: "no namespaces, and no process that is the referee's child instead of the bot's",
        calls: &["clone"],
    },
    Group {
        class: Class::Processes,
        whom: Whom::Everyone,
        case: Case::Always,
        errno: libc::ENOSYS,
        why: "its flags are in memory, where a filter cannot see them; libraries then use clone",
        calls: &["clone3"],
    },
    // Other bots and the referee.
    Group {
        class: Class::Others,
        whom: Whom::OneProcess,
        case: Case::Unless(&[is(0, &[OwnPid])]),
        errno: libc::EPERM,
        why: "a bot signals nobody but itself",
        calls: &["kill", "rt_sigqueueinfo", "rt_tgsigqueueinfo", "tgkill", "tkill"],
    },
    Group {
        class: Class::Others,
        whom: Whom::Starters,
        case: Case::If(&[is(0, &[word(-1)])]),
        errno: libc::EPERM,
        why: "a signal to every process of the user reaches the referee",
        calls: &["kill"],
    },
    Group {
        class: Class::Others,
        whom: Whom::Everyone,
        case: Case::Always,
        errno: libc::EPERM,
        why: "it opens a way to signal, read or change another process",
        calls: &[
            "kcmp",
            "pidfd_getfd",
            "pidfd_open",
            "pidfd_send_signal",
            "process_madvise",
            "process_mrelease",
            "process_vm_readv",
            "process_vm_writev",
            "ptrace",
        ],
    },
    Group {
        class: Class::Others,
        whom: Whom::Everyone,
        case: Case::If(&[is(
            0,
            &[
                word(libc::PR_SET_PDEATHSIG),
                word(libc::PR_SET_MM),
                word(libc::PR_SCHED_CORE),
                word(libc::PR_SET_PTRACER),
                Is(67), // PR_SET_MEMORY_MERGE: pages shared with others tell by their time
            ],
        )]),
        errno: libc::EPERM,
        why: "a bot dies with the referee and lets nobody into its memory or onto its core",
        calls: &["prctl"],
    },
    Group {
        class: Class::Others,
        whom: Whom::Everyone,
        // Leases and notifications reveal who opens a file. With an owner and a signal, a
        // descriptor can send any signal, even SIGKILL, to any process of the same user.
        case: Case::If(&[is(
            1,
            &[
                word(libc::F_SETOWN),
                Is(10), // F_SETSIG
                Is(15), // F_SETOWN_EX
                word(libc::F_SETLEASE),
                word(libc::F_NOTIFY),
            ],
        )]),
        errno: libc::EPERM,
        why: "leases and signals of descriptors reach other processes",
        calls: &["fcntl"],
    },
    Group {
        class: Class::Others,
        whom: Whom::Everyone,
        // The same for sockets: they can send SIGIO, which ends a process, to any process of the
        // user.
        case: Case::If(&[is(1, &[Is(0x8901), Is(0x8902)])]), // FIOSETOWN, SIOCSPGRP
        errno: libc::EPERM,
        why: "signals of sockets reach other processes",
        calls: &["ioctl"],
    },
    // Two bots could communicate by locks on a file that both may read. For a program that shares
    // no files, a lock without effect is enough: SQLite can read an opening book, and Java prints
    // no complaint on standard output, where moves are expected.
    Group {
        class: Class::Others,
        whom: Whom::OneProcess,
        case: Case::If(&[is(
            1,
            &[
                word(libc::F_SETLK),
                word(libc::F_SETLKW),
                word(libc::F_OFD_SETLK),
                word(libc::F_OFD_SETLKW),
            ],
        )]),
        errno: 0,
        why: "bots could talk through locks on files that both may read",
        calls: &["fcntl"],
    },
    Group {
        class: Class::Others,
        whom: Whom::OneProcess,
        case: Case::Always,
        errno: 0,
        why: "bots could talk through locks on files that both may read",
        calls: &["flock"],
    },
    Group {
        class: Class::Others,
        whom: Whom::Players,
        case: Case::Always,
        errno: libc::EPERM,
        why: "bots could talk through watches on files that both may read",
        calls: &["inotify_add_watch", "inotify_init", "inotify_init1"],
    },
    Group {
        class: Class::Others,
        whom: Whom::Everyone,
        case: Case::Always,
        errno: libc::EPERM,
        why: "bots could talk through keys and queues, and their memory is nobody's",
        calls: &[
            "add_key",
            "keyctl",
            "mq_getsetattr",
            "mq_notify",
            "mq_open",
            "mq_timedreceive",
            "mq_timedsend",
            "mq_unlink",
            "msgctl",
            "msgget",
            "msgrcv",
            "msgsnd",
            "request_key",
            "semctl",
            "semget",
            "semop",
            "semtimedop",
            "shmat",
            "shmctl",
            "shmdt",
            "shmget",
        ],
    },
    Group {
        class: Class::Others,
        whom: Whom::Everyone,
        case: Case::Always,
        errno: libc::EPERM,
        why: "waiting for all disks slows down whoever else writes",
        calls: &["sync", "syncfs"],
    },
    Group {
        class: Class::Others,
        whom: Whom::Players,
        // A negative clock id belongs to a process or thread. Thread clocks are limited to the own
        // process; a process clock is the caller's own if its process id is 0.
        case: Case::UnlessAny(&[
            masked(0, 0x8000_0000, &[Is(0)]),
            masked(0, 4, &[Is(4)]),
            masked(0, 0xFFFF_FFF8, &[Is(0xFFFF_FFF8)]),
        ]),
        errno: libc::EPERM,
        why: "the CPU time of other processes tells what they do",
        calls: &["clock_getres", "clock_gettime", "clock_nanosleep"],
    },
    // Network.
    Group {
        class: Class::Network,
        // Also for builds, because access to Docker's socket file equals root.
        whom: Whom::Everyone,
        case: Case::Always,
        errno: libc::EPERM,
        why: "no network, and no program of this machine that listens",
        calls: &["accept", "accept4", "bind", "connect", "listen", "socket"],
    },
    Group {
        class: Class::Network,
        whom: Whom::Everyone,
        // Both ends belong to the bot: Python's asyncio creates a pair at start, Node one per child
        // pipe, Rust a packet pair per child. Only connected kinds, which cannot be redirected.
        case: Case::Unless(&[
            is(0, &[word(libc::AF_UNIX)]),
            masked(1, 0xF, &[word(libc::SOCK_STREAM), word(libc::SOCK_SEQPACKET)]),
        ]),
        errno: libc::EPERM,
        why: "only a connection to oneself, as event loops use it",
        calls: &["socketpair"],
    },
    Group {
        class: Class::Network,
        whom: Whom::Everyone,
        case: Case::Always,
        errno: libc::EPERM,
        why: "it does what other calls do, sockets too, past this filter",
        calls: &["io_uring_enter", "io_uring_register", "io_uring_setup"],
    },
    // Set-user-ID programs.
    Group {
        class: Class::ForeignFiles,
        whom: Whom::Builders,
        case: Case::If(&[masked(1, SET_ID, ANY_SET_ID)]),
        errno: libc::EPERM,
        why: "nobody's programs run with somebody else's rights",
        calls: &["chmod", "creat", "fchmod", "mkdir", "mknod"],
    },
    Group {
        class: Class::ForeignFiles,
        whom: Whom::Builders,
        case: Case::If(&[masked(2, SET_ID, ANY_SET_ID)]),
        errno: libc::EPERM,
        why: "nobody's programs run with somebody else's rights",
        calls: &["fchmodat", "fchmodat2", "mkdirat", "mknodat"],
    },
    // If no file is created, the mode is arbitrary and ignored.
    Group {
        class: Class::ForeignFiles,
        whom: Whom::Builders,
        case: Case::IfAll(&[masked(1, MAKE, ANY_MAKE), masked(2, SET_ID, ANY_SET_ID)]),
        errno: libc::EPERM,
        why: "nobody's programs run with somebody else's rights",
        calls: &["open"],
    },
    Group {
        class: Class::ForeignFiles,
        whom: Whom::Builders,
        case: Case::IfAll(&[masked(2, MAKE, ANY_MAKE), masked(3, SET_ID, ANY_SET_ID)]),
        errno: libc::EPERM,
        why: "nobody's programs run with somebody else's rights",
        calls: &["openat"],
    },
    Group {
        class: Class::ForeignFiles,
        whom: Whom::Builders,
        case: Case::Always,
        errno: libc::ENOSYS,
        why: "its mode is in memory, where a filter cannot see it; libraries then use openat",
        calls: &["openat2"],
    },
    // Foreign files, as far as Landlock does not cover them.
    Group {
        class: Class::ForeignFiles,
        whom: Whom::Players,
        case: Case::Always,
        errno: libc::EPERM,
        why: "modes, owners, times and attributes of files, which Landlock does not guard",
        calls: &[
            "chmod",
            "chown",
            "fchmod",
            "fchmodat",
            "fchmodat2",
            "fchown",
            "fchownat",
            "file_setattr",
            "fremovexattr",
            "fsetxattr",
            "futimesat",
            "lchown",
            "lremovexattr",
            "lsetxattr",
            "removexattr",
            "removexattrat",
            "setxattr",
            "setxattrat",
            "utime",
            "utimensat",
            "utimes",
        ],
    },
    Group {
        class: Class::ForeignFiles,
        whom: Whom::Unsupervised,
        case: Case::Always,
        errno: libc::EPERM,
        why: "modes, owners and times of files beyond the build's own, which Landlock does not guard",
        calls: &[
            "chmod",
            "chown",
            "fchmod",
            "fchmodat",
            "fchmodat2",
            "fchown",
            "fchownat",
            "futimesat",
            "lchown",
            "utime",
            "utimensat",
            "utimes",
        ],
    },
    Group {
        class: Class::ForeignFiles,
        whom: Whom::Builders,
        case: Case::Always,
        errno: libc::ENOTSUP,
        why: "attributes of files, which Landlock does not guard; many file systems have none",
        calls: &[
            "file_setattr",
            "fremovexattr",
            "fsetxattr",
            "lremovexattr",
            "lsetxattr",
            "removexattr",
            "removexattrat",
            "setxattr",
            "setxattrat",
        ],
    },
    Group {
        class: Class::ForeignFiles,
        whom: Whom::Everyone,
        case: Case::Always,
        errno: libc::EPERM,
        why: "it watches others at their files, or opens them without their path",
        calls: &["fanotify_init", "fanotify_mark", "name_to_handle_at", "open_by_handle_at"],
    },
    Group {
        class: Class::ForeignFiles,
        whom: Whom::NoLandlockTruncate,
        case: Case::Always,
        errno: libc::EPERM,
        why: "it empties a file, which this machine's Landlock does not guard",
        calls: &["truncate"],
    },
    Group {
        class: Class::ForeignFiles,
        whom: Whom::NoLandlockTruncate,
        // Landlock handles files opened for writing. Access mode 3 counts as neither reading nor
        // writing for it, but still truncates the file.
        case: Case::If(&[masked(1, TRUNCATE | ACCESS, &[Is(TRUNCATE), Is(TRUNCATE | ACCESS)])]),
        errno: libc::EPERM,
        why: "it empties a file that is not opened for writing",
        calls: &["open"],
    },
    Group {
        class: Class::ForeignFiles,
        whom: Whom::NoLandlockTruncate,
        case: Case::If(&[masked(2, TRUNCATE | ACCESS, &[Is(TRUNCATE), Is(TRUNCATE | ACCESS)])]),
        errno: libc::EPERM,
        why: "it empties a file that is not opened for writing",
        calls: &["openat"],
    },
    Group {
        class: Class::ForeignFiles,
        whom: Whom::Everyone,
        // Access mode 3 is neither reading nor writing for Landlock, but suffices for `ioctl`
        // commands that change file attributes.
        case: Case::If(&[masked(1, ACCESS, &[Is(ACCESS)])]),
        errno: libc::EPERM,
        why: "an access mode that Landlock does not guard",
        calls: &["open"],
    },
    Group {
        class: Class::ForeignFiles,
        whom: Whom::Everyone,
        case: Case::If(&[masked(2, ACCESS, &[Is(ACCESS)])]),
        errno: libc::EPERM,
        why: "an access mode that Landlock does not guard",
        calls: &["openat"],
    },
    Group {
        class: Class::ForeignFiles,
        whom: Whom::Everyone,
        case: Case::Always,
        errno: libc::ENOSYS,
        why: "its flags are in memory, where a filter cannot see them; libraries then use openat",
        calls: &["openat2"],
    },
    Group {
        class: Class::ForeignFiles,
        whom: Whom::Players,
        // On a read-only file, other commands can change its generation and times or allocate
        // space. The allowed ones are for pipes and terminals.
        case: Case::Unless(&[is(
            1,
            &[
                Is(0x5401),      // TCGETS
                Is(0x540F),      // TIOCGPGRP
                Is(0x5413),      // TIOCGWINSZ
                Is(0x541B),      // FIONREAD
                Is(0x5421),      // FIONBIO
                Is(0x5450),      // FIONCLEX
                Is(0x5451),      // FIOCLEX
                Is(0x802C_542A), // TCGETS2
            ],
        )]),
        errno: libc::EPERM,
        why: "commands to file systems and devices change files that may only be read",
        calls: &["ioctl"],
    },
    Group {
        class: Class::ForeignFiles,
        whom: Whom::Players,
        case: Case::If(&[is(1, &[Is(1036), Is(1038)])]), // F_SET_RW_HINT, F_SET_FILE_RW_HINT
        errno: libc::EPERM,
        why: "hints that a file keeps, where others can read them",
        calls: &["fcntl"],
    },
    // Resource limits.
    Group {
        class: Class::Limits,
        whom: Whom::OneProcess,
        // Anonymous shared memory and stacks do not count as data, which the memory limit covers.
        case: Case::If(&[
            masked(3, SHARED_WITHOUT_FILE, &[Is(SHARED_WITHOUT_FILE)]),
            masked(3, GROWS_DOWN, &[Is(GROWS_DOWN)]),
        ]),
        errno: libc::EPERM,
        why: "memory that no limit of a process counts",
        calls: &["mmap"],
    },
    Group {
        class: Class::Limits,
        whom: Whom::Players,
        case: Case::Always,
        errno: libc::EPERM,
        why: "memory that no limit of a process counts",
        calls: &["memfd_create", "memfd_secret"],
    },
    Group {
        class: Class::Limits,
        whom: Whom::Builders,
        case: Case::Always,
        errno: libc::ENOSYS,
        why: "memory that nobody counts; programs then use a file",
        calls: &["memfd_create", "memfd_secret"],
    },
    Group {
        class: Class::Limits,
        whom: Whom::Players,
        // Options of the socket itself: SO_SNDBUF, SO_RCVBUF, and both with force.
        case: Case::If(&[is(2, &[Is(7), Is(8), Is(32), Is(33)])]),
        errno: libc::EPERM,
        why: "buffers are memory that no limit of a process counts",
        calls: &["setsockopt"],
    },
    Group {
        class: Class::Limits,
        whom: Whom::Players,
        case: Case::If(&[is(1, &[Is(1031)])]), // F_SETPIPE_SZ
        errno: libc::EPERM,
        why: "buffers are memory that no limit of a process counts",
        calls: &["fcntl"],
    },
    Group {
        class: Class::Limits,
        whom: Whom::Everyone,
        case: Case::Unless(&[is(0, &[Is(0), OwnPid]), is(2, &[Is(0)]), upper_is_zero(2)]),
        errno: libc::EPERM,
        why: "limits are set before the bot starts; it may read its own",
        calls: &["prlimit64"],
    },
    Group {
        class: Class::Limits,
        whom: Whom::Everyone,
        case: Case::Always,
        errno: libc::EPERM,
        why: "limits, priority and core are set before the bot starts",
        calls: &[
            "ioprio_set",
            "sched_setaffinity",
            "sched_setattr",
            "sched_setparam",
            "sched_setscheduler",
            "setpriority",
            "setrlimit",
        ],
    },
    Group {
        class: Class::Limits,
        whom: Whom::Everyone,
        case: Case::Always,
        errno: libc::EPERM,
        why: "where memory lies is the machine's affair, and pages are shared with others",
        calls: &[
            "mbind",
            "migrate_pages",
            "move_pages",
            "set_mempolicy",
            "set_mempolicy_home_node",
        ],
    },
    // The opponent's time. A bot that may start processes is in a control group, which is frozen
    // regardless of signals.
    Group {
        class: Class::Limits,
        whom: Whom::OneProcess,
        // The signal of a timer is in memory, so it can be any, even SIGCONT. `setitimer` and
        // `timerfd_create` cannot resume a process.
        case: Case::Always,
        errno: libc::EPERM,
        why: "the signal of a timer sets a bot going that is stopped on its opponent's time",
        calls: &["timer_create"],
    },
    Group {
        class: Class::Limits,
        whom: Whom::OneProcess,
        // A SIGCONT sent at the moment of the stop would undo it.
        case: Case::If(&[is(1, &[word(libc::SIGCONT)])]),
        errno: libc::EPERM,
        why: "it undoes a stop on the opponent's time",
        calls: &["kill", "rt_sigqueueinfo", "tkill"],
    },
    Group {
        class: Class::Limits,
        whom: Whom::OneProcess,
        case: Case::If(&[is(2, &[word(libc::SIGCONT)])]),
        errno: libc::EPERM,
        why: "it undoes a stop on the opponent's time",
        calls: &["rt_tgsigqueueinfo", "tgkill"],
    },
    // The kernel.
    Group {
        class: Class::Kernel,
        whom: Whom::Everyone,
        case: Case::Always,
        errno: libc::EPERM,
        why: "namespaces, mounts and roots would make the bot its own master",
        calls: &[
            "chroot",
            "fsconfig",
            "fsmount",
            "fsopen",
            "fspick",
            "mount",
            "mount_setattr",
            "move_mount",
            "open_tree",
            "open_tree_attr",
            "pivot_root",
            "setns",
            "umount2",
            "unshare",
        ],
    },
    Group {
        class: Class::Kernel,
        whom: Whom::Everyone,
        case: Case::Always,
        errno: libc::EPERM,
        why: "for the machine's owner only, or a common way to attack a kernel",
        calls: &[
            "acct",
            "bpf",
            "create_module",
            "delete_module",
            "finit_module",
            "get_kernel_syms",
            "init_module",
            "ioperm",
            "iopl",
            "kexec_file_load",
            "kexec_load",
            "lookup_dcookie",
            "modify_ldt",
            "nfsservctl",
            "perf_event_open",
            "query_module",
            "quotactl",
            "quotactl_fd",
            "reboot",
            "remap_file_pages",
            "setdomainname",
            "sethostname",
            "swapoff",
            "swapon",
            "syslog",
            "userfaultfd",
            "vhangup",
        ],
    },
    Group {
        class: Class::Kernel,
        whom: Whom::Everyone,
        // 0 is Linux, all bits set is a query, and one bit disables address randomization, which
        // some Lisp implementations do.
        case: Case::Unless(&[is(0, &[Is(0), Is(u32::MAX), word(libc::ADDR_NO_RANDOMIZE)])]),
        errno: libc::EPERM,
        why: "other systems' ways weaken what protects memory",
        calls: &["personality"],
    },
    Group {
        class: Class::Kernel,
        whom: Whom::Everyone,
        case: Case::If(&[is(
            1,
            &[
                Is(0x5412),      // TIOCSTI
                Is(0x541C),      // TIOCLINUX
                Is(0x4008_6602), // FS_IOC_SETFLAGS
                Is(0x4004_6602), // FS_IOC32_SETFLAGS
                Is(0x401C_5820), // FS_IOC_FSSETXATTR
                Is(0x4008_7602), // FS_IOC_SETVERSION
            ],
        )]),
        errno: libc::EPERM,
        why: "typing into somebody's terminal, and attributes of files",
        calls: &["ioctl"],
    },
    Group {
        class: Class::Time,
        whom: Whom::Everyone,
        case: Case::Always,
        errno: libc::EPERM,
        why: "setting the clock; reading it needs other calls",
        calls: &["adjtimex", "clock_adjtime", "clock_settime", "settimeofday"],
    },
];
