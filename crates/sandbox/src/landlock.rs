//! Landlock ruleset: the files that a bot may open. It also denies network access and signals to
//! other processes.

use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;

use crate::sys;
use landlock::{
    ABI, Access as _, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible as _, PathBeneath,
    PathFd, Ruleset, RulesetAttr as _, RulesetCreated, RulesetCreatedAttr as _, RulesetError,
    Scope,
};

/// Landlock version that this program supports. Older kernels get the subset that they support.
const KNOWN: ABI = ABI::V7;

/// Access rights to files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Grant {
    /// Read and execute.
    Read,
    /// Read and write existing files.
    Device,
    /// Full access, including creating and removing files and folders.
    Write,
}

/// Creates a ruleset that allows only what is granted here.
///
/// # Errors
/// A path cannot be opened, or this machine has no Landlock.
pub(crate) fn ruleset<'p>(
    grants: impl IntoIterator<Item = (&'p Path, Grant)>,
) -> io::Result<OwnedFd> {
    let ruleset = new_ruleset().map_err(io::Error::other)?;
    let ruleset = grants.into_iter().try_fold(ruleset, grant)?;
    let descriptor: Option<OwnedFd> = ruleset.into();
    descriptor.ok_or_else(|| io::Error::new(io::ErrorKind::Unsupported, "there is no Landlock"))
}

fn new_ruleset() -> Result<RulesetCreated, RulesetError> {
    Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(KNOWN))?
        .handle_access(AccessNet::from_all(KNOWN))?
        .scope(Scope::from_all(KNOWN))?
        .create()
}

fn grant(ruleset: RulesetCreated, (path, grant): (&Path, Grant)) -> io::Result<RulesetCreated> {
    let error =
        |what: &dyn std::fmt::Display| io::Error::other(format!("{}: {what}", path.display()));
    let place = PathFd::new(path).map_err(|fault| error(&fault))?;
    let is_folder = path.metadata().map_err(|fault| error(&fault))?.is_dir();
    let most = if is_folder { AccessFs::from_all(KNOWN) } else { AccessFs::from_file(KNOWN) };
    let rule = PathBeneath::new(place, rights(grant) & most);
    ruleset.add_rule(rule).map_err(|fault| error(&fault))
}

fn rights(grant: Grant) -> BitFlags<AccessFs> {
    match grant {
        Grant::Read => AccessFs::from_read(KNOWN),
        Grant::Device => AccessFs::ReadFile | AccessFs::WriteFile,
        Grant::Write => {
            AccessFs::from_all(KNOWN)
                & !BitFlags::from(AccessFs::MakeChar)
                & !BitFlags::from(AccessFs::MakeBlock)
        }
    }
}

/// Rights of a write grant, as far as this kernel's Landlock version supports them.
pub(crate) fn bits_to_write() -> u64 {
    // One bit per right; newer versions add bits.
    let known = match sys::landlock_version() {
        0 => 0,
        1 => 13,
        2 => 14,
        3 | 4 => 15,
        _ => 16,
    };
    rights(Grant::Write).bits() & ((1 << known) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_there_cannot_be_granted() {
        let nothing = Path::new("/nothing/at/all");
        let fault = ruleset([(nothing, Grant::Read)]).expect_err("no such path");
        assert!(fault.to_string().contains("/nothing/at/all"), "{fault}");
    }

    #[test]
    fn files_and_folders_can_be_granted() {
        let all = [Grant::Read, Grant::Device, Grant::Write];
        for grant in all {
            ruleset([(Path::new("/usr"), grant), (Path::new("/dev/null"), grant)]).unwrap();
        }
    }
}
