//! Position notation: seeds by hole, stores and the player to move, then everything that differs
//! from the start of a game: `4,4,4,4,4,4,4,4,4,4,4,4;0,0;1;moves=7;turns=6`.

#[cfg(test)]
mod tests;

use std::fmt::Write as _;

use pitmaster_core::{BySide, Side};

use super::params::{Prescribed, RoundFill};
use super::plan::Plan;
use super::position::{Clause, HoleSet, Inhibited, LastMove, Phase, Position, SEEDS, Tally};
use super::sides;
use crate::TextError;

/// Maximum number of seeds, more than any game has.
const MOST_SEEDS: u32 = 30_000;

const CLAUSES: [(Clause, &str); 3] =
    [(Clause::Goal, "goal"), (Clause::Endless, "endless"), (Clause::Stuck, "stuck")];

/// Named part after the board.
struct Part {
    name: &'static str,
    write: fn(&Plan, &Position) -> String,
    read: fn(&Plan, &mut Position, &str) -> Option<()>,
}

/// A part of one number, side or set.
macro_rules! part {
    ($name:literal, $write:expr, $read:expr) => {
        Part { name: $name, write: $write, read: $read }
    };
}

/// Parts of a position text, in the order in which they are written. A part with the value of the
/// start is left out.
const PARTS: &[Part] = &[
    part!("phase", |_, pos| phase_text(pos.phase), |_, pos, text| {
        pos.phase = parse_phase(text)?;
        Some(())
    }),
    part!("starter", |_, pos| pos.starter.to_string(), |_, pos, text| {
        pos.starter = side(text)?;
        Some(())
    }),
    part!("children", |plan, pos| children_text(plan, pos), |plan, pos, text| {
        read_children(plan, pos, text)
    }),
    part!("blocked", |plan, pos| set_text(plan, pos.blocked), |plan, pos, text| {
        pos.blocked = parse_set(plan, text)?;
        Some(())
    }),
    part!("unlocked", |plan, pos| set_text(plan, pos.unlocked), |plan, pos, text| {
        pos.unlocked = parse_set(plan, text)?;
        Some(())
    }),
    part!("owned", |plan, pos| set_text(plan, pos.owned), |plan, pos, text| {
        pos.owned = parse_set(plan, text)?;
        Some(())
    }),
    part!("moves", |_, pos| pos.moves.to_string(), |_, pos, text| {
        pos.moves = count(text)?;
        Some(())
    }),
    part!("turns", |_, pos| pos.turns.to_string(), |_, pos, text| {
        pos.turns = count(text)?;
        Some(())
    }),
    part!("repeats", |_, pos| pos.repeats.to_string(), |_, pos, text| {
        pos.repeats = count(text)?;
        Some(())
    }),
    part!("round", |_, pos| pos.round.to_string(), |_, pos, text| {
        pos.round = count(text)?;
        Some(())
    }),
    part!("inhibited", |_, pos| inhibited_text(pos.inhibited), |_, pos, text| {
        pos.inhibited = parse_inhibited(text)?;
        Some(())
    }),
    part!("tally", |_, pos| tally_text(&pos.tally), |_, pos, text| {
        pos.tally = parse_tally(text)?;
        Some(())
    }),
    part!("bearing_off", |_, pos| flag(pos.bearing_off), |_, pos, text| {
        pos.bearing_off = parse_flag(text)?;
        Some(())
    }),
    part!("placing", |_, pos| flag(pos.placing), |_, pos, text| {
        pos.placing = parse_flag(text)?;
        Some(())
    }),
    part!(
        "directions",
        |_, pos| format!("{},{}", pos.directions.one, pos.directions.two),
        |_, pos, text| {
            let (one, two) = text.split_once(',')?;
            pos.directions = BySide::new(direction(one)?, direction(two)?);
            Some(())
        }
    ),
    part!("last", |_, pos| last_text(pos.last), |plan, pos, text| {
        pos.last = Some(parse_last(plan, text)?);
        Some(())
    }),
];

impl Plan {
    pub(super) fn position_text(&self, pos: &Position) -> String {
        let numbers: Vec<_> = pos.seeds[..self.n].iter().map(ToString::to_string).collect();
        let (one, two) = (pos.stores.one, pos.stores.two);
        let mut text = format!("{};{one},{two};{}", numbers.join(","), pos.side);
        let usual = self.usual();
        for part in PARTS {
            let now = (part.write)(self, pos);
            if now != (part.write)(self, &usual) {
                let _ = write!(text, ";{}={now}", part.name);
            }
        }
        text
    }

    /// Defaults of a position text: an empty board of a first round before its first move.
    fn usual(&self) -> Position {
        Position {
            owned: sides::own_side(&self.params, Side::Two),
            ..super::start::fresh(&self.params, Side::One)
        }
    }

