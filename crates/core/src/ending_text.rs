//! Human-readable game endings: sentences with the facts, and short labels.

use std::fmt;
use std::time::Duration;

use super::{Ending, Exit, Fault, Per, RefereeFault, StartFault};
use crate::i18n::{Fill, Message, said};

impl Ending {
    /// One sentence for people, without the bots' names.
    pub fn describe(&self) -> Message {
        match self {
            Self::Rules { clause, .. } => said!("ended by the rules ({})", &**clause),
            Self::PlyLimit { .. } => said!("ply limit reached; decided by score"),
            Self::GameTime { .. } => said!("game time over; decided by score"),
            Self::Forfeit { by, fault, .. } => {
                said!("player {} forfeited: {}", by.number(), fault.describe())
            }
            Self::BothForfeited { faults } => said!(
                "both forfeited: player 1: {}; player 2: {}",
                faults.one.describe(),
                faults.two.describe()
            ),
            Self::RefereeError { fault } => {
                said!("void because of a referee error: {}", fault.describe())
            }
        }
    }
}

impl Fault {
    /// Description of the fault for people.
    pub fn describe(&self) -> Message {
        match self {
            Self::MoveLate { limit, took, waited } => {
                said!("late move: {}, limit {}{}", time(*took), time(*limit), waiting_text(*waited))
            }
            Self::BankEmpty { took, waited } => {
                said!("time account empty after {}{}", time(*took), waiting_text(*waited))
            }
            Self::Starved { limit, took, waited } => said!(
                "starved: {}, limit {}, but {} of it waiting for a core",
                time(*took),
                time(*limit),
                time(*waited)
            ),
            Self::CpuTime { limit } => said!("over {} of CPU time in the game", time(*limit)),
            Self::StoleTime { used, allowance, per: Per::Turn } => said!(
                "{} of CPU time during its opponent's turn, limit {}",
                time(*used),
                time(*allowance)
            ),
            Self::StoleTime { used, allowance, per: Per::Game } => said!(
                "{} of CPU time during all its opponent's turns, limit {}",
                time(*used),
                time(*allowance)
            ),
            Self::StartLate { limit } => said!("not ready within {}", time(*limit)),
            Self::IllegalMove => said!("illegal move"),
            Self::MalformedLine => said!("a line that is not exactly one move"),
            Self::LineTooLong { limit } => said!("a line of over {} bytes", *limit),
            Self::NotUtf8 => said!("a line that is not UTF-8"),
            Self::TooMuchOutput { stream, limit } => {
                said!("over {} bytes on {}", *limit, stream.to_string())
            }
            Self::SpokeOutOfTurn => said!("it wrote when it was not its turn"),
            Self::ClosedOutput => said!("it closed its output"),
            Self::Exited { exit } => said!("it {}", exit.describe()),
            Self::WouldNotStart { why } => said!("it would not start: {}", why.describe()),
            Self::DidNotBuild => said!("it did not build"),
            Self::Suspended => said!("suspended after failing too often, not played"),
        }
    }
}

/// Time a late bot waited for a core. Empty if too short to mention.
fn waiting_text(waited: Duration) -> Fill {
    if waited < MIN_WAIT {
        return Fill::from("");
    }
    said!(", {} of it waiting for a core", time(waited)).into()
}

/// Minimum wait to mention. Shorter ones occur in every process.
const MIN_WAIT: Duration = Duration::from_millis(1);

/// Time in the format of all game times.
fn time(time: Duration) -> Fill {
    Fill::time(time, 3)
}

impl Exit {
    /// Description of the exit for people, to follow the name of the process.
    pub fn describe(&self) -> Message {
        match self {
            Self::Code(code) => said!("exited with code {}", *code),
            Self::Signal(signal) => {
                said!("was ended by signal {}", format!("{signal}{}", signal_name(*signal)))
            }
            Self::Unknown => said!("ended"),
        }
    }
}

