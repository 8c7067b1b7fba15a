//! The visible state of a game as traces write it, so that two of them can be compared.

use std::fmt;

use pitmaster::core::{BySide, Side};
use pitmaster::games::two_row::params::{Goal, Params};
use pitmaster::games::two_row::{HoleSet, Inhibited, Position, Tally};
use serde_json::Value;

use super::trace::Fields;

/// The visible state of a game.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct State {
    holes: usize,
    pub(crate) seeds: Vec<i64>,
    pub(crate) stores: [i64; 2],
    pub(crate) turn: Side,
    pub(crate) children: BySide<HoleSet>,
    pub(crate) rams: HoleSet,
    pub(crate) blocked: HoleSet,
    pub(crate) unlocked: HoleSet,
    /// Owned holes, in territory games.
    pub(crate) owned: Option<HoleSet>,
    pub(crate) inhibited: Inhibition,
    pub(crate) tally: Tally,
    pub(crate) bearing_off: bool,
    pub(crate) placing: bool,
    pub(crate) directions: BySide<i8>,
}

/// Whether something is forbidden for a while, and for whom; what it is follows from the
/// parameters, mostly.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Inhibition {
    Off,
    Both,
    Only(Side),
}

impl State {
    /// The state that has the default in every field.
    pub(crate) fn of_params(params: &Params) -> Self {
        let holes = params.holes as usize;
        let upper = below(2 * holes) & !below(holes);
        Self {
            holes,
            seeds: vec![0; 2 * holes],
            stores: [0, 0],
            turn: Side::One,
            children: BySide::default(),
            rams: 0,
            blocked: 0,
            unlocked: below(2 * holes),
            owned: (params.goal == Goal::Territory).then_some(upper),
            inhibited: Inhibition::Off,
            tally: Tally::default(),
            bearing_off: false,
            placing: false,
            directions: BySide::default(),
        }
    }

    /// What is visible of a position.
    pub(crate) fn of_position(params: &Params, position: &Position) -> Self {
        let holes = params.holes as usize;
        Self {
            holes,
            seeds: position.seeds[..2 * holes].iter().map(|&seeds| seeds.into()).collect(),
            stores: [position.stores.one.into(), position.stores.two.into()],
            turn: position.side,
            children: position.children,
            rams: position.rams,
            blocked: position.blocked,
            unlocked: position.unlocked,
            owned: (params.goal == Goal::Territory).then_some(position.owned),
            inhibited: Inhibition::of(position.inhibited),
            tally: position.tally,
            bearing_off: position.bearing_off,
            placing: position.placing,
            directions: position.directions,
        }
    }

    /// Takes over the fields that a trace gives; those of no state (counters) are passed by.
    pub(crate) fn change(&mut self, fields: &Fields) -> Result<(), String> {
        for (key, value) in fields {
            self.set(key, value).ok_or_else(|| format!("state {key} cannot be {value}"))?;
        }
        Ok(())
    }

    fn set(&mut self, key: &str, value: &Value) -> Option<()> {
        let all = below(2 * self.holes);
        let is_set = *value != Value::Null;
        match key {
            "b" => self.seeds = numbers(value)?,
            "s" => self.stores = numbers(value)?.try_into().ok()?,
            "t" => self.turn = side(value)?,
            "ch" => {
                self.children.one = holes_that_are('0', value);
                self.children.two = holes_that_are('1', value);
                self.rams = holes_that_are('R', value);
            }
            "bl" => self.blocked = holes_that_are('1', value),
            "ul" => self.unlocked = if is_set { holes_that_are('1', value) } else { all },
            "ow" if is_set => self.owned = Some(holes_that_are('1', value)),
            "ow" => self.owned = Some(all & !below(self.holes)),
            "in" => self.inhibited = Inhibition::read(value)?,
            "rt" => self.tally = tally(value)?,
            "bo" => self.bearing_off = is_set && value != 0,
            "es" => self.placing = is_set && value != 0,
            "pd" if is_set => {
                let both = numbers(value)?;
                self.directions = BySide::new(*both.first()? as i8, *both.get(1)? as i8);
            }
            "pd" => self.directions = BySide::default(),
            _ => {}
        }
        Some(())
    }

