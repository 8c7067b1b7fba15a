//! Games of people with house bots that have no process.

use std::time::{Duration, Instant};

use pitmaster_core::Side;

use super::*;

/// Source of house bots.
#[derive(Debug)]
pub(crate) struct HouseBots;

impl OpponentSource for HouseBots {
    fn offers(&self, _: CourseId, _: Option<GroupId>) -> Vec<Offer> {
        Vec::new()
    }

    fn opponent(
        &self,
        _: (CourseId, Option<GroupId>),
        bot: &str,
        game: &str,
    ) -> Result<Opponent, Message> {
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

pub(crate) fn settings(game: &str) -> GameSettings {
    GameSettings {
        group: None,
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

fn turn(hosted: &HostedGame) -> Snapshot {
    wait("a turn", || hosted.snapshot().is_turn || !hosted.is_running());
    hosted.snapshot()
}

#[test]
fn a_move_is_played_once_for_each_ply() {
    let games = games();
    let hosted = games.begin(ADA, settings("kalah"), Utc(1)).expect("begins");
    assert!(turn(&hosted).plies.is_empty());
    for illegal in ["7", "x", "", "3 "] {
        let refused = hosted.play(1, illegal);
        assert!(illegal == "3 " || matches!(refused, Err(MoveError::Illegal(_))), "{illegal}");
    }
    let hosted = games.begin(ADA, settings("kalah"), Utc(1)).expect("begins");
    turn(&hosted);
    assert_eq!(hosted.play(2, "1"), Err(MoveError::Elsewhere));
    assert_eq!(hosted.play(0, "1"), Err(MoveError::Elsewhere));
    assert_eq!(hosted.play(1, "1"), Ok(()));
    assert_eq!(hosted.play(1, "1"), Ok(()));
    assert_eq!(hosted.play(1, "2"), Err(MoveError::Elsewhere));
    wait("the bot", || hosted.snapshot().is_turn);
    let plies = hosted.snapshot().plies;
    assert_eq!((plies[0].by, &*plies[0].text), (Some(Side::One), "1"));
    assert!(plies.len() >= 2 && plies[1].by == Some(Side::Two), "{plies:?}");
    assert_eq!((hosted.play(1, "1"), hosted.play(1, "2")), (Ok(()), Err(MoveError::Elsewhere)));
    assert_eq!(hosted.play(2, &plies[1].text), Err(MoveError::Elsewhere));
}

#[test]
fn a_move_is_taken_back() {
    let hosted = games().begin(ADA, settings("oware"), Utc(1)).expect("begins");
    turn(&hosted);
    assert!(matches!(hosted.take_back(None), Err(MoveError::Illegal(_))));
    hosted.play(1, "1").expect("legal");
    wait("the bot", || hosted.snapshot().plies.len() == 2 && hosted.snapshot().is_turn);
    let before = hosted.snapshot();
    assert_eq!(hosted.take_back(Some(1)), Err(MoveError::Elsewhere));
    assert_eq!(hosted.take_back(Some(2)), Ok(()));
    assert!(turn(&hosted).plies.is_empty());
    assert!(!before.live.is_running() && hosted.snapshot().live.is_running());
    hosted.play(1, "2").expect("legal");
    wait("the bot", || hosted.snapshot().plies.len() == 2);
    assert_eq!(&*hosted.snapshot().plies[0].text, "2");
    turn(&hosted);
    hosted.play(3, "3").expect("legal");
    wait("the bot", || hosted.snapshot().plies.len() == 4 && hosted.snapshot().is_turn);
    assert_eq!(hosted.take_back(Some(4)), Ok(()));
    let now = turn(&hosted);
    assert_eq!((now.plies.len(), now.live.length()), (2, 2), "feeds go on from there");
}

#[test]
fn whole_games_end_with_a_record() {
    for game in ["kalah", "isholo-3"] {
        let hosted =
            games().begin(ADA, GameSettings { person: Side::Two, ..settings(game) }, Utc(1));
        let hosted = hosted.expect("begins");
        loop {
            let Snapshot { game, plies, record, .. } = turn(&hosted);
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
            hosted.play(plies.len() + 1, &text).expect("legal");
            wait("the ply", || hosted.snapshot().plies.len() > plies.len() || !hosted.is_running());
        }
        let record = hosted.snapshot().record.expect("over");
        assert!(record.ending.fault_of(Side::Two).is_none(), "{}", record.ending);
    }
}

#[test]
fn a_person_has_two_games_and_nobody_elses() {
    let games = games();
    let first = games.begin(ADA, settings("kalah"), Utc(1)).expect("begins");
    games.begin(ADA, settings("kalah"), Utc(1)).expect("begins");
    assert_eq!(games.begin(ADA, settings("kalah"), Utc(1)).unwrap_err(), StartError::TooMany);
    games.begin(BOB, settings("kalah"), Utc(1)).expect("begins");
    assert!(games.get(ADA, first.id()).is_some() && games.get(BOB, first.id()).is_none());
    first.leave();
    wait("its end", || !first.is_running());
    games.begin(ADA, settings("kalah"), Utc(1)).expect("begins");
    assert!(matches!(games.begin(BOB, settings("no-game"), Utc(1)), Err(StartError::Refused(_))));
}

#[test]
fn the_server_has_a_limit_and_an_end() {
    let games = games();
    for person in 0..u8::try_from(MAX_RUNNING).unwrap() {
        let owner = (Owner::Person(PersonId::of([person; 12])), COURSE);
        games.begin(owner, settings("kalah"), Utc(1)).expect("begins");
    }
    assert_eq!(
        games.begin((Owner::Guest, COURSE), settings("kalah"), Utc(1)).unwrap_err(),
        StartError::Full
    );
    games.hold(true);
    let all = || games.games().hosted.clone();
    wait("all end", || all().iter().all(|hosted| !hosted.is_running()));
    assert_eq!(games.begin(ADA, settings("kalah"), Utc(1)).unwrap_err(), StartError::Full);
    games.hold(false);
    let last = games.begin(ADA, settings("kalah"), Utc(1)).expect("begins");
    games.close();
    assert!(!last.is_running());
    assert_eq!(games.begin(ADA, settings("kalah"), Utc(1)).unwrap_err(), StartError::Full);
}
