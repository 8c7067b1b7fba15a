//! Tests of Kalah, Oware and Congkak as commonly played: positions worked out by hand, a second
//! implementation to compare the engine with, and perft counts.

mod congkak;
mod kalah;
mod naive;
mod oware;
mod perft;
