//! Redaction: removes data that a page's readers must not see. It is removed from the records
//! before any other code uses them, so that no derived data can reveal it.

use pitmaster_core::{BotId, BotName, BySide, Ending, Fault, Record, Side, StartFault, Untrusted};

use super::pseudonyms::Secret;
use super::said::value_of;
use crate::LeftOut;

/// Readers of a page. The default is the tournament's operator, who may see everything.
#[derive(Debug, Clone, Default)]
pub struct Audience {
    /// The public, if there is a secret: bots have pseudonyms made with it, and no text of their
    /// authors is shown.
    pub everybody: Option<Secret>,
    /// The author of this bot: the standings of all bots, but only the games of this bot, and in
    /// them only its own texts.
    pub author_of: Option<BotName>,
    /// Bots whose names are public: house bots.
    pub known: Vec<BotName>,
}

impl Audience {
    /// Identity of a bot for these readers.
    pub fn bot(&self, bot: &BotId) -> BotId {
        let keeps = self.author_of.as_ref() == Some(&bot.name) || self.known.contains(&bot.name);
        match &self.everybody {
            Some(secret) if !keeps => secret.bot(bot),
            _ => bot.clone(),
        }
    }

    /// Returns whether texts of a bot and its author are shown: its display name, lines, remarks
    /// and standard error.
    pub fn hears(&self, bot: &BotName) -> bool {
        match &self.author_of {
            Some(own) => own == bot,
            None => self.everybody.is_none(),
        }
    }

    /// A bot that was left out, without its author's texts if the readers must not see them.
    #[must_use]
    pub fn left_out(&self, bot: &LeftOut) -> LeftOut {
        let why = if self.hears(&bot.id.name) { bot.why.clone() } else { String::new() };
        LeftOut { id: self.bot(&bot.id), why }
    }

    /// Returns whether the reader is the operator, who may see the machines of the tournament.
    pub fn runs_it(&self) -> bool {
        self.everybody.is_none() && self.author_of.is_none()
    }

    /// Returns whether details of a bot are shown.
    pub fn may_look_at(&self, bot: &BotName) -> bool {
        self.author_of.as_ref().is_none_or(|own| own == bot)
    }

    /// Returns whether a game is shown.
    pub(super) fn sees(&self, record: &Record) -> bool {
        let is_own = |own: &BotName| record.key.bots.iter().any(|bot| bot.name == *own);
        self.author_of.as_ref().is_none_or(is_own)
    }

    /// Returns whether games can be downloaded as files.
    pub(super) fn may_download(&self) -> bool {
        self.everybody.is_none()
    }

    /// Returns whether the order of the plan, which is that of the names, is hidden.
    pub(super) fn hides_order(&self) -> bool {
        self.everybody.is_some()
    }

    /// A record redacted for these readers. Its id is computed from pseudonyms, because the real
    /// one is a hash of guessable names.
    #[must_use]
    pub fn disguised(&self, mut record: Record) -> Record {
        let hears = BySide::from_fn(|side| self.hears(&record.key.bots[side].name));
        for side in Side::BOTH.into_iter().filter(|side| !hears[*side]) {
            if let Some(evidence) = &mut record.evidence[side] {
                evidence.line = None;
                evidence.stderr = Untrusted::default();
            }
        }
        record.ending = wordless(record.ending, hears);
        record.wrong_claims.retain(|claim| hears[claim.by]);
        record.remarks.retain_mut(|remark| {
            if hears[remark.by] {
                return true;
            }
            // A bot's evaluation of its position is a number, without text.
            let Some(value) = value_of(&remark.text) else { return false };
            remark.text = Untrusted::new(format!("value {value}"));
            true
        });
        record.key.bots = record.key.bots.map(|bot| self.bot(&bot));
        record
    }
}

/// A record without the text of sides whose `hears` is false, including evaluations. Moves, times
/// and the kind of a fault are kept.
#[must_use]
pub fn without_words(mut record: Record, hears: BySide<bool>) -> Record {
    for side in Side::BOTH.into_iter().filter(|side| !hears[*side]) {
        record.evidence[side] = None;
        record.skipped_lines[side] = 0;
    }
    record.ending = wordless(record.ending, hears);
    record.wrong_claims.retain(|claim| hears[claim.by]);
    record.remarks.retain(|remark| hears[remark.by]);
    record
}

