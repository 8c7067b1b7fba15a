//! All integration tests, in one binary.

mod golden_awale;
mod protocol;
mod readme;
mod tournaments;
