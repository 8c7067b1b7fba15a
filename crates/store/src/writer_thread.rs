//! Writer thread, the only thread that writes.

use std::sync::mpsc::{Receiver, TryRecvError};

use super::StoreError;
use super::database::Database;

/// Maximum number of changes in one transaction. Further queued changes wait for the next one.
const BATCH: usize = 256;

/// A change to the database, which returns the number of changed rows. It runs again, alone, if the
/// transaction that it shared has failed.
pub(super) type Change = Box<dyn Fn(&Database) -> Result<usize, StoreError> + Send>;

/// Called once, after the change is committed or has failed.
pub(super) type OnCommit = Box<dyn FnOnce(Result<usize, StoreError>) + Send>;

/// A change and its callback.
pub(super) struct Order {
    pub(super) change: Change,
    pub(super) told: OnCommit,
}

/// Writes orders in the order they arrive until all senders are gone. Queued orders share a
/// transaction.
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
        Ok(counts) => notify(batch, counts),
        Err(_) => batch.into_iter().for_each(|order| alone(database, order)),
    }
}

fn notify(batch: Vec<Order>, counts: Vec<usize>) {
    for (order, count) in batch.into_iter().zip(counts) {
        (order.told)(Ok(count));
    }
}

/// Runs one order in its own transaction, so that its failure does not affect others.
fn alone(database: &Database, order: Order) {
    let done = database.transaction(|| (order.change)(database));
    (order.told)(done);
}
