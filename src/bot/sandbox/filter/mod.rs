//! Stand-in until the real one is merged.

use crate::bot::sys::Instruction;

#[derive(Debug, Clone)]
pub(super) struct Filter(Vec<Instruction>);

impl Filter {
    pub(super) fn of_bots(_processes: bool) -> Self {
        Self(vec![Instruction { code: 0x06, jt: 0, jf: 0, k: 0x7fff_0000 }])
    }
    pub(super) fn of_builds() -> Self {
        Self::of_bots(true)
    }
    pub(super) fn instructions(&self) -> &[Instruction] {
        &self.0
    }
    pub(super) fn own_number(&self) -> &[usize] {
        &[]
    }
}