    pub(super) fn parse_position(&self, text: &str) -> Result<Position, TextError> {
        let lower = text.to_ascii_lowercase();
        let mut fields = lower.split(';');
        let fault = |what: &str| TextError(format!("a position is {}: {what}", self.shape()));
        let seeds = fields.next().unwrap_or_default();
        let stores = fields.next().unwrap_or_default();
        let mut pos = self.usual();
        self.read_seeds(&mut pos, seeds).ok_or_else(|| fault("the seeds"))?;
        read_stores(&mut pos, stores).ok_or_else(|| fault("the stores"))?;
        pos.side = fields.next().and_then(side).ok_or_else(|| fault("who is to move, 1 or 2"))?;
        for field in fields {
            self.read_part(&mut pos, field).ok_or_else(|| fault(field))?;
        }
        self.sound(&pos).map_err(|what| fault(&what))?;
        Ok(pos)
    }

    fn shape(&self) -> String {
        format!("{} numbers of seeds;two stores;1 or 2, and parts like ;moves=7", self.n)
    }

    fn read_seeds(&self, pos: &mut Position, text: &str) -> Option<()> {
        let numbers: Option<Vec<u16>> = text.split(',').map(super::text::number).collect();
        let numbers = numbers.filter(|numbers| numbers.len() == self.n)?;
        pos.seeds = [0; SEEDS];
        pos.seeds[..self.n].copy_from_slice(&numbers);
        Some(())
    }

    fn read_part(&self, pos: &mut Position, field: &str) -> Option<()> {
        let (name, value) = field.split_once('=')?;
        let part = PARTS.iter().find(|part| part.name == name)?;
        (part.read)(self, pos, value)
    }

    /// Rejects positions that cannot occur in the game.
    fn sound(&self, pos: &Position) -> Result<(), String> {
        let total: u32 = pos.seeds.iter().map(|seeds| u32::from(*seeds)).sum();
        let stores = u32::from(pos.stores.one) + u32::from(pos.stores.two);
        if total + stores > MOST_SEEDS {
            return Err(format!("more than {MOST_SEEDS} seeds"));
        }
        // A fixed child may be closed in the loser's row of a later round, and a closed hole may
        // contain seeds if the sowing reached no other hole.
        if pos.children.one & pos.children.two != 0 || pos.rams & pos.blocked != 0 {
            return Err("a hole is two things at once".into());
        }
        if pos.moves == 0 || pos.round == 0 {
            return Err("moves and rounds are counted from 1".into());
        }
        if pos.placing && !self.is_gratuitous() || pos.bearing_off && !self.bears_off() {
            return Err("the game knows no such phase".into());
        }
        self.sound_phase(pos)
    }

    fn sound_phase(&self, pos: &Position) -> Result<(), String> {
        let fits = match pos.phase {
            Phase::Move if self.is_stuck(pos) => {
                return Err("the player to move can neither move nor pass".into());
            }
            Phase::Move | Phase::Over(..) => true,
            Phase::Deal | Phase::Opening => self.is_dealt_by_chance(pos.phase),
            Phase::RoundOver(_) => self.params.rounds != super::params::Rounds::None,
            Phase::Layout(_) => self.may_lay_out(pos),
        };
        if fits { Ok(()) } else { Err("the game knows no such phase".into()) }
    }

    /// Whether a player can be asked for a layout: the starter with `ARNGE_LIMIT`, even if only the
    /// present layout is possible, and the player who fills a later round.
    fn may_lay_out(&self, pos: &Position) -> bool {
        if pos.round == 1 {
            return self.params.prescribed == Prescribed::ArngeLimit;
        }
        let chosen = matches!(
            self.params.round_fill,
            RoundFill::UChoose | RoundFill::UMove | RoundFill::UChown | RoundFill::LoserOnly
        );
        chosen && super::layouts::template(&self.params, pos).is_some()
    }

    fn is_dealt_by_chance(&self, phase: Phase) -> bool {
        match phase {
            Phase::Deal => super::start::is_random(&self.params),
            _ => self.params.start_pattern == super::params::StartPattern::MoveRandom,
        }
    }

    fn bears_off(&self) -> bool {
        self.params.game_class == super::params::Class::BearOff
    }
}

fn read_stores(pos: &mut Position, text: &str) -> Option<()> {
    let (one, two) = text.split_once(',')?;
    pos.stores = BySide::new(super::text::number(one)?, super::text::number(two)?);
    Some(())
}

fn side(text: &str) -> Option<Side> {
    Side::from_number(text.parse().ok()?)
}

/// Parses a side, or `0` for none.
#[expect(clippy::option_option, reason = "no text, nobody, or a side")]
fn nobody_or(text: &str) -> Option<Option<Side>> {
    if text == "0" { Some(None) } else { side(text).map(Some) }
}

fn or_nobody(side: Option<Side>) -> u8 {
    side.map_or(0, Side::number)
}

/// Parses a counter, limited so that additions cannot overflow.
fn count(text: &str) -> Option<u32> {
    text.parse().ok().filter(|number| *number <= 1_000_000_000)
}

fn flag(is: bool) -> String {
    u8::from(is).to_string()
}

fn parse_flag(text: &str) -> Option<bool> {
    match text {
        "0" => Some(false),
        "1" => Some(true),
        _ => None,
    }
}

