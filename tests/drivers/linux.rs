//! What only the Linux driver promises.

use super::*;

#[test]
fn no_descriptor_is_inherited() {
    // One that a careless library would leave open for all children.
    let inherited = fs::File::open("/").expect("can be opened");
    rustix::io::fcntl_setfd(&inherited, rustix::io::FdFlags::empty()).expect("can be set");
    let mut bot = Bot::sh(process, "echo $(ls /proc/self/fd | wc -l)");
    assert_eq!(bot.line(), "4", "three, and the one that lists them");
}

#[test]
fn a_daemon_is_gone_when_its_bot_has_ended() {
    let script = "import os, time\n\
                  r, w = os.pipe()\n\
                  if os.fork() == 0:\n\
                  \x20   os.setsid()\n\
                  \x20   if os.fork() == 0:\n\
                  \x20       os.write(w, str(os.getpid()).encode() + b'\\n')\n\
                  \x20       time.sleep(3600)\n\
                  \x20   os._exit(0)\n\
                  os.wait()\n\
                  print(os.read(r, 20).decode(), end='')\n\
                  time.sleep(3600)";
    let mut bot = Bot::python(process, script);
    let daemon = bot.line();
    assert!(exists(&daemon));
    bot.end(Duration::ZERO);
    assert!(!exists(&daemon), "the daemon lives");
    assert_eq!(children(), Vec::<String>::new());
}

#[test]
fn a_bot_cannot_leave_its_group_and_what_it_put_into_another_is_ended_too() {
    let script = "import os, time\n\
                  r, w = os.pipe()\n\
                  child = os.fork()\n\
                  if child == 0:\n\
                  \x20   os.setpgid(0, 0)\n\
                  \x20   os.write(w, b'x')\n\
                  \x20   time.sleep(3600)\n\
                  os.read(r, 1)\n\
                  try:\n\
                  \x20   os.setpgid(0, child)\n\
                  except PermissionError:\n\
                  \x20   print('stays')\n\
                  print(child)\n\
                  time.sleep(3600)";
    let mut bot = Bot::python(process, script);
    assert_eq!(bot.line(), "stays");
    let child = bot.line();
    bot.end(Duration::ZERO);
    assert!(!exists(&child));
    assert_eq!(children(), Vec::<String>::new());
}

#[test]
fn whoever_is_stopped_uses_no_time() {
    let mut bot = Bot::sh(process, "echo $$; while :; do :; done");
    let pid = bot.line();
    bot.contender.stop();
    assert!(becomes(|| state(&pid) == Some('T')), "it is not stopped");
    bot.contender.used(Duration::ZERO);
    std::thread::sleep(Duration::from_millis(100));
    assert_eq!(bot.contender.used(Duration::ZERO).cpu, Duration::ZERO);
    bot.contender.resume();
    let ran = (0..6000).any(|_| {
        std::thread::sleep(Duration::from_millis(10));
        bot.contender.used(Duration::ZERO).cpu > Duration::ZERO
    });
    assert!(ran, "set going again, it runs");
    bot.contender.stop();
    bot.end(Duration::ZERO);
    assert!(!exists(&pid), "a stopped bot is ended like any other");
}

/// Played by this very binary: a referee that owns a bot and is killed.
const HELPER: &str = "PITMASTER_TEST_HELPER";

#[test]
fn bots_die_with_their_referee() {
    if std::env::var_os(HELPER).is_some() {
        return own_a_bot_for_ever();
    }
    let this = std::env::current_exe().expect("this program");
    let this = this.to_str().expect("a plain path");
    let mut launch =
        launch(this, &["--exact", "linux::bots_die_with_their_referee", "--nocapture"]);
    launch.environment.push((HELPER.into(), "1".into()));
    let _alone = alone();
    let (mut helper, clock) = (process(&launch), Clock::start());
    let until = Some(clock.now() + AGES);
    let bot = loop {
        match helper.listen(&clock, until) {
            Heard::Line(_) => {}
            other => panic!("{other:?}"),
        }
        let line = String::from_utf8_lossy(helper.line()).into_owned();
        if let Some((_, pid)) = line.split_once("the bot is ") {
            break pid.to_owned();
        }
    };
    assert!(exists(&bot));
    // By force, so that nobody but the kernel can end the bot.
    let referee = children();
    let [referee] = &referee[..] else { panic!("one child, not {referee:?}") };
    let referee = rustix::process::Pid::from_raw(referee.parse().expect("a number"));
    rustix::process::kill_process(referee.expect("not 0"), rustix::process::Signal::KILL)
        .expect("it lives");
    let dead = || matches!(state(&bot), None | Some('Z' | 'X'));
    assert!(becomes(dead), "the bot outlives its referee");
    helper.end(&clock, clock.now());
}

fn own_a_bot_for_ever() {
    let mut bot = Bot::sh(process, "echo $$; exec sleep 3600");
    println!("the bot is {}", bot.line());
    bot.hear();
}
