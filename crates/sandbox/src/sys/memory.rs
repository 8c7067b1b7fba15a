//! Memory allocations that process limits do not count; the probe tries them.

use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd as _, RawFd};
use std::ptr;

/// Writes to a shared mapping of `/dev/zero`, which is memory of no process.
pub fn share_zeros(bytes: usize) -> io::Result<()> {
    let zeros = File::options().read(true).write(true).open("/dev/zero")?;
    let access = libc::PROT_READ | libc::PROT_WRITE;
    let mapping = Mapping::new(bytes, access, libc::MAP_SHARED, zeros.as_raw_fd())?;
    mapping.addresses(4096).for_each(|address| {
        // SAFETY: within the mapping, which may be written to.
        unsafe { address.write_volatile(1) };
    });
    Ok(())
}

/// Reads sparsely in a read-only mapping, which allocates no pages but a page table for every 2
/// MiB.
pub fn fill_page_tables(bytes: usize) -> io::Result<()> {
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
    let mapping = Mapping::new(bytes, libc::PROT_READ, flags, -1)?;
    mapping.addresses(2 << 20).for_each(|address| {
        // SAFETY: within the mapping, which may be read.
        unsafe { address.read_volatile() };
    });
    Ok(())
}

struct Mapping {
    start: *mut u8,
    bytes: usize,
}

impl Mapping {
    fn new(bytes: usize, access: i32, flags: i32, file: RawFd) -> io::Result<Self> {
        // SAFETY: a new mapping at an address of the kernel's choice.
        let start = unsafe { libc::mmap(ptr::null_mut(), bytes, access, flags, file, 0) };
        if start == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        Ok(Self { start: start.cast(), bytes })
    }

    fn addresses(&self, step: usize) -> impl Iterator<Item = *mut u8> {
        (0..self.bytes).step_by(step).map(|at| self.start.wrapping_add(at))
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: the mapping is owned by this value and no longer used.
        unsafe { libc::munmap(self.start.cast(), self.bytes) };
    }
}
