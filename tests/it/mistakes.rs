//! User errors: reported at once, with their location, before any game.

use crate::contest::patient;
use crate::scratch::Scratch;

#[test]
fn every_mistake_is_listed_with_its_place() {
    let scratch = Scratch::new();
    let file = "\
version = 1
titel = 'Cup'
seed = -3
[game]
name = 'coloured-awele'
[clock]
per_move = '1 minute'
plies = 0
[format]
kind = 'swis'
pairs = 'ten'
[bots]
include = ['own/*', 'bots/[']
absent = 'ignore'
[[bot]]
path = 'own/nobody'
name = 'Not A Name'
[[bot]]
path = 'house:randon'
[[bot]]
path = 'odd/broken'
";
    scratch.write("odd/broken/bot.toml", "run = './bot'\ndialekt = 'arena'\n");
    let ran = scratch.write("cup.toml", file).run("run cup.toml");
    insta::assert_snapshot!(ran.all(), @r#"
    exit 2
    --- stderr
    error: cup.toml:2:1: titel: there is no such key; did you mean title?
    error: cup.toml:3:8: seed: -3 cannot stand here; write a whole number from 0 to 9223372036854775807
    error: cup.toml:5:8: game.name: there is no game "coloured-awele"; did you mean coloured-awale?
    error: cup.toml:7:12: clock.per_move: "1 minute" cannot stand here; write a duration from "[time]" to "[time]", such as "[time]", or "off"
    error: cup.toml:8:9: clock.plies: 0 cannot stand here; write a whole number from 1 to 1000000 or "off"
    error: cup.toml:10:8: format.kind: "swis" cannot stand here; write "swiss"
    error: cup.toml:11:9: format.pairs: "ten" cannot stand here; write a whole number from 1 to 1000000
    error: cup.toml:13:12: bots.include: nothing is there for "own/*"; check the path
    error: cup.toml:13:21: bots.include: "bots/[" is no pattern: invalid range pattern; write it like "bots/*"
    error: cup.toml:14:10: bots.absent: "ignore" cannot stand here; write "leave-out" or "forfeit"
    error: cup.toml:16:8: bot.path: own/nobody cannot be read (No such file or directory (os error 2)); check the path
    error: cup.toml:17:8: bot.name: a bot's name is 1 to 40 of the characters a-z 0-9 . _ - and starts with a letter or digit, not "Not A Name"; "not-a-name" would do
    error: cup.toml:19:8: bot.path: there is no house bot "randon"; did you mean random?
    error: cup.toml:20:1: bots: broken: [scratch]/odd/broken/bot.toml:1:7: `run` is a list of texts, and here is a TOML string; write run = ["python3", "bot.py", "{n}"]
    error: [scratch]/odd/broken/bot.toml:2:1: there is no key `dialekt`; did you mean `dialect`?
    "#);
    assert!(!scratch.path("results").exists());
}

#[test]
fn a_file_that_cannot_be_read_is_told() {
    let scratch = Scratch::new();
    scratch.write("no-toml.toml", "version = 1\nbots = [\n").write("empty.toml", "");
    scratch.write("garbage.toml", [0, 159, 146, 150, 255, 7, 27]);
    let files = ["missing.toml", "bots", "no-toml.toml", "empty.toml", "garbage.toml"];
    let told = files.map(|file| scratch.run(&format!("run {file}")).all());
    insta::assert_snapshot!(told.join("\n"), @r#"
    exit 2
    --- stderr
    error: cannot read missing.toml: No such file or directory (os error 2); check the path

    exit 2
    --- stderr
    error: cannot read bots: Is a directory (os error 21); check the path

    exit 2
    --- stderr
    error: no-toml.toml:2:9: not TOML: unclosed array, expected `]`

    exit 2
    --- stderr
    error: empty.toml:1:1: version: it is missing; write version = 1 before all sections
    error: empty.toml:1:1: game: it is missing; write a section [game] with name = "coloured-awale"
    error: empty.toml:1:1: bots: no bots take part; write [bots] include = ["bots/*"] or some [[bot]]

    exit 2
    --- stderr
    error: garbage.toml is no text in UTF-8; a tournament file is TOML, see tournaments/
    "#);
    assert!(!scratch.path("results").exists());
}

#[test]
fn a_tournament_needs_two_bots() {
    let scratch = Scratch::new();
    scratch.fast("alone", "first").write("cup.toml", patient(1));
    insta::assert_snapshot!(scratch.run("run cup.toml").all(), @r#"
    exit 2
    --- stderr
    error: a tournament needs two bots that can play, and there is one; check `bots` in the file
    "#);
}
