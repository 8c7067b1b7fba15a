//! Seccomp user notification: installs a notifying filter, sends its listener to another process,
//! receives notifications and answers them.
//!
//! Must not depend on which calls are asked about, or why.

use std::io;
use std::mem;
use std::os::fd::{AsRawFd as _, FromRawFd as _, OwnedFd, RawFd};
use std::thread;

use libc::sock_filter;
use rustix::event::{PollFd, PollFlags, poll};

use super::install::{gain_no_privileges, install};

/// Installs instructions on the calling thread and returns the listener's descriptor, which is
/// closed on exec. Allocates nothing and takes no lock.
pub(crate) fn install_with_listener(instructions: &[sock_filter]) -> io::Result<OwnedFd> {
    // With the second flag, a signal does not cancel a received notification. Otherwise runtimes
    // that signal their own threads would notify twice. Kernels before 5.19 lack it.
    let listener = libc::SECCOMP_FILTER_FLAG_NEW_LISTENER;
    let settled = listener | libc::SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV;
    let descriptor = match install(instructions, settled) {
        Err(error) if error.raw_os_error() == Some(libc::EINVAL) => install(instructions, listener),
        result => result,
    }?;
    // SAFETY: the kernel has just created the descriptor, and no other code knows it.
    Ok(unsafe { OwnedFd::from_raw_fd(descriptor) })
}

/// Whether a filter may have a listener here. Each process can have only one, and a container may
/// already use it.
pub(crate) fn can_listen() -> bool {
    let (code, k) = ((libc::BPF_RET | libc::BPF_K) as u16, libc::SECCOMP_RET_ALLOW);
    let allow_all = [sock_filter { code, jt: 0, jf: 0, k }];
    // On a separate thread, because the filter ends with its thread.
    let tried = move || gain_no_privileges().and_then(|()| install_with_listener(&allow_all));
    let thread = thread::Builder::new().spawn(move || tried().is_ok());
    thread.is_ok_and(|thread| thread.join().unwrap_or(false))
}

/// Notification of a filter: a thread wants to make a call.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Question {
    /// Id of the notification.
    id: u64,
    /// The calling thread. 0 if it is not visible from here.
    pub(crate) thread: u32,
    pub(crate) number: u32,
    pub(crate) arguments: [u64; 6],
}

/// Answer to a notification.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answer {
    /// The call fails with this error.
    Fail(i32),
    /// The call is skipped and returns 0, because its work is already done.
    Done,
    /// The call continues. The memory that its arguments point to may change before that.
    GoOn,
}

/// Listener of one filter.
#[derive(Debug)]
pub(crate) struct Listener(OwnedFd);

impl Listener {
    pub(crate) fn new(descriptor: OwnedFd) -> Self {
        Self(descriptor)
    }

    /// Waits for the next notification. `None` if no filtered process is left.
    pub(crate) fn next(&self) -> io::Result<Option<Question>> {
        loop {
            let mut polled = [PollFd::new(&self.0, PollFlags::IN)];
            match poll(&mut polled, None) {
                Err(rustix::io::Errno::INTR) => continue,
                result => result?,
            };
            let events = polled[0].revents();
            if events.contains(PollFlags::IN) {
                if let Some(question) = self.receive()? {
                    return Ok(Some(question));
                }
            } else if events.intersects(PollFlags::HUP | PollFlags::ERR) {
                return Ok(None);
            }
        }
    }

    /// `None` if the caller was killed or a signal interrupted the call.
    fn receive(&self) -> io::Result<Option<Question>> {
        // SAFETY: the kernel requires a zeroed structure.
        let mut asked: libc::seccomp_notif = unsafe { mem::zeroed() };
        let descriptor = self.0.as_raw_fd();
        // SAFETY: the kernel writes one notification to valid memory.
        let result =
            unsafe { libc::ioctl(descriptor, libc::SECCOMP_IOCTL_NOTIF_RECV, &raw mut asked) };
        if result < 0 {
            let error = io::Error::last_os_error();
            let is_gone = matches!(error.raw_os_error(), Some(libc::ENOENT | libc::EINTR));
            return if is_gone { Ok(None) } else { Err(error) };
        }
        let (thread, number) = (asked.pid, asked.data.nr.cast_unsigned());
        Ok(Some(Question { id: asked.id, thread, number, arguments: asked.data.args }))
    }

    /// Whether the calling thread still waits. Otherwise its id may belong to another thread, and
    /// its memory too.
    pub(crate) fn waits(&self, question: &Question) -> bool {
        let id = question.id;
        let descriptor = self.0.as_raw_fd();
        // SAFETY: the kernel reads one number, which is valid for the call.
        unsafe { libc::ioctl(descriptor, libc::SECCOMP_IOCTL_NOTIF_ID_VALID, &raw const id) == 0 }
    }