    /// What differs, as people read it: the names of the fields, this state's, the other's.
    pub(crate) fn differences(&self, other: &Self) -> (String, String, String) {
        let (ours, theirs) = (self.fields(), other.fields());
        let differing = ours.iter().zip(&theirs).filter(|(a, b)| a.1 != b.1);
        let mut all = (Vec::new(), Vec::new(), Vec::new());
        for (a, b) in differing {
            all.0.push(a.0);
            all.1.push(format!("{} {}", a.0, a.1));
            all.2.push(format!("{} {}", b.0, b.1));
        }
        (all.0.join(", "), all.1.join(", "), all.2.join(", "))
    }

    fn fields(&self) -> Vec<(&'static str, String)> {
        let set = |set: HoleSet| self.line(|hole| if has(set, hole) { '1' } else { '0' });
        vec![
            ("seeds", format!("{:?}", self.seeds)),
            ("stores", format!("{:?}", self.stores)),
            ("side", format!("{:?}", self.turn)),
            ("children", self.line(|hole| self.child(hole))),
            ("blocked", set(self.blocked)),
            ("locked", set(below(2 * self.holes) & !self.unlocked)),
            ("owned", self.owned.map(set).unwrap_or_default()),
            ("inhibited", format!("{:?}", self.inhibited)),
            ("tally", format!("{:?}", self.tally)),
            ("bearing off", self.bearing_off.to_string()),
            ("placing", self.placing.to_string()),
            ("directions", format!("{:?}", <[i8; 2]>::from(self.directions))),
        ]
    }

    fn line(&self, of: impl Fn(usize) -> char) -> String {
        (0..2 * self.holes).map(of).collect()
    }

    fn child(&self, hole: usize) -> char {
        match () {
            () if has(self.rams, hole) => 'R',
            () if has(self.children.one, hole) => '0',
            () if has(self.children.two, hole) => '1',
            () => '.',
        }
    }
}

impl fmt::Display for State {
    /// The fields that say something.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let says = |text: &str| text.contains(|c: char| !"0.[], ".contains(c));
        let silent = ["inhibited Off", "bearing off false", "placing false"];
        let tally = Tally::default() != self.tally;
        let fields = self.fields().into_iter();
        let spoken = fields
            .filter(|&(name, ref text)| {
                name == "stores" || says(text) && (name != "tally" || tally)
            })
            .map(|(name, text)| format!("{name} {text}"))
            .filter(|field| !silent.contains(&field.as_str()));
        f.write_str(&spoken.collect::<Vec<_>>().join(", "))
    }
}

impl Inhibition {
    fn of(inhibited: Inhibited) -> Self {
        match inhibited.side {
            _ if !inhibited.captures && !inhibited.children => Self::Off,
            None => Self::Both,
            Some(side) => Self::Only(side),
        }
    }

    /// A number, or `[turn, no captures, no children, children only]`.
    fn read(value: &Value) -> Option<Self> {
        let Some(list) = value.as_array() else {
            let is_on = value.as_i64().is_some_and(|on| on != 0);
            return Some(if is_on { Self::Both } else { Self::Off });
        };
        if list.iter().skip(1).all(|flag| flag.as_i64() == Some(0)) {
            return Some(Self::Off);
        }
        match list.first()? {
            Value::Null => Some(Self::Both),
            turn => Some(Self::Only(side(turn)?)),
        }
    }
}

fn tally(value: &Value) -> Option<Tally> {
    let Some(list) = value.as_array() else { return Some(Tally::default()) };
    let pair = |at: usize| {
        let both = numbers(list.get(at)?)?;
        Some(BySide::new(*both.first()? as u32, *both.get(1)? as u32))
    };
    Some(Tally { wins: pair(0)?, seeds: pair(1)?, extra: pair(2)?, points: pair(3)? })
}

fn numbers(value: &Value) -> Option<Vec<i64>> {
    value.as_array()?.iter().map(Value::as_i64).collect()
}

/// A player by number: 0 sits south, 1 north.
pub(crate) fn side_of(number: u8) -> Side {
    Side::BOTH[usize::from(number.min(1))]
}

fn side(value: &Value) -> Option<Side> {
    value.as_u64().map(|number| side_of(number as u8))
}

/// The holes whose character in the text is this one.
fn holes_that_are(what: char, value: &Value) -> HoleSet {
    let text = value.as_str().unwrap_or_default();
    text.chars().enumerate().filter(|&(_, c)| c == what).fold(0, |set, (hole, _)| set | 1 << hole)
}

pub(crate) fn has(set: HoleSet, hole: usize) -> bool {
    set >> hole & 1 == 1
}

/// The holes below a number.
fn below(hole: usize) -> HoleSet {
    (1 << hole) - 1
}
