//! Two-row games with endgame tables, and their rules without an early end.
//!
//! The rules end a game as soon as a player has more than half of the seeds. A table does not
//! contain the stores, so its values are for a game that continues until no move is left. The
//! winner is the same: the player who would end with more than half reaches that before the
//! opponent can.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use pitmaster_games::two_row::TwoRow;
use pitmaster_games::two_row::params::{
    self, CaptRturn, Goal, Params, SowDirect, SowStores, StartPattern, Unclaimed,
};

use super::EndgameError;

/// Seeds in each hole of rules whose games never end early.
const PLENTY: i32 = 100;

/// Returns the rules by which the positions of a table are played.
pub(super) fn open_ended(params: &Params) -> Result<TwoRow, EndgameError> {
    let covered =
        Params { nbr_start: params.nbr_start, quitter: params.quitter, ..covered(params) };
    let others = params::changes(&covered, params);
    if !others.is_empty() {
        let others: Vec<_> = others.iter().map(|(name, value)| format!("{name}={value}")).collect();
        return Err(EndgameError::Unsuited(format!("it has {}", others.join(", "))));
    }
    if params.goal != Goal::MaxSeeds || !params.stores {
        return Err(EndgameError::Unsuited("its score is not the seeds in the stores".into()));
    }
    Ok(TwoRow::new(Params { nbr_start: PLENTY, ..covered }))
}

/// The parameters covered by tables: a position is the seeds in the holes and the side to move, and
/// the players differ only by their side.
fn covered(params: &Params) -> Params {
    let one_way = matches!(params.sow_direct, SowDirect::Ccw | SowDirect::Cw);
    let stores =
        matches!(params.sow_stores, SowStores::Neither | SowStores::Own | SowStores::OwnNr);
    let once = params.capt_rturn == CaptRturn::Once;
    let default = Params::default();
    Params {
        holes: params.holes,
        end_cond: params.end_cond,
        end_param: params.end_param,
        // An odd seed would go to player 2.
        unclaimed: match params.unclaimed {
            Unclaimed::Divvied => default.unclaimed,
            unclaimed => unclaimed,
        },
        mustpass: params.mustpass,
        mustshare: params.mustshare,
        stores: params.stores,
        start_pattern: StartPattern::AllEqual,
        min_move: params.min_move,
        sow_direct: if one_way { params.sow_direct } else { default.sow_direct },
        sow_start: params.sow_start,
        move_one: params.move_one,
        skip_start: params.skip_start,
        sow_stores: if stores { params.sow_stores } else { default.sow_stores },
        evens: params.evens,
        capt_min: params.capt_min,
        capt_max: params.capt_max,
        capt_on: params.capt_on.clone(),
        capt_dir: params.capt_dir,
        capt_side: params.capt_side,
        crosscapt: params.crosscapt,
        xcpickown: params.xcpickown,
        xc_sown: params.xc_sown,
        nosinglecapt: params.nosinglecapt,
        multicapt: params.multicapt,
        grandslam: params.grandslam,
        capt_rturn: if once { default.capt_rturn } else { params.capt_rturn },
        ..default
    }
}

/// Text of the rules of a table. Equal for all games whose positions it contains, regardless of
/// their initial number of seeds.
pub(super) fn key(open: &TwoRow) -> String {
    let mut key = String::from("two-row");
    let plain =
        Params { nbr_start: 0, quitter: Params::default().quitter, ..open.params().clone() };
    for (name, value) in params::options(&plain) {
        let _ = write!(key, ",{name}={value}");
    }
    key
}

/// Names of the parameters in which two keys differ, sorted. The first key may come from an
/// untrusted file, so invalid names are left out.
pub(super) fn differing(file: &str, game: &str) -> Vec<String> {
    let parts = |key: &str| key.split(',').map(str::to_owned).collect::<BTreeSet<_>>();
    let (file, game) = (parts(file), parts(game));
    let known = |name: &str| name.chars().all(|c| c.is_ascii_lowercase() || c == '_');
    let names = file.symmetric_difference(&game).filter_map(|part| part.split('=').next());
    let names: BTreeSet<_> = names.filter(|name| known(name) && name.len() <= 20).collect();
    if names.is_empty() {
        return vec!["parameters that this version does not know".to_owned()];
    }
    names.into_iter().map(str::to_owned).collect()
}