fn direction(text: &str) -> Option<i8> {
    text.parse().ok().filter(|number| (-1..=1).contains(number))
}

/// Set of holes with one character a hole, `1` for those in the set.
fn set_text(plan: &Plan, set: HoleSet) -> String {
    (0..plan.n).map(|hole| if set >> hole & 1 != 0 { '1' } else { '0' }).collect()
}

fn parse_set(plan: &Plan, text: &str) -> Option<HoleSet> {
    if text.len() != plan.n {
        return None;
    }
    text.bytes().enumerate().try_fold(0, |set, (hole, byte)| match byte {
        b'0' => Some(set),
        b'1' => Some(set | 1 << hole),
        _ => None,
    })
}

/// Children with one character a hole: the owner's number, `r` for a ram.
fn children_text(plan: &Plan, pos: &Position) -> String {
    let letter = |hole: usize| match hole {
        hole if pos.children.one >> hole & 1 != 0 => '1',
        hole if pos.children.two >> hole & 1 != 0 => '2',
        hole if pos.rams >> hole & 1 != 0 => 'r',
        _ => '0',
    };
    (0..plan.n).map(letter).collect()
}

fn read_children(plan: &Plan, pos: &mut Position, text: &str) -> Option<()> {
    let set_of = |wanted: u8| {
        let mut set = 0;
        for (hole, byte) in text.bytes().enumerate() {
            set |= HoleSet::from(byte == wanted) << hole;
        }
        set
    };
    let known = text.bytes().all(|byte| b"012r".contains(&byte));
    if !known || text.len() != plan.n {
        return None;
    }
    pos.children = BySide::new(set_of(b'1'), set_of(b'2'));
    pos.rams = set_of(b'r');
    Some(())
}

fn phase_text(phase: Phase) -> String {
    match phase {
        Phase::Move => "move".into(),
        Phase::Deal => "deal".into(),
        Phase::Opening => "opening".into(),
        Phase::RoundOver(won) => format!("round:{}", or_nobody(won)),
        Phase::Layout(side) => format!("layout:{side}"),
        Phase::Over(won, clause) => {
            let name = CLAUSES.iter().find(|(one, _)| *one == clause).map_or("", |(_, name)| name);
            format!("over:{}:{name}", or_nobody(won))
        }
    }
}

fn parse_phase(text: &str) -> Option<Phase> {
    let mut words = text.split(':');
    let phase = match (words.next()?, words.next(), words.next()) {
        ("move", None, _) => Phase::Move,
        ("deal", None, _) => Phase::Deal,
        ("opening", None, _) => Phase::Opening,
        ("round", Some(won), None) => Phase::RoundOver(nobody_or(won)?),
        ("layout", Some(who), None) => Phase::Layout(side(who)?),
        ("over", Some(won), Some(clause)) => {
            let (clause, _) = CLAUSES.iter().find(|(_, name)| *name == clause)?;
            Phase::Over(nobody_or(won)?, *clause)
        }
        _ => return None,
    };
    words.next().is_none().then_some(phase)
}

fn inhibited_text(inhibited: Inhibited) -> String {
    let (side, captures, children) = (inhibited.side, inhibited.captures, inhibited.children);
    format!("{}:{}:{}", or_nobody(side), u8::from(captures), u8::from(children))
}

fn parse_inhibited(text: &str) -> Option<Inhibited> {
    let parts: Vec<_> = text.split(':').collect();
    let [side, captures, children] = parts[..] else { return None };
    Some(Inhibited {
        side: nobody_or(side)?,
        captures: parse_flag(captures)?,
        children: parse_flag(children)?,
    })
}

fn tally_text(tally: &Tally) -> String {
    let all = [tally.wins, tally.seeds, tally.extra, tally.points];
    let all: Vec<_> = all.iter().map(|one| format!("{},{}", one.one, one.two)).collect();
    all.join(":")
}

fn parse_tally(text: &str) -> Option<Tally> {
    let pair = |text: &str| {
        let (one, two) = text.split_once(',')?;
        Some(BySide::new(count(one)?, count(two)?))
    };
    let all: Option<Vec<_>> = text.split(':').map(pair).collect();
    let [wins, seeds, extra, points] = all?[..] else { return None };
    Some(Tally { wins, seeds, extra, points })
}

fn last_text(last: Option<LastMove>) -> String {
    last.map_or(String::new(), |last| {
        format!(
            "{}:{}:{}:{}:{}:{}",
            last.side,
            last.start,
            last.end,
            last.hand,
            u8::from(last.captured),
            or_nobody(last.winner)
        )
    })
}

fn parse_last(plan: &Plan, text: &str) -> Option<LastMove> {
    let parts: Vec<_> = text.split(':').collect();
    let [who, start, end, hand, captured, winner] = parts[..] else { return None };
    let place =
        |text: &str| text.parse::<i8>().ok().filter(|place| (-2..plan.n as i8).contains(place));
    Some(LastMove {
        side: side(who)?,
        start: place(start)?,
        end: place(end)?,
        hand: super::text::number(hand)?,
        captured: parse_flag(captured)?,
        winner: nobody_or(winner)?,
    })
}
