//! Optional features of a build, and the commands that they add.

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory as _, Error};

use super::Cli;

/// An optional feature of the package.
#[derive(Debug, Clone, Copy)]
pub(super) struct Feature {
    /// Name in Cargo.toml.
    pub(super) name: &'static str,
    /// Whether this build has it.
    pub(super) is_built: bool,
    /// Commands that require it.
    commands: &'static [&'static str],
}

/// All optional features.
pub(super) const FEATURES: [Feature; 2] = [
    Feature {
        name: "cluster",
        is_built: cfg!(feature = "cluster"),
        commands: &["worker", "cluster"],
    },
    Feature {
        name: "server",
        is_built: cfg!(feature = "server"),
        commands: &["serve", "course", "join", "login", "push", "lost"],
    },
];

/// Error for a command line. Explains commands that this build lacks.
pub(super) fn explained(error: Error) -> Error {
    let Some(ContextValue::String(command)) = error.get(ContextKind::InvalidSubcommand) else {
        return error;
    };
    match lacking(command, &FEATURES) {
        Some(why) => Cli::command().error(ErrorKind::InvalidSubcommand, why),
        None => error,
    }
}

/// Message that a command requires a feature missing in this build.
fn lacking(command: &str, features: &[Feature]) -> Option<String> {
    let feature = features.iter().find(|one| one.commands.contains(&command) && !one.is_built)?;
    let name = feature.name;
    Some(format!("this build has no {command}; build it with --features {name}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_of_another_build_names_its_feature() {
        let plain = FEATURES.map(|feature| Feature { is_built: false, ..feature });
        let said = lacking("push", &plain);
        assert_eq!(
            said.as_deref(),
            Some("this build has no push; build it with --features server")
        );
        assert_eq!(lacking("puhs", &plain), None);
        let full = FEATURES.map(|feature| Feature { is_built: true, ..feature });
        assert_eq!(lacking("push", &full), None);
    }

    #[test]
    fn a_build_has_the_commands_of_its_features_and_no_others() {
        let cli = Cli::command();
        for feature in FEATURES {
            for command in feature.commands {
                let has = cli.find_subcommand(command).is_some();
                assert_eq!(has, feature.is_built, "{command}");
            }
        }
    }
}
