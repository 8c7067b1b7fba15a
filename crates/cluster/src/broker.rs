//! Message broker: the server's stream of jobs, stream of results, and object store.
//!
//! Must not depend on their content. All of it may be lost and can be created again.

use std::time::Duration;

use async_nats::Client;
use async_nats::jetstream::consumer::{AckPolicy, PullConsumer, pull};
use async_nats::jetstream::message::{Acker, PublishMessage};
use async_nats::jetstream::object_store::{self, ObjectStore};
use async_nats::jetstream::stream::{self, DiscardPolicy, RetentionPolicy, StorageType, Stream};
use async_nats::jetstream::{self, AckKind, Context, Message};
use tokio::io::AsyncReadExt as _;

use super::connect::{Access, AccessError};
use super::wire::{is_of_worker, jobs_of, results_of};

const JOBS: &str = "PITMASTER_JOBS";
const RESULTS: &str = "PITMASTER_RESULTS";
const OBJECTS: &str = "pitmaster";

/// Time within which the server recognizes a duplicate message.
const DUPLICATES: Duration = Duration::from_mins(2);

/// Retention of messages that nobody requests.
const AGE: Duration = Duration::from_hours(336);

/// Maximum total size of results in bytes. Further results are refused, and workers wait.
const MOST_RESULTS: i64 = 4 << 30;

/// Maximum number of deliveries of a job. After the last one the job is not played.
pub(super) const DELIVERIES: i64 = 4;

/// Maximum number of received results that are not stored yet. Results that came too early count
/// among them: many more than are ever kept of these.
const MOST_UNSTORED: i64 = 1 << 20;

/// Time without data after which an object is no longer fetched.
const STALLED: Duration = Duration::from_secs(20);

/// Time without a request after which the server forgets the consumer of a single worker, which has
/// ended.
const ABANDONED: Duration = Duration::from_hours(1);

/// Upper bound on held jobs: more than any school has lanes.
const MOST_HELD: i64 = 1 << 16;

/// A failed operation of the server.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(super) struct Trouble(pub(super) String);

pub(super) type Tried<T> = Result<T, Trouble>;

/// Adds the attempted operation to an error.
pub(super) fn while_<E: std::fmt::Display>(doing: &str) -> impl FnOnce(E) -> Trouble {
    move |error| Trouble(format!("cannot {doing}: {error}"))
}

/// The right to acknowledge a received message.
pub(super) struct Receipt(Acker);

impl std::fmt::Debug for Receipt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Receipt")
    }
}

impl Receipt {
    /// Splits a message from its receipt.
    pub(super) fn split(message: Message) -> (async_nats::Message, Self) {
        let (message, acker) = message.split();
        (message, Self(acker))
    }

    /// Acknowledges the message. If the server is unreachable, it delivers the message again.
    pub(super) async fn answer(&self, kind: AckKind) {
        let _ = self.0.ack_with(kind).await;
    }
}

/// Creates a runtime with this number of threads.
pub(super) fn runtime(threads: usize) -> std::io::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_multi_thread().worker_threads(threads).enable_all().build()
}

/// The server, as both sides use it.
#[derive(Debug, Clone)]
pub(super) struct Broker {
    pub(super) client: Client,
    context: Context,
}

impl Broker {
    /// Connects to the server.
    pub(super) async fn connect(access: &Access, name: &str) -> Result<Self, AccessError> {
        let client = access.connect(name).await?;
        Ok(Self { context: jetstream::new(client.clone()), client })
    }

    /// Creates missing streams and the object store. Returns whether any of them was new.
    pub(super) async fn open(&self) -> Tried<bool> {
        let mut any_new = false;
        for config in [jobs_config(), results_config()] {
            if self.context.get_stream(&config.name).await.is_err() {
                self.context.create_stream(config).await.map_err(while_("make a stream"))?;
                any_new = true;
            }
        }
        if self.context.get_object_store(OBJECTS).await.is_err() {
            let config = object_store::Config { bucket: OBJECTS.into(), ..Default::default() };
            let made = self.context.create_object_store(config).await;
            made.map_err(while_("make a store of objects"))?;
            any_new = true;
        }
        Ok(any_new)
    }

