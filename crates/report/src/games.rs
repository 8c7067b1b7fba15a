//! Game list, one line per game, without any measured times.

use std::io::{self, Write};

use pitmaster_core::{Ending, Fault, Isolation, Mark, Per, Record, Side, Untrusted};
use pitmaster_referee::describe_fault;

use super::csv_tables::{LONGEST, Sheet};

const COLUMNS: [&str; 20] = [
    "id",
    "stage",
    "round",
    "pair",
    "bot1",
    "bot2",
    "hash1",
    "hash2",
    "opening",
    "winner",
    "result",
    "score1",
    "score2",
    "ending",
    "plies",
    "forfeited_by",
    "detail",
    "line",
    "isolation",
    "fingerprint",
];

/// Writer of `games.csv`.
#[derive(Debug)]
pub struct GamesCsv<W: Write>(Sheet<W>);

impl<W: Write> GamesCsv<W> {
    /// Starts the file.
    pub fn new(out: W) -> io::Result<Self> {
        Ok(Self(Sheet::new(out, COLUMNS)?))
    }

    /// Adds a game and its isolation, if known. Games are written in the order in which they are
    /// added.
    pub fn add(&mut self, record: &Record, isolation: Option<&Isolation>) -> io::Result<()> {
        self.add_key(record)?;
        self.add_result(record)?;
        let detail: Vec<_> =
            Side::BOTH.into_iter().filter_map(|side| timeless(record, side)).collect();
        self.0.text(&shown(&detail.join("; ")))?;
        self.0.text(&judged_lines(record))?;
        self.0.text(&isolation.map_or(String::new(), ToString::to_string))?;
        self.0.text(&format!("{:016x}", record.fingerprint()))?;
        self.0.end_row()
    }

    /// Finishes the file.
    pub fn finish(self) -> io::Result<()> {
        self.0.finish()
    }

    fn add_key(&mut self, record: &Record) -> io::Result<()> {
        let key = &record.key;
        self.0.text(record.id().as_str())?;
        for number in [key.stage, key.round, key.pair] {
            self.0.number(number)?;
        }
        for bot in key.bots.iter() {
            self.0.text(bot.name.as_str())?;
        }
        for bot in key.bots.iter() {
            self.0.text(bot.hash.as_str())?;
        }
        self.0.text(&key.opening)
    }

    fn add_result(&mut self, record: &Record) -> io::Result<()> {
        let (ending, bots) = (&record.ending, &record.key.bots);
        let winner = ending.winner().map_or("", |side| bots[side].name.as_str());
        self.0.text(winner)?;
        self.0.text(result(ending))?;
        for score in ending.score().iter() {
            self.0.number(score)?;
        }
        self.0.text(&ending.name())?;
        self.0.number(record.plies.len())?;
        let forfeited = Side::BOTH.into_iter().filter(|&side| ending.fault_of(side).is_some());
        let names: Vec<_> = forfeited.map(|side| bots[side].name.as_str()).collect();
        self.0.text(&names.join(" "))
    }
}

/// `player-1`, `player-2`, `draw`, `both-lost` or `void`.
fn result(ending: &Ending) -> &'static str {
    match (ending.mark(Side::One), ending.mark(Side::Two)) {
        (Some(Mark::Win), _) => "player-1",
        (_, Some(Mark::Win)) => "player-2",
        (Some(Mark::Draw), _) => "draw",
        (Some(Mark::Loss), _) => "both-lost",
        (None, _) => "void",
    }
}

/// Conduct of a bot without times, so that equal games give an identical file.
fn timeless(record: &Record, side: Side) -> Option<String> {
    Some(match record.ending.fault_of(side)? {
        Fault::MoveLate { limit, .. } => format!("no move within {limit:?}"),
        Fault::BankEmpty { .. } => "its time account was empty".into(),
        Fault::Starved { limit, .. } => {
            format!("no move within {limit:?}, for lack of a core: the machine was busy")
        }
        Fault::StoleTime { allowance, per: Per::Turn, .. } => {
            format!("over {allowance:?} of CPU time during its opponent's turn")
        }
        Fault::StoleTime { allowance, per: Per::Game, .. } => {
            format!("over {allowance:?} of CPU time during its opponent's turns of the game")
        }
        _ => describe_fault(record, side)?.to_string(),
    })
}

