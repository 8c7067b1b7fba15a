//! Tests with files from people and programs.

use pitmaster_core::i18n::Lang;
use pitmaster_ratings::{Matches, Model, Ranking, Standings};
use proptest::prelude::*;

use super::super::fixtures::{self, csv};
use super::super::{GamesCsv, leaderboard};
use super::*;

fn table(text: impl AsRef<[u8]>) -> String {
    let read = read_games(text.as_ref()).unwrap();
    let standings = Standings::new(read.names.len(), read.played.games(), &Ranking::default());
    leaderboard(&standings, &read.names).render(60, Lang::English)
}

fn faults(text: impl AsRef<[u8]>) -> String {
    let faults = read_games(text.as_ref()).unwrap_err();
    faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

#[test]
fn our_own_file_gives_our_own_table() {
    let (records, roster) = fixtures::tournament();
    let text = csv(|out| {
        let mut file = GamesCsv::new(out)?;
        records.iter().try_for_each(|record| file.add(record, None))?;
        file.finish()
    });
    let read = read_games(text.as_bytes()).unwrap();
    assert_eq!(read.names.iter().collect::<Vec<_>>(), ["alpha", "beta", "evil"]);
    let games = read.played.games();
    let ours: Vec<_> = records.iter().filter_map(|record| Game::of(record, &roster)).collect();
    assert_eq!(games.len(), ours.len());
    for (game, our) in games.iter().zip(&ours) {
        let name = |bot: &u32| roster.name(*bot).as_str();
        let names: Vec<_> = our.bots.iter().map(name).collect();
        let read_names: Vec<_> = game.bots.iter().map(|bot| read.names.name(*bot)).collect();
        assert_eq!((names, our.pair, our.marks), (read_names, game.pair, game.marks));
        let forfeited = |game: &Game| game.faults.map(|fault| fault.is_some());
        assert_eq!(forfeited(game), forfeited(our));
    }
    // Repeated games are repeated in the file too.
    assert_eq!(Matches::new(games).distinct(), Matches::new(&ours).distinct());
    assert!(read.has_moves);
    let standings =
        Standings::rated(read.names.len(), games, &Ranking::default(), &Model::default());
    insta::assert_snapshot!(leaderboard(&standings, &read.names).render(100, Lang::English), @"
    #  bot    games  distinct  W-D-L  points  win rate   95 %   Elo           ±  forfeits
    1  beta       8         4  4-1-3    4.50    50.0 %  15–85  1523        ±252         1
    2  alpha      6         4  3-1-2    3.50    50.0 %  15–85  1477        ±246
    3  evil       4         2  0-0-4    0.00     0.0 %   0–66  <984  -1313 +592         4
    2 games were not played because a bot cannot play; they count in points, not in Elo.
    > or <: it won, or lost, every game that would limit its Elo; the spread of all bots sets the limit.
    Elo cannot tell the ranks of a group apart (95 %): 1–3.
    ");
}

#[test]
fn results_from_anywhere_are_read() {
    let chess = "White;Black;Result\nÉlise;Bob;1-0\nBob;Élise;½-½\n\"Bob\";Élise;0-1\n;;\n";
    insta::assert_snapshot!(table("\u{feff}".to_owned() + chess), @"
    #  bot    games  W-D-L  points  win rate  Elo  ±  forfeits
    1  Élise      3  2-1-0    2.50    66.7 %    -
    2  Bob        3  0-1-2    0.50     0.0 %    -
    ");
    assert_eq!(table(chess.replace(';', ",")), table(chess));
    assert_eq!(table(chess.replace(';', "\t").replace('\n', "\r\n")), table(chess));
    let winners = "player 1,player-2,winner\nÉlise,Bob,Élise\nBob,Élise,\nBob,Élise,Élise";
    assert_eq!(table(winners), table(chess));
    let points = "first,second,result\nÉlise,Bob,1\nBob,Élise,\"0,5\"\nBob,Élise,0\n";
    assert_eq!(table(points), table(chess));
    let scores = "bot1,bot2,score1,score2\nÉlise,Bob,30,18\nBob,Élise,24,24\nBob,Élise,9,12\n";
    assert_eq!(table(scores), table(chess));
}

#[test]
fn forfeits_are_counted_by_their_kind() {
    let text = "bot1,bot2,winner,ending,forfeited_by\na,b,a,move-late,b\na,b,a,odd,b\n\
                a,b,,both-forfeited,a b\na,b,b,rules:49+,\n";
    let read = read_games(text.as_bytes()).unwrap();
    let standings = Standings::new(2, read.played.games(), &Ranking::default());
    let b = standings.rows.iter().find(|row| row.bot == 1).unwrap();
    assert_eq!((b.forfeits[0], b.forfeits[17], b.forfeited(), b.losses), (1, 2, 3, 3));
    assert!(!read.has_moves);
    // Without the column, the ending determines it.
    let text = "bot1,bot2,result,ending\na,b,1-0,move-late\na,b,0-0,both-forfeited\n";
    let read = read_games(text.as_bytes()).unwrap();
    let faults: Vec<_> = read.played.games().iter().map(|game| game.faults).collect();
    assert_eq!(faults, [BySide::new(None, Some(0)), BySide::new(Some(17), Some(17))]);
}

#[test]
fn every_wrong_line_is_told() {
    let text = b"id,bot1,bot2,result,winner,pair,plies,ending,forfeited_by,hash1\n\
        1,a,b,player-1,a,1,9,rules,,x\n\
        2,a,a,draw,,1,9,,,x\n\
        3,a,b,2-0,,1,9,,,x\n\
        4,a,b,player-1,b,1,9,,,x\n\
        5,a,b,player-1,c,1,9,,,x\n\
        6,a,b,player-1,a,one,9,,,x\n\
        7,a,b,player-1,a,1,-9,,,x\n\
        8,a,b,player-1,a,1,9,move-late,a,x\n\
        9,a,b,player-1,a,1,9,move-late,nobody,x\n\
        1,a,b,player-1,a,1,9,,,x\n\
        11,a,b,player-1,a,1,9,,,y\n\
        12,a,,player-1,a,1,9,,,x\n\
        13,a,b,player-1\n\
        14,\xe9lise,b,draw,,1,9,,,x\n\
        15,a,b,void,,1,9,,,x\n\
        16,a\x1b[2J,b,player-1,\xe2\x80\xae,1,9,,,x\n";
    insta::assert_snapshot!(faults(text), @r#"
    3: "a" meets itself, which says nothing; leave the line out
    4: result is "2-0"; write player-1, player-2, draw or both-lost (1-0, 0-1, 1/2-1/2 and 0-0 will do too)
    5: result and winner differ; correct one of them
    6: winner is "c"; write "a", "b", or nothing for a draw
    7: pair is "one"; write a whole number, or nothing
    8: plies is "-9"; write a whole number, or nothing
    9: who forfeits has lost, and here has not; correct result or ending
    10: forfeited_by is "nobody"; write "a", "b", both with a blank, or nothing
    11: the game stands on line 2 too; leave one of them out
    12: "a" has another hash than on line 2: two versions of a bot; give one another name
    13: bot2 is empty; write who played
    14: the line has 4 cells, and the header 10; correct it
    15: the line is no text in UTF-8; save the file as CSV in UTF-8
    16: the game has no result and does not count; leave the line out
    17: winner is "\u{202e}"; write "a\u{1b}[2J", "b", or nothing for a draw
    "#);
}

#[test]
fn wrong_headers_are_told() {
    let said = [
        faults(""),
        faults("a,b,c\n1,2,3\n"),
        faults("bot1,white,bot2,result\n"),
        faults("bot1,bot2,score1\n"),
        faults([0xff, 0xfe, b'b', 0, b'o', 0, b't', 0]),
    ];
    insta::assert_snapshot!(said.join("\n\n"), @"
    1: the file is empty; its first line names columns

    1: no column is called bot1 (nor player1 or white); rename the one with the names of player 1
    1: no column is called bot2 (nor player2 or black); rename the one with the names of player 2
    1: there is no column of results; call one result, with player-1, player-2, draw or both-lost (1-0, 0-1, 1/2-1/2 and 0-0 will do too), or winner, with a name or nothing for a draw

    1: there are two columns for bot1; rename white

    1: there is no column of results; call one result, with player-1, player-2, draw or both-lost (1-0, 0-1, 1/2-1/2 and 0-0 will do too), or winner, with a name or nothing for a draw

    1: the file is UTF-16; save it as CSV in UTF-8
    ");
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let header = b"bot1;bot2;result;winner;pair;forfeited_by;score1\n".to_vec();
        for text in [bytes.clone(), [header, bytes].concat()] {
            match read_games(&text[..]) {
                Ok(read) => {
                    let bots = read.played.games().iter().map(|game| game.bots.one.max(game.bots.two));
                    prop_assert!(bots.max().is_none_or(|bot| (bot as usize) < read.names.len()));
                }
                Err(faults) => prop_assert!((1..=MOST_FAULTS + 1).contains(&faults.len())),
            }
        }
    }

    #[test]
    fn every_line_is_a_game_or_a_fault(lines in "([ab]{0,1};[abc]{1};(1-0|0-1|draw|won);{0,1}\n){0,15}") {
        let text = format!("bot1;bot2;result\n{lines}");
        let told = match read_games(text.as_bytes()) {
            Ok(read) => read.played.games().len(),
            Err(faults) => {
                let wrong = |line: &str| {
                    let cells: Vec<_> = line.split(';').collect();
                    cells.len() != 3 || cells[0].is_empty() || cells[0] == cells[1]
                        || cells[2] == "won"
                };
                prop_assert_eq!(lines.lines().filter(|line| wrong(line)).count(), faults.len());
                lines.lines().count()
            }
        };
        prop_assert_eq!(told, lines.lines().count());
    }
}

#[test]
fn a_file_that_is_all_wrong_is_not_told_line_by_line() {
    let text = "bot1,bot2,result\n".to_owned() + &"a,b,won\n".repeat(1000);
    let told = faults(text);
    assert_eq!(told.lines().count(), MOST_FAULTS + 1);
    let last = told.lines().last().unwrap();
    assert_eq!(last, "22: no further lines were looked at; correct these first");
}