    /// Returns whether the streams exist. An error means that this is unknown.
    pub(super) async fn is_there(&self) -> Tried<bool> {
        for stream in [JOBS, RESULTS] {
            match self.context.get_stream(stream).await {
                Ok(_) => {}
                Err(error) if is_missing(&error) => return Ok(false),
                Err(error) => return Err(while_("look at a stream")(error)),
            }
        }
        Ok(true)
    }

    /// Publishes a message once: a message with a recent id is ignored. Returns its position in the
    /// stream.
    pub(super) async fn publish(&self, subject: String, id: &str, bytes: Vec<u8>) -> Tried<u64> {
        let message = PublishMessage::build().payload(bytes.into()).message_id(id);
        let sent = self.context.send_publish(subject, message).await;
        let acked = sent.map_err(while_("publish"))?.await;
        Ok(acked.map_err(while_("publish"))?.sequence)
    }

    /// Publishes a message to current subscribers.
    pub(super) async fn say(&self, subject: &'static str, bytes: Vec<u8>) {
        // Perhaps nobody is connected at the moment: requesters retry.
        let _ = self.client.publish(subject, bytes.into()).await;
    }

    /// Consumer of a class of jobs, created if it does not exist.
    pub(super) async fn takers(
        &self,
        contest: &str,
        class: &str,
        patience: Duration,
    ) -> Tried<PullConsumer> {
        let config = pull::Config {
            durable_name: Some(format!("{contest}-{class}")),
            filter_subject: jobs_of(contest, class),
            ack_policy: AckPolicy::Explicit,
            ack_wait: patience,
            max_deliver: DELIVERIES,
            max_ack_pending: MOST_HELD,
            inactive_threshold: if is_of_worker(class) { ABANDONED } else { Duration::ZERO },
            ..Default::default()
        };
        self.consumer(JOBS, config).await
    }

    /// Consumer of a contest's results, created if it does not exist.
    pub(super) async fn results(&self, contest: &str) -> Tried<PullConsumer> {
        let config = pull::Config {
            durable_name: Some(contest.to_owned()),
            filter_subject: results_of(contest),
            ack_policy: AckPolicy::Explicit,
            ack_wait: Duration::from_mins(1),
            max_ack_pending: MOST_UNSTORED,
            ..Default::default()
        };
        self.consumer(RESULTS, config).await
    }

    async fn consumer(&self, stream: &str, config: pull::Config) -> Tried<PullConsumer> {
        let name = config.durable_name.clone().unwrap_or_default();
        let stream = self.stream(stream).await?;
        let made = stream.get_or_create_consumer(&name, config).await;
        made.map_err(while_("make a consumer"))
    }

    async fn stream(&self, name: &str) -> Tried<Stream> {
        self.context.get_stream(name).await.map_err(while_("open a stream"))
    }

    /// Jobs of a contest that are still in the stream, with their positions.
    pub(super) async fn jobs_left(&self, contest: &str) -> Tried<Vec<(u64, Vec<u8>)>> {
        let stream = self.stream(JOBS).await?;
        let (subject, mut from, mut left) = (jobs_of(contest, "*"), 1, Vec::new());
        let last = stream.cached_info().state.last_sequence;
        while from <= last {
            let next = stream.raw_message_builder().sequence(from).next_by_subject(&*subject);
            let Ok(message) = next.send().await else { break };
            from = message.sequence + 1;
            left.push((message.sequence, message.payload.to_vec()));
        }
        Ok(left)
    }

    /// Returns whether a job is still in the stream. It is removed when it is acknowledged.
    pub(super) async fn has_job(&self, place: u64) -> Tried<bool> {
        Ok(self.stream(JOBS).await?.get_raw_message(place).await.is_ok())
    }

