//! Test fixtures: members.

use crate::{Member, State};

pub(crate) fn member(key: &str, name: &str, state: State) -> Member {
    Member {
        key: key.parse().unwrap(),
        id: format!("Participant {key}"),
        name: name.into(),
        email: format!("{key}@univ.example"),
        group: String::new(),
        file: String::new(),
        origin: String::new(),
        hash: String::new(),
        handed_in: String::new(),
        late: String::new(),
        state,
        why: String::new(),
    }
}
