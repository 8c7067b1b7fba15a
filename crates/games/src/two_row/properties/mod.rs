//! Invariants of every game that parameters can describe.

mod observed;
mod params;
mod walk;

use observed::Observed;
use params::any_game;
use pitmaster_core::Side;
use proptest::prelude::*;
use walk::walk;

use super::params::{Mlaps, Params, Prescribed, StartPattern, Unclaimed};
use super::start::total_seeds;
use super::{Clause, Move, Phase, Position, Template, TwoRow, Way};
use crate::{MoveList, Rules, Steps, Turn};

fn seeds_in_play(position: &Position) -> u32 {
    let board = position.seeds.iter().map(|&seeds| u32::from(seeds)).sum::<u32>();
    board + position.stores.iter().map(|&seeds| u32::from(seeds)).sum::<u32>()
}

/// Whether seeds may have left play: some settlements score them for no player, and those lifted at
/// the limit of laps are lost. An opening may do either without ending the game.
fn may_lack_seeds(params: &Params, position: &Position) -> bool {
    let unscored =
        params.no_sides || [params.unclaimed, params.quitter].contains(&Unclaimed::DontScore);
    let opened = [StartPattern::MoveRandom, StartPattern::MoveRightmost];
    match position.phase {
        Phase::Over(_, Clause::Endless) => true,
        Phase::Over(..) | Phase::RoundOver(_) if unscored => true,
        _ => opened.contains(&params.start_pattern) && (unscored || may_lap(params)),
    }
}

/// Whether a move may be sown in laps. The first move may be even if no other is.
fn may_lap(params: &Params) -> bool {
    params.mlaps != Mlaps::Off || params.prescribed == Prescribed::MlapsSower
}

fn listed(rules: &TwoRow, position: &Position) -> MoveList<Move, Template> {
    let mut list = MoveList::default();
    rules.moves(position, &mut list);
    list
}

/// Every expressible move without a layout, and some invalid ones.
fn every_move(rules: &TwoRow, position: &Position) -> Vec<Move> {
    let board = 2 * rules.params().holes as u8;
    let ways = [None, Some(Way::Ccw), Some(Way::Cw)];
    let sown = (0..=board).flat_map(|hole| ways.map(|way| Move::Sow { hole, way }));
    let stores = (0..=position.stores[position.side] + 1).map(Move::Store);
    sown.chain(stores)
        .chain((0..=board).map(Move::Place))
        .chain([Move::Pass, Move::Swap, Move::Round(None), Move::Round(Some(Side::One))])
        .collect()
}

