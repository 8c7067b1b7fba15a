//! Name of the user who runs this process.

use std::fs;

/// The user's name, or `uid N` if the machine has no name for it.
pub(super) fn name() -> String {
    let uid = rustix::process::getuid().as_raw();
    let users = fs::read_to_string("/etc/passwd").unwrap_or_default();
    name_in(&users, uid).unwrap_or_else(|| format!("uid {uid}"))
}

/// Finds the name in lines of `/etc/passwd`.
fn name_in(users: &str, uid: u32) -> Option<String> {
    users.lines().find_map(|line| {
        let mut fields = line.split(':');
        let (name, number) = (fields.next()?, fields.nth(1)?);
        (number.parse() == Ok(uid)).then(|| name.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_belongs_to_the_number() {
        let users = "root:x:0:0:root:/root:/bin/sh\nana:x:1000:1000::/home/ana:/bin/sh\nbroken\n";
        assert_eq!(name_in(users, 1000).as_deref(), Some("ana"));
        assert_eq!(name_in(users, 0).as_deref(), Some("root"));
        assert_eq!(name_in(users, 1001), None);
    }
}
