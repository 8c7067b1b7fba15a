//! Property tests with arbitrary bots and drivers: read boundaries do not matter, nothing panics,
//! and every game ends.

use std::collections::VecDeque;

use pitmaster_core::{Exit, Stream};
use proptest::prelude::*;

use super::*;
use crate::protocol::{Framed, Framer, LINE_LIMIT};

/// Piece of a bot's output.
#[derive(Debug, Clone)]
enum Piece {
    /// The legal move of that number, wrapped around.
    Move(usize),
    /// A claim with that legal move.
    Claim(usize),
    Text(&'static str),
    Long(usize),
}

fn piece() -> impl Strategy<Value = Piece> {
    prop_oneof![
        12 => any::<usize>().prop_map(Piece::Move),
        2 => any::<usize>().prop_map(Piece::Claim),
        4 => prop::sample::select(vec![
            "\n", "OK\n", "# hm\r\n", "info x\n", "RESULT LIMIT 0 0\n", "RESULT 1R 4 4\r\n",
            "1R", "RESULT", "ready\n", "want position\n", "\u{e9}\r", "move 1R\n",
        ]).prop_map(Piece::Text),
        1 => (LINE_LIMIT - 3..LINE_LIMIT + 4).prop_map(Piece::Long),
    ]
}

/// Writing of each side at each of its turns; after that it is silent.
type Bots = BySide<Vec<Vec<Piece>>>;

fn bots() -> impl Strategy<Value = Bots> {
    // Mostly one piece, so that games reach their middle before an anomaly.
    let turn = prop_oneof![
        6 => any::<usize>().prop_map(|mv| vec![Piece::Move(mv)]),
        1 => prop::collection::vec(piece(), 0..5),
    ];
    let side = prop::collection::vec(turn, 0..40);
    (side.clone(), side).prop_map(|(one, two)| BySide::new(one, two))
}

/// Drives a game like a lane, with simulated pipes whose reads return as many bytes as `cuts`
/// specifies.
struct Lane {
    referee: Referee,
    game: Arc<dyn DynGame>,
    dialect: Dialect,
    bots: BySide<VecDeque<Vec<Piece>>>,
    pipes: BySide<VecDeque<u8>>,
    framers: BySide<Framer>,
    cuts: VecDeque<usize>,
    now: At,
}

impl Lane {
    fn new(spec: &Spec, bots: &Bots, cuts: &[usize]) -> Self {
        Self {
            referee: spec.referee().unwrap(),
            game: spec.game.clone(),
            dialect: spec.dialects.one,
            bots: bots.clone().map(VecDeque::from),
            pipes: BySide::default(),
            framers: BySide::default(),
            cuts: cuts.iter().copied().collect(),
            now: At::START,
        }
    }

    fn play(mut self) -> Record {
        for _ in 0..100_000 {
            self.now = self.now + Duration::from_millis(1);
            match self.referee.next() {
                Action::Start(side) => self.referee.started(side, self.now),
                Action::Send(side) => self.send(side),
                Action::Listen { side, until } => self.listen(side, until),
                Action::End => return self.referee.finish(BySide::default()),
            }
        }
        panic!("the game does not end")
    }

    fn send(&mut self, side: Side) {
        if self.referee.is_turn() && self.hear_early(side) {
            return;
        }
        self.framers[side].new_turn();
        self.answer(side);
        self.referee.sent(side, self.now);
    }

    /// The bot has been asked and writes all of its answer at once.
    fn answer(&mut self, side: Side) {
        if !self.referee.is_turn() {
            self.pipes[side].extend(b"ready\n");
            return;
        }
        let mut table = self.game.resume(&self.referee.table().position()).unwrap();
        let mut moves = String::new();
        table.list_moves(&mut moves);
        let moves: Vec<_> = moves.split_ascii_whitespace().collect();
        let word = if self.dialect == Dialect::Pitmaster { "move " } else { "" };
        for piece in self.bots[side].pop_front().unwrap_or_default() {
            let text = match piece {
                Piece::Move(mv) => format!("{word}{}\n", moves[mv % moves.len()]),
                Piece::Claim(mv) => format!("RESULT {} 9 9\n", moves[mv % moves.len()]),
                Piece::Text(text) => text.to_owned(),
                Piece::Long(length) => "x".repeat(length) + "\r\n",
            };
            self.pipes[side].extend(text.as_bytes());
        }
    }

    fn hear_early(&mut self, side: Side) -> bool {
        loop {
            match self.framed(side) {
                Framed::Line => self.referee.early(side, self.framers[side].line()),
                Framed::Partial if self.framers[side].partial_line().is_empty() => return false,
                Framed::Partial => {
                    self.referee.early_part(side, self.framers[side].partial_line());
                    return self.referee.next() == Action::End;
                }
                framed => self.tell_fault(side, framed),
            }
            if self.referee.next() == Action::End {
                return true;
            }
        }
    }

    fn listen(&mut self, side: Side, until: Option<At>) {
        match self.framed(side) {
            Framed::Line => self.referee.line(side, self.framers[side].line(), self.now),
            Framed::Partial => {
                self.now = until.expect("there is a limit") + NANO;
                self.referee.timeout(self.now);
            }
            framed => self.tell_fault(side, framed),
        }
    }

    fn tell_fault(&mut self, side: Side, framed: Framed) {
        let (fault, line) = match framed {
            Framed::TooMuch(limit) => {
                (Fault::TooMuchOutput { stream: Stream::Stdout, limit }, None)
            }
            _ => (Fault::LineTooLong { limit: LINE_LIMIT }, Some(self.framers[side].line())),
        };
        self.referee.fault(side, fault, self.now, line);
    }

