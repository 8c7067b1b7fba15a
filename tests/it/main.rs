//! All integration tests, in one binary.

mod golden_awale;
mod tournaments;
