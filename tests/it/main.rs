//! All integration tests, in one binary.

mod absent;
mod again;
mod check;
mod contest;
mod events;
mod failures;
mod games;
mod golden_awale;
mod golden_isholo;
mod golden_two_row;
mod help;
mod hostile;
mod house;
mod house_talk;
mod mistakes;
mod perft;
mod play;
mod protocol;
mod readme;
mod replay;
mod resume;
mod same_on_any_lanes;
mod sample_bots;
mod scratch;
mod simulate;
mod tournaments;
