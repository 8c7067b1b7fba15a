//! CPU affinity on macOS, which cannot pin threads.

/// Logical cores of this machine.
pub(super) fn allowed() -> impl Iterator<Item = usize> {
    0..std::thread::available_parallelism().map_or(1, usize::from)
}

/// Does nothing: threads run where the system decides.
pub fn move_to(_cores: &[usize]) {}

/// Does nothing: threads run where the system decides.
pub(crate) fn move_all_to(_cores: &[usize]) {}
