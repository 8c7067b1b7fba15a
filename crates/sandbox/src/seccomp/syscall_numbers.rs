//! System call numbers of the calls that the filter names, for both architectures.
//!
//! Must not depend on why any of them is refused.

/// A processor architecture with its system calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(not(test), expect(dead_code, reason = "a build is for one of them, tests try both"))]
pub(crate) enum Machine {
    X86_64,
    Aarch64,
}

impl Machine {
    /// Architecture that this program was built for.
    #[cfg(target_arch = "x86_64")]
    pub(crate) const HERE: Self = Self::X86_64;
    /// Architecture that this program was built for.
    #[cfg(target_arch = "aarch64")]
    pub(crate) const HERE: Self = Self::Aarch64;

    /// The kernel's constant for it: `AUDIT_ARCH_…` of `linux/audit.h`.
    pub(crate) const fn audit_arch(self) -> u32 {
        match self {
            Self::X86_64 => 0xC000_003E,
            Self::Aarch64 => 0xC000_00B7,
        }
    }

    /// Number of a call; `None` if the architecture has no such call.
    pub(crate) fn number(self, name: &str) -> Option<u32> {
        let (_, number) = NUMBERS.iter().find(|(known, _)| *known == name)?;
        match self {
            Self::X86_64 => number.x86_64,
            Self::Aarch64 => number.aarch64,
        }
    }
}

/// Highest call number when this was written (Linux 6.17, `file_setattr`). From 424 on, numbers are
/// the same on all architectures.
pub(crate) const NEWEST: u32 = 469;

#[derive(Debug, Clone, Copy)]
pub(super) struct Number {
    pub(super) x86_64: Option<u32>,
    pub(super) aarch64: Option<u32>,
}

const fn both(number: u32) -> Number {
    each(number, number)
}

const fn each(x86_64: u32, aarch64: u32) -> Number {
    Number { x86_64: Some(x86_64), aarch64: Some(aarch64) }
}

const fn only_x86_64(number: u32) -> Number {
    Number { x86_64: Some(number), aarch64: None }
}

