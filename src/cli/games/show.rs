//! Description of one game: rules, parameters, initial position.

use std::fmt::Write as _;

use pitmaster_core::i18n::wrap;
use pitmaster_games::two_row::catalogue::slug;
use pitmaster_games::two_row::describe::describe;
use pitmaster_games::two_row::file::{Choices, GameFile};
use pitmaster_games::two_row::named::{self, Named};
use pitmaster_games::two_row::params::{NamedValue, Params, changes};
use pitmaster_games::{Description, DynGame, GameSpec, Turn};
use pitmaster_session::game;

use crate::cli::Failure;
use crate::cli::watcher::Watcher;

/// Full description of a game. `two-row` without options lists all parameters.
pub(super) fn show(spec: &GameSpec, width: usize) -> Result<String, Failure> {
    if spec.name == named::ANY && spec.options.is_empty() {
        return Ok(parameters(width));
    }
    let game = game::find(spec, &Watcher::people())?.game;
    let mut text = format!("{}\n", game.spec());
    match pitmaster_games::descriptions()
        .find(|own| game.spec().split(',').next() == Some(own.name))
    {
        Some(own) => push_own(&mut text, &*game, &own, width),
        None => {
            if let Ok(Ok(named)) = game.spec().parse().map(|spec| named::look_up(&spec)) {
                two_row(&mut text, &*game, &named, width);
            }
        }
    }
    Ok(text)
}

fn push_own(text: &mut String, game: &dyn DynGame, own: &Description, width: usize) {
    push_lines(text, 4, own.about, width);
    for note in &own.notes {
        push_lines(text, 4, note, width);
    }
    push_rules(text, game);
    push_start(text, game);
}

fn two_row(text: &mut String, game: &dyn DynGame, named: &Named, width: usize) {
    if let Some(file) = &named.file {
        push_file(text, file, width);
    }
    push_rules(text, game);
    push_start(text, game);
    for section in describe(&named.params) {
        let _ = writeln!(text, "\n{}", section.title);
        for line in wrap(&section.sentences.join(" "), width.saturating_sub(2)) {
            let _ = writeln!(text, "  {line}");
        }
    }
    push_changes(text, &named.params);
}

fn push_file(text: &mut String, file: &GameFile, width: usize) {
    push_lines(text, 4, &file.about, width);
    for (what, words) in [("from", &file.region), ("origin", &file.origin)] {
        if !words.is_empty() {
            push_lines(text, 4, &format!("{what} {words}"), width);
        }
    }
    if !file.variants.is_empty() {
        let game = slug(&file.name);
        let names = file.variants.iter().map(|variant| format!("{game}::{}", slug(&variant.name)));
        push_lines(text, 4, &format!("variants {}", names.collect::<Vec<_>>().join(", ")), width);
    }
    if !file.vari_params.is_empty() {
        push_lines(text, 4, &format!("adjustable: {}", varied(file)), width);
    }
}

fn varied(file: &GameFile) -> String {
    let choice = |name: &str, choices: &Choices| match choices {
        Choices::Any => name.to_owned(),
        Choices::These(values) => {
            let values: Vec<_> = values.iter().map(ToString::to_string).collect();
            format!("{name} ({})", values.join(", "))
        }
    };
    let choices = file.vari_params.iter().map(|one| choice(one.name, &one.choices));
    choices.collect::<Vec<_>>().join(", ")
}

/// Parameters that differ from their defaults.
fn push_changes(text: &mut String, params: &Params) {
    let changes = changes(&Params::default(), params);
    let longest = changes.iter().map(|(name, _)| name.len()).max().unwrap_or_default();
    text.push_str("\nParameters that differ from the default\n");
    for (name, value) in changes {
        let _ = writeln!(text, "  {name:longest$}  {value}");
    }
}

fn push_rules(text: &mut String, game: &dyn DynGame) {
    let _ = writeln!(text, "    recorded as {}\n", game.id());
}

