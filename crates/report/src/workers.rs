//! Worker statistics: the machines that played, and whether forfeits are equally frequent on all of
//! them.

use pitmaster_core::i18n::{Fill, Message, said};
use pitmaster_core::{Fault, Record, Side, Untrusted};
use pitmaster_ratings::{ChiSquareTest, Deviation, Deviations, Game, Homogeneity, Roster};

use super::csv_tables::LONGEST;
use super::data_table::{Cell, Field, Heading, Listing};
use super::game_sample::Words;
use super::number::fixed;

/// Residual from which on a machine is suspect (Agresti, Categorical Data Analysis, 2.4.5).
const SUSPECT: f64 = 3.0;

/// Counts games and forfeits by worker. Its size grows with the number of pairs of bots, not with
/// the number of games.
#[derive(Debug, Clone, Default)]
pub struct Workers {
    names: Words,
    /// Number of games, by the numbers of names.
    games: Vec<u32>,
    forfeits: Homogeneity,
    overruns: Homogeneity,
}

/// Statistics of one worker.
struct Worker<'w> {
    name: &'w str,
    games: u32,
    forfeits: Deviation,
    overruns: Deviation,
}

impl Workers {
    /// Adds a game that was played by that worker. Ignores games that were not played or do not
    /// count.
    pub fn add(&mut self, worker: &str, record: &Record, roster: &Roster) {
        let unplayed = Side::BOTH.into_iter().any(|side| record.is_unplayed_by(side));
        let Some(game) = Game::of(record, roster).filter(|_| !unplayed) else { return };
        let number = self.names.number(worker);
        self.games.resize(self.names.len(), 0);
        self.games[number as usize] += 1;
        let fault = |side| record.ending.fault_of(side);
        self.forfeits.add(number, &game, |side| fault(side).is_some());
        self.overruns.add(number, &game, |side| fault(side).is_some_and(Fault::is_overrun));
    }

    /// Returns whether there are several workers.
    pub fn are_several(&self) -> bool {
        self.names.len() > 1
    }

    /// Table with one row per worker, sorted by name.
    pub fn listing(&self) -> Listing {
        let [forfeits, overruns] = self.compared();
        let workers = self.rows(&forfeits, &overruns);
        let number = Heading::number;
        let fields = vec![
            Field::new(Heading::text("worker", said!("worker"), 9), |worker: &Worker<'_>| {
                Cell::text(Untrusted::new(worker.name).shown(LONGEST))
            }),
            field(number("games", said!("games"), 8), |worker| Cell::number(worker.games)),
            field(number("forfeits", said!("forfeits"), 8), |w| Cell::number(w.forfeits.observed)),
            field(number("forfeits_expected", said!("expected"), 5), |w| expected(&w.forfeits)),
            field(number("forfeits_residual", said!("residual"), 7), |w| residual(&w.forfeits)),
            field(number("overruns", said!("overruns"), 8), |w| Cell::number(w.overruns.observed)),
            field(number("overruns_expected", said!("expected"), 5), |w| expected(&w.overruns)),
            field(number("overruns_residual", said!("residual"), 7), |w| residual(&w.overruns)),
        ];
        Listing::new("workers", fields, &workers, self.notes(&forfeits, &overruns))
    }

    /// Warning about machines on which bots forfeit more often than chance explains, if there are
    /// any.
    pub fn warning(&self) -> Option<Message> {
        if !self.are_several() {
            return None;
        }
        let [forfeits, overruns] = self.compared();
        let largest = |worker: &Worker<'_>| {
            let residuals = [worker.forfeits.residual, worker.overruns.residual];
            residuals.into_iter().flatten().fold(0.0, f64::max)
        };
        let workers = self.rows(&forfeits, &overruns);
        let suspects = workers.iter().filter(|worker| largest(worker) > SUSPECT);
        let shown = |worker: &Worker<'_>| {
            let (name, residual) = (Untrusted::new(worker.name).shown(LONGEST), largest(worker));
            said!("{} (residual {})", name, Fill::number(fixed(residual, 1)))
        };
        let suspects: Vec<_> = suspects.map(shown).collect();
        (!suspects.is_empty()).then(|| {
            said!(
                "Bots forfeit more often on {} than elsewhere: see `pitmaster standings RESULTS \
                 --workers`; `pitmaster void` removes the games of a machine.",
                suspects
            )
        })
    }

    fn compared(&self) -> [Deviations; 2] {
        let workers = self.names.len() as u32;
        [self.forfeits.compare(workers), self.overruns.compare(workers)]
    }

    fn rows(&self, forfeits: &Deviations, overruns: &Deviations) -> Vec<Worker<'_>> {
        let worker = |number: usize| Worker {
            name: self.names.word(number as u32),
            games: self.games[number],
            forfeits: forfeits.places[number],
            overruns: overruns.places[number],
        };
        let mut workers: Vec<_> = (0..self.names.len()).map(worker).collect();
        workers.sort_by_key(|worker| worker.name);
        workers
    }

    fn notes(&self, forfeits: &Deviations, overruns: &Deviations) -> Vec<Message> {
        let overrun = said!(
            "Overruns are forfeits on time: late move, late start, game clock, CPU time. Games \
             forfeited without play are not counted."
        );
        if !self.are_several() {
            let alone = said!("Only one machine played, so there is nothing to compare.");
            return vec![overrun, alone];
        }
        let expected = said!(
            "Expected: what the same bots do on all machines. Residual: by how many standard \
             deviations there are more; beyond 3 a machine is suspect. Empty if there are too \
             few games to tell."
        );
        vec![
            overrun,
            expected,
            match &forfeits.test {
                Some(test) => said!("Equal forfeit rates on all machines: {}.", test_result(test)),
                None => said!("Too few forfeits to compare machines."),
            },
            match &overruns.test {
                Some(test) => said!("Equal overrun rates on all machines: {}.", test_result(test)),
                None => said!("Too few overruns to compare machines."),
            },
        ]
    }
}