proptest! {
    #[test]
    fn seeds_are_conserved(game in any_game()) {
        let total = total_seeds(&game.params);
        walk(&game, 150, |_, position| {
            if position.phase == Phase::Deal {
                return Ok(());
            }
            let seeds = seeds_in_play(position);
            prop_assert!(seeds <= total, "{} of {}: {:?}", seeds, total, position);
            if !may_lack_seeds(&game.params, position) {
                prop_assert_eq!(seeds, total, "{:?}", position);
            }
            Ok(())
        })?;
    }

    /// Guarantee of the protocol for bots without support for layouts.
    #[test]
    fn beside_a_template_one_may_pass(game in any_game()) {
        walk(&game, 60, |rules, position| {
            let list = listed(rules, position);
            if !list.templates.is_empty() {
                prop_assert_eq!(&list.moves[..], &[Move::Pass]);
            }
            Ok(())
        })?;
    }

    /// Invariant: a move is legal if and only if it is listed or completes a listed template.
    #[test]
    fn legal_is_what_is_listed(game in any_game()) {
        let mut rng = game.seed.stream("layouts");
        walk(&game, 40, |rules, position| {
            let list = listed(rules, position);
            let asks = matches!(rules.turn(position), Turn::Player(_));
            prop_assert_eq!(asks, !(list.moves.is_empty() && list.templates.is_empty()));
            prop_assert_eq!(list.moves.len(), rules.count_moves(position));
            for mv in every_move(rules, position) {
                let is_listed = list.moves.contains(&mv);
                prop_assert_eq!(rules.is_legal(position, &mv), is_listed, "{:?}", mv);
            }
            for template in &list.templates {
                let layout = rules.complete(position, template, &mut rng);
                prop_assert!(rules.is_legal(position, &layout), "{:?}", layout);
                if let Move::Fill(layout) = layout {
                    let more = layout.iter().map(|&(hole, seeds)| (hole, seeds + 10_000)).collect();
                    prop_assert!(!rules.is_legal(position, &Move::Fill(more)));
                }
            }
            Ok(())
        })?;
    }

    #[test]
    fn moves_are_read_as_they_are_written(game in any_game()) {
        let mut rng = game.seed.stream("layouts");
        walk(&game, 60, |rules, position| {
            let list = listed(rules, position);
            let complete = |template| rules.complete(position, template, &mut rng);
            let layouts: Vec<_> = list.templates.iter().map(complete).collect();
            let drawn = (rules.turn(position) == Turn::Chance)
                .then(|| rules.draw(position, &mut game.seed.stream("draw")));
            for mv in list.moves.into_iter().chain(layouts).chain(drawn) {
                let text = rules.move_text(position, &mv);
                prop_assert!(text.bytes().all(|byte| byte.is_ascii_graphic()), "{}", text);
                let upper = rules.parse_move(position, &text.to_uppercase());
                prop_assert_eq!(rules.parse_move(position, &text), Ok(mv.clone()));
                prop_assert_eq!(upper, Ok(mv));
            }
            Ok(())
        })?;
    }

    #[test]
    fn positions_are_read_as_they_are_written(game in any_game()) {
        walk(&game, 120, |rules, position| {
            let text = rules.position_text(position);
            prop_assert!(text.bytes().all(|byte| byte.is_ascii_graphic()), "{}", text);
            prop_assert_eq!(rules.parse_position(&text), Ok(position.clone()), "{}", text);
            Ok(())
        })?;
    }

    /// A mutated position text is rejected or can be played.
    #[test]
    fn what_is_nearly_a_position_can_be_played(
        game in any_game(),
        plies in 0..60_usize,
        at in any::<prop::sample::Index>(),
        byte in prop::sample::select(b"0123456789,;=-.abcdeoprs".to_vec()),
    ) {
        let rules = TwoRow::new(game.params.clone());
        let mut text = rules.position_text(&rules.start()).into_bytes();
        walk(&game, plies, |_, position| {
            text = rules.position_text(position).into_bytes();
            Ok(())
        })?;
        let at = at.index(text.len());
        text[at] = byte;
        let text = String::from_utf8(text).expect("ASCII");
        if let Ok(position) = rules.parse_position(&text) {
            let again = rules.position_text(&position);
            prop_assert_eq!(rules.parse_position(&again), Ok(position.clone()));
            walk::walk_from(&rules, position, game.seed, 40, |_, _| Ok(()))?;
        }
    }

    /// Steps reported to an observer add up for every hole, both stores and the hand.
    #[test]
    fn the_steps_lead_where_the_move_leads(game in any_game()) {
        walk(&game, 60, |rules, position| {
            if position.phase != Phase::Move {
                return Ok(());
            }
            for mv in listed(rules, position).moves {
                let (mut seen, mut unseen) = (position.clone(), position.clone());
                let mut steps = Steps::default();
                rules.play(&mut seen, &mv, &mut steps);
                rules.play(&mut unseen, &mv, &mut ());
                prop_assert_eq!(&seen, &unseen);
                if mv != Move::Swap {
                    let observed = Observed::follow(position, &steps);
                    prop_assert_eq!(observed, Observed::board(&seen), "{:?}: {:?}", mv, steps.0);
                }
            }
            Ok(())
        })?;
    }

    /// A limit can end a game anywhere, and never gives more seeds than there are.
    #[test]
    fn every_position_can_be_settled(game in any_game()) {
        walk(&game, 100, |rules, position| {
            let outcome = rules.adjudicate(position);
            let score = rules.score(position);
            prop_assert!(!rules.board(position).is_empty());
            if position.tally == super::Tally::default() {
                let seeds = seeds_in_play(position);
                prop_assert!(outcome.score.one + outcome.score.two <= seeds, "{:?}", outcome);
                prop_assert!(score.one + score.two <= seeds, "{:?}", score);
            }
            Ok(())
        })?;
    }
}