fn push_start(text: &mut String, game: &dyn DynGame) {
    let start = game.begin();
    let _ = writeln!(text, "{}", start.board());
    push_moves(text, game);
    let _ = writeln!(text, "position     {}", start.position());
}

fn push_moves(text: &mut String, game: &dyn DynGame) {
    let mut table = game.begin();
    let mut texts = String::new();
    table.list_moves(&mut texts);
    let is_template = |text: &&str| text.contains('*');
    let (templates, moves): (Vec<_>, Vec<_>) =
        texts.split_ascii_whitespace().partition(is_template);
    if table.turn() == Turn::Chance {
        text.push_str("moves        none: the game starts with a chance step\n");
        return;
    }
    let such_as = |list: &[&str]| match list.first() {
        Some(first) => format!("{}, such as {first}", list.len()),
        None => "none".into(),
    };
    let _ = writeln!(text, "legal moves  {}", such_as(&moves));
    if !templates.is_empty() {
        let _ = writeln!(text, "templates    {}", such_as(&templates));
    }
}

/// All parameters of two-row games with descriptions, values and defaults.
fn parameters(width: usize) -> String {
    let mut text = String::from(
        "two-row\n    any game of two rows of holes, by its parameters: \
         two-row,holes=6,nbr_start=4,stores=true\n\n",
    );
    let default = Params::default();
    for parameter in Params::ALL {
        let _ = writeln!(text, "{} [default: {}]", parameter.name, parameter.get(&default));
        push_lines(&mut text, 4, parameter.about.trim(), width);
        for word in parameter.other_words() {
            push_lines(&mut text, 4, &format!("option alias: {word}"), width);
        }
        let choices = (parameter.choices)();
        if choices.is_empty() {
            push_lines(&mut text, 4, &(parameter.allowed)(), width);
        }
        for choice in choices {
            let NamedValue { name, number, about } = choice;
            push_lines(&mut text, 4, &format!("{name} ({number}): {about}"), width);
        }
    }
    text
}

