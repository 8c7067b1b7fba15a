//! Conditions on the arguments of a system call under which it is refused.
//!
//! They are data: the compiler turns them into instructions, and the audit and the tests evaluate
//! them directly.
//!
//! Must not depend on names or numbers of calls.

/// Condition under which a call is refused. Only the value of an argument can be tested, not what
/// it points to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Case {
    /// Refused with any arguments.
    Always,
    /// Refused if any of these holds.
    If(&'static [Test]),
    /// Refused if all of these hold.
    IfAll(&'static [Test]),
    /// Refused unless all of these hold.
    Unless(&'static [Test]),
    /// Refused unless any of these holds.
    UnlessAny(&'static [Test]),
}

/// Test that a masked half of an argument is one of some values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Test {
    /// Index of the argument, from 0.
    pub(crate) argument: u8,
    /// Whether to test the upper 32 bits. Otherwise the lower ones are tested, which is all that
    /// the kernel reads of flags, process ids and descriptors.
    pub(crate) upper: bool,
    pub(crate) mask: u32,
    pub(crate) among: &'static [Word],
}

/// A value that an argument is compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Word {
    Is(u32),
    /// Id of the filtered process, known only once it exists.
    OwnPid,
}

impl Case {
    /// Returns whether a call with these arguments is refused.
    pub(crate) fn refuses(self, arguments: &[u64; 6], own_pid: u32) -> bool {
        let holds = |test: &Test| test.holds(arguments, own_pid);
        match self {
            Self::Always => true,
            Self::If(tests) => tests.iter().any(holds),
            Self::IfAll(tests) => tests.iter().all(holds),
            Self::Unless(tests) => !tests.iter().all(holds),
            Self::UnlessAny(tests) => !tests.iter().any(holds),
        }
    }
}

impl Test {
    fn holds(&self, arguments: &[u64; 6], own_pid: u32) -> bool {
        let whole = arguments[usize::from(self.argument)];
        let half = if self.upper { whole >> 32 } else { whole } as u32;
        let is = |word: &Word| match *word {
            Word::Is(value) => half & self.mask == value,
            Word::OwnPid => half & self.mask == own_pid,
        };
        self.among.iter().any(is)
    }
}

/// The lower half of an argument is one of some values.
pub(super) const fn is(argument: u8, among: &'static [Word]) -> Test {
    masked(argument, u32::MAX, among)
}

/// Some bits of an argument are one of some values.
pub(super) const fn masked(argument: u8, mask: u32, among: &'static [Word]) -> Test {
    Test { argument, upper: false, mask, among }
}

/// The upper half of an argument is 0.
pub(super) const fn upper_is_zero(argument: u8) -> Test {
    Test { argument, upper: true, mask: u32::MAX, among: &[Word::Is(0)] }
}
