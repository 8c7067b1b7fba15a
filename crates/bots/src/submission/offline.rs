//! Detection of builds that failed because they have no network.

use pitmaster_core::Untrusted;
use pitmaster_core::i18n::{Message, said};

/// A tool that loads packages from the network.
struct Tool {
    /// Texts in the output of a build that failed without the network.
    signs: &'static [&'static str],
    /// Advice for submitting the packages with the bot.
    remedy: fn() -> Message,
}

/// The tools. The first one with a sign in the output counts; the last one matches all others.
const TOOLS: [Tool; 7] = [
    Tool {
        signs: &[
            "index.crates.io",
            "static.crates.io",
            "crates.io-index",
            "but --offline was specified",
            "spurious network error",
        ],
        remedy: || {
            said!(
                "run `cargo vendor`, write what it prints into .cargo/config.toml, and hand in \
                 both with the bot"
            )
        },
    },
    Tool {
        signs: &["pypi.org", "pip._vendor.urllib3", "No matching distribution found for"],
        remedy: || {
            said!(
                "run `pip download -d wheels -r requirements.txt`, hand in wheels with the bot, \
                 and build with `pip install --no-index --find-links wheels`"
            )
        },
    },
    Tool {
        signs: &["registry.npmjs.org", "registry.yarnpkg.com", "EAI_AGAIN", "npm error network"],
        remedy: || said!("run `npm ci`, and hand in node_modules with the bot"),
    },
    Tool {
        signs: &["repo.maven.apache.org", "Could not transfer artifact"],
        remedy: || {
            said!(
                "run `mvn -Dmaven.repo.local=repository dependency:go-offline`, hand in repository \
                 with the bot, and build with `mvn -o -Dmaven.repo.local=repository package`"
            )
        },
    },
    Tool {
        signs: &[
            "services.gradle.org",
            "plugins.gradle.org",
            "No cached version of",
            "> Could not GET ",
        ],
        remedy: || {
            said!(
                "put the jars into a folder libs, name them with `files('libs/…')`, hand them in \
                 with the bot, and build with `gradle --offline`"
            )
        },
    },
    Tool {
        signs: &["proxy.golang.org", "sum.golang.org", "GOPROXY list"],
        remedy: || said!("run `go mod vendor`, and hand in vendor with the bot"),
    },
    Tool {
        signs: &[
            "Could not resolve host",
            "Temporary failure in name resolution",
            "Name or service not known",
            "Network is unreachable",
            "UnknownHostException",
        ],
        remedy: || said!("hand in all that the build needs with the bot"),
    },
];

/// Remedy for a build that failed because it has no network, recognized by its output.
pub(super) fn remedy(output: &Untrusted) -> Option<Message> {
    let output = output.shown_lines(4096);
    let tool = TOOLS.iter().find(|tool| tool.signs.iter().any(|sign| output.contains(sign)))?;
    Some((tool.remedy)())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(output: &str) -> String {
        remedy(&Untrusted::new(output)).map(|remedy| remedy.to_string()).unwrap_or_default()
    }

    #[test]
    fn each_tool_is_recognized_by_its_words() {
        for (output, words) in [
            (
                "    Updating crates.io index\nwarning: spurious network error (3 tries remaining): \
                 [6] Could not resolve hostname (Could not resolve host: index.crates.io)\n",
                "cargo vendor",
            ),
            (
                "ERROR: Could not find a version that satisfies the requirement numpy (from versions: \
                 none)\nERROR: No matching distribution found for numpy\n",
                "pip download",
            ),
            (
                "npm error code EAI_AGAIN\nnpm error request to https://registry.npmjs.org/x failed\n",
                "npm ci",
            ),
            (
                "[ERROR] Could not transfer artifact a:b:pom:1 from/to central \
                 (https://repo.maven.apache.org/maven2): Unknown host\n",
                "mvn -o",
            ),
            (
                "Exception in thread \"main\" java.net.UnknownHostException: services.gradle.org\n",
                "gradle --offline",
            ),
            (
                "go: a@v1: Get \"https://proxy.golang.org/a\": dial tcp: lookup proxy.golang.org\n",
                "go mod vendor",
            ),
            ("fatal: unable to access: Could not resolve host: github.com\n", "all that the build"),
        ] {
            assert!(found(output).contains(words), "{output}: {}", found(output));
        }
    }

    #[test]
    fn an_error_in_the_source_is_none_of_the_network() {
        for output in [
            "",
            "bot.c:2:25: error: 'nothing' undeclared (first use in this function)\n",
            "error[E0432]: unresolved import `rand`\n",
            "npm error code ELIFECYCLE\n",
            "./bot.go:3:1: syntax error\n",
        ] {
            assert_eq!(found(output), "", "{output}");
        }
    }
}