    /// Answers a notification. Has no effect if the caller no longer waits.
    pub(crate) fn answer(&self, question: &Question, answer: Answer) {
        let (error, flags) = match answer {
            Answer::Fail(errno) => (-errno, 0),
            Answer::Done => (0, 0),
            Answer::GoOn => (0, libc::SECCOMP_USER_NOTIF_FLAG_CONTINUE as u32),
        };
        let said = libc::seccomp_notif_resp { id: question.id, val: 0, error, flags };
        // SAFETY: the kernel reads one answer, which is valid for the call. It fails only if the
        // caller no longer waits.
        unsafe {
            libc::ioctl(self.0.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_SEND, &raw const said);
        }
    }
}

/// Control message space for one descriptor.
#[repr(C, align(8))]
struct Margin([u8; MARGIN]);

// SAFETY: a computation on a number.
const MARGIN: usize = unsafe { libc::CMSG_SPACE(size_of::<RawFd>() as u32) } as usize;

/// Sends a descriptor to the other end of a socket. Allocates nothing and takes no lock.
pub(crate) fn send_descriptor(socket: RawFd, descriptor: RawFd) -> io::Result<()> {
    let (mut byte, mut margin) = ([0_u8], Margin([0; MARGIN]));
    let mut part = part(&mut byte);
    let message = message(&mut part, &mut margin);
    // SAFETY: the control buffer is large and aligned enough for one header and one descriptor.
    unsafe {
        let header = libc::CMSG_FIRSTHDR(&raw const message);
        (*header).cmsg_level = libc::SOL_SOCKET;
        (*header).cmsg_type = libc::SCM_RIGHTS;
        (*header).cmsg_len = libc::CMSG_LEN(size_of::<RawFd>() as u32) as _;
        libc::CMSG_DATA(header).cast::<RawFd>().write_unaligned(descriptor);
    }
    // SAFETY: the message and what it points to are valid for the call.
    let sent = unsafe { libc::sendmsg(socket, &raw const message, libc::MSG_NOSIGNAL) };
    if sent == 1 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// Receives a descriptor. Fails if the other end was closed without sending one.
pub(crate) fn receive_descriptor(socket: RawFd) -> io::Result<OwnedFd> {
    let (mut byte, mut margin) = ([0_u8], Margin([0; MARGIN]));
    let mut part = part(&mut byte);
    let mut message = message(&mut part, &mut margin);
    // SAFETY: the message and what it points to are valid for the call.
    let received = unsafe { libc::recvmsg(socket, &raw mut message, libc::MSG_CMSG_CLOEXEC) };
    if received < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the kernel has filled the control buffer up to the length in the message. There is a
    // header only if it fits, and space for at most one descriptor, which is new.
    unsafe {
        let header = libc::CMSG_FIRSTHDR(&raw const message);
        let is_one = !header.is_null()
            && (*header).cmsg_type == libc::SCM_RIGHTS
            && (*header).cmsg_len as usize == libc::CMSG_LEN(size_of::<RawFd>() as u32) as usize;
        if !is_one {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let descriptor = libc::CMSG_DATA(header).cast::<RawFd>().read_unaligned();
        Ok(OwnedFd::from_raw_fd(descriptor))
    }
}

fn part(byte: &mut [u8; 1]) -> libc::iovec {
    libc::iovec { iov_base: byte.as_mut_ptr().cast(), iov_len: 1 }
}

/// Message with one part and a control buffer, which must both outlive it.
fn message(part: &mut libc::iovec, margin: &mut Margin) -> libc::msghdr {
    // SAFETY: zeros are an empty message.
    let mut message: libc::msghdr = unsafe { mem::zeroed() };
    message.msg_iov = part;
    message.msg_iovlen = 1;
    message.msg_control = margin.0.as_mut_ptr().cast();
    message.msg_controllen = MARGIN as _;
    message
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};
    use std::os::unix::net::UnixStream;

    use super::*;

    #[test]
    fn there_is_one_listener_for_a_thread() {
        assert!(can_listen());
        // A thread with a listener cannot have another, nor can threads that it starts.
        let (code, k) = ((libc::BPF_RET | libc::BPF_K) as u16, libc::SECCOMP_RET_ALLOW);
        let allow_all = [sock_filter { code, jt: 0, jf: 0, k }];
        let within = std::thread::spawn(move || {
            gain_no_privileges().unwrap();
            let _listener = install_with_listener(&allow_all).unwrap();
            can_listen()
        });
        assert!(!within.join().unwrap());
        assert!(can_listen());
    }

    #[test]
    fn a_descriptor_is_handed_over() {
        let (here, there) = UnixStream::pair().unwrap();
        let (mut reader, writer) = io::pipe().unwrap();
        send_descriptor(here.as_raw_fd(), writer.as_raw_fd()).unwrap();
        drop(writer);
        let received = receive_descriptor(there.as_raw_fd()).unwrap();
        std::fs::File::from(received).write_all(b"through").unwrap();
        let mut text = String::new();
        reader.read_to_string(&mut text).unwrap();
        assert_eq!(text, "through");
        drop(here);
        let nothing = receive_descriptor(there.as_raw_fd()).unwrap_err();
        assert_eq!(nothing.kind(), io::ErrorKind::UnexpectedEof);
    }
}
