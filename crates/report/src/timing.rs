//! Timing file with all measured times: two lines per game, one for each side.

use std::io::{self, Write};
use std::time::Duration;

use pitmaster_core::{Fault, Ply, Record, Side};

use super::csv_tables::Sheet;
use super::number::millis;

const COLUMNS: [&str; 15] = [
    "id",
    "side",
    "bot",
    "game_ms",
    "moves",
    "total_ms",
    "first_ms",
    "median_ms",
    "max_ms",
    "cpu_ms",
    "max_cpu_ms",
    "waiting_ms",
    "stolen_ms",
    "judged_at_ms",
    "late_ms",
];

/// Writer of `timing.csv`. Times are wall clock times in milliseconds unless the column says CPU.
/// `waiting` is how long the bot was ready to run but waited for a core, `stolen` the CPU time that
/// it used while the other side was to move, `judged_at` when a forfeit was judged, `late` how long
/// the late move had taken by then.
#[derive(Debug)]
pub struct TimingCsv<W: Write>(Sheet<W>);

impl<W: Write> TimingCsv<W> {
    /// Starts the file.
    pub fn new(out: W) -> io::Result<Self> {
        Ok(Self(Sheet::new(out, COLUMNS)?))
    }

    /// Adds a game. Games are written in the order in which they are added.
    pub fn add(&mut self, record: &Record) -> io::Result<()> {
        Side::BOTH.into_iter().try_for_each(|side| self.add_side(record, side))
    }

    /// Finishes the file.
    pub fn finish(self) -> io::Result<()> {
        self.0.finish()
    }

    fn add_side(&mut self, record: &Record, side: Side) -> io::Result<()> {
        let plies: Vec<_> = record.plies.iter().filter(|ply| ply.by == Some(side)).collect();
        let of = |time: fn(&Ply) -> Duration| plies.iter().map(move |ply| time(ply));
        self.0.text(record.id().as_str())?;
        self.0.number(side)?;
        self.0.text(record.key.bots[side].name.as_str())?;
        self.0.number(millis(record.duration))?;
        self.0.number(plies.len())?;
        self.0.number(millis(of(|ply| ply.wall).sum()))?;
        self.0.maybe(of(|ply| ply.wall).next().map(millis))?;
        self.0.maybe(median(of(|ply| ply.wall).collect()).map(millis))?;
        self.0.maybe(of(|ply| ply.wall).max().map(millis))?;
        self.0.number(millis(of(|ply| ply.cpu).sum()))?;
        self.0.maybe(of(|ply| ply.cpu).max().map(millis))?;
        self.0.number(millis(record.waited(side)))?;
        self.0.number(millis(record.stolen[side]))?;
        self.add_forfeit(record, side)?;
        self.0.end_row()
    }

    fn add_forfeit(&mut self, record: &Record, side: Side) -> io::Result<()> {
        let evidence = record.evidence[side].as_ref();
        let judged = evidence.map(|evidence| millis(Duration::from_nanos(evidence.at.0)));
        self.0.maybe(judged)?;
        let late = record.ending.fault_of(side).and_then(|fault| match fault {
            Fault::MoveLate { took, .. }
            | Fault::BankEmpty { took, .. }
            | Fault::Starved { took, .. } => Some(millis(*took)),
            _ => None,
        });
        self.0.maybe(late)
    }
}

/// Median. For an even count, the mean of the two middle values.
fn median(mut times: Vec<Duration>) -> Option<Duration> {
    times.sort_unstable();
    let upper = *times.get(times.len() / 2)?;
    let lower = times[(times.len() - 1) / 2];
    Some((lower + upper) / 2)
}

#[cfg(test)]
mod tests {
    use super::super::fixtures::{self, csv};
    use super::*;

    #[test]
    fn the_file() {
        let (records, _) = fixtures::tournament();
        let text = csv(|out| {
            let mut file = TimingCsv::new(out)?;
            records.iter().try_for_each(|record| file.add(record))?;
            file.finish()
        });
        insta::assert_snapshot!(text, @"
        id,side,bot,game_ms,moves,total_ms,first_ms,median_ms,max_ms,cpu_ms,max_cpu_ms,waiting_ms,stolen_ms,judged_at_ms,late_ms
        4a5a5c8503702dce,1,alpha,20.000,2,4.400,1.500,2.200,2.900,2.400,1.200,0.020,0.000,,
        4a5a5c8503702dce,2,beta,20.000,1,2.200,2.200,2.200,2.200,1.200,1.200,0.010,0.042,,
        6a7d92c20a24da25,1,beta,20.000,1,1.500,1.500,1.500,1.500,1.200,1.200,0.010,0.000,,
        6a7d92c20a24da25,2,alpha,20.000,1,2.200,2.200,2.200,2.200,1.200,1.200,0.010,0.042,,
        b5f22b188c16229c,1,alpha,20.000,2,4.400,1.500,2.200,2.900,2.400,1.200,0.020,0.000,,
        b5f22b188c16229c,2,beta,20.000,1,2.200,2.200,2.200,2.200,1.200,1.200,0.010,0.042,,
        ec9ed9180bb38d55,1,beta,20.000,1,1.500,1.500,1.500,1.500,1.200,1.200,0.010,0.000,,
        ec9ed9180bb38d55,2,alpha,20.000,1,2.200,2.200,2.200,2.200,1.200,1.200,0.010,0.042,,
        d8f13b0aa2f657e8,1,alpha,20.000,1,1.500,1.500,1.500,1.500,1.200,1.200,0.010,0.000,,
        d8f13b0aa2f657e8,2,beta,20.000,0,0.000,,,,0.000,,0.000,0.042,,
        611d152d5873431b,1,evil,20.000,1,1.500,1.500,1.500,1.500,1.200,1.200,0.010,0.000,17.000,
        611d152d5873431b,2,alpha,20.000,1,2.200,2.200,2.200,2.200,1.200,1.200,0.010,0.042,,
        5f7ec0457f294b81,1,evil,20.000,1,1.500,1.500,1.500,1.500,1.200,1.200,0.010,0.000,17.000,
        5f7ec0457f294b81,2,beta,20.000,1,2.200,2.200,2.200,2.200,1.200,1.200,0.010,0.042,,
        e6578fa60d5e8bf6,1,evil,20.000,1,1.500,1.500,1.500,1.500,1.200,1.200,0.010,0.000,,1020.000
        e6578fa60d5e8bf6,2,beta,20.000,0,0.000,,,,0.000,,0.000,0.042,,
        48c0a9ac5d6a1a8a,1,evil,20.000,0,0.000,,,,0.000,,0.000,0.000,,
        48c0a9ac5d6a1a8a,2,beta,20.000,0,0.000,,,,0.000,,0.000,0.042,,
        ");
    }

    #[test]
    fn the_median_is_in_the_middle() {
        let of = |list: &[u64]| median(list.iter().map(|&n| Duration::from_millis(n)).collect());
        assert_eq!(of(&[]), None);
        assert_eq!(of(&[9, 1, 4]), Some(Duration::from_millis(4)));
        assert_eq!(of(&[9, 1, 4, 5]), Some(Duration::from_micros(4500)));
    }
}