/// Wraps and indents text, with continuation lines indented further.
fn push_lines(text: &mut String, indent: usize, words: &str, width: usize) {
    for (number, line) in wrap(words, width.saturating_sub(indent + 2)).iter().enumerate() {
        let indent = indent + if number == 0 { 0 } else { 2 };
        let _ = writeln!(text, "{:indent$}{line}", "");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(game: &str) -> String {
        show(&game.parse().unwrap(), 80).unwrap()
    }

    #[test]
    fn a_game_with_options_of_its_own() {
        insta::assert_snapshot!(shown("coloured-awale,both_40=off"), @"
        coloured-awale,both_40=off
            sixteen holes and seeds of three colours; who captures 49 wins
            option both_40=score|draw|off: when both have 40 seeds, the score decides
              (default), the game is drawn, or it goes on
            recorded as coloured-awale,both_40=off@1

        hole             1    2    3    4    5    6    7    8
        owner           P1   P2   P1   P2   P1   P2   P1   P2
        R red            2    2    2    2    2    2    2    2
        B blue           2    2    2    2    2    2    2    2
        T transparent    2    2    2    2    2    2    2    2

        R red            2    2    2    2    2    2    2    2
        B blue           2    2    2    2    2    2    2    2
        T transparent    2    2    2    2    2    2    2    2
        owner           P2   P1   P2   P1   P2   P1   P2   P1
        hole            16   15   14   13   12   11   10    9

        player 1: 0   player 2: 0
        player 1 to move

        legal moves  32, such as 1R
        position     2.2.2,2.2.2,2.2.2,2.2.2,2.2.2,2.2.2,2.2.2,2.2.2,2.2.2,2.2.2,2.2.2,2.2.2,2.2.2,2.2.2,2.2.2,2.2.2/0-0/1
        ");
    }

    #[test]
    fn a_game_with_layouts_of_its_own() {
        insta::assert_snapshot!(shown("Isholo-3"), @"
        isholo-3
            four rows sown in laps; captures are laid out, two holes left lose
            what is captured, the mover lays out on the opponent's sixteen holes:
              a3=*4 is listed, a3=a1:2,b4:2 is played
            at the limit of plies (400 by default) the opponent's empty holes are the
              score
            recorded as isholo-3@1

        P2  b8    2    2    2    2    2    2    2    2  b1
        P2  a8    2    2    2    2    2    2    2    2  a1
               ----------------------------------------
        P1  a1    2    2    2    2    2    2    2    2  a8
        P1  b1    2    2    2    2    2    2    2    2  b8

        player 1: 32 seeds in 16 holes   player 2: 32 seeds in 16 holes
        player 1 to move

        legal moves  8, such as a1
        templates    8, such as a6=*4
        position     2.2.2.2.2.2.2.2,2.2.2.2.2.2.2.2/2.2.2.2.2.2.2.2,2.2.2.2.2.2.2.2/1
        ");
    }

    /// Without the rules in sentences, which have snapshots of their own.
    #[test]
    fn a_two_row_game() {
        let text = shown("Weg::Weg_4_2,goal_param=7");
        let (start, _) = text.split_once("\nposition").unwrap();
        let (_, end) = text.split_once("\nParameters").unwrap();
        insta::assert_snapshot!(format!("{start}\n…\nParameters{end}"), @"
        weg,holes=4,nbr_start=2,goal_param=7
            laps that make wegs of fours in the opponent's holes, raided for another
              turn; ten of twelve holes win
            from Northern Africa
            origin traditional
            variants weg::weg_4_2, weg::weg_6_3, weg::weg_10_4
            adjustable: goal_param, rounds (NO_ROUNDS, NO_MOVES), capt_rturn
            recorded as weg,holes=4,nbr_start=2,goal_param=7@1

                  8     7     6     5
               +-----+-----+-----+-----+
               |  2  |  2  |  2  |  2  |
             0 +-----+-----+-----+-----+    0
               |  2  |  2  |  2  |  2  |
               +-----+-----+-----+-----+
                  1     2     3     4

        legal moves  4, such as 1
        …
        Parameters that differ from the default
          holes       4
          nbr_start   2
          goal        TERRITORY
          goal_param  7
          mustpass    true
          stores      true
          rounds      NO_MOVES
          mlaps       LAPPER
          child_type  WEG
          child_cvt   4
          child_rule  OPP_OWNER_ONLY
          capt_rturn  ALWAYS
        ");
    }

    #[test]
    fn layouts_and_chance_are_said() {
        let moves = |game| {
            let lines: Vec<_> = shown(game).lines().map(str::to_owned).collect();
            let is_move = |line: &&String| line.contains("moves  ") || line.contains("templates  ");
            lines.iter().filter(is_move).cloned().collect::<Vec<_>>().join("\n")
        };
        insta::assert_snapshot!(moves("bao"), @"
        legal moves  1, such as pass
        templates    1, such as fill=*28
        ");
        insta::assert_snapshot!(moves("random_kalah"), @"moves        none: the game starts with a chance step");
    }

    #[test]
    fn every_game_is_shown() {
        for name in pitmaster_games::names() {
            let text = shown(name);
            assert!(text.starts_with(&format!("{name}\n    ")), "{text}");
            assert!(text.lines().all(|line| line.len() < 400), "{text}");
        }
    }

    #[test]
    fn all_parameters_are_listed() {
        let text = shown("two-row");
        for parameter in Params::ALL {
            assert!(text.contains(&format!("\n{} [default: ", parameter.name)), "{text}");
        }
    }

    #[test]
    fn what_there_is_not_is_told() {
        let wrong = |game: &str| show(&game.parse().unwrap(), 80).unwrap_err().message;
        insta::assert_snapshot!(wrong("./nowhere.toml"), @"./nowhere.toml: it cannot be read (No such file or directory (os error 2)); check the path");
        insta::assert_snapshot!(wrong("coloured-awale,both_40=maybe"), @r#"both_40 is score, draw or off, not "maybe""#);
    }
}
