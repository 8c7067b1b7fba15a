//! Helper processes: further processes of the same program that perform parts of a run.
//!
//! A program that plays tournaments calls [`run_helper`] first in `main`. The program is started
//! again as the guard, which kills bots after a crash, as the probe, which tests a sandbox, and as
//! house bots.

use std::env;
use std::ffi::OsString;
use std::io::{self, BufReader, BufWriter, Read as _, Write as _};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use pitmaster_bots::house::{self, ServeError, Talk};
use pitmaster_players::PlayerSpec;

use crate::Error;

/// First argument of a guard. The second one is the name of the run.
pub(crate) const GUARD: &str = "guard";

/// First argument of a probe. The others are its targets.
const PROBE: &str = "probe";

/// Whether this process has called [`run_helper`].
static HAS_ASKED: AtomicBool = AtomicBool::new(false);

/// Refuses to start helpers in a program that does not call [`run_helper`]: each helper would play
/// the tournament again, with helpers of its own.
pub(crate) fn require() -> Result<(), Error> {
    if HAS_ASKED.load(Ordering::Relaxed) {
        return Ok(());
    }
    Err(Error::Internal("this program has to call session::run_helper first in main".into()))
}

/// Runs this process as a helper if it was started as one, and returns its exit code. A program
/// that plays calls it first in `main`.
pub fn run_helper() -> Option<ExitCode> {
    HAS_ASKED.store(true, Ordering::Relaxed);
    let mut args = env::args_os();
    let program = args.next()?;
    let name = args.next()?;
    let rest: Vec<OsString> = args.collect();
    match name.to_str()? {
        "bot" if program == house::ARG0 => house_bot(rest.first()?.to_str()?),
        GUARD => guard(&rest),
        PROBE => probe(&rest),
        _ => None,
    }
}

fn guard(args: &[OsString]) -> Option<ExitCode> {
    let [run] = args else { return None };
    let run = run.to_str().filter(|run| !run.starts_with('-'))?;
    // The other end of this pipe closes when its process ends in any way.
    let _ = io::stdin().lock().read_to_end(&mut Vec::new());
    pitmaster_sandbox::end_all_of(run);
    Some(ExitCode::SUCCESS)
}

fn probe(args: &[OsString]) -> Option<ExitCode> {
    let targets: Vec<_> = args.iter().map(|arg| arg.to_string_lossy().into_owned()).collect();
    let mut out = io::stdout().lock();
    let written =
        pitmaster_bots::probe::attempt_all(&targets, &mut out)?.and_then(|()| out.flush());
    Some(if written.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Runs as a house bot, started by [`bots::submission::PlayerCommand::house`].
fn house_bot(spec: &str) -> Option<ExitCode> {
    let spec: PlayerSpec = spec.parse().ok()?;
    house::be_called("house bot");
    if spec.threads() > 1 {
        house::take_all_cores();
    }
    let mut input = BufReader::with_capacity(64 * 1024, io::stdin().lock());
    let mut output = BufWriter::new(io::stdout().lock());
    let served = house::serve(Talk::pitmaster(spec), &mut input, &mut output);
    Some(match served.and_then(|()| output.flush().map_err(ServeError::Pipes)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Evidence for the record. Fails if the referee has ended.
            let _ = writeln!(io::stderr(), "error: {error}");
            ExitCode::FAILURE
        }
    })
}

#[cfg(test)]
mod tests {
    use crate::{Contest, RunOptions, Silent, play};

    #[test]
    fn a_program_that_would_start_itself_again_and_again_plays_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("cup.toml");
        let bots = "[bots]\ninclude = ['house:random', 'house:greedy']\n";
        let text = format!("version = 1\n[game]\nname = 'kalah'\n{bots}");
        std::fs::write(&file, text).unwrap();
        let contest = Contest::read(&file, &Silent).unwrap();
        let options = RunOptions::new(folder.path().join("results"));
        let refused = play(contest, &options, &Silent).unwrap_err().to_string();
        assert!(refused.contains("run_helper"), "{refused}");
        assert!(!options.folder.exists(), "nothing is begun");
    }
}
