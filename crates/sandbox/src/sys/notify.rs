//! Seccomp user notification: installs a filter that asks, hands its listener to another process,
//! receives questions and answers them.
//!
//! Must not depend on which calls are asked about, or why.

use std::io;
use std::mem;
use std::os::fd::{AsRawFd as _, FromRawFd as _, OwnedFd, RawFd};
use std::thread;

use libc::sock_filter;
use rustix::event::{PollFd, PollFlags, poll};

use super::install::{gain_no_privileges, install};

/// Installs instructions on the calling thread and returns the descriptor at which their
/// questions are asked. It is closed when the thread becomes another program. Allocates
/// nothing and takes no lock.
pub(crate) fn install_with_listener(instructions: &[sock_filter]) -> io::Result<OwnedFd> {
    // With the second flag a signal does not take a question back that was received: runtimes
    // that signal their own threads would ask everything twice. Kernels before 5.19 lack it.
    let listener = libc::SECCOMP_FILTER_FLAG_NEW_LISTENER;
    let settled = listener | libc::SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV;
    let descriptor = match install(instructions, settled) {
        Err(error) if error.raw_os_error() == Some(libc::EINVAL) => install(instructions, listener),
        result => result,
    }?;
    // SAFETY: the kernel has just made the descriptor, and nobody else knows it.
    Ok(unsafe { OwnedFd::from_raw_fd(descriptor) })
}

/// Whether a filter may have a listener here: among the filters of a process only one can, and a
/// container may have taken it.
pub(crate) fn can_listen() -> bool {
    let (code, k) = ((libc::BPF_RET | libc::BPF_K) as u16, libc::SECCOMP_RET_ALLOW);
    let allow_all = [sock_filter { code, jt: 0, jf: 0, k }];
    // On a thread of its own, with which the filter goes.
    let tried = move || gain_no_privileges().and_then(|()| install_with_listener(&allow_all));
    let thread = thread::Builder::new().spawn(move || tried().is_ok());
    thread.is_ok_and(|thread| thread.join().unwrap_or(false))
}

/// What a filter asks: a thread wants to make a call.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Question {
    /// Names the question in the answer.
    id: u64,
    /// The thread that asks, 0 if it cannot be seen from here.
    pub(crate) thread: u32,
    pub(crate) number: u32,
    pub(crate) arguments: [u64; 6],
}

/// An answer to a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answer {
    /// The call fails with this error.
    Fail(i32),
    /// The call is not made, and succeeds with 0: somebody else has done what it was to do.
    Done,
    /// The call goes on. What its arguments point to may have changed by then.
    GoOn,
}

/// Where the questions of one filter arrive.
#[derive(Debug)]
pub(crate) struct Listener(OwnedFd);

impl Listener {
    pub(crate) fn new(descriptor: OwnedFd) -> Self {
        Self(descriptor)
    }

    /// Waits for the next question. `None`: nobody who could ask is left.
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

    /// `None`: who asked has been killed meanwhile, or a signal came between.
    fn receive(&self) -> io::Result<Option<Question>> {
        // SAFETY: zeros are what the kernel wants it to be filled with.
        let mut asked: libc::seccomp_notif = unsafe { mem::zeroed() };
        let descriptor = self.0.as_raw_fd();
        // SAFETY: the kernel writes one question to memory that is valid for it.
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

    /// Whether who asked still waits: only then is its memory its own and not a later one's.
    pub(crate) fn waits(&self, question: &Question) -> bool {
        let id = question.id;
        let descriptor = self.0.as_raw_fd();
        // SAFETY: the kernel reads one number, which is valid for the call.
        unsafe { libc::ioctl(descriptor, libc::SECCOMP_IOCTL_NOTIF_ID_VALID, &raw const id) == 0 }
    }

    /// Answers. Whoever does not wait any more does not hear it.
    pub(crate) fn answer(&self, question: &Question, answer: Answer) {
        let (error, flags) = match answer {
            Answer::Fail(errno) => (-errno, 0),
            Answer::Done => (0, 0),
            Answer::GoOn => (0, libc::SECCOMP_USER_NOTIF_FLAG_CONTINUE as u32),
        };
        let said = libc::seccomp_notif_resp { id: question.id, val: 0, error, flags };
        // SAFETY: the kernel reads one answer, which is valid for the call. It fails only if
        // nobody waits.
        unsafe {
            libc::ioctl(self.0.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_SEND, &raw const said);
        }
    }
}

/// Space for one descriptor in the margin of a message.
#[repr(C, align(8))]
struct Margin([u8; MARGIN]);

// SAFETY: a computation on a number.
const MARGIN: usize = unsafe { libc::CMSG_SPACE(size_of::<RawFd>() as u32) } as usize;

/// Hands a descriptor to whoever holds the socket's other end. Allocates nothing and takes no
/// lock.
pub(crate) fn send_descriptor(socket: RawFd, descriptor: RawFd) -> io::Result<()> {
    let (mut byte, mut margin) = ([0_u8], Margin([0; MARGIN]));
    let mut part = part(&mut byte);
    let message = message(&mut part, &mut margin);
    // SAFETY: the margin is large and aligned enough for one header and one descriptor.
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

/// Receives a descriptor. An error if the other end is closed without having sent one.
pub(crate) fn receive_descriptor(socket: RawFd) -> io::Result<OwnedFd> {
    let (mut byte, mut margin) = ([0_u8], Margin([0; MARGIN]));
    let mut part = part(&mut byte);
    let mut message = message(&mut part, &mut margin);
    // SAFETY: the message and what it points to are valid for the call.
    let received = unsafe { libc::recvmsg(socket, &raw mut message, libc::MSG_CMSG_CLOEXEC) };
    if received < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the kernel has filled the margin as far as the message now says. There is a
    // header only if it fits, and space for no more than one descriptor, which is new.
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

/// A message of one part and a margin, both of which must outlive it.
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
        // A thread that has one cannot have another, nor can those that it starts.
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
