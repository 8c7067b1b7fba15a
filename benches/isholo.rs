//! How fast Isholo is: random games in each of the four, on one core. Beside each rate stands its
//! ratio to that of coloured Awale in the same run, which says more on a machine that is busy.
//!
//! ```sh
//! cargo bench --profile dist --bench isholo
//! ```

mod random_play;

use pitmaster::games::coloured_awale::ColouredAwale;
use pitmaster::games::isholo::{Isholo, Kind};
use random_play::{Measured, measure};

fn main() {
    let awale = measure(&ColouredAwale::default());
    println!("{:<16} {:>10} {:>14} {:>8}", "game", "M moves/s", "plies a game", "ratio");
    print(ColouredAwale::NAME, &awale, &awale);
    for kind in Kind::ALL {
        print(kind.name(), &measure(&Isholo { kind }), &awale);
    }
}

fn print(name: &str, Measured { speed, plies }: &Measured, awale: &Measured) {
    println!("{name:<16} {speed:>10.2} {plies:>14.0} {:>8.3}", speed / awale.speed);
}
