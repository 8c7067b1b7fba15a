//! Mailbox of a run's dispatcher: messages from lanes, the store and the system.
//!
//! A message wakes a thread, and a woken thread takes a core from a bot. Lanes that play thousands
//! of games per second would wake the dispatcher for each one, so games are gathered for some
//! milliseconds. An urgent message ends the gathering at once.

use std::sync::{Arc, mpsc};
use std::time::Duration;

use pitmaster_store::StoreError;
use tokio::sync::Notify;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::queue::{Batch, Claimant, Played, Told};

/// Time for which games are gathered: too short for an observer to notice, long compared with a
/// fast game.
pub(super) const GATHER: Duration = Duration::from_millis(20);

/// A message to the dispatcher.
pub(super) enum Message {
    /// A claimant waits for a batch.
    Claim(Claimant, mpsc::Sender<Option<Batch>>),
    /// A claimant stops claiming.
    Left(usize),
    /// Games to be stored.
    Played(Vec<Played>, Told),
    /// A remark for observers.
    Note(String),
    /// The result of storing games.
    Stored(Vec<Played>, Result<(), StoreError>),
    /// The run is interrupted.
    Interrupt,
    /// The allotted time has run out.
    TimeOver,
}

impl Message {
    fn can_wait(&self) -> bool {
        match self {
            Self::Played(played, _) | Self::Stored(played, Ok(())) => {
                played.iter().all(Played::counts)
            }
            Self::Note(_) => true,
            Self::Claim(..)
            | Self::Left(_)
            | Self::Stored(_, Err(_))
            | Self::Interrupt
            | Self::TimeOver => false,
        }
    }
}

/// Sending end of a mailbox.
#[derive(Debug, Clone)]
pub(super) struct Sender {
    messages: UnboundedSender<Message>,
    urgent: Arc<Notify>,
}

impl Sender {
    /// Sends a message. Returns `false` only if the run has ended.
    pub(super) fn send(&self, message: Message) -> bool {
        let can_wait = message.can_wait();
        let sent = self.messages.send(message).is_ok();
        if !can_wait {
            self.urgent.notify_one();
        }
        sent
    }

    /// Returns a closure that sends the same message at every call.
    pub(super) fn saying(&self, message: fn() -> Message) -> impl Fn() + Send + 'static {
        let sender = self.clone();
        move || {
            sender.send(message());
        }
    }
}

/// Receiving end of a mailbox.
#[derive(Debug)]
pub(super) struct Mailbox {
    messages: UnboundedReceiver<Message>,
    urgent: Arc<Notify>,
}

/// Creates a mailbox with its sender.
pub(super) fn mailbox() -> (Sender, Mailbox) {
    let (sender, messages) = unbounded_channel();
    let urgent = Arc::new(Notify::new());
    (Sender { messages: sender, urgent: Arc::clone(&urgent) }, Mailbox { messages, urgent })
}

impl Mailbox {
    /// Waits for a message, gathers more for `gather`, and returns all in order. An urgent message
    /// ends the gathering.
    pub(super) async fn take(&mut self, gather: Duration) -> Vec<Message> {
        let Some(first) = self.messages.recv().await else { return Vec::new() };
        if first.can_wait() && !gather.is_zero() {
            tokio::select! {
                () = self.urgent.notified() => {}
                () = tokio::time::sleep(gather) => {}
            }
        }
        let mut taken = vec![first];
        while let Ok(message) = self.messages.try_recv() {
            taken.push(message);
        }
        taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AGES: Duration = Duration::from_hours(1);

    fn take(mailbox: &mut Mailbox, gather: Duration) -> Vec<String> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
        let taken = runtime.expect("a runtime").block_on(mailbox.take(gather));
        let name = |message: Message| match message {
            Message::Note(text) => text,
            Message::Interrupt => "interrupt".to_owned(),
            _ => "another".to_owned(),
        };
        taken.into_iter().map(name).collect()
    }

    fn note(text: &str) -> Message {
        Message::Note(text.to_owned())
    }

    #[test]
    fn what_can_wait_is_gathered() {
        let (sender, mut mailbox) = mailbox();
        sender.send(note("a"));
        let later = sender.clone();
        let thread = std::thread::spawn(move || later.send(note("b")));
        thread.join().expect("it ends");
        assert_eq!(take(&mut mailbox, Duration::from_millis(1)), ["a", "b"]);
    }

    #[test]
    fn what_cannot_wait_ends_the_gathering() {
        let (sender, mut mailbox) = mailbox();
        sender.send(note("a"));
        let later = sender.clone();
        let thread = std::thread::spawn(move || later.send(Message::Interrupt));
        assert_eq!(take(&mut mailbox, AGES), ["a", "interrupt"]);
        thread.join().expect("it ends");
        sender.send(Message::Interrupt);
        assert_eq!(take(&mut mailbox, AGES), ["interrupt"]);
    }

    #[test]
    fn nothing_is_gathered_for_those_who_wait() {
        let (sender, mut mailbox) = mailbox();
        sender.send(note("a"));
        assert_eq!(take(&mut mailbox, Duration::ZERO), ["a"]);
    }

    #[test]
    fn an_empty_mailbox_that_nobody_writes_to_says_so() {
        let (sender, mut mailbox) = mailbox();
        drop(sender);
        assert!(take(&mut mailbox, AGES).is_empty());
    }
}
