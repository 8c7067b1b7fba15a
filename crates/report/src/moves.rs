//! Move list of every game, one JSON object per line.

use std::io::{self, Write};

use pitmaster_core::{Record, Side};
use serde::Serialize;

/// Version, incremented when a field changes its meaning or is removed.
const VERSION: u32 = 1;

/// Writer of `moves.jsonl`: `{"version","id","game","bots","moves","score","winner","ending"}` per
/// line. Values of two sides begin with player 1; `winner` is 1, 2 or null.
#[derive(Debug)]
pub struct MovesJsonl<W: Write>(W);

/// One line. The order of the fields is the order in the file.
#[derive(Serialize)]
struct Line<'a> {
    version: u32,
    id: &'a str,
    game: &'a str,
    bots: [&'a str; 2],
    moves: Vec<&'a str>,
    score: [u32; 2],
    winner: Option<Side>,
    ending: &'a str,
}

impl<W: Write> MovesJsonl<W> {
    /// Starts the file.
    pub fn new(out: W) -> Self {
        Self(out)
    }

    /// Adds a game. Games are written in the order in which they are added.
    pub fn add(&mut self, record: &Record) -> io::Result<()> {
        let (id, bots) = (record.id(), &record.key.bots);
        let score = record.ending.score();
        let line = Line {
            version: VERSION,
            id: id.as_str(),
            game: record.key.game(),
            bots: [bots.one.name.as_str(), bots.two.name.as_str()],
            moves: record.moves().collect(),
            score: [score.one, score.two],
            winner: record.ending.winner(),
            ending: &record.ending.name(),
        };
        serde_json::to_writer(&mut self.0, &line)?;
        self.0.write_all(b"\n")
    }

    /// Finishes the file.
    pub fn finish(mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixtures::{self, csv};
    use super::*;

    #[test]
    fn the_file() {
        let (records, _) = fixtures::tournament();
        let text = csv(|out| {
            let mut file = MovesJsonl::new(out);
            records.iter().try_for_each(|record| file.add(record))?;
            file.finish()
        });
        insta::assert_snapshot!(text, @r#"
        {"version":1,"id":"4a5a5c8503702dce","game":"coloured-awale,both_40=off","bots":["alpha","beta"],"moves":["1B","2R","3TR"],"score":[50,30],"winner":1,"ending":"rules:49+"}
        {"version":1,"id":"6a7d92c20a24da25","game":"coloured-awale,both_40=off","bots":["beta","alpha"],"moves":["1R","2R"],"score":[49,20],"winner":1,"ending":"rules:49+"}
        {"version":1,"id":"b5f22b188c16229c","game":"coloured-awale,both_40=off","bots":["alpha","beta"],"moves":["1B","2R","3TR"],"score":[50,30],"winner":1,"ending":"rules:49+"}
        {"version":1,"id":"ec9ed9180bb38d55","game":"coloured-awale,both_40=off","bots":["beta","alpha"],"moves":["1R","2R"],"score":[49,20],"winner":1,"ending":"rules:49+"}
        {"version":1,"id":"d8f13b0aa2f657e8","game":"coloured-awale,both_40=off","bots":["alpha","beta"],"moves":["5R"],"score":[48,48],"winner":null,"ending":"rules:49+"}
        {"version":1,"id":"611d152d5873431b","game":"coloured-awale,both_40=off","bots":["evil","alpha"],"moves":["1T","4R"],"score":[3,5],"winner":2,"ending":"illegal-move"}
        {"version":1,"id":"5f7ec0457f294b81","game":"coloured-awale,both_40=off","bots":["evil","beta"],"moves":["1T","4R"],"score":[3,5],"winner":2,"ending":"would-not-start"}
        {"version":1,"id":"e6578fa60d5e8bf6","game":"coloured-awale,both_40=off","bots":["evil","beta"],"moves":["1T"],"score":[3,5],"winner":2,"ending":"move-late"}
        {"version":1,"id":"48c0a9ac5d6a1a8a","game":"coloured-awale,both_40=off","bots":["evil","beta"],"moves":[],"score":[0,0],"winner":null,"ending":"both-forfeited"}
        "#);
    }
}
