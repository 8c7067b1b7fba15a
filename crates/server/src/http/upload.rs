//! Upload handler: streams the body to a file, stores it, and commits it as a version before it
//! responds.

use std::collections::HashMap;
use std::io::{self, ErrorKind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::multipart::{Field, MultipartError};
use axum::extract::{DefaultBodyLimit, FromRequest as _, Multipart, Request};
use axum::http::{HeaderMap, StatusCode, header};
use http_body_util::BodyExt as _;
use pitmaster_core::i18n::said;
use pitmaster_season::course::{EntryId, PersonId, Quota};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use super::app::App;
use super::problem::{Kind, Problem};
use crate::database::{Act, NewVersion, Received, Via};
use crate::uploads::{NewUpload, plain_name};

/// Maximum size of an archive or source file, in bytes.
pub(super) const MAX_BYTES: u64 = 20 * 1024 * 1024;

/// Timeout of an upload, including its body.
pub(super) const TIMEOUT: Duration = Duration::from_mins(1);

/// Number of bytes up to which an oversized body is read. A browser shows the response only after
/// it could send everything.
const MAX_READ: u64 = 2 * MAX_BYTES;

/// Maximum length of a note, in bytes. The database has a limit in characters.
const MAX_NOTE: usize = 4096;

/// Maximum length of an `Idempotency-Key`.
const MAX_KEY: usize = 200;

/// Maximum number of concurrent uploads: of a person, and in total.
const MAX_CONCURRENT: (u32, usize) = (2, 64);

/// Number of buffered chunks.
const CHUNKS: usize = 8;

/// Quotas of a group.
const QUOTAS: [Quota; 2] = [Quota::UPLOADS_AN_HOUR, Quota::UPLOADS_A_DAY];

/// Media types of raw bodies, with a file name for each.
const RAW: [(&str, &str); 4] = [
    ("application/gzip", "upload.tar.gz"),
    ("application/x-gzip", "upload.tar.gz"),
    ("application/zip", "upload.zip"),
    ("application/x-zip-compressed", "upload.zip"),
];

/// Disables the framework's limit for a whole form. The size of the file is checked here, while it
/// is streamed to the disk.
pub(super) fn body_limit() -> DefaultBodyLimit {
    DefaultBodyLimit::max(MAX_READ as usize)
}

/// Concurrent uploads, by person.
#[derive(Debug, Clone, Default)]
pub(super) struct UploadSlots {
    taken: Arc<Mutex<HashMap<PersonId, u32>>>,
    /// Number of the next upload.
    next: Arc<AtomicU64>,
    /// Serializes storing and committing, so that no upload removes bytes that another one has just
    /// stored.
    commit_lock: Arc<tokio::sync::Mutex<()>>,
}

/// Slot of an upload.
#[derive(Debug)]
struct UploadSlot {
    slots: UploadSlots,
    person: PersonId,
}

impl UploadSlots {
    fn take(&self, person: PersonId) -> Result<UploadSlot, Problem> {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let all: u32 = taken.values().sum();
        if all as usize >= MAX_CONCURRENT.1 {
            return Err(Problem::new(Kind::Unavailable));
        }
        let own = taken.entry(person).or_default();
        if *own >= MAX_CONCURRENT.0 {
            let why = said!("You are sending {} files already; wait until they arrived.", *own);
            return Err(Problem::too_many(Duration::from_secs(5)).because(why));
        }
        *own += 1;
        Ok(UploadSlot { slots: self.clone(), person })
    }
}

impl UploadSlots {
    /// Number of uploads in progress.
    fn count(&self) -> u64 {
        let taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        taken.values().map(|&own| u64::from(own)).sum()
    }
}

impl Drop for UploadSlot {
    fn drop(&mut self) {
        let mut taken = self.slots.taken.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(own) = taken.get_mut(&self.person) {
            *own -= 1;
            if *own == 0 {
                taken.remove(&self.person);
            }
        }
    }
}

/// Sender and target of an upload.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sender {
    /// The person.
    pub person: PersonId,
    /// Target bot.
    pub bot: EntryId,
    /// Act for the audit log. Its time is the arrival of the request.
    pub act: Act,
    /// Channel of the upload.
    pub via: Via,
}

/// Content of a form: the file and the note.
#[derive(Debug, Default)]
struct FormBody {
    file: Option<(NewUpload, String)>,
    note: String,
}