fn field<'a>(heading: Heading, cell: fn(&Worker<'_>) -> Cell) -> Field<'a, Worker<'a>> {
    Field::new(heading, move |worker: &Worker<'_>| cell(worker))
}

fn expected(deviation: &Deviation) -> Cell {
    Cell::number(fixed(deviation.expected, 2)).shown(fixed(deviation.expected, 1))
}

fn residual(deviation: &Deviation) -> Cell {
    let Some(residual) = deviation.residual else { return Cell::nothing() };
    let shown = format!("{}{}", if residual > 0.0 { "+" } else { "" }, fixed(residual, 1));
    Cell::number(fixed(residual, 2)).shown(shown)
}

fn test_result(test: &ChiSquareTest) -> Message {
    let p = if test.p_value < 0.0001 {
        "< 0.0001".to_owned()
    } else {
        format!("= {}", fixed(test.p_value, 4))
    };
    let (statistic, p) = (Fill::number(fixed(test.statistic, 1)), Fill::number(p));
    said!("p {} (chi-square {}, {} degrees of freedom)", p, statistic, test.degrees)
}

#[cfg(test)]
mod tests {
    use pitmaster_core::Evidence;
    use pitmaster_core::i18n::Lang;

    use super::super::csv_tables::CsvForm;
    use super::super::fixtures;
    use super::*;

    /// Forty games of the same two bots on each of these workers, with this many forfeited on time.
    fn played(late: &[(&str, u32)]) -> Workers {
        let (records, roster) = fixtures::tournament();
        let (late_one, drawn) = (&records[7], &records[4].ending);
        let mut workers = Workers::default();
        for (worker, late) in late {
            for pair in 0..40 {
                let mut record = late_one.clone();
                record.key.pair = pair;
                if pair < *late {
                    record.evidence.one = Some(Evidence::default());
                } else {
                    record.ending = drawn.clone();
                }
                workers.add(worker, &record, &roster);
            }
        }
        workers
    }

    #[test]
    fn the_table() {
        let workers = played(&[("lab-2", 8), ("lab-1", 24), ("evil\u{202e}\u{1b}[2J", 9)]);
        insta::assert_snapshot!(workers.listing().render(100, Lang::English), @r#"
        worker                 games  forfeits  expected  residual  overruns  expected  residual
        evil\u{202e}\u{1b}[2J     40         9      13.7      -1.9         9      13.7      -1.9
        lab-1                     40        24      13.7      +4.2        24      13.7      +4.2
        lab-2                     40         8      13.7      -2.3         8      13.7      -2.3
        Overruns are forfeits on time: late move, late start, game clock, CPU time. Games forfeited without play are not counted.
        Expected: what the same bots do on all machines. Residual: by how many standard deviations there are more; beyond 3 a machine is suspect. Empty if there are too few games to tell.
        Equal forfeit rates on all machines: p = 0.0001 (chi-square 17.7, 2 degrees of freedom).
        Equal overrun rates on all machines: p = 0.0001 (chi-square 17.7, 2 degrees of freedom).
        "#);
        insta::assert_snapshot!(workers.listing().render(100, Lang::French), @r#"
        machine                parties  forfaits  attendu  résidu  dépassements  attendu  résidu
        evil\u{202e}\u{1b}[2J       40         9     13,7    -1,9             9     13,7    -1,9
        lab-1                       40        24     13,7    +4,2            24     13,7    +4,2
        lab-2                       40         8     13,7    -2,3             8     13,7    -2,3
        Les dépassements sont les forfaits au temps : coup ou départ tardif, horloge de la partie, temps de calcul. Les parties perdues par forfait sans être jouées ne sont pas comptées.
        Attendus : ce que font les mêmes bots partout où ils jouent. Le résidu dit de combien d'écarts-types il y en a de plus ; au-delà de 3, une machine est suspecte, et rien ne figure là où il y a trop peu de parties pour conclure.
        Forfaits semblables sur toutes les machines : p = 0,0001 (khi-deux 17,7, 2 degrés de liberté).
        Dépassements semblables sur toutes les machines : p = 0,0001 (khi-deux 17,7, 2 degrés de liberté).
        "#);
        let files = fixtures::csv(|out| workers.listing().csv(CsvForm::Plain, out));
        insta::assert_snapshot!(files, @r#"
        worker,games,forfeits,forfeits_expected,forfeits_residual,overruns,overruns_expected,overruns_residual
        evil\u{202e}\u{1b}[2J,40,9,13.67,-1.90,9,13.67,-1.90
        lab-1,40,24,13.67,4.20,24,13.67,4.20
        lab-2,40,8,13.67,-2.30,8,13.67,-2.30
        "#);
        insta::assert_snapshot!(workers.warning().unwrap().to_string(), @"Bots forfeit more often on lab-1 (residual 4.2) than elsewhere: see `pitmaster standings RESULTS --workers`; `pitmaster void` removes the games of a machine.");
    }

    #[test]
    fn few_games_are_no_reason_to_suspect() {
        let workers = played(&[("lab-1", 1), ("lab-2", 3)]);
        insta::assert_snapshot!(workers.listing().render(100, Lang::English), @"
        worker  games  forfeits  expected  residual  overruns  expected  residual
        lab-1      40         1       2.0                   1       2.0
        lab-2      40         3       2.0                   3       2.0
        Overruns are forfeits on time: late move, late start, game clock, CPU time. Games forfeited without play are not counted.
        Expected: what the same bots do on all machines. Residual: by how many standard deviations there are more; beyond 3 a machine is suspect. Empty if there are too few games to tell.
        Too few forfeits to compare machines.
        Too few overruns to compare machines.
        ");
        assert_eq!(workers.warning(), None);
        let alike = played(&[("lab-1", 10), ("lab-2", 12)]);
        assert_eq!(alike.warning(), None);
    }

    #[test]
    fn one_machine_alone_is_compared_with_nothing() {
        let alone = played(&[("lab-1", 20)]);
        assert!(!alone.are_several());
        insta::assert_snapshot!(alone.listing().render(100, Lang::English), @"
        worker  games  forfeits  expected  residual  overruns  expected  residual
        lab-1      40        20      20.0                  20      20.0
        Overruns are forfeits on time: late move, late start, game clock, CPU time. Games forfeited without play are not counted.
        Only one machine played, so there is nothing to compare.
        ");
        assert_eq!(alone.warning(), None);
    }

    #[test]
    fn what_stands_unplayed_is_not_counted() {
        let (records, roster) = fixtures::tournament();
        let mut workers = Workers::default();
        // Two of the nine games are forfeits without evidence, so they were not played.
        for record in &records {
            workers.add("lab-1", record, &roster);
        }
        assert_eq!(workers.games, [7]);
    }
}
