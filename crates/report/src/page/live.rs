//! Running game: its plies as they arrive, and the data of a page that follows it.

use pitmaster_core::i18n::Lang;
use pitmaster_core::{Ending, GameKey, Record, RefereeFault, Seed};
use pitmaster_referee::rules_of;
use serde::Serialize;

use super::game_page::data_of;
use super::replay::{Board, Played, Ply};

/// Plays the plies of a running game on a board, so that a page can draw them.
#[derive(Debug)]
pub struct LiveReplay {
    played: Played,
    plies: usize,
}

/// A ply in the form for programs and pages.
#[derive(Serialize)]
struct LivePly<'p> {
    /// Its number, from 1.
    n: usize,
    /// The side that made it; `None` for chance.
    by: Option<u8>,
    text: &'p str,
    wall_us: u64,
    cpu_us: u64,
    /// Steps of the seeds, as in replay data.
    steps: Vec<i32>,
    /// The board afterwards, if the steps do not determine it.
    #[serde(skip_serializing_if = "Option::is_none")]
    board: Option<Board>,
}

/// Source of further plies for a page.
#[derive(Debug, Clone, Serialize)]
pub struct Following {
    /// Address of the stream.
    pub stream: String,
    /// Position in the stream of the last ply that the page has.
    pub after: String,
    /// Whether the page shows another game once this one has ended.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub goes_on: bool,
}

impl LiveReplay {
    /// The board before the first ply.
    ///
    /// # Errors
    /// This version does not have the rules, with the reason.
    pub fn begin(key: &GameKey) -> Result<Self, String> {
        let game = rules_of(&unfinished(key, &[]))?;
        Ok(Self { played: Played::begin(&*game, &game.shape()), plies: 0 })
    }

    /// Plays the next ply. Returns it as JSON; `None` if the rules do not allow it.
    pub fn ply(&mut self, ply: &pitmaster_core::Ply) -> Option<String> {
        let (by, text, wall_us, cpu_us, steps, board) = match self.played.ply(ply)? {
            Ply::Steps(by, text, wall, cpu, steps) => (by, text, wall, cpu, steps, None),
            Ply::Board(by, text, wall, cpu, steps, board) => {
                (by, text, wall, cpu, steps, Some(board))
            }
        };
        self.plies += 1;
        let (n, by) = (self.plies, (by > 0).then_some(by));
        serde_json::to_string(&LivePly { n, by, text, wall_us, cpu_us, steps, board }).ok()
    }
}

/// Data of a page that follows a game from these plies on, as [`game_data`](crate::game_data).
///
/// # Errors
/// This version does not have the rules, with the reason.
pub fn live_data(
    key: &GameKey,
    plies: &[pitmaster_core::Ply],
    following: &Following,
    lang: Lang,
) -> Result<String, String> {
    data_of(&unfinished(key, plies), None, Some(following), lang)
}

/// Record of an unfinished game. Its placeholder ending is never shown.
fn unfinished(key: &GameKey, plies: &[pitmaster_core::Ply]) -> Record {
    let ending = Ending::RefereeError { fault: RefereeFault::System { error: String::new() } };
    Record { plies: plies.to_vec(), ..Record::unplayed(key.clone(), Seed(0), ending) }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::super::fixtures;
    use super::*;

    #[test]
    fn the_plies_of_a_running_game_are_those_of_its_replay() {
        let record = fixtures::tournament().0.swap_remove(0);
        let data = crate::game_data(&record, Lang::English).unwrap();
        let data: Value = serde_json::from_str(&data).unwrap();
        let mut live = LiveReplay::begin(&record.key).unwrap();
        for (at, ply) in record.plies.iter().enumerate() {
            let told: Value = serde_json::from_str(&live.ply(ply).unwrap()).unwrap();
            let row =
                json!([told["by"], told["text"], told["wall_us"], told["cpu_us"], told["steps"]]);
            assert_eq!(row, data["game"]["game"]["plies"][at]);
            assert_eq!(told["n"], at + 1);
        }
        let illegal = pitmaster_core::Ply { text: "99X".into(), ..record.plies[0].clone() };
        assert_eq!(live.ply(&illegal), None);
    }

    #[test]
    fn a_page_that_follows_a_game_has_no_result() {
        let record = fixtures::tournament().0.swap_remove(0);
        let following = Following { stream: "/stream".into(), after: "7:2".into(), goes_on: false };
        let data = live_data(&record.key, &record.plies[..2], &following, Lang::French).unwrap();
        let data: Value = serde_json::from_str(&data).unwrap();
        let game = &data["game"];
        assert_eq!(game["live"], json!({"stream": "/stream", "after": "7:2"}));
        assert_eq!(game["game"]["plies"].as_array().unwrap().len(), 2);
        assert_eq!(
            (&game["summary"]["live"], &game["summary"]["ending"]),
            (&json!(true), &Value::Null)
        );
        let whole = crate::game_data(&record, Lang::French).unwrap();
        assert!(!whole.contains("\"live\""));
    }
}
