//! `pitmaster join`: makes an account on a practice server with the code of an invitation.

use std::io::Write;

use pitmaster_core::Untrusted;
use pitmaster_core::i18n::said;
use pitmaster_server::client::{Credentials, NewAccount, Remote};

use super::lang::LangFlag;
use super::{Exit, Outcome, login, secret_line};

const EXAMPLES: &str = "\
Examples:
  pitmaster join https://bots.example.org --code BQZ49-SK9GB-VNDWG-HZ0EW-T29HM-R --login ada
  pitmaster join https://bots.example.org --code … --login ada < passphrase.txt

The teacher gives you the code. The passphrase is asked for; with it and the login you get in with a
browser too. Then hand in a bot with `pitmaster push my-bot --wait`.";

/// Joins a course of a practice server with the code of an invitation
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Address of the server
    #[arg(value_name = "URL")]
    url: String,
    /// Code of the invitation
    #[arg(long, value_name = "CODE")]
    code: String,
    /// Login of the new account
    #[arg(long, value_name = "NAME")]
    login: String,
    /// Your name, which your group and the staff see [default: the login]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    #[command(flatten)]
    lang: LangFlag,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let lang = args.lang.lang();
    // Checks that the token can be stored before the code is used up.
    let path = login::file()?;
    let known = Credentials::read(&path)?;
    let question = said!("Passphrase of the new account, at least 8 characters:");
    let passphrase = secret_line::read(&question, lang)?;
    let (code, login, name) = (args.code.clone(), args.login.clone(), args.name.clone());
    let account = NewAccount { code, login, passphrase, name };
    let (remote, token) = Remote::join(&args.url, &account, lang.code())?;
    known.keep(remote.address(), &token, &path)?;
    let identity = remote.identity()?;
    let (name, course) = (
        Untrusted::new(identity.name).shown(100),
        Untrusted::new(identity.course_slug.unwrap_or_default()).shown(100),
    );
    writeln!(out, "{}", said!("joined {} as {}", course, name).to(lang))?;
    Ok(Exit::Done)
}