    /// Reads until there is an item or the pipe is empty.
    fn framed(&mut self, side: Side) -> Framed {
        loop {
            let framed = self.framers[side].next();
            let pipe = &mut self.pipes[side];
            if framed != Framed::Partial || pipe.is_empty() {
                return framed;
            }
            let space = self.framers[side].space();
            self.cuts.rotate_left(1);
            let bytes = self.cuts[0].min(space.len()).min(pipe.len());
            for (place, byte) in space.iter_mut().zip(pipe.drain(..bytes)) {
                *place = byte;
            }
            self.framers[side].filled(bytes);
        }
    }
}

/// Event from a driver, in any order.
#[derive(Debug, Clone)]
enum Event {
    Next,
    Started(Side),
    Sent(Side),
    Line(Side, Vec<u8>),
    Early(Side, Vec<u8>),
    Part(Side, Vec<u8>),
    Timeout,
    Exited(Side),
    Charge(Side, u64),
    Stole(Side, u64),
    Pondered(Side, u64),
    Wait(u64),
}

fn event() -> impl Strategy<Value = Event> {
    let side = prop::sample::select(Side::BOTH.to_vec());
    let line = prop_oneof![
        prop::collection::vec(any::<u8>(), 0..20),
        "(move |RESULT |)(1[0-6]|[1-9])(T|)[RB]( [0-9]{1,2} [0-9]{1,2}| # x|)"
            .prop_map(String::into_bytes),
        Just(b"ready".to_vec()),
    ];
    let cpu = 0u64..200_000_000_000;
    prop_oneof![
        4 => Just(Event::Next),
        2 => side.clone().prop_map(Event::Started),
        4 => side.clone().prop_map(Event::Sent),
        8 => (side.clone(), line.clone()).prop_map(|(side, line)| Event::Line(side, line)),
        1 => (side.clone(), line.clone()).prop_map(|(side, line)| Event::Early(side, line)),
        1 => (side.clone(), line).prop_map(|(side, line)| Event::Part(side, line)),
        1 => Just(Event::Timeout),
        1 => side.clone().prop_map(Event::Exited),
        1 => (side.clone(), cpu.clone()).prop_map(|(side, cpu)| Event::Charge(side, cpu)),
        1 => (side.clone(), 0u64..30_000_000).prop_map(|(side, cpu)| Event::Stole(side, cpu)),
        1 => (side, cpu).prop_map(|(side, cpu)| Event::Pondered(side, cpu)),
        2 => (0u64..3_000_000_000).prop_map(Event::Wait),
    ]
}

fn tell(referee: &mut Referee, now: &mut At, event: Event) {
    match event {
        Event::Next => drop(format!("{:?}", referee.next())),
        Event::Started(side) => referee.started(side, *now),
        Event::Sent(side) => referee.sent(side, *now),
        Event::Line(side, line) => referee.line(side, &line, *now),
        Event::Early(side, line) => referee.early(side, &line),
        Event::Part(side, part) => referee.early_part(side, &part),
        Event::Timeout => referee.timeout(*now),
        Event::Exited(side) => {
            referee.fault(side, Fault::Exited { exit: Exit::Unknown }, *now, None);
        }
        Event::Charge(side, cpu) => {
            referee.charge(side, Duration::from_nanos(cpu), Duration::ZERO);
        }
        Event::Stole(side, cpu) => {
            referee.charge_idle_cpu(side, Duration::from_nanos(cpu), Duration::ZERO, *now);
        }
        Event::Pondered(side, cpu) => referee.pondered(side, Duration::from_nanos(cpu)),
        Event::Wait(nanos) => *now = *now + Duration::from_nanos(nanos),
    }
}

fn spec() -> impl Strategy<Value = Spec> {
    let dialect = prop::sample::select(Dialect::ALL.to_vec());
    (dialect, any::<bool>(), any::<bool>()).prop_map(|(dialect, lenient, near_the_end)| {
        let position = near_the_end.then_some(NEAR_THE_END);
        Spec { lenient, position, ..Spec::of(dialect) }
    })
}

proptest! {
    #[test]
    fn read_boundaries_change_no_record(
        spec in spec(),
        bots in bots(),
        cuts in prop::collection::vec(1usize..5000, 1..8),
        few in prop::collection::vec(1usize..4, 1..4),
    ) {
        let whole = Lane::new(&spec, &bots, &[usize::MAX]).play();
        prop_assert_eq!(&Lane::new(&spec, &bots, &cuts).play(), &whole);
        prop_assert_eq!(&Lane::new(&spec, &bots, &few).play(), &whole);
    }

    #[test]
    fn no_order_of_events_makes_it_panic_and_timeouts_end_it(
        spec in spec(),
        events in prop::collection::vec(event(), 0..60),
    ) {
        let (mut referee, mut now) = (spec.referee().unwrap(), At::START);
        for event in events {
            tell(&mut referee, &mut now, event);
        }
        // From here on both are silent.
        for _ in 0..20 {
            match referee.next() {
                Action::Start(side) => referee.started(side, now),
                Action::Send(side) => referee.sent(side, now),
                Action::Listen { until, .. } => {
                    now = now.max(until.expect("there is a limit") + NANO);
                    referee.timeout(now);
                }
                Action::End => break,
            }
        }
        prop_assert_eq!(referee.next(), Action::End);
        let (plies, ending) = (referee.plies().len(), referee.ending().cloned());
        let record = referee.finish(BySide::default());
        prop_assert_eq!(record.plies.len(), plies);
        prop_assert_eq!(Some(&record.ending), ending.as_ref());
        for side in Side::BOTH {
            prop_assert_eq!(record.evidence[side].is_some(), record.ending.fault_of(side).is_some());
        }
    }
}
