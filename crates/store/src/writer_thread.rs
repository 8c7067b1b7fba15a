//! Writer thread, the only thread that writes.

use std::sync::mpsc::{Receiver, TryRecvError};

use super::StoreError;
use super::database::Database;

/// The most that is written in one transaction; what is queued beyond it waits for the next.
const BATCH: usize = 256;

/// Something to write: says how many rows it changed. Done again, alone, when the
/// transaction that it shared has failed.
pub(super) type Change = Box<dyn Fn(&Database) -> Result<usize, StoreError> + Send>;

/// OnCommit once, after the change is committed or has failed.
pub(super) type OnCommit = Box<dyn FnOnce(Result<usize, StoreError>) + Send>;

/// A change and who waits for it.
pub(super) struct Order {
    pub(super) change: Change,
    pub(super) told: OnCommit,
}

/// Writes orders in the order they come until nobody is left to give any. What has queued
/// up meanwhile shares a transaction.
pub(super) fn serve(database: &Database, orders: &Receiver<Order>) {
    while let Ok(first) = orders.recv() {
        let mut batch = vec![first];
        while batch.len() < BATCH {
            match orders.try_recv() {
                Ok(order) => batch.push(order),
                Err(TryRecvError::Empty | TryRecvError::Disconnected) => break,
            }
        }
        write(database, batch);
    }
}

fn write(database: &Database, batch: Vec<Order>) {
    let together =
        database.transaction(|| batch.iter().map(|order| (order.change)(database)).collect());
    match together {
        Ok(counts) => tell(batch, counts),
        Err(_) => batch.into_iter().for_each(|order| alone(database, order)),
    }
}

fn tell(batch: Vec<Order>, counts: Vec<usize>) {
    for (order, count) in batch.into_iter().zip(counts) {
        (order.told)(Ok(count));
    }
}

/// One order that fails must not take the others with it.
fn alone(database: &Database, order: Order) {
    let done = database.transaction(|| (order.change)(database));
    (order.told)(done);
}