/// Ending without the text of a bot's files on how to start it.
fn wordless(ending: Ending, hears: BySide<bool>) -> Ending {
    let quiet = |side: Side, fault: Fault| match fault {
        Fault::WouldNotStart { .. } if !hears[side] => {
            Fault::WouldNotStart { why: StartFault::NotExecutable }
        }
        other => other,
    };
    match ending {
        Ending::Forfeit { by, fault, score } => {
            Ending::Forfeit { by, fault: quiet(by, fault), score }
        }
        Ending::BothForfeited { faults: BySide { one, two } } => Ending::BothForfeited {
            faults: BySide::new(quiet(Side::One, one), quiet(Side::Two, two)),
        },
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use pitmaster_core::Remark;

    use super::super::super::fixtures;
    use super::*;

    fn shown(audience: &Audience) -> String {
        let (records, _) = fixtures::tournament();
        let said = |mut record: Record| {
            let text = Untrusted::new("info value 2.5 by Éloïse");
            record.remarks.push(Remark { ply: 1, by: Side::Two, text });
            serde_json::to_string(&audience.disguised(record)).unwrap()
        };
        records.into_iter().map(said).collect::<Vec<_>>().join("\n")
    }

    /// A game in which player 1, evil, forfeited with evidence.
    fn forfeit(records: &[Record]) -> Record {
        let found = records.iter().find(|record| record.evidence.one.is_some());
        let found = found.expect("a forfeit").clone();
        assert_eq!(found.key.bots.one.name.as_str(), "evil");
        found
    }

    #[test]
    fn everybody_sees_no_name_and_no_word() {
        let everybody = Some(Secret::new([1; 32]));
        let text = shown(&Audience { everybody, ..Audience::default() });
        for word in ["alpha", "beta", "evil", "HYPERLINK", "Éloïse", "stderr\":\"l"] {
            assert!(!text.contains(word), "{word}");
        }
        assert!(text.contains("value 2.5"));
    }

    #[test]
    fn an_author_sees_all_names_and_only_own_words() {
        let author_of = Some("alpha".parse().unwrap());
        let text = shown(&Audience { author_of, ..Audience::default() });
        assert!(text.contains("beta") && text.contains("evil"));
        let (records, _) = fixtures::tournament();
        let own = Audience { author_of: Some("evil".parse().unwrap()), ..Audience::default() };
        let seen = records.iter().filter(|record| own.sees(record)).count();
        assert!(0 < seen && seen < records.len());
        assert!(!own.disguised(forfeit(&records)).evidence.one.unwrap().stderr.is_empty());
        let alpha = Audience { author_of: Some("alpha".parse().unwrap()), ..Audience::default() };
        let evidence = alpha.disguised(forfeit(&records)).evidence.one.unwrap();
        assert!(evidence.stderr.is_empty() && evidence.line.is_none());
        assert!(!text.contains("its loader"));
    }

    #[test]
    fn who_is_not_heard_leaves_no_word() {
        let (records, _) = fixtures::tournament();
        let mut record = forfeit(&records);
        for by in Side::BOTH {
            let text = Untrusted::new("info value 2.5 by Éloïse");
            record.remarks.push(Remark { ply: 1, by, text });
        }
        let none = without_words(record.clone(), BySide::new(false, false));
        assert!(none.remarks.is_empty() && none.evidence.one.is_none());
        assert_eq!((none.plies.clone(), none.id()), (record.plies.clone(), record.id()));
        let one = without_words(record.clone(), BySide::new(true, false));
        assert!(one.remarks.iter().all(|remark| remark.by == Side::One));
        assert_eq!(one.evidence.one, record.evidence.one);
        assert!(without_words(record.clone(), BySide::new(false, true)).evidence.one.is_none());
        assert_eq!(without_words(record.clone(), BySide::new(true, true)), record);
    }

    #[test]
    fn an_author_among_everybody_knows_itself() {
        let everybody = Some(Secret::new([1; 32]));
        let author_of = Some("alpha".parse().unwrap());
        let text = shown(&Audience { everybody, author_of, known: vec!["beta".parse().unwrap()] });
        assert!(
            text.contains("\"alpha\"") && text.contains("\"beta\"") && !text.contains("\"evil\"")
        );
    }
}
