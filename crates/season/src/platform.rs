//! Exports of learning platforms.
