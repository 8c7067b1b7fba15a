//! Message broker: the job stream, the result stream and the object store of the server.
//!
//! Must not depend on their content. The server's data is disposable.

use std::time::Duration;

use async_nats::Client;
use async_nats::jetstream::consumer::{AckPolicy, PullConsumer, pull};
use async_nats::jetstream::message::{Acker, PublishMessage};
use async_nats::jetstream::object_store::{self, ObjectStore};
use async_nats::jetstream::stream::{self, DiscardPolicy, RetentionPolicy, StorageType, Stream};
use async_nats::jetstream::{self, AckKind, Context, Message};
use tokio::io::AsyncReadExt as _;

use super::connect::{Access, AccessError};
use super::wire::{is_worker_class, jobs_of, results_of};

const JOBS: &str = "PITMASTER_JOBS";
const RESULTS: &str = "PITMASTER_RESULTS";
const OBJECTS: &str = "pitmaster";

/// Time within which the server drops duplicate messages.
const DUPLICATE_WINDOW: Duration = Duration::from_mins(2);

/// Maximum age of messages.
const MAX_AGE: Duration = Duration::from_hours(336);

/// Maximum total size of results in bytes. The server refuses further results, and workers retry.
const MAX_RESULT_BYTES: i64 = 4 << 30;

/// Maximum number of deliveries of a job. The last delivery is only reported, not played.
pub(super) const MAX_DELIVERIES: i64 = 4;

/// Maximum number of results that are delivered and not acknowledged. It exceeds the number of early
/// results that a coordinator keeps.
const MAX_UNSTORED_RESULTS: i64 = 1 << 20;

/// Time without data after which fetching an object fails.
const READ_TIMEOUT: Duration = Duration::from_secs(20);

/// Idle time after which the server deletes the consumer of a single worker.
const INACTIVE_THRESHOLD: Duration = Duration::from_hours(1);

/// Maximum number of held jobs of a class, larger than any number of lanes.
const MAX_ACK_PENDING: i64 = 1 << 16;

/// Error of a server operation.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(super) struct BrokerError(pub(super) String);

pub(super) type BrokerResult<T> = Result<T, BrokerError>;

/// Converts an error of the given operation.
pub(super) fn cannot<E: std::fmt::Display>(operation: &str) -> impl FnOnce(E) -> BrokerError {
    move |error| BrokerError(format!("cannot {operation}: {error}"))
}

/// Handle for acknowledging a received message.
pub(super) struct AckHandle(Acker);

impl std::fmt::Debug for AckHandle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("AckHandle")
    }
}

impl AckHandle {
    /// Splits a message from its handle.
    pub(super) fn split(message: Message) -> (async_nats::Message, Self) {
        let (message, acker) = message.split();
        (message, Self(acker))
    }

    /// Acknowledges the message. If this fails, the server redelivers the message.
    pub(super) async fn acknowledge(&self, kind: AckKind) {
        let _ = self.0.ack_with(kind).await;
    }
}

/// Creates a runtime with the given number of threads.
pub(super) fn runtime(threads: usize) -> std::io::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_multi_thread().worker_threads(threads).enable_all().build()
}

