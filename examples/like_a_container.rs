//! Runs a command as if in a container: what one refuses by default is refused, whatever this
//! machine allows. Tests use it to see how Pitmaster keeps its promises there.
//!
//! ```sh
//! cargo run --example like_a_container -- [--user NAME_OR_ID] COMMAND [ARGUMENT…]
//! ```
//!
//! With `--user` the command runs as that ordinary user, which only root may ask for. A number
//! stands for a user and a group of the same number.

#[cfg(target_os = "linux")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    use std::os::unix::process::CommandExt as _;

    let mut arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let user = match arguments.first() {
        Some(first) if first == "--user" && arguments.len() > 1 => {
            let named = arguments.drain(..2).next_back().unwrap_or_default();
            Some(user(&named.to_string_lossy())?)
        }
        _ => None,
    };
    let [command, arguments @ ..] = arguments.as_slice() else {
        return Err("usage: like_a_container [--user NAME_OR_ID] COMMAND [ARGUMENT…]".into());
    };
    pitmaster::sandbox::live_like_in_a_container(user)?;
    Err(std::process::Command::new(command).args(arguments).exec().into())
}

/// The ids of a user and its group.
#[cfg(target_os = "linux")]
fn user(named: &str) -> Result<(u32, u32), Box<dyn std::error::Error>> {
    if let Ok(id) = named.parse() {
        return Ok((id, id));
    }
    let users = std::fs::read_to_string("/etc/passwd")?;
    let ids = users.lines().find_map(|line| {
        let mut fields = line.split(':');
        let is_it = fields.next()? == named;
        let (user, group) = (fields.nth(1)?.parse().ok()?, fields.next()?.parse().ok()?);
        is_it.then_some((user, group))
    });
    ids.ok_or_else(|| format!("there is no user {named}").into())
}

#[cfg(not(target_os = "linux"))]
fn main() {
    eprintln!("like_a_container works on Linux only");
    std::process::exit(2);
}