    /// Withdraws a job; does nothing if it is gone.
    pub(super) async fn take_back(&self, place: u64) {
        if let Ok(stream) = self.stream(JOBS).await {
            let _ = stream.delete_message(place).await;
        }
    }

    /// Withdraws all jobs of a contest, both unclaimed and held.
    pub(super) async fn clear(&self, contest: &str) {
        if let Ok(stream) = self.stream(JOBS).await {
            let _ = stream.purge().filter(jobs_of(contest, "*")).await;
        }
    }

    /// Number of jobs of all contests in the stream.
    pub(super) async fn jobs(&self) -> Tried<u64> {
        Ok(self.stream(JOBS).await?.cached_info().state.messages)
    }

    /// Deletes the data of a finished contest.
    pub(super) async fn forget(&self, contest: &str, classes: &[String]) {
        self.clear(contest).await;
        for class in classes {
            let consumer = format!("{contest}-{class}");
            let _ = self.context.delete_consumer_from_stream(consumer, JOBS).await;
        }
        let _ = self.context.delete_consumer_from_stream(contest, RESULTS).await;
        if let Ok(stream) = self.stream(RESULTS).await {
            let _ = stream.purge().filter(results_of(contest)).await;
        }
    }

    async fn objects(&self) -> Tried<ObjectStore> {
        self.context.get_object_store(OBJECTS).await.map_err(while_("open the store of objects"))
    }

    /// Stores an object under a name derived from its content.
    pub(super) async fn put(&self, name: &str, bytes: &[u8]) -> Tried<()> {
        let objects = self.objects().await?;
        // Of one that was removed the server still knows the name.
        if objects.info(name).await.is_ok_and(|known| !known.deleted) {
            return Ok(());
        }
        objects.put(name, &mut &*bytes).await.map_err(while_("keep an object")).map(drop)
    }

    /// Fetches an object of at most `most` bytes.
    pub(super) async fn get(&self, name: &str, most: u64) -> Tried<Vec<u8>> {
        let objects = self.objects().await?;
        let mut object = objects.get(name).await.map_err(while_("fetch an object"))?;
        let mut bytes = Vec::new();
        loop {
            // A stream that is removed meanwhile never ends.
            let read = tokio::time::timeout(STALLED, object.read_buf(&mut bytes)).await;
            let read = read.map_err(while_("fetch an object"))?;
            if read.map_err(while_("fetch an object"))? == 0 {
                return Ok(bytes);
            }
            if bytes.len() as u64 > most {
                return Err(Trouble(format!("the object {name} is larger than {most} bytes")));
            }
        }
    }

    /// Deletes an object.
    pub(super) async fn remove(&self, name: &str) {
        if let Ok(objects) = self.objects().await {
            let _ = objects.delete(name).await;
        }
    }
}

fn is_missing(error: &jetstream::context::GetStreamError) -> bool {
    use jetstream::ErrorCode;
    use jetstream::context::GetStreamErrorKind;
    match error.kind() {
        GetStreamErrorKind::JetStream(error) => error.error_code() == ErrorCode::STREAM_NOT_FOUND,
        _ => false,
    }
}

fn jobs_config() -> stream::Config {
    stream::Config {
        name: JOBS.into(),
        subjects: vec!["pitmaster.jobs.>".into()],
        ..queue_config()
    }
}

fn results_config() -> stream::Config {
    stream::Config {
        name: RESULTS.into(),
        subjects: vec!["pitmaster.results.>".into()],
        max_bytes: MOST_RESULTS,
        discard: DiscardPolicy::New,
        ..queue_config()
    }
}

fn queue_config() -> stream::Config {
    stream::Config {
        retention: RetentionPolicy::WorkQueue,
        storage: StorageType::File,
        max_age: AGE,
        duplicate_window: DUPLICATES,
        num_replicas: 1,
        ..stream::Config::default()
    }
}
