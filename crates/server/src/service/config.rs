//! `server.toml`: settings of a practice server.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use pitmaster_core::config::{Field, Section, read_toml};
use pitmaster_core::diagnostics::{Diagnostic, Diagnostics};

/// Name of the file in a course's folder.
pub const CONFIG_FILE: &str = "server.toml";

/// Default listen address.
pub const LISTEN: SocketAddr =
    SocketAddr::new(std::net::IpAddr::V4(std::net::Ipv4Addr::LOCALHOST), 8080);

/// Default reserve: free bytes of the disk below which uploads are refused.
pub const RESERVE: u64 = 500 * 1024 * 1024;

/// Upper limit of the reserve: 1 TiB.
const MAX_RESERVE: u64 = 1 << 40;

/// Settings of a practice server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    /// Name of the site, shown on every page.
    pub site: String,
    /// Address to listen on.
    pub listen: SocketAddr,
    /// Listen address of `/metrics`; `None` disables it.
    pub metrics: Option<SocketAddr>,
    /// Listen address for remote players over TCP; `None` disables remote players, over WebSocket
    /// too.
    pub kgp: Option<SocketAddr>,
    /// Number of games played at once; `None` derives it from the number of cores.
    pub lanes: Option<u16>,
    /// Whether a proxy terminates TLS in front of this server, so that browsers reach it over TLS
    /// only.
    pub tls: bool,
    /// Free bytes of the disk below which uploads are refused.
    pub reserve: u64,
}

/// Known keys of the file.
fn known_keys(section: &str) -> Option<Vec<&'static str>> {
    let keys = ["site", "listen", "metrics", "kgp", "lanes", "tls", "reserve"];
    section.is_empty().then(|| keys.to_vec())
}

/// Reason why `server.toml` cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The folder has no `server.toml`.
    #[error(
        "{shown} is not the folder of a practice server: it has no {CONFIG_FILE}; \
         `pitmaster new course {shown}` creates one",
        shown = folder.display()
    )]
    Missing {
        /// The folder.
        folder: PathBuf,
    },
    /// The file cannot be read.
    #[error("cannot read {}: {error}; see who may read it", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The system's error message.
        error: String,
    },
    /// The file has errors.
    #[error("{}", located(path, diagnostics))]
    Wrong {
        /// The file.
        path: PathBuf,
        /// Errors, in the order of their lines.
        diagnostics: Vec<Diagnostic>,
    },
}

fn located(path: &Path, diagnostics: &[Diagnostic]) -> String {
    let lines = diagnostics.iter().map(|one| format!("{}:{one}", path.display()));
    lines.collect::<Vec<_>>().join("\n")
}

impl Config {
    /// Reads the settings from a folder's `server.toml`.
    ///
    /// # Errors
    /// [`ConfigError`], if the file is missing, cannot be read or has errors.
    pub fn of(folder: &Path) -> Result<Self, ConfigError> {
        let path = folder.join(CONFIG_FILE);
        match std::fs::read_to_string(&path) {
            Ok(text) => {
                Self::parse(&text).map_err(|diagnostics| ConfigError::Wrong { path, diagnostics })
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                Err(ConfigError::Missing { folder: folder.to_owned() })
            }
            Err(error) => Err(ConfigError::Unreadable { path, error: error.to_string() }),
        }
    }

    /// Parses the text of the file.
    ///
    /// # Errors
    /// All errors of the file, with line and column.
    pub fn parse(text: &str) -> Result<Self, Vec<Diagnostic>> {
        let mut notes = Diagnostics::on(text);
        let root = read_toml(text, &mut notes);
        let top = Section::top(&root, known_keys, &mut notes);
        let site = top.field("site", &notes).and_then(|field| field.some_text(&mut notes));
        let lanes = top.field("lanes", &notes).and_then(|it| it.integer(1..=1024, &mut notes));
        let reserve =
            top.field("reserve", &notes).and_then(|it| it.size(0..=MAX_RESERVE, &mut notes));
        let config = Self {
            site: site.map_or_else(|| "Pitmaster".to_owned(), |site| site.value),
            listen: address(top, "listen", &mut notes).unwrap_or(LISTEN),
            metrics: address(top, "metrics", &mut notes),
            kgp: address(top, "kgp", &mut notes),
            lanes: lanes.and_then(|lanes| lanes.try_into().ok()),
            tls: top.field("tls", &notes).and_then(|it| it.truth(&mut notes)).unwrap_or(false),
            reserve: reserve.unwrap_or(RESERVE),
        };
        notes.finish().map(|_| config)
    }

    /// Text of a new `server.toml`, which lists every key with its default.
    pub fn template(site: &str) -> String {
        format!(
            "# Settings of this practice server. It reads them when it starts.\n\
             \n\
             # Name of the site, on every page.\n\
             site = {site:?}\n\
             \n\
             # Address to listen on. Beyond this machine, put a proxy with TLS before it.\n\
             # listen = \"{LISTEN}\"\n\
             \n\
             # Address of /metrics, for Prometheus: jobs, lanes, answers, commits. Anybody who reaches it\n\
             # can read it.\n\
             # metrics = \"127.0.0.1:9180\"\n\
             \n\
             # Address for remote players of Kalah, who speak KGP. Their messages, and their tokens, are in\n\
             # the clear; over TLS they use /socket of the site, which answers if this is set.\n\
             # kgp = \"127.0.0.1:2671\"\n\
             \n\
             # Games played at once. By default one for each physical core, less one.\n\
             # lanes = 1\n\
             \n\
             # Whether a proxy before this server ends TLS: browsers then send cookies over TLS only.\n\
             # tls = false\n\
             \n\
             # Free disk space that uploads leave to the database and to games. With less, they are\n\
             # refused.\n\
             # reserve = \"500MiB\"\n"
        )
    }
}

fn address(top: Section<'_>, key: &str, notes: &mut Diagnostics<'_>) -> Option<SocketAddr> {
    let field: Field<'_> = top.field(key, notes)?;
    let text = field.some_text(notes)?;
    let address = text.value.parse().ok();
    if address.is_none() {
        field.wrong("an address such as \"127.0.0.1:8080\"", notes);
    }
    address
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_template_has_the_defaults() {
        let text = Config::template("My \"school\"");
        let config = Config::parse(&text).unwrap();
        let all = text
            .replace("# listen", "listen")
            .replace("# tls", "tls")
            .replace("# reserve", "reserve");
        assert_eq!(Config::parse(&all), Ok(config.clone()));
        assert_eq!((&*config.site, config.listen, config.lanes), ("My \"school\"", LISTEN, None));
        assert_eq!(Config::parse(&all.replace("# lanes = 1", "lanes = 1")).unwrap().lanes, Some(1));
        assert!(!config.tls);
        assert_eq!(config.reserve, RESERVE);
        assert_eq!(Config::parse("reserve = '2GiB'").unwrap().reserve, 2 << 30);
    }

    #[test]
    fn all_errors_are_reported_with_their_lines() {
        let text = "sites = 'x'\nlisten = '8080'\nlanes = 0\ntls = 'no'\n";
        let faults: Vec<_> =
            Config::parse(text).unwrap_err().iter().map(ToString::to_string).collect();
        insta::assert_snapshot!(faults.join("\n"), @r#"
        1:1: sites: there is no such key; did you mean site?
        2:10: listen: "8080" cannot stand here; write an address such as "127.0.0.1:8080"
        3:9: lanes: 0 cannot stand here; write a whole number from 1 to 1024
        4:7: tls: "no" cannot stand here; write true or false
        "#);
    }
}