/// Receives a version: streams the body to a file, stores it and commits it. A failure leaves
/// nothing on the disk.
///
/// # Errors
/// The body is too large, of an unknown type or unreadable, the disk is full, or the database
/// refuses the version.
pub(super) async fn receive(
    app: &App,
    sender: Sender,
    note: Option<String>,
    request: Request,
) -> Result<Received, Problem> {
    let _slot = app.upload_slots().take(sender.person)?;
    require_space(app).await?;
    let headers = request.headers();
    let key = request_key(headers)?;
    if content_length(headers).is_some_and(|bytes| bytes > MAX_READ) {
        return Err(too_large());
    }
    let kind = media_type(headers);
    let sent = if kind == "multipart/form-data" {
        read_form(app, request).await?
    } else {
        let (_, name) = RAW.iter().find(|(raw, _)| *raw == kind).ok_or_else(unknown_type)?;
        let file = read_raw(app, request.into_body()).await?;
        FormBody { file: Some((file, (*name).to_owned())), note: String::new() }
    };
    let (file, name) = sent.file.ok_or_else(|| {
        let why = said!("There is no file in the form; choose one and send it again.");
        Problem::new(Kind::Refused).because(why)
    })?;
    let note = note.unwrap_or(sent.note);
    // Spawned, so that a client that disconnects leaves no bytes without a version.
    let kept = tokio::spawn(store(app.clone(), sender, file, name, note, key));
    kept.await.map_err(|error| Problem::new(Kind::Internal).caused_by(error.to_string()))?
}

/// Stores an upload and commits its version. Removes a refused upload.
async fn store(
    app: App,
    sender: Sender,
    file: NewUpload,
    name: String,
    note: String,
    key: Option<String>,
) -> Result<Received, Problem> {
    let _guard = app.upload_slots().commit_lock.lock().await;
    let (upload, bytes) = blocking(move || file.keep()).await?;
    let Sender { bot, act, via, .. } = sender;
    let file_name = plain_name(&name);
    let new = NewVersion { bot, upload, bytes, file_name, began: act.at, via, note, key };
    let act = Act { at: app.now().max(act.at), ..act };
    let received = app.database().receive_version(act, new, QUOTAS.to_vec()).await;
    if received.is_err() && !app.database().has_upload(upload).await.unwrap_or(true) {
        let uploads = app.uploads().clone();
        blocking(move || uploads.remove(upload)).await?;
    }
    Ok(received?)
}

/// Refuses uploads before the disk is so full that the database cannot commit. Uploads in progress
/// count with their maximum size.
async fn require_space(app: &App) -> Result<(), Problem> {
    let uploads = app.uploads().clone();
    let free = blocking(move || uploads.free_space()).await?;
    let wanted = app.reserve().saturating_add(app.upload_slots().count() * MAX_BYTES);
    if free < wanted {
        let cause = format!("an upload was refused: {free} bytes of the disk are free");
        return Err(Problem::no_space().caused_by(cause));
    }
    Ok(())
}

async fn read_raw(app: &App, mut body: Body) -> Result<NewUpload, Problem> {
    let mut disk = Disk::begin(app);
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|error| broken_body(&error))?;
        if let Ok(chunk) = frame.into_data() {
            disk.write(chunk).await?;
        }
    }
    disk.end().await
}

async fn read_form(app: &App, request: Request) -> Result<FormBody, Problem> {
    let unreadable = |error: &dyn std::error::Error| broken_body(error);
    let mut form =
        Multipart::from_request(request, &()).await.map_err(|error| unreadable(&error))?;
    let mut sent = FormBody::default();
    while let Some(field) = form.next_field().await.map_err(|error| form_error(&error))? {
        match field.name() {
            Some("note") => sent.note = read_note(field).await?,
            Some("file") if sent.file.is_none() => {
                let name = field.file_name().unwrap_or_default().to_owned();
                // A form without a chosen file has a field without a name and bytes.
                let file = read_file(app, field).await?;
                sent.file = file.map(|file| (file, name));
            }
            _ => skip(field).await?,
        }
    }
    Ok(sent)
}

/// Reads the file of a form; `None` if it is empty.
async fn read_file(app: &App, mut field: Field<'_>) -> Result<Option<NewUpload>, Problem> {
    let mut disk = Disk::begin(app);
    while let Some(chunk) = field.chunk().await.map_err(|error| form_error(&error))? {
        disk.write(chunk).await?;
    }
    if disk.bytes == 0 { Ok(None) } else { disk.end().await.map(Some) }
}

