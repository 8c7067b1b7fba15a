//! Analysis as text for a terminal.

use std::fmt::Write as _;
use std::io::{self, Write};

use pitmaster_core::{BySide, Side, Untrusted};

use super::{AnalysisHead, Change, GameAnalysis, Mistake, PositionAnalysis};
use crate::number::fixed;
use crate::table::{Column, Table};

/// Maximum length of a shown move, in characters.
const MOVE: usize = 40;

/// Maximum length of a shown name or id, in characters.
const NAME: usize = 80;

/// Writes an analysis: the value after every ply, then the worst mistakes.
pub fn analysis_text(
    head: &AnalysisHead,
    analysis: &GameAnalysis,
    width: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    let AnalysisHead { game, id, names, ending } = head;
    let game = match id {
        Some(id) => format!("{game}, game {}", Untrusted::new(id.as_str()).shown(NAME)),
        None => game.clone(),
    };
    writeln!(out, "{game}: {} against {}", seat(names, Side::One), seat(names, Side::Two))?;
    if !ending.is_empty() {
        writeln!(out, "{ending}")?;
    }
    writeln!(out, "analyzed by {}; values are seeds for player 1\n", analysis.by)?;
    out.write_all(plies(analysis).render(width).as_bytes())?;
    writeln!(out)?;
    let worst = analysis.worst();
    if worst.is_empty() {
        return writeln!(out, "no move lost half a seed or more");
    }
    writeln!(out, "moves that lost most")?;
    worst.iter().try_for_each(|one| writeln!(out, "  {}", sentence(head, analysis, one)))
}

/// Name of a side in sentences. The name may come from a file that anyone could have written.
fn seat(names: &BySide<String>, side: Side) -> String {
    format!("{} (player {side})", Untrusted::new(names[side].as_str()).shown(NAME))
}

fn shown(text: &str) -> String {
    Untrusted::new(text).shown(MOVE)
}

fn plies(analysis: &GameAnalysis) -> Table {
    let mut table = Table::new(vec![
        Column::number("ply", 9),
        Column::text("player", 9),
        Column::text("move", 9),
        Column::number("value", 9),
        Column::number("lost", 8),
        Column::text("better", 8),
    ]);
    let value = |at: usize| analysis.positions.get(at).map_or_else(String::new, value);
    let empty = String::new;
    table.row(vec!["0".into(), empty(), "start".into(), value(0), empty(), empty()]);
    for (at, (by, text)) in analysis.plies.iter().enumerate() {
        let ply = at + 1;
        let mistake = analysis.mistake(ply).filter(|one| one.lost() >= 0.05);
        let lost = mistake.as_ref().map_or_else(empty, |one| fixed(one.lost(), 1));
        let better = mistake.map_or_else(empty, |one| shown(&one.better));
        let by = by.map_or_else(|| "chance".to_owned(), |side| side.to_string());
        table.row(vec![ply.to_string(), by, shown(text), value(ply), lost, better]);
    }
    table
}

/// `+1.2` for an estimate, `player 1 wins by 3` for a proven result.
fn value(position: &PositionAnalysis) -> String {
    match (position.verdict, position.seeds) {
        (Some(verdict), _) => verdict.to_string(),
        (None, Some(seeds)) => signed(seeds),
        (None, None) => String::new(),
    }
}

fn signed(seeds: f64) -> String {
    let text = fixed(seeds, 1);
    if text.starts_with('-') || text == "0.0" { text } else { format!("+{text}") }
}

/// A mistake in one sentence.
fn sentence(head: &AnalysisHead, analysis: &GameAnalysis, one: &Mistake) -> String {
    let Mistake { ply, by, best, played, change, better } = one;
    let text = analysis.plies.get(ply - 1).map_or("", |(_, text)| text);
    let mut line = format!("ply {ply}: {} by {} ", shown(text), seat(&head.names, *by));
    let (best, played) = (signed(*best), signed(*played));
    let _ = match change {
        Some(change) => write!(line, "{}", in_words(*change)),
        None => write!(line, "lost {} seeds ({played} instead of {best})", fixed(one.lost(), 1)),
    };
    let _ = write!(line, "; {} was better", shown(better));
    line
}

fn in_words(change: Change) -> &'static str {
    match change {
        Change::WinToDraw => "turned a win into a draw",
        Change::WinToLoss => "turned a win into a loss",
        Change::DrawToLoss => "turned a draw into a loss",
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::analysis;
    use super::*;

    #[test]
    fn values_then_the_moves_that_lost_most() {
        let head = AnalysisHead {
            game: "oware".into(),
            id: Some("4a5a".into()),
            names: BySide::new("alpha".into(), "be".into()),
            ending: "alpha (player 1) won 25 to 20".into(),
        };
        let mut out = Vec::new();
        analysis_text(&head, &analysis(), 100, &mut out).unwrap();
        insta::assert_snapshot!(String::from_utf8(out).unwrap(), @"
        oware, game 4a5a: alpha (player 1) against be (player 2)
        alpha (player 1) won 25 to 20
        analyzed by house:expert, 200ms per ply; values are seeds for player 1

        ply  player  move                value  lost  better
          0          start                +1.2
          1  1       1                    +0.8
          2  2       8      player 1 wins by 4   3.5  7
          3  chance  die=3  player 1 wins by 4
          4  1       2                  a draw   4.0  3
          5  2       9                  a draw

        moves that lost most
          ply 4: 2 by alpha (player 1) turned a win into a draw; 3 was better
          ply 2: 8 by be (player 2) lost 3.5 seeds (-4.0 instead of -0.5); 7 was better
        ");
    }

    #[test]
    fn names_and_ids_from_files_are_shown_escaped() {
        let head = AnalysisHead {
            game: "oware".into(),
            id: Some("4a\u{1b}]0;title\u{7}".into()),
            names: BySide::new("al\u{202e}pha".into(), "b".repeat(200)),
            ending: String::new(),
        };
        let mut out = Vec::new();
        analysis_text(&head, &analysis(), 100, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        let first = text.lines().next().unwrap();
        let long = format!("{}…", "b".repeat(80));
        assert_eq!(
            first,
            format!(
                "oware, game 4a\\u{{1b}}]0;title\\u{{7}}: al\\u{{202e}}pha (player 1) against {long} (player 2)"
            )
        );
        assert!(!text.contains(['\u{1b}', '\u{202e}']), "{text}");
    }

    #[test]
    fn a_game_without_mistakes_says_so() {
        let mut good = analysis();
        good.plies.truncate(1);
        good.positions.truncate(2);
        good.alternatives.truncate(1);
        let head = AnalysisHead {
            game: "oware".into(),
            id: None,
            names: BySide::new("a".into(), "b".into()),
            ending: String::new(),
        };
        let mut out = Vec::new();
        analysis_text(&head, &good, 100, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(text.ends_with("\nno move lost half a seed or more\n"), "{text}");
    }
}
