//! Test fixtures: a small tournament with a bot whose texts are all hostile.

use std::io;
use std::time::Duration;

use pitmaster_core::{
    At, BotHash, BotId, BySide, Claim, Ending, Evidence, Exit, Fault, GameKey, Limits, Ply, Record,
    Remark, Score, Seed, Side, StartFault, Untrusted,
};
use pitmaster_ratings::Roster;

/// Bytes that every file must escape.
pub(super) const HOSTILE: &[u8] =
    b"=HYPERLINK(\"http://evil\",\"x\")</script>\x1b[2J\x1b]0;t\x07\xff\xe2\x80\xae,\r\n+1";

/// Output of a writer as text.
pub(super) fn csv(write: impl FnOnce(&mut Vec<u8>) -> io::Result<()>) -> String {
    let mut bytes = Vec::new();
    write(&mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

/// The same with every hash cut to `#`, for snapshots.
pub(super) fn without_hashes(text: &str) -> String {
    let is_hash = |cell: &str| cell.len() == 32 && cell.bytes().all(|b| b.is_ascii_hexdigit());
    let line = |line: &str| -> String {
        let cells: Vec<_> = line.split(',').map(|c| if is_hash(c) { "#" } else { c }).collect();
        cells.join(",") + "\n"
    };
    text.lines().map(line).collect()
}

fn bot(name: &str) -> BotId {
    BotId { name: name.parse().unwrap(), hash: BotHash::of(name.as_bytes()) }
}

fn record(pair: u32, bots: [&str; 2], moves: &str, ending: Ending) -> Record {
    let ply = |(n, text): (usize, &str)| Ply {
        by: Some(Side::BOTH[n % 2]),
        text: text.into(),
        wall: Duration::from_micros(1500 + 700 * n as u64),
        cpu: Duration::from_micros(1200),
        waiting: Duration::from_micros(10),
    };
    Record {
        key: GameKey {
            rules: "coloured-awale,both_40=off@1".into(),
            limits: Limits::default(),
            stage: 1,
            round: 0,
            bots: BySide::new(bot(bots[0]), bot(bots[1])),
            opening: String::new(),
            pair,
        },
        seed: Seed(1),
        plies: moves.split_whitespace().enumerate().map(ply).collect(),
        ending,
        duration: Duration::from_millis(20),
        evidence: BySide::default(),
        remarks: vec![Remark { ply: 1, by: Side::One, text: Untrusted::new(HOSTILE) }],
        wrong_claims: vec![Claim { ply: 1, by: Side::One, text: Untrusted::new(HOSTILE) }],
        skipped_lines: BySide::default(),
        stolen: BySide::new(Duration::ZERO, Duration::from_micros(42)),
    }
}

fn by_rules(winner: Option<Side>, one: u32, two: u32) -> Ending {
    Ending::Rules { clause: "49+".into(), winner, score: Score::new(one, two) }
}

/// Player 1 forfeits.
fn forfeit(fault: Fault) -> Ending {
    Ending::Forfeit { by: Side::One, fault, score: Score::new(3, 5) }
}

/// Ending by a late move of player 1, after this many milliseconds.
pub(super) fn late(took: u64) -> Ending {
    let (limit, took) = (Duration::from_secs(1), Duration::from_millis(took));
    forfeit(Fault::MoveLate { limit, took, waited: Duration::ZERO })
}

fn hostile(pair: u32, opponent: &str, fault: Fault) -> Record {
    let evidence = Evidence {
        line: Some(Untrusted::new(HOSTILE)),
        at: At::millis(17),
        stderr: Untrusted::new([b"first\n\n", HOSTILE, b"\nlast\n"].concat()),
        exit: Some(Exit::Signal(11)),
    };
    Record {
        evidence: BySide::new(Some(evidence), None),
        ..record(pair, ["evil", opponent], "1T 4R", forfeit(fault))
    }
}

/// Three bots, a pair of the first two played twice, and one that forfeits all its games.
pub(super) fn tournament() -> (Vec<Record>, Roster) {
    let ab = |pair, winner| record(pair, ["alpha", "beta"], "1B 2R 3TR", winner);
    let ba = |pair, winner| record(pair, ["beta", "alpha"], "1R 2R", winner);
    let loader = StartFault::MissingLoader { loader: String::from_utf8_lossy(HOSTILE).into() };
    let both = Ending::BothForfeited { faults: BySide::new(Fault::DidNotBuild, Fault::NotUtf8) };
    let records = vec![
        ab(1, by_rules(Some(Side::One), 50, 30)),
        ba(1, by_rules(Some(Side::One), 49, 20)),
        ab(2, by_rules(Some(Side::One), 50, 30)),
        ba(2, by_rules(Some(Side::One), 49, 20)),
        record(3, ["alpha", "beta"], "5R", by_rules(None, 48, 48)),
        hostile(1, "alpha", Fault::IllegalMove),
        hostile(1, "beta", Fault::WouldNotStart { why: loader }),
        record(2, ["evil", "beta"], "1T", late(1020)),
        record(3, ["evil", "beta"], "", both),
    ];
    (records, Roster::new([bot("evil"), bot("alpha"), bot("beta")]))
}
