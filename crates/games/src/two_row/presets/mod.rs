//! Kalah, Oware and Congkak as people know them: positions worked out by hand, a second
//! implementation to hold the engine against, and counts of move sequences.

mod congkak;
mod kalah;
mod naive;
mod oware;
mod perft;
