//! Typed parameters of a two-row game.
//!
//! Enums are grouped by topic. [`Params`] is the table of all parameters; files, options, checks
//! and texts use it.

mod capture;
mod children;
mod choice;
mod ending;
mod numbered;
mod options;
mod rounds;
mod sowing;
mod start;

use std::fmt;

pub use capture::{
    CaptDir, CaptRturn, CaptSide, CaptType, CrossCapt, GrandSlam, PickExtra, XcPickOwn,
};
pub use children::{ChildLocs, ChildRule, ChildType};
pub use choice::{AllowRule, PlayLocs};
pub use ending::{EndCond, Goal, Unclaimed};
pub use numbered::{NamedValue, Setting};
pub use options::{OptionError, apply, changes, near, options, refusal};
pub use rounds::{RoundFill, RoundStarter, Rounds};
pub use sowing::{Class, MlapCont, Mlaps, Presowcapt, SowDirect, SowRule, SowStores};
pub use start::{Prescribed, StartPattern, SwapRule};

/// Value of a parameter, as in a file, an option or a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// `true`, `false`.
    Bool(bool),
    /// A whole number.
    Number(i64),
    /// A name, or any other value as text.
    Text(String),
    /// A list of whole numbers.
    List(Vec<i64>),
}

impl fmt::Display for Value {
    /// Formats as in an option: lists joined by `+`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(is) => write!(f, "{is}"),
            Self::Number(number) => write!(f, "{number}"),
            Self::Text(text) => f.write_str(text),
            Self::List(list) => {
                let list: Vec<_> = list.iter().map(ToString::to_string).collect();
                f.write_str(&list.join("+"))
            }
        }
    }
}

/// Entry in the parameter table: name, text and access by value.
#[derive(Debug)]
pub struct Parameter {
    /// Name, as in files and options.
    pub name: &'static str,
    /// Purpose, in one line.
    pub about: &'static str,
    /// Allowed values, for people.
    pub allowed: fn() -> String,
    /// Named values, by number. Empty for numbers and booleans.
    pub choices: fn() -> &'static [NamedValue],
    read: fn(&mut Params, &Value) -> bool,
    write: fn(&Params) -> Value,
    meaning: fn(&Params) -> Option<&'static str>,
}

/// Accepted synonyms of parameter names. Output uses the name.
const OTHER_WORDS: [(&str, &str); 1] = [("seeds", "nbr_start")];

impl Parameter {
    /// Parameter with that name or synonym, in either case.
    pub fn find(name: &str) -> Option<&'static Self> {
        let is_it = |parameter: &&Self| {
            let mut names = parameter.other_words().chain([parameter.name]);
            names.any(|one| one.eq_ignore_ascii_case(name))
        };
        Params::ALL.iter().find(is_it)
    }

    /// Synonyms accepted in options.
    pub fn other_words(&self) -> impl Iterator<Item = &'static str> {
        let of_it = move |(_, name): &&(&str, &str)| *name == self.name;
        OTHER_WORDS.iter().filter(of_it).map(|(word, _)| *word)
    }

    /// Sets it. Returns false without a change if the value is not allowed.
    pub fn set(&self, params: &mut Params, value: &Value) -> bool {
        (self.read)(params, value)
    }

    /// Value of the parameter.
    pub fn get(&self, params: &Params) -> Value {
        (self.write)(params)
    }

    /// Meaning of the value in a sentence, if its values have names.
    pub fn meaning(&self, params: &Params) -> Option<&'static str> {
        (self.meaning)(params)
    }

    /// Whether it has its default value.
    pub fn is_default(&self, params: &Params) -> bool {
        self.get(params) == self.get(&Params::default())
    }
}