/// The judged lines, player 1 first.
fn judged_lines(record: &Record) -> String {
    let lines = record.evidence.iter().flatten().filter_map(|evidence| evidence.line.as_ref());
    lines.map(|line| line.shown(LONGEST)).collect::<Vec<_>>().join("; ")
}

/// Escapes text that may contain untrusted parts, such as the loader named by a bot's file.
fn shown(text: &str) -> String {
    Untrusted::new(text).shown(LONGEST)
}

#[cfg(test)]
mod tests {
    use pitmaster_core::Tier;

    use super::super::fixtures::{self, csv};
    use super::*;

    #[test]
    fn the_file() {
        let (records, _) = fixtures::tournament();
        let isolation = Isolation { tier: Tier::Full, cgroup: true, promises: [].into() };
        let text = csv(|out| {
            let mut file = GamesCsv::new(out)?;
            records.iter().try_for_each(|record| file.add(record, Some(&isolation)))?;
            file.finish()
        });
        insta::assert_snapshot!(fixtures::without_hashes(&text), @r#"
        id,stage,round,pair,bot1,bot2,hash1,hash2,opening,winner,result,score1,score2,ending,plies,forfeited_by,detail,line,isolation,fingerprint
        4a5a5c8503702dce,1,0,1,alpha,beta,#,#,,alpha,player-1,50,30,rules:49+,3,,,,full with cgroup,790480477703be6f
        6a7d92c20a24da25,1,0,1,beta,alpha,#,#,,beta,player-1,49,20,rules:49+,2,,,,full with cgroup,7a6dabdcb3968571
        b5f22b188c16229c,1,0,2,alpha,beta,#,#,,alpha,player-1,50,30,rules:49+,3,,,,full with cgroup,790480477703be6f
        ec9ed9180bb38d55,1,0,2,beta,alpha,#,#,,beta,player-1,49,20,rules:49+,2,,,,full with cgroup,7a6dabdcb3968571
        d8f13b0aa2f657e8,1,0,3,alpha,beta,#,#,,,draw,48,48,rules:49+,1,,,,full with cgroup,3c67068231e0a0d6
        611d152d5873431b,1,0,1,evil,alpha,#,#,,alpha,player-2,3,5,illegal-move,2,evil,illegal move,"'=HYPERLINK(""http://evil"",""x"")</script>\u{1b}[2J\u{1b}]0;t\u{7}\xff\u{202e},\u{d}\u{a}+1",full with cgroup,cf574951ff3b0119
        5f7ec0457f294b81,1,0,1,evil,beta,#,#,,beta,player-2,3,5,would-not-start,2,evil,"it would not start: its loader =HYPERLINK(""http://evil"",""x"")</script>\u{1b}[2J\u{1b}]0;t\u{7}�\u{202e},\u{d}\u{a}+1 is not on this machine; link it statically or build it here","'=HYPERLINK(""http://evil"",""x"")</script>\u{1b}[2J\u{1b}]0;t\u{7}\xff\u{202e},\u{d}\u{a}+1",full with cgroup,cf574951ff3b0119
        e6578fa60d5e8bf6,1,0,2,evil,beta,#,#,,beta,player-2,3,5,move-late,1,evil,no move within 1s,,full with cgroup,59d6e9f0447eb259
        48c0a9ac5d6a1a8a,1,0,3,evil,beta,#,#,,,both-lost,0,0,both-forfeited,0,evil beta,it did not build; a line that is not UTF-8,,full with cgroup,a6a1f9f5b94913af
        "#);
    }

    #[test]
    fn how_late_a_move_was_is_not_in_it() {
        let late = |took: u64| {
            let mut record = fixtures::tournament().0.remove(0);
            record.ending = fixtures::late(took);
            csv(|out| {
                let mut file = GamesCsv::new(out)?;
                file.add(&record, None)?;
                file.finish()
            })
        };
        assert_eq!(late(1011), late(1400));
    }
}