/// Client of the server, shared by coordinator and workers.
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

    /// Creates the streams and the object store if they do not exist. Returns whether any was created.
    pub(super) async fn create_streams(&self) -> BrokerResult<bool> {
        let mut any_new = false;
        for config in [jobs_config(), results_config()] {
            if self.context.get_stream(&config.name).await.is_err() {
                self.context.create_stream(config).await.map_err(cannot("create a stream"))?;
                any_new = true;
            }
        }
        if self.context.get_object_store(OBJECTS).await.is_err() {
            let config = object_store::Config { bucket: OBJECTS.into(), ..Default::default() };
            let created = self.context.create_object_store(config).await;
            created.map_err(cannot("create the object store"))?;
            any_new = true;
        }
        Ok(any_new)
    }

    /// Returns whether the streams exist.
    ///
    /// # Errors
    /// The server cannot be reached, so this is unknown.
    pub(super) async fn streams_exist(&self) -> BrokerResult<bool> {
        for stream in [JOBS, RESULTS] {
            match self.context.get_stream(stream).await {
                Ok(_) => {}
                Err(error) if is_not_found(&error) => return Ok(false),
                Err(error) => return Err(cannot("inspect a stream")(error)),
            }
        }
        Ok(true)
    }

    /// Publishes a message to a stream and returns its stream sequence. The server drops a message
    /// with the id of a recent one.
    pub(super) async fn publish(
        &self,
        subject: String,
        id: &str,
        bytes: Vec<u8>,
    ) -> BrokerResult<u64> {
        let message = PublishMessage::build().payload(bytes.into()).message_id(id);
        let sent = self.context.send_publish(subject, message).await;
        let acked = sent.map_err(cannot("publish"))?.await;
        Ok(acked.map_err(cannot("publish"))?.sequence)
    }

    /// Publishes a message to the current subscribers, without a guarantee of delivery.
    pub(super) async fn notify(&self, subject: &'static str, bytes: Vec<u8>) {
        // Errors are ignored, because subscribers also poll and requesters retry.
        let _ = self.client.publish(subject, bytes.into()).await;
    }

    /// Returns the consumer of a job class, and creates it if it does not exist.
    pub(super) async fn job_consumer(
        &self,
        contest: &str,
        class: &str,
        patience: Duration,
    ) -> BrokerResult<PullConsumer> {
        let config = pull::Config {
            durable_name: Some(format!("{contest}-{class}")),
            filter_subject: jobs_of(contest, class),
            ack_policy: AckPolicy::Explicit,
            ack_wait: patience,
            max_deliver: MAX_DELIVERIES,
            max_ack_pending: MAX_ACK_PENDING,
            inactive_threshold: if is_worker_class(class) {
                INACTIVE_THRESHOLD
            } else {
                Duration::ZERO
            },
            ..Default::default()
        };
        self.consumer(JOBS, config).await
    }

    /// Returns the consumer of a contest's results, and creates it if it does not exist.
    pub(super) async fn result_consumer(&self, contest: &str) -> BrokerResult<PullConsumer> {
        let config = pull::Config {
            durable_name: Some(contest.to_owned()),
            filter_subject: results_of(contest),
            ack_policy: AckPolicy::Explicit,
            ack_wait: Duration::from_mins(1),
            max_ack_pending: MAX_UNSTORED_RESULTS,
            ..Default::default()
        };
        self.consumer(RESULTS, config).await
    }

    async fn consumer(&self, stream: &str, config: pull::Config) -> BrokerResult<PullConsumer> {
        let name = config.durable_name.clone().unwrap_or_default();
        let stream = self.stream(stream).await?;
        let created = stream.get_or_create_consumer(&name, config).await;
        created.map_err(cannot("create a consumer"))
    }

    async fn stream(&self, name: &str) -> BrokerResult<Stream> {
        self.context.get_stream(name).await.map_err(cannot("open a stream"))
    }

    /// Jobs of a contest in the stream, with their stream sequences.
    pub(super) async fn list_jobs(&self, contest: &str) -> BrokerResult<Vec<(u64, Vec<u8>)>> {
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

    /// Returns whether a job is in the stream. Acknowledged jobs are not.
    pub(super) async fn has_job(&self, sequence: u64) -> BrokerResult<bool> {
        Ok(self.stream(JOBS).await?.get_raw_message(sequence).await.is_ok())
    }

    /// Deletes a job from the stream, if it is there.
    pub(super) async fn delete_job(&self, sequence: u64) {
        if let Ok(stream) = self.stream(JOBS).await {
            let _ = stream.delete_message(sequence).await;
        }
    }

    /// Deletes all jobs of a contest, both queued and held ones.
    pub(super) async fn purge_jobs(&self, contest: &str) {
        if let Ok(stream) = self.stream(JOBS).await {
            let _ = stream.purge().filter(jobs_of(contest, "*")).await;
        }
    }

    /// Number of jobs in the stream, of all contests.
    pub(super) async fn job_count(&self) -> BrokerResult<u64> {
        Ok(self.stream(JOBS).await?.cached_info().state.messages)
    }

    /// Deletes the jobs, results and consumers of a contest.
    pub(super) async fn delete_contest(&self, contest: &str, classes: &[String]) {
        self.purge_jobs(contest).await;
        for class in classes {
            let consumer = format!("{contest}-{class}");
            let _ = self.context.delete_consumer_from_stream(consumer, JOBS).await;
        }
        let _ = self.context.delete_consumer_from_stream(contest, RESULTS).await;
        if let Ok(stream) = self.stream(RESULTS).await {
            let _ = stream.purge().filter(results_of(contest)).await;
        }
    }

    async fn objects(&self) -> BrokerResult<ObjectStore> {
        self.context.get_object_store(OBJECTS).await.map_err(cannot("open the object store"))
    }

    /// Stores an object, unless one of that name exists. The name is derived from the content.
    pub(super) async fn put_object(&self, name: &str, bytes: &[u8]) -> BrokerResult<()> {
        let objects = self.objects().await?;
        // The server still lists deleted objects.
        if objects.info(name).await.is_ok_and(|known| !known.deleted) {
            return Ok(());
        }
        objects.put(name, &mut &*bytes).await.map_err(cannot("store an object")).map(drop)
    }

    /// Fetches an object of at most `max_bytes` bytes.
    pub(super) async fn get_object(&self, name: &str, max_bytes: u64) -> BrokerResult<Vec<u8>> {
        let objects = self.objects().await?;
        let mut object = objects.get(name).await.map_err(cannot("fetch an object"))?;
        let mut bytes = Vec::new();
        loop {
            // Without a timeout, the read would wait forever if the stream is deleted meanwhile.
            let read = tokio::time::timeout(READ_TIMEOUT, object.read_buf(&mut bytes)).await;
            let read = read.map_err(cannot("fetch an object"))?;
            if read.map_err(cannot("fetch an object"))? == 0 {
                return Ok(bytes);
            }
            if bytes.len() as u64 > max_bytes {
                return Err(BrokerError(format!(
                    "the object {name} is larger than {max_bytes} bytes"
                )));
            }
        }
    }

    /// Deletes an object.
    pub(super) async fn delete_object(&self, name: &str) {
        if let Ok(objects) = self.objects().await {
            let _ = objects.delete(name).await;
        }
    }
}

fn is_not_found(error: &jetstream::context::GetStreamError) -> bool {
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
        max_bytes: MAX_RESULT_BYTES,
        discard: DiscardPolicy::New,
        ..queue_config()
    }
}

fn queue_config() -> stream::Config {
    stream::Config {
        retention: RetentionPolicy::WorkQueue,
        storage: StorageType::File,
        max_age: MAX_AGE,
        duplicate_window: DUPLICATE_WINDOW,
        num_replicas: 1,
        ..stream::Config::default()
    }
}