async fn read_note(mut field: Field<'_>) -> Result<String, Problem> {
    let mut note = Vec::new();
    while let Some(chunk) = field.chunk().await.map_err(|error| form_error(&error))? {
        note.extend_from_slice(&chunk);
        if note.len() > MAX_NOTE {
            return Err(Problem::new(Kind::Refused).because(said!("The note is too long.")));
        }
    }
    String::from_utf8(note).map_err(|error| broken_body(&error))
}

async fn skip(mut field: Field<'_>) -> Result<(), Problem> {
    let mut bytes = 0;
    while let Some(chunk) = field.chunk().await.map_err(|error| form_error(&error))? {
        bytes += chunk.len();
        if bytes > MAX_NOTE {
            return Err(Problem::new(Kind::Malformed));
        }
    }
    Ok(())
}

/// Writer of an upload on a blocking thread.
struct Disk {
    chunks: mpsc::Sender<Bytes>,
    writer: JoinHandle<io::Result<NewUpload>>,
    bytes: u64,
}

impl Disk {
    fn begin(app: &App) -> Self {
        let (chunks, mut waiting) = mpsc::channel::<Bytes>(CHUNKS);
        let uploads = app.uploads().clone();
        let number = app.upload_slots().next.fetch_add(1, Ordering::Relaxed);
        let writer = tokio::task::spawn_blocking(move || {
            let mut new = uploads.begin(number)?;
            while let Some(chunk) = waiting.blocking_recv() {
                // An oversized file is refused in the end, so it need not fill the disk.
                if new.bytes() <= MAX_BYTES {
                    new.write(&chunk)?;
                }
            }
            Ok(new)
        });
        Self { chunks, writer, bytes: 0 }
    }

    async fn write(&mut self, chunk: Bytes) -> Result<(), Problem> {
        self.bytes += chunk.len() as u64;
        if self.bytes > MAX_READ {
            return Err(too_large());
        }
        if self.chunks.send(chunk).await.is_ok() {
            return Ok(());
        }
        // The writer has failed; its result contains the reason.
        let failed = (&mut self.writer).await;
        Err(match failed {
            Ok(Err(error)) => disk_error(&error),
            _ => Problem::new(Kind::Internal).caused_by("the writer of an upload ended".into()),
        })
    }

    async fn end(self) -> Result<NewUpload, Problem> {
        let Self { chunks, writer, bytes } = self;
        drop(chunks);
        let written = writer.await;
        let written = written.map_err(|error| disk_error(&io::Error::other(error)))?;
        let file = written.map_err(|error| disk_error(&error))?;
        if bytes > MAX_BYTES { Err(too_large()) } else { Ok(file) }
    }
}

/// Runs disk operations on a blocking thread.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> Result<T, Problem> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|error| Err(io::Error::other(error))).map_err(|error| disk_error(&error))
}

fn disk_error(error: &io::Error) -> Problem {
    match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => Problem::no_space(),
        _ => Problem::new(Kind::Internal),
    }
    .caused_by(format!("an upload cannot be stored: {error}"))
}

fn form_error(error: &MultipartError) -> Problem {
    match error.status() {
        StatusCode::PAYLOAD_TOO_LARGE => too_large(),
        _ => broken_body(error),
    }
}

fn broken_body(error: &dyn std::error::Error) -> Problem {
    Problem::new(Kind::Malformed).caused_by(error.to_string())
}

fn too_large() -> Problem {
    let mib = MAX_BYTES / 1024 / 1024;
    Problem::new(Kind::TooLarge)
        .because(said!("A version has at most {} MiB; leave out what is built or downloaded.", mib))
}

fn unknown_type() -> Problem {
    Problem::new(Kind::MediaType).because(said!(
        "Send a form (multipart/form-data) with a field `file`, or a body of the type application/gzip or application/zip."
    ))
}

fn media_type(headers: &HeaderMap) -> String {
    let value = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let kind = value.unwrap_or_default().split(';').next().unwrap_or_default();
    kind.trim().to_ascii_lowercase()
}

fn content_length(headers: &HeaderMap) -> Option<u64> {
    headers.get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

/// Idempotency key of the request.
fn request_key(headers: &HeaderMap) -> Result<Option<String>, Problem> {
    let Some(key) = headers.get("idempotency-key") else { return Ok(None) };
    let key = key.to_str().unwrap_or_default().trim();
    if key.is_empty() || key.len() > MAX_KEY {
        let why = said!("An Idempotency-Key has 1 to {} visible characters.", MAX_KEY);
        return Err(Problem::new(Kind::Malformed).because(why));
    }
    Ok(Some(key.to_owned()))
}