macro_rules! params {
    ($($(#[doc = $about:literal])+ $name:ident: $type:ty = $default:expr,)+) => {
        /// The parameters of a two-row game, each of a type that holds only what it can be;
        /// whether they go together is for the check to say.
        #[derive(Debug, Clone, PartialEq)]
        pub struct Params {
            $($(#[doc = $about])+ pub $name: $type,)+
        }

        impl Default for Params {
            /// Parameters of a file that sets none. A game needs at least `holes` and `nbr_start`.
            fn default() -> Self {
                Self { $($name: $default,)+ }
            }
        }

        impl Params {
            /// The table of all parameters, in the order in which they are written.
            pub const ALL: &[Parameter] = &[$(Parameter {
                name: stringify!($name),
                about: concat!($($about,)+).trim_ascii(),
                allowed: <$type as Setting>::allowed,
                choices: <$type as Setting>::choices,
                read: |params, value| match <$type as Setting>::read(value) {
                    Some(value) => { params.$name = value; true }
                    None => false,
                },
                write: |params| params.$name.write(),
                meaning: |params| Setting::about(&params.$name),
            },)+];
        }
    };
}

params! {
    /// Holes that a sowing visits, and their owners.
    game_class: Class = Class::Mancala,
    /// Holes on each side, from 2 to 21.
    holes: i32 = 0,
    /// Seeds in each hole at the start; for random patterns, seeds altogether.
    nbr_start: i32 = 0,
    /// Goal that wins the game.
    goal: Goal = Goal::MaxSeeds,
    /// Number for the goal: holes to own, holes that a player must be able to fill for another
    /// round, or what a tally has to reach.
    goal_param: i32 = 0,
    /// A further condition that ends the game, or the round.
    end_cond: EndCond = EndCond::None,
    /// Number of seeds for `end_cond`.
    end_param: i32 = 0,
    /// Owner of the seeds left on the board when play ends.
    unclaimed: Unclaimed = Unclaimed::HoleOwner,
    /// Owner of them when a limit ends the game.
    quitter: Unclaimed = Unclaimed::Divvied,
    /// A player without a move passes; otherwise play ends.
    mustpass: bool = false,
    /// A player whose opponent has no seeds must leave the opponent some, if a move does.
    mustshare: bool = false,
    /// Both players move every hole.
    no_sides: bool = false,
    /// Whether captured seeds have a place beside the board.
    stores: bool = false,
    /// Whether holes can be closed: those that a player cannot fill for a round, or by sowing.
    blocks: bool = false,
    /// Whether the game is played in rounds, and when one ends.
    rounds: Rounds = Rounds::None,
    /// Player who starts the second and later rounds.
    round_starter: RoundStarter = RoundStarter::Alternate,
    /// Filling of the holes for a round.
    round_fill: RoundFill = RoundFill::NotApplicable,
    /// Deal of the seeds at the start.
    start_pattern: StartPattern = StartPattern::AllEqual,
    /// Rule for the first moves.
    prescribed: Prescribed = Prescribed::None,
    /// The pie rule: whether a player may take over the opponent's position instead of moving, at
    /// the first turn.
    swap: SwapRule = SwapRule::Pattern,
    /// Whether seeds may be sown out of the own store.
    play_locs: PlayLocs = PlayLocs::BoardOnly,
    /// The fewest seeds that may be moved.
    min_move: i32 = 1,
    /// A restriction of the holes that may be moved.
    allow_rule: AllowRule = AllowRule::None,
    /// The direction of sowing.
    sow_direct: SowDirect = SowDirect::Ccw,
    /// Holes, counted from 0 at each player's left, whose direction the mover chooses.
    udir_holes: Vec<i32> = Vec::new(),
    /// The first seed of a move is left in the hole it came from, so that `min_move` must be two
    /// or `move_one` set.
    sow_start: bool = false,
    /// With `sow_start`: a single seed moves on all the same.
    move_one: bool = false,
    /// A sowing passes over the hole it came from.
    skip_start: bool = false,
    /// Stores that are sown into, and those that give another turn.
    sow_stores: SowStores = SowStores::Neither,
    /// Whether sowing goes on in laps, 75 at most.
    mlaps: Mlaps = Mlaps::Off,
    /// A condition for another lap.
    mlap_cont: MlapCont = MlapCont::None,
    /// Number of seeds for `mlap_cont`.
    mlap_param: i32 = 0,
    /// A capture before sowing.
    presowcapt: Presowcapt = Presowcapt::None,
    /// A special rule of sowing.
    sow_rule: SowRule = SowRule::None,
    /// Number of seeds for `sow_rule`.
    sow_param: i32 = 0,
    /// The kind of children: holes that are claimed for the rest of a round, are not moved, and
    /// count for their owner.
    child_type: ChildType = ChildType::None,
    /// Number of seeds that make a child.
    child_cvt: i32 = 0,
    /// A further condition for making a child.
    child_rule: ChildRule = ChildRule::None,
    /// Holes where children may be made.
    child_locs: ChildLocs = ChildLocs::Anywhere,
    /// Capture an even number of seeds.
    evens: bool = false,
    /// Capture so many seeds at least; 0: no such limit.
    capt_min: i32 = 0,
    /// Capture so many seeds at most; 0: no such limit.
    capt_max: i32 = 0,
    /// Capture exactly these numbers of seeds.
    capt_on: Vec<i32> = Vec::new(),
    /// A capture of another kind than by number or across.
    capt_type: CaptType = CaptType::None,
    /// Direction of a chain of captures.
    capt_dir: CaptDir = CaptDir::OppSow,
    /// Side on which, or owner in whose holes, captures are made.
    capt_side: CaptSide = CaptSide::Both,
    /// A capture across from the last seed.
    crosscapt: CrossCapt = CrossCapt::None,
    /// Whether the seed that captured across is taken too.
    xcpickown: XcPickOwn = XcPickOwn::Leave,
    /// A capture across needs a seed on the opponent's side in that move; a single last seed on the
    /// own side without one gives another turn instead.
    xc_sown: bool = false,
    /// Holes are locked against capture until they were moved once in the round.
    moveunlock: bool = false,
    /// A sowing of a single seed captures nothing and makes no child.
    nosinglecapt: bool = false,
    /// No captures and no children in so many first turns of a round, both players' counted.
    nocaptmoves: i32 = 0,
    /// Number of holes that a chain captures; -1: as many as it reaches, 0: no chains.
    multicapt: i32 = 0,
    /// Effect of a capture of all seeds of the opponent's side.
    grandslam: GrandSlam = GrandSlam::Legal,
    /// Whether a capture gives another turn.
    capt_rturn: CaptRturn = CaptRturn::NoRepeat,
    /// Seeds taken in addition to captures.
    pickextra: PickExtra = PickExtra::None,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_parameter_reads_what_it_writes() {
        let params = Params::default();
        for parameter in Params::ALL {
            let mut other = Params::default();
            assert!(parameter.set(&mut other, &parameter.get(&params)), "{}", parameter.name);
            let text = Value::Text(parameter.get(&params).to_string());
            assert!(parameter.set(&mut other, &text), "{} {text}", parameter.name);
            assert_eq!(other, params, "{}", parameter.name);
            assert!(!(parameter.allowed)().is_empty());
        }
    }

    #[test]
    fn every_parameter_and_every_value_says_what_it_does() {
        let sentence = |text: &str| {
            assert!(text.ends_with('.') && text.trim() == text && !text.contains("  "), "{text}");
        };
        for parameter in Params::ALL {
            sentence(parameter.about);
            let choices = (parameter.choices)();
            for choice in choices {
                sentence(choice.about);
            }
            let mut params = Params::default();
            for choice in choices {
                assert!(parameter.set(&mut params, &Value::Number(choice.number)));
                assert_eq!(parameter.meaning(&params), Some(choice.about));
            }
            assert_eq!(choices.is_empty(), parameter.meaning(&params).is_none());
        }
    }

    #[test]
    fn enums_go_by_name_and_number() {
        let mut params = Params::default();
        let direct = Parameter::find("SOW_DIRECT").expect("a parameter");
        for value in [Value::Number(-1), Value::Text("cw".into()), Value::Text("-1".into())] {
            assert!(direct.set(&mut params, &value));
            assert_eq!(params.sow_direct, SowDirect::Cw);
            params.sow_direct = SowDirect::Ccw;
        }
        assert!(!direct.set(&mut params, &Value::Number(7)));
        assert!(!direct.set(&mut params, &Value::List(vec![1])));
        let seeds = Parameter::find("Seeds").expect("another word for a parameter");
        assert_eq!(seeds.name, "nbr_start");
        let cross = Parameter::find("crosscapt").expect("a parameter");
        assert!(cross.set(&mut params, &Value::Bool(true)));
        assert_eq!(params.crosscapt, CrossCapt::OneZeros);
    }
}