/// From `asm/unistd_64.h` and `asm-generic/unistd.h`, by name.
pub(super) const NUMBERS: &[(&str, Number)] = &[
    ("accept", each(43, 202)),
    ("accept4", each(288, 242)),
    ("acct", each(163, 89)),
    ("add_key", each(248, 217)),
    ("adjtimex", each(159, 171)),
    ("bind", each(49, 200)),
    ("bpf", each(321, 280)),
    ("chmod", only_x86_64(90)),
    ("chown", only_x86_64(92)),
    ("chroot", each(161, 51)),
    ("clock_adjtime", each(305, 266)),
    ("clock_getres", each(229, 114)),
    ("clock_gettime", each(228, 113)),
    ("clock_nanosleep", each(230, 115)),
    ("clock_settime", each(227, 112)),
    ("clone", each(56, 220)),
    ("clone3", both(435)),
    ("connect", each(42, 203)),
    ("creat", only_x86_64(85)),
    ("create_module", only_x86_64(174)),
    ("delete_module", each(176, 106)),
    ("fanotify_init", each(300, 262)),
    ("fanotify_mark", each(301, 263)),
    ("fchmod", each(91, 52)),
    ("fchmodat", each(268, 53)),
    ("fchmodat2", both(452)),
    ("fchown", each(93, 55)),
    ("fchownat", each(260, 54)),
    ("fcntl", each(72, 25)),
    ("file_setattr", both(469)),
    ("finit_module", each(313, 273)),
    ("flock", each(73, 32)),
    ("fork", only_x86_64(57)),
    ("fremovexattr", each(199, 16)),
    ("fsconfig", both(431)),
    ("fsetxattr", each(190, 7)),
    ("fsmount", both(432)),
    ("fsopen", both(430)),
    ("fspick", both(433)),
    ("futimesat", only_x86_64(261)),
    ("get_kernel_syms", only_x86_64(177)),
    ("init_module", each(175, 105)),
    ("inotify_add_watch", each(254, 27)),
    ("inotify_init", only_x86_64(253)),
    ("inotify_init1", each(294, 26)),
    ("io_uring_enter", both(426)),
    ("io_uring_register", both(427)),
    ("io_uring_setup", both(425)),
    ("ioctl", each(16, 29)),
    ("ioperm", only_x86_64(173)),
    ("iopl", only_x86_64(172)),
    ("ioprio_set", each(251, 30)),
    ("kcmp", each(312, 272)),
    ("kexec_file_load", each(320, 294)),
    ("kexec_load", each(246, 104)),
    ("keyctl", each(250, 219)),
    ("kill", each(62, 129)),
    ("lchown", only_x86_64(94)),
    ("link", only_x86_64(86)),
    ("linkat", each(265, 37)),
    ("listen", each(50, 201)),
    ("lookup_dcookie", each(212, 18)),
    ("lremovexattr", each(198, 15)),
    ("lsetxattr", each(189, 6)),
    ("mbind", each(237, 235)),
    ("memfd_create", each(319, 279)),
    ("memfd_secret", both(447)),
    ("migrate_pages", each(256, 238)),
    ("mkdir", only_x86_64(83)),
    ("mkdirat", each(258, 34)),
    ("mknod", only_x86_64(133)),
    ("mknodat", each(259, 33)),
    ("mmap", each(9, 222)),
    ("modify_ldt", only_x86_64(154)),
    ("mount", each(165, 40)),
    ("mount_setattr", both(442)),
    ("move_mount", both(429)),
    ("move_pages", each(279, 239)),
    ("mq_getsetattr", each(245, 185)),
    ("mq_notify", each(244, 184)),
    ("mq_open", each(240, 180)),
    ("mq_timedreceive", each(243, 183)),
    ("mq_timedsend", each(242, 182)),
    ("mq_unlink", each(241, 181)),
    ("msgctl", each(71, 187)),
    ("msgget", each(68, 186)),
    ("msgrcv", each(70, 188)),
    ("msgsnd", each(69, 189)),
    ("name_to_handle_at", each(303, 264)),
    ("nfsservctl", each(180, 42)),
    ("open", only_x86_64(2)),
    ("open_by_handle_at", each(304, 265)),
    ("open_tree", both(428)),
    ("open_tree_attr", both(467)),
    ("openat", each(257, 56)),
    ("openat2", both(437)),
    ("perf_event_open", each(298, 241)),
    ("personality", each(135, 92)),
    ("pidfd_getfd", both(438)),
    ("pidfd_open", both(434)),
    ("pidfd_send_signal", both(424)),
    ("pivot_root", each(155, 41)),
    ("prctl", each(157, 167)),
    ("prlimit64", each(302, 261)),
    ("process_madvise", both(440)),
    ("process_mrelease", both(448)),
    ("process_vm_readv", each(310, 270)),
    ("process_vm_writev", each(311, 271)),
    ("ptrace", each(101, 117)),
    ("query_module", only_x86_64(178)),
    ("quotactl", each(179, 60)),
    ("quotactl_fd", both(443)),
    ("reboot", each(169, 142)),
    ("remap_file_pages", each(216, 234)),
    ("removexattr", each(197, 14)),
    ("removexattrat", both(466)),
    ("rename", only_x86_64(82)),
    ("renameat", each(264, 38)),
    ("renameat2", each(316, 276)),
    ("request_key", each(249, 218)),
    ("rmdir", only_x86_64(84)),
    ("rt_sigqueueinfo", each(129, 138)),
    ("rt_tgsigqueueinfo", each(297, 240)),
    ("sched_setaffinity", each(203, 122)),
    ("sched_setattr", each(314, 274)),
    ("sched_setparam", each(142, 118)),
    ("sched_setscheduler", each(144, 119)),
    ("semctl", each(66, 191)),
    ("semget", each(64, 190)),
    ("semop", each(65, 193)),
    ("semtimedop", each(220, 192)),
    ("set_mempolicy", each(238, 237)),
    ("set_mempolicy_home_node", both(450)),
    ("setdomainname", each(171, 162)),
    ("sethostname", each(170, 161)),
    ("setns", each(308, 268)),
    ("setpriority", each(141, 140)),
    ("setrlimit", each(160, 164)),
    ("setsockopt", each(54, 208)),
    ("settimeofday", each(164, 170)),
    ("setxattr", each(188, 5)),
    ("setxattrat", both(463)),
    ("shmat", each(30, 196)),
    ("shmctl", each(31, 195)),
    ("shmdt", each(67, 197)),
    ("shmget", each(29, 194)),
    ("socket", each(41, 198)),
    ("socketpair", each(53, 199)),
    ("swapoff", each(168, 225)),
    ("swapon", each(167, 224)),
    ("symlink", only_x86_64(88)),
    ("symlinkat", each(266, 36)),
    ("sync", each(162, 81)),
    ("syncfs", each(306, 267)),
    ("syslog", each(103, 116)),
    ("tgkill", each(234, 131)),
    ("timer_create", each(222, 107)),
    ("tkill", each(200, 130)),
    ("truncate", each(76, 45)),
    ("umount2", each(166, 39)),
    ("unlink", only_x86_64(87)),
    ("unlinkat", each(263, 35)),
    ("unshare", each(272, 97)),
    ("userfaultfd", each(323, 282)),
    ("utime", only_x86_64(132)),
    ("utimensat", each(280, 88)),
    ("utimes", only_x86_64(235)),
    ("vfork", only_x86_64(58)),
    ("vhangup", each(153, 58)),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::refused::{REFUSED, WATCHED};
    use super::*;

    #[test]
    fn names_have_numbers_and_numbers_are_used() {
        let known: BTreeSet<_> = NUMBERS.iter().map(|(name, _)| *name).collect();
        assert_eq!(known.len(), NUMBERS.len());
        assert!(NUMBERS.is_sorted_by_key(|(name, _)| name));
        let groups = REFUSED.iter().flat_map(|group| group.calls);
        let used: BTreeSet<_> = groups.chain(WATCHED).copied().collect();
        assert_eq!(used, known);
    }

    /// Names with their numbers in the C library.
    macro_rules! of_libc {
    ($($name:ident $constant:ident),+ $(,)?) => {
        [$((stringify!($name), libc::$constant as u32)),+]
    };
}

    /// Calls without a constant in the C library are left out.
    #[test]
    fn numbers_are_the_systems() {
        let both = of_libc![
            accept SYS_accept, accept4 SYS_accept4, acct SYS_acct, add_key SYS_add_key, adjtimex
            SYS_adjtimex, bind SYS_bind, bpf SYS_bpf, chroot SYS_chroot, clock_adjtime
            SYS_clock_adjtime, clock_settime SYS_clock_settime, clone SYS_clone, clone3
            SYS_clone3, connect SYS_connect, delete_module SYS_delete_module, fanotify_init
            SYS_fanotify_init, fanotify_mark SYS_fanotify_mark, fchmod SYS_fchmod, fchmodat
            SYS_fchmodat, fchown SYS_fchown, fchownat SYS_fchownat, fcntl SYS_fcntl,
            finit_module SYS_finit_module, flock SYS_flock, fremovexattr SYS_fremovexattr,
            fsconfig SYS_fsconfig, fsetxattr SYS_fsetxattr, fsmount SYS_fsmount, fsopen
            SYS_fsopen, fspick SYS_fspick, init_module SYS_init_module, inotify_add_watch
            SYS_inotify_add_watch, inotify_init1 SYS_inotify_init1, io_uring_enter
            SYS_io_uring_enter, io_uring_register SYS_io_uring_register, io_uring_setup
            SYS_io_uring_setup, ioctl SYS_ioctl, ioprio_set SYS_ioprio_set, kcmp SYS_kcmp,
            kexec_file_load SYS_kexec_file_load, kexec_load SYS_kexec_load, keyctl SYS_keyctl,
            kill SYS_kill, linkat SYS_linkat, listen SYS_listen, lookup_dcookie
            SYS_lookup_dcookie, lremovexattr SYS_lremovexattr, lsetxattr SYS_lsetxattr, mbind
            SYS_mbind, memfd_create SYS_memfd_create, memfd_secret SYS_memfd_secret,
            migrate_pages SYS_migrate_pages, mkdirat SYS_mkdirat, mknodat SYS_mknodat, mmap
            SYS_mmap, mount SYS_mount, mount_setattr SYS_mount_setattr, move_mount
            SYS_move_mount, move_pages SYS_move_pages, mq_getsetattr SYS_mq_getsetattr,
            mq_notify SYS_mq_notify, mq_open SYS_mq_open, mq_timedreceive SYS_mq_timedreceive,
            mq_timedsend SYS_mq_timedsend, mq_unlink SYS_mq_unlink, msgctl SYS_msgctl, msgget
            SYS_msgget, msgrcv SYS_msgrcv, msgsnd SYS_msgsnd, name_to_handle_at
            SYS_name_to_handle_at, nfsservctl SYS_nfsservctl, open_by_handle_at
            SYS_open_by_handle_at, open_tree SYS_open_tree, openat SYS_openat, openat2
            SYS_openat2, perf_event_open SYS_perf_event_open, personality SYS_personality,
            pidfd_getfd SYS_pidfd_getfd, pidfd_open SYS_pidfd_open, pidfd_send_signal
            SYS_pidfd_send_signal, pivot_root SYS_pivot_root, prctl SYS_prctl, prlimit64
            SYS_prlimit64, process_madvise SYS_process_madvise, process_mrelease
            SYS_process_mrelease, process_vm_readv SYS_process_vm_readv, process_vm_writev
            SYS_process_vm_writev, ptrace SYS_ptrace, quotactl SYS_quotactl, quotactl_fd
            SYS_quotactl_fd, reboot SYS_reboot, remap_file_pages SYS_remap_file_pages,
            removexattr SYS_removexattr, renameat2 SYS_renameat2, request_key SYS_request_key,
            rt_sigqueueinfo SYS_rt_sigqueueinfo, rt_tgsigqueueinfo SYS_rt_tgsigqueueinfo,
            sched_setaffinity SYS_sched_setaffinity, sched_setattr SYS_sched_setattr,
            sched_setparam SYS_sched_setparam, sched_setscheduler SYS_sched_setscheduler, semctl
            SYS_semctl, semget SYS_semget, semop SYS_semop, semtimedop SYS_semtimedop,
            set_mempolicy SYS_set_mempolicy, set_mempolicy_home_node
            SYS_set_mempolicy_home_node, setdomainname SYS_setdomainname, sethostname
            SYS_sethostname, setns SYS_setns, setpriority SYS_setpriority, settimeofday
            SYS_settimeofday, setxattr SYS_setxattr, shmat SYS_shmat, shmctl SYS_shmctl, shmdt
            SYS_shmdt, shmget SYS_shmget, socket SYS_socket, socketpair SYS_socketpair, swapoff
            SYS_swapoff, swapon SYS_swapon, symlinkat SYS_symlinkat, sync SYS_sync, syncfs
            SYS_syncfs, syslog SYS_syslog, tgkill SYS_tgkill, tkill SYS_tkill, truncate
            SYS_truncate, umount2 SYS_umount2, unlinkat SYS_unlinkat, unshare SYS_unshare,
            userfaultfd SYS_userfaultfd, utimensat SYS_utimensat, vhangup SYS_vhangup
        ];
        for (name, number) in both {
            assert_eq!(Machine::HERE.number(name), Some(number), "{name}");
        }
        #[cfg(target_arch = "x86_64")]
        for (name, number) in of_libc![
            chmod SYS_chmod, chown SYS_chown, creat SYS_creat, fchmodat2 SYS_fchmodat2, fork
            SYS_fork, futimesat SYS_futimesat, inotify_init SYS_inotify_init, ioperm SYS_ioperm,
            iopl SYS_iopl, lchown SYS_lchown, link SYS_link, mkdir SYS_mkdir, mknod SYS_mknod,
            modify_ldt SYS_modify_ldt, open SYS_open, rename SYS_rename, renameat SYS_renameat,
            rmdir SYS_rmdir, setrlimit SYS_setrlimit, symlink SYS_symlink, unlink SYS_unlink,
            utime SYS_utime, utimes SYS_utimes, vfork SYS_vfork
        ] {
            assert_eq!(Machine::HERE.number(name), Some(number), "{name}");
        }
    }
}
