//! Opponents of people: active versions of a course's ladders, and house bots.

use pitmaster_core::i18n::{Message, said};
use pitmaster_season::course::{CourseId, GroupId};
use pitmaster_session::practice::Opponent;

use super::Shared;
use super::ladders::PlayingVersion;
use crate::play::{Offer, OpponentSource};

/// Prefix of house bots.
const HOUSE: &str = "house:";

impl OpponentSource for Shared {
    fn offers(&self, course: CourseId, group: Option<GroupId>) -> Vec<Offer> {
        // The versions run on the workers, not here.
        if self.workers.is_some() {
            return Vec::new();
        }
        let ladders = self.lock();
        let of_course = ladders.open.iter().filter(|open| open.course == course);
        let mut offers: Vec<_> = of_course
            .flat_map(|open| {
                let game = open.folder.rules().0;
                let playing = open.playing.iter().filter(move |playing| playing.may_meet(group));
                let names = playing.map(|playing| playing.bot.id().name.to_string());
                names.map(move |bot| Offer { game: game.clone(), bot })
            })
            .collect();
        offers.sort();
        offers.dedup();
        offers
    }

    fn opponent(
        &self,
        (course, group): (CourseId, Option<GroupId>),
        bot: &str,
        game: &str,
    ) -> Result<Opponent, Message> {
        if let Some(name) = bot.strip_prefix(HOUSE) {
            let workshop = {
                let mut ladders = self.lock();
                ladders.first_of(course).map(|open| open.folder.workshop().clone())
            };
            let workshop = workshop.ok_or_else(|| said!("This course has no ladder yet."))?;
            let opponent = workshop.house_opponent(name, game);
            return opponent.map_err(|why| said!("This bot cannot play this game: {}", why));
        }
        if self.workers.is_some() {
            return Err(said!(
                "On this server people play against house bots; bots of the course play elsewhere."
            ));
        }
        let ladders = self.lock();
        let mut only = None;
        for open in ladders.open.iter().filter(|open| open.course == course) {
            let is_it = |playing: &&PlayingVersion| {
                playing.may_meet(group) && playing.bot.id().name.as_str() == bot
            };
            let Some(playing) = open.playing.iter().find(is_it) else { continue };
            let rules = open.folder.rules().0;
            if rules == game {
                return Ok(open.folder.workshop().opponent(&playing.bot));
            }
            only = Some(rules);
        }
        Err(match only {
            Some(rules) => said!("{} plays only {}.", bot.to_owned(), rules),
            None => said!("No such bot plays now; choose another one."),
        })
    }

    fn cores(&self) -> Vec<usize> {
        self.layout.rest.clone()
    }
}
