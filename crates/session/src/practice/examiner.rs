//! Examiner: the side of a worker on which versions of a practice server are built and checked.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use pitmaster_check::{Interrupt, Settings};
use pitmaster_cluster::{self as cluster, BuildEnvironment, BuildResult};
use pitmaster_core::i18n::Message;
use pitmaster_core::{BotHash, BotId, Untrusted};

use super::ladder::check_settings;
use super::workers::{BuildReport, BuiltVersion};
use super::workshop::{PracticeBot, Workshop};

/// Maximum size of a build log that is sent, in bytes.
const MOST_LOG: u64 = 1 << 20;

/// Builds and checks versions, as a practice server without workers does.
#[derive(Debug, Clone, Copy, Default)]
pub struct Examiner;

impl cluster::Examiner for Examiner {
    fn build(&self, environment: &BuildEnvironment, bot: &BotId) -> Result<BuildResult, String> {
        let built = build(environment, bot)?;
        let log = build_log(&environment.cache, &bot.hash);
        let report = BuildReport {
            built: match &built {
                Ok(bot) => Ok(described(bot)),
                Err(why) => Err(why.clone()),
            },
            log,
        };
        let report = serde_json::to_string(&report).map_err(|error| error.to_string())?;
        let entrant = built.map(|bot| bot.entrant).map_err(|why| why.to_string());
        Ok(BuildResult { entrant, report })
    }

    fn check(
        &self,
        environment: &BuildEnvironment,
        bot: &BotId,
        stop: Arc<AtomicBool>,
    ) -> Result<Option<String>, String> {
        let built = build(environment, bot)?.map_err(|why| why.to_string())?;
        let settings = check_settings(&environment.game, &environment.limits);
        let settings = Settings { interrupt: Interrupt::from(stop), ..settings };
        let report = workshop(environment)?.examine(&built, &settings);
        let report = report.map_err(|error| error.to_string())?;
        if report.interrupted {
            return Ok(None);
        }
        serde_json::to_string(&report).map(Some).map_err(|error| error.to_string())
    }
}

fn workshop(environment: &BuildEnvironment) -> Result<Workshop, String> {
    let game = Arc::clone(&environment.game);
    Workshop::here(&environment.cache, game, &environment.sandbox)
        .map_err(|error| error.to_string())
}

fn build(
    environment: &BuildEnvironment,
    bot: &BotId,
) -> Result<Result<PracticeBot, Message>, String> {
    let built = workshop(environment)?.build(&bot.hash, &bot.name, &|| true);
    built.map_err(|error| error.to_string())
}

fn described(bot: &PracticeBot) -> BuiltVersion {
    BuiltVersion {
        dialect: bot.entrant.dialect,
        lenient: bot.entrant.lenient,
        display: bot.known.display.clone(),
        language: bot.language,
        versions: bot.known.build.clone(),
        tools: bot.tools.clone(),
    }
}

/// The log of a build, which a server shows to the version's authors.
fn build_log(cache: &Path, hash: &BotHash) -> Option<Untrusted> {
    let file = File::open(Workshop::build_log(cache, hash)?).ok()?;
    let mut bytes = Vec::new();
    file.take(MOST_LOG).read_to_end(&mut bytes).ok()?;
    Some(Untrusted::new(bytes))
}