fn signal_name(signal: i32) -> &'static str {
    match signal {
        4 => " (SIGILL)",
        6 => " (SIGABRT)",
        7 => " (SIGBUS)",
        8 => " (SIGFPE)",
        9 => " (SIGKILL)",
        11 => " (SIGSEGV)",
        13 => " (SIGPIPE)",
        15 => " (SIGTERM)",
        24 => " (SIGXCPU)",
        25 => " (SIGXFSZ)",
        _ => "",
    }
}

impl StartFault {
    /// Reason and remedy, for people.
    pub fn describe(&self) -> Message {
        match self {
            Self::WindowsProgram => said!("a Windows program; build it for Linux"),
            Self::MacProgram => said!("a macOS program; build it for Linux"),
            Self::OtherProcessor { machine } => {
                said!("built for another processor ({}); build it for this one", machine)
            }
            Self::MissingLoader { loader } => said!(
                "its loader {} is not on this machine; link it statically or build it here",
                loader
            ),
            Self::CrlfAfterShebang => {
                said!("its first line ends with CR LF; save it with Unix line ends")
            }
            Self::NotExecutable => said!("it is not executable; chmod +x it"),
            Self::InterpreterMissing { interpreter } => {
                said!("{} is not on this machine; install it", interpreter)
            }
            Self::NotFound { program } => {
                said!("{} does not exist; check `run` in its bot.toml", program)
            }
            Self::Refused { error } => said!("the system refused to start it: {}", error),
        }
    }
}

impl RefereeFault {
    /// Description of the failure for people. The error text of the system stays in its language.
    pub fn describe(&self) -> Message {
        match self {
            Self::Resources { error } => said!("the machine is out of resources: {}", error),
            Self::System { error } => said!("{}", error),
            Self::Panic { message } => said!("a panic: {}", message),
        }
    }
}

macro_rules! shown_in_english {
    ($($told:ty)*) => {$(
        /// English text.
        impl fmt::Display for $told {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.describe().fmt(f)
            }
        }
    )*};
}

shown_in_english!(Ending Fault Exit StartFault RefereeFault);

#[cfg(test)]
mod tests {
    use super::super::{BySide, Score, Side, ending_label};
    use super::*;
    use crate::i18n::Lang;

    #[test]
    fn every_name_has_a_label() {
        let others = ["ply-limit", "game-time", "both-forfeited", "referee-error"];
        for name in Fault::NAMES.into_iter().chain(others) {
            let labels = Lang::ALL.map(|lang| ending_label(name).to(lang));
            assert_ne!(labels[0], labels[1], "{name}");
            assert!(!labels[0].contains('-'), "{name}");
        }
        assert_eq!(ending_label("rules:49+").to(Lang::French), "règles (49+)");
        assert_eq!(ending_label("something-else").to(Lang::French), "something-else");
    }

    #[test]
    fn sentences_have_their_facts_in_every_language() {
        let (limit, took) = (Duration::from_secs(1), Duration::from_millis(1020));
        let fault = Fault::MoveLate { limit, took, waited: Duration::from_micros(999) };
        let ending = Ending::Forfeit { by: Side::Two, fault, score: Score::new(3, 4) };
        let exit = Fault::Exited { exit: Exit::Signal(11) };
        let both = Ending::BothForfeited { faults: BySide::new(exit, Fault::IllegalMove) };
        let said = [ending, both].map(|ending| Lang::ALL.map(|lang| ending.describe().to(lang)));
        insta::assert_snapshot!(said.as_flattened().join("\n"), @"
        player 2 forfeited: late move: 1.020s, limit 1.000s
        forfait du joueur 2 : coup trop tardif : 1,020s au lieu de 1,000s au plus
        both forfeited: player 1: it was ended by signal 11 (SIGSEGV); player 2: illegal move
        double forfait : joueur 1 : il a été arrêté par le signal 11 (SIGSEGV) ; joueur 2 : coup illégal
        ");
    }
}
