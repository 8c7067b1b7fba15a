//! Completion in bash: its script, called with the arguments that bash passes on Tab.

use std::path::Path;
use std::process::Command;

use crate::scratch::Scratch;

/// Calls the script's function for a line with the cursor at its end. `words` are the words after
/// bash's splitting; `current` is the part of the last one that bash replaces.
fn completed(scratch: &Scratch, line: &str, words: &[&str], current: &str) -> Vec<String> {
    let quoted: Vec<_> = words.iter().map(|word| format!("'{word}'")).collect();
    let script = format!(
        "set -u\nsource <(pitmaster completions bash)\nbreaks=$COMP_WORDBREAKS\n\
         COMP_WORDS=({})\nCOMP_CWORD={}\nCOMP_LINE='{line}'\nCOMP_POINT=${{#COMP_LINE}}\n\
         _pitmaster pitmaster '{current}' ''\n[[ $breaks == \"$COMP_WORDBREAKS\" ]] || exit 7\n\
         [[ ${{#COMPREPLY[@]}} -eq 0 ]] || printf '%s\\n' \"${{COMPREPLY[@]}}\"\n",
        quoted.join(" "),
        words.len() - 1,
    );
    let program = Path::new(env!("CARGO_BIN_EXE_pitmaster")).parent().expect("a folder");
    let path = std::env::var("PATH").expect("a PATH");
    let output = Command::new("bash")
        .args(["--norc", "--noprofile", "-c", &script])
        .current_dir(scratch.path(""))
        .env("PATH", format!("{}:{path}", program.display()))
        .env("LC_ALL", "C.UTF-8")
        .output()
        .expect("bash starts");
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success() && errors.is_empty(), "{}: {errors}", output.status);
    String::from_utf8(output.stdout).expect("UTF-8").lines().map(str::to_owned).collect()
}

/// A folder with those files of a tournament that completion reads.
fn results(scratch: &Scratch, names: &[&str]) {
    for name in names {
        scratch.write(&format!("results/{name}/tournament.db"), "");
    }
}

#[test]
fn only_the_part_after_the_last_colon_is_replaced() {
    let scratch = Scratch::new();
    let complete = |line, words: &[&str], current| completed(&scratch, line, words, current);
    let greedy =
        complete("pitmaster match house:gr", &["pitmaster", "match", "house", ":", "gr"], "gr");
    assert_eq!(greedy, ["greedy"]);
    let all = complete("pitmaster match house:", &["pitmaster", "match", "house", ":"], "");
    assert!(all.contains(&"greedy".to_owned()) && all.len() > 3, "{all:?}");
    let variant = complete(
        "pitmaster games show kalah::6x",
        &["pitmaster", "games", "show", "kalah", "::", "6x"],
        "6x",
    );
    assert!(variant.contains(&"6x6".to_owned()), "{variant:?}");
    let second = complete(
        "pitmaster match house:greedy house:ra",
        &["pitmaster", "match", "house", ":", "greedy", "house", ":", "ra"],
        "ra",
    );
    assert_eq!(second, ["random"]);
}

#[test]
fn words_with_quotes_and_equals_signs_are_one_word() {
    let scratch = Scratch::new();
    results(&scratch, &["cup"]);
    let quoted = completed(
        &scratch,
        "pitmaster standings \"results/c",
        &["pitmaster", "standings", "\"results/c"],
        "results/c",
    );
    assert_eq!(quoted, ["results/cup"]);
    let fit = completed(
        &scratch,
        "pitmaster standings x --fit=m",
        &["pitmaster", "standings", "x", "--fit", "=", "m"],
        "m",
    );
    assert_eq!(fit, ["ml"]);
    let next = completed(
        &scratch,
        "pitmaster standings --fit=ml results/c",
        &["pitmaster", "standings", "--fit", "=", "ml", "results/c"],
        "results/c",
    );
    assert_eq!(next, ["results/cup"]);
}

/// Bash inserts candidates unquoted: such a name would become several words, or a command.
#[test]
fn names_that_a_shell_would_have_to_quote_are_left_out() {
    let scratch = Scratch::new();
    let hostile = ["a b", "a;touch hit", "$(touch hit)", "a*", "[a]", "a'b", "a\nb", "a\u{1b}[2J"];
    results(&scratch, &["awale", "été"]);
    results(&scratch, &hostile);
    let plain = completed(
        &scratch,
        "pitmaster standings results/",
        &["pitmaster", "standings", "results/"],
        "results/",
    );
    assert_eq!(plain, ["results/awale", "results/été"]);
    assert!(!scratch.path("hit").exists());
}

/// Fish, zsh and others quote names themselves, and split candidates at newlines.
#[test]
fn names_with_control_characters_are_left_out_in_every_shell() {
    let scratch = Scratch::new();
    results(&scratch, &["a b", "a\nb", "a\tb"]);
    for shell in ["fish", "elvish", "zsh"] {
        let mut command = scratch.command("-- pitmaster standings results/");
        let output = command
            .env("PITMASTER_COMPLETE", shell)
            .env("_CLAP_COMPLETE_INDEX", "2")
            .env("_CLAP_IFS", "\n")
            .output()
            .expect("the binary starts");
        let found = String::from_utf8(output.stdout).expect("UTF-8");
        let values: Vec<_> = found.lines().map(|line| line.split('\t').next()).collect();
        assert_eq!(values, [Some("results/a b")], "{shell}: {found}");
    }
}
