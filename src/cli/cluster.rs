//! `pitmaster cluster`: status of a coordinator and its workers.

use std::io::{self, Write};
use std::time::Duration;

use clap::Subcommand;
use pitmaster_cluster::{Status, StatusReply, WorkerStatus, request_status};
use pitmaster_core::{Untrusted, json_line};
use pitmaster_report::{Column, Table};
use pitmaster_session::Error;
use pitmaster_session::remote::SERVER;
use pitmaster_tournament::show_duration;

use super::cluster_flags::AccessFlags;
use super::pace::rate;
use super::{Exit, Failure, Outcome, terminal_width};

const EXAMPLES: &str = "\
Examples:
  pitmaster cluster status nats://teacher-pc:4222          workers, games, time left
  pitmaster cluster status nats://teacher-pc:4222 --json   the same as JSON";

/// Inspects a tournament played by workers
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Shows workers, progress and estimated time left
    #[command(after_help = EXAMPLES)]
    Status(StatusArgs),
}

#[derive(Debug, clap::Args)]
struct StatusArgs {
    /// NATS server: nats://HOST:PORT or tls://HOST:PORT [default: PITMASTER_NATS_SERVER]
    #[arg(value_name = "SERVER")]
    server: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    access: AccessFlags,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let What::Status(args) = &args.what;
    let server = args.server.clone().or_else(|| std::env::var(SERVER).ok());
    let server = server.ok_or_else(|| {
        Failure::wrong(format!("no server given; name it, as nats://HOST:4222, or set {SERVER}"))
    })?;
    // No secret is sent to the server, and its answer is untrusted.
    let access = args.access.access(&server)?.accepting_open(true);
    let reply = request_status(&access).map_err(Error::from)?;
    match reply {
        StatusReply::Running(status) if args.json => {
            writeln!(out, "{}", json_line(&status).unwrap_or_default())?;
        }
        StatusReply::NoCoordinator { jobs } if args.json => {
            writeln!(out, "{}", serde_json::json!({"coordinator": null, "jobs": jobs}))?;
        }
        StatusReply::Running(status) => show(&status, out)?,
        StatusReply::NoCoordinator { jobs } => {
            let left = if jobs == 1 { "job is" } else { "jobs are" };
            writeln!(out, "no tournament is running on this server; {jobs} {left} queued")?;
        }
    }
    Ok(Exit::Done)
}

fn show(status: &Status, out: &mut dyn Write) -> io::Result<()> {
    let running = Duration::from_secs(status.running_s as u64);
    let left = status.left().map_or("unknown time".to_owned(), |left| {
        format!("about {}", show_duration(Duration::from_secs(left.as_secs())))
    });
    let lanes: u64 = status.workers.iter().map(|worker| u64::from(worker.lanes)).sum();
    writeln!(
        out,
        "{} of {} games in {}, {}, {left} left",
        status.done,
        status.games,
        show_duration(running),
        rate(status.played, running),
    )?;
    writeln!(
        out,
        "workers: {}, lanes: {lanes}; jobs published: {}, in progress: {}",
        status.workers.len(),
        status.jobs,
        status.held,
    )?;
    if !status.workers.is_empty() {
        write!(out, "\n{}", table(&status.workers).render(terminal_width()))?;
    }
    Ok(())
}

fn table(workers: &[WorkerStatus]) -> Table {
    let mut table = Table::new(vec![
        Column::text("worker", 9),
        Column::number("lanes", 8),
        Column::number("cores", 3),
        Column::number("speed", 4),
        Column::text("isolation", 5),
        Column::number("jobs", 6),
        Column::number("games", 7),
        Column::text("", 7),
    ]);
    let fastest = workers.iter().map(|worker| worker.speed).max().unwrap_or(1).max(1);
    for worker in workers {
        let speed = worker.speed as f64 / fastest as f64;
        table.row(vec![
            shown(&worker.name),
            worker.lanes.to_string(),
            worker.cores.to_string(),
            format!("{speed:.2}"),
            shown(&worker.isolation),
            worker.held.to_string(),
            worker.games.to_string(),
            remark(worker),
        ]);
    }
    table
}

fn remark(worker: &WorkerStatus) -> String {
    if worker.draining {
        return "draining".into();
    }
    match worker.missing.as_slice() {
        [] => String::new(),
        missing => format!("missing {}", shown(&missing.join(", "))),
    }
}

/// Escapes text from the network.
fn shown(text: &str) -> String {
    Untrusted::new(text).shown(60)
}
