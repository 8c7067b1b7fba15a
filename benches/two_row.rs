//! How fast two-row games are: random games in every game of the catalogue, on one core.
//!
//! ```sh
//! cargo bench --profile dist --bench two_row            # all
//! cargo bench --profile dist --bench two_row -- oware   # those whose name contains it
//! ```
//!
//! The asked speed is that of Oware, and the geometric mean over all games.

mod random_play;

use pitmaster::games::two_row::TwoRow;
use pitmaster::games::two_row::catalogue::ENTRIES;
use random_play::{Measured, measure};

fn main() {
    let wanted = std::env::args().skip(1).find(|arg| !arg.starts_with('-')).unwrap_or_default();
    let entries = ENTRIES.iter().filter(|entry| entry.slug.contains(&wanted));
    let mut rows: Vec<_> =
        entries.map(|entry| (entry.slug, measure(&TwoRow::new(entry.file().params)))).collect();
    rows.sort_by(|(_, one), (_, other)| one.speed.total_cmp(&other.speed));
    println!("{:<28} {:>12} {:>14}", "game", "M moves/s", "plies a game");
    for (name, Measured { speed, plies }) in &rows {
        println!("{name:<28} {speed:>12.2} {plies:>14.0}");
    }
    let logarithms: f64 = rows.iter().map(|(_, row)| row.speed.ln()).sum();
    println!("{:<28} {:>12.2}", "geometric mean", (logarithms / rows.len() as f64).exp());
}
