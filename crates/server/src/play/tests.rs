//! Games of people with house bots that have no process.

use std::time::{Duration, Instant};

use pitmaster_core::Side;

use super::*;

/// Dealer of house bots.
#[derive(Debug)]
pub(crate) struct HouseBots;

impl Dealer for HouseBots {
    fn offers(&self, _: CourseId) -> Vec<Offer> {
        Vec::new()
    }

    fn opponent(&self, _: CourseId, bot: &str, game: &str) -> Result<Opponent, Message> {
        let name = bot.strip_prefix("house:").unwrap_or(bot);
        Opponent::in_process(name, game).map_err(|why| said!("No such page: {}", why))
    }

    fn cores(&self) -> Vec<usize> {
        Vec::new()
    }
}

const COURSE: CourseId = CourseId::of([1; 12]);
const ADA: (Owner, CourseId) = (Owner::Person(PersonId::of([1; 12])), COURSE);
const BOB: (Owner, CourseId) = (Owner::Person(PersonId::of([2; 12])), COURSE);

pub(crate) fn wanted(game: &str) -> Wanted {
    Wanted {
        bot: "house:random".into(),
        game: game.into(),
        person: Side::One,
        per_move: Duration::from_secs(30),
        opening: String::new(),
    }
}

fn games() -> HumanGames {
    let games = HumanGames::default();
    games.open(Arc::new(HouseBots));
    games
}

fn wait(what: &str, until: impl Fn() -> bool) {
    let began = Instant::now();
    while !until() {
        assert!(began.elapsed() < Duration::from_mins(1), "{what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn turn(table: &HumanTable) -> Snapshot {
    wait("a turn", || table.snapshot().is_turn || !table.is_running());
    table.snapshot()
}

#[test]
fn a_move_is_played_once_for_each_ply() {
    let games = games();
    let table = games.begin(ADA, wanted("kalah"), Utc(1)).expect("begins");
    assert!(turn(&table).plies.is_empty());
    for illegal in ["7", "x", "", "3 "] {
        let refused = table.play(1, illegal);
        assert!(illegal == "3 " || matches!(refused, Err(NotPlayed::Illegal(_))), "{illegal}");
    }
    let table = games.begin(ADA, wanted("kalah"), Utc(1)).expect("begins");
    turn(&table);
    assert_eq!(table.play(2, "1"), Err(NotPlayed::Elsewhere));
    assert_eq!(table.play(0, "1"), Err(NotPlayed::Elsewhere));
    assert_eq!(table.play(1, "1"), Ok(()));
    assert_eq!(table.play(1, "1"), Ok(()));
    assert_eq!(table.play(1, "2"), Err(NotPlayed::Elsewhere));
    wait("the bot", || table.snapshot().is_turn);
    let plies = table.snapshot().plies;
    assert_eq!((plies[0].by, &*plies[0].text), (Some(Side::One), "1"));
    assert!(plies.len() >= 2 && plies[1].by == Some(Side::Two), "{plies:?}");
    assert_eq!((table.play(1, "1"), table.play(1, "2")), (Ok(()), Err(NotPlayed::Elsewhere)));
    assert_eq!(table.play(2, &plies[1].text), Err(NotPlayed::Elsewhere));
}

#[test]
fn a_move_is_taken_back() {
    let table = games().begin(ADA, wanted("oware"), Utc(1)).expect("begins");
    turn(&table);
    assert!(matches!(table.take_back(None), Err(NotPlayed::Illegal(_))));
    table.play(1, "1").expect("legal");
    wait("the bot", || table.snapshot().plies.len() == 2 && table.snapshot().is_turn);
    let before = table.snapshot();
    assert_eq!(table.take_back(Some(1)), Err(NotPlayed::Elsewhere));
    assert_eq!(table.take_back(Some(2)), Ok(()));
    assert!(turn(&table).plies.is_empty());
    assert!(!before.live.is_running() && table.snapshot().live.is_running());
    table.play(1, "2").expect("legal");
    wait("the bot", || table.snapshot().plies.len() == 2);
    assert_eq!(&*table.snapshot().plies[0].text, "2");
    turn(&table);
    table.play(3, "3").expect("legal");
    wait("the bot", || table.snapshot().plies.len() == 4 && table.snapshot().is_turn);
    assert_eq!(table.take_back(Some(4)), Ok(()));
    let now = turn(&table);
    assert_eq!((now.plies.len(), now.live.length()), (2, 2), "feeds go on from there");
}

#[test]
fn whole_games_end_with_a_record() {
    for game in ["kalah", "isholo-3"] {
        let table = games().begin(ADA, Wanted { person: Side::Two, ..wanted(game) }, Utc(1));
        let table = table.expect("begins");
        loop {
            let Snapshot { game, plies, record, .. } = turn(&table);
            if record.is_some() {
                break;
            }
            let view = game.view(&plies);
            let text = view.moves.first().map_or_else(
                || {
                    let layout = &view.layouts[0];
                    let whole = [(layout.holes[0].1.as_str(), layout.seeds)];
                    pitmaster_session::practice::LayoutChoice::filled(
                        &layout.text,
                        whole.into_iter(),
                    )
                },
                |choice| choice.text.clone(),
            );
            table.play(plies.len() + 1, &text).expect("legal");
            wait("the ply", || table.snapshot().plies.len() > plies.len() || !table.is_running());
        }
        let record = table.snapshot().record.expect("over");
        assert!(record.ending.fault_of(Side::Two).is_none(), "{}", record.ending);
    }
}

#[test]
fn a_person_has_two_games_and_nobody_elses() {
    let games = games();
    let first = games.begin(ADA, wanted("kalah"), Utc(1)).expect("begins");
    games.begin(ADA, wanted("kalah"), Utc(1)).expect("begins");
    assert_eq!(games.begin(ADA, wanted("kalah"), Utc(1)).unwrap_err(), NotBegun::TooMany);
    games.begin(BOB, wanted("kalah"), Utc(1)).expect("begins");
    assert!(games.get(ADA, first.id()).is_some() && games.get(BOB, first.id()).is_none());
    first.leave();
    wait("its end", || !first.is_running());
    games.begin(ADA, wanted("kalah"), Utc(1)).expect("begins");
    assert!(matches!(games.begin(BOB, wanted("no-game"), Utc(1)), Err(NotBegun::Refused(_))));
}

#[test]
fn the_server_has_a_limit_and_an_end() {
    let games = games();
    for person in 0..u8::try_from(AT_ONCE).unwrap() {
        let owner = (Owner::Person(PersonId::of([person; 12])), COURSE);
        games.begin(owner, wanted("kalah"), Utc(1)).expect("begins");
    }
    assert_eq!(
        games.begin((Owner::Guest, COURSE), wanted("kalah"), Utc(1)).unwrap_err(),
        NotBegun::Full
    );
    games.hold(true);
    let all = || games.kept().tables.clone();
    wait("all end", || all().iter().all(|table| !table.is_running()));
    assert_eq!(games.begin(ADA, wanted("kalah"), Utc(1)).unwrap_err(), NotBegun::Full);
    games.hold(false);
    let last = games.begin(ADA, wanted("kalah"), Utc(1)).expect("begins");
    games.close();
    assert!(!last.is_running());
    assert_eq!(games.begin(ADA, wanted("kalah"), Utc(1)).unwrap_err(), NotBegun::Full);
}
