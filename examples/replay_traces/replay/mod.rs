//! Games of two-row games that another program has played, followed step by step with the
//! engine, through nothing but its public face. The example and the golden test share this.

pub(crate) mod config;
pub(crate) mod follow;
pub(crate) mod lines;
pub(crate) mod moves;
pub(crate) mod state;
pub(crate) mod trace;
