//! `pitmaster twins` and the export for JPlag, from outside.

use std::fs;

use crate::scratch::Scratch;

#[test]
fn one_program_in_three_languages_is_found_and_others_are_not() {
    let scratch = Scratch::new();
    scratch.fast("first", "first");
    let bots = "bots/greedy-c bots/greedy-cpp bots/greedy-python own/first bots/random-c";
    let ran = scratch.run(&format!("twins {bots} --csv twins.csv"));
    assert_eq!(ran.code, Some(1), "{}", ran.all());
    let csv = scratch.read("twins.csv");
    let pairs: Vec<_> = csv
        .lines()
        .skip(1)
        .map(|line| line.split(',').take(4).collect::<Vec<_>>().join(" "))
        .collect();
    assert_eq!(
        pairs,
        [
            "greedy-c greedy-cpp 20 20",
            "greedy-c greedy-python 20 20",
            "greedy-cpp greedy-python 20 20"
        ],
        "{}",
        ran.all()
    );
    // The evidence can be looked at.
    let line = ran.stdout.lines().find_map(|line| line.trim().strip_prefix("pitmaster debug "));
    let same = scratch.run(&format!("debug {}", line.expect("a command")));
    assert_eq!(same.code, Some(0), "{}", same.all());
}

#[test]
fn kits_house_bots_and_equal_files_are_named() {
    let scratch = Scratch::new();
    scratch.write("own/README.md", "");
    for name in ["one", "two"] {
        scratch.run(&format!("new python own/{name}")).done();
    }
    let same = fs::read(scratch.path("bots/random-python/bot.py")).expect("reads");
    let rules = fs::read(scratch.path("bots/random-python/awale.py")).expect("reads");
    for (name, program) in [("left", "bot.py"), ("right", "joueur.py")] {
        let manifest =
            format!("run = ['python3', '{program}']\nname = '{name}'\ndialect = 'pitmaster'\n");
        scratch.write(&format!("own/{name}/bot.toml"), manifest);
        scratch.write(&format!("own/{name}/{program}"), &same);
        scratch.write(&format!("own/{name}/awale.py"), &rules);
    }
    let ran = scratch.run("twins own/one own/two own/left own/right house:random");
    assert_eq!(ran.code, Some(1), "{}", ran.all());
    for name in ["one", "two"] {
        let line = format!("  {name}: the template python, unchanged; not asked\n");
        assert!(ran.stdout.contains(&line), "{}", ran.all());
    }
    assert!(ran.stdout.contains("left and right: 20 of 20 games identical"), "{}", ran.all());
    assert!(ran.stdout.contains("the same files"), "{}", ran.all());
}

#[test]
fn a_copy_of_a_house_bot_is_recognized() {
    let scratch = Scratch::new();
    let program = format!("exec {} bot greedy\n", env!("CARGO_BIN_EXE_pitmaster"));
    scratch.write("own/mine/bot.sh", program);
    scratch.write("own/mine/bot.toml", "run = ['sh', 'bot.sh']\ndialect = 'pitmaster'\n");
    let ran = scratch.run("twins own/mine bots/random-c --isolation bare");
    assert_eq!(ran.code, Some(1), "{}", ran.all());
    assert!(
        ran.stdout.contains("mine and house-greedy: 20 of 20 games identical"),
        "{}",
        ran.all()
    );
}

/// Greedy bots with different random choices or weights: as similar as independent solutions of one
/// exercise.
fn independent(scratch: &Scratch, count: u32) {
    let source = fs::read_to_string(scratch.path("bots/greedy-c/bot.c")).expect("a bot");
    let rules = fs::read(scratch.path("bots/greedy-c/awale.h")).expect("its rules");
    let manifest = fs::read(scratch.path("bots/greedy-c/bot.toml")).expect("its manifest");
    let dice = "dice = (uint32_t)(seed ^ seed >> 32 ^ (uint64_t)side << 30);";
    let gain = "int gain = play(&next, moves[i]);";
    for number in 1..=count {
        let mut own = source
            .replace(dice, &dice.replace(")(seed", &format!(")({number}u * 2654435761u ^ seed")));
        assert_ne!(own, source);
        if number % 2 == 0 {
            let weights = format!(
                "int gain = {} * play(&next, moves[i]) + atoi(moves[i]) * {} % {};",
                number % 5 + 1,
                number % 7 + 1,
                number % 11 + 2
            );
            own = own.replace(gain, &weights);
            assert!(own.contains(&weights));
        }
        scratch.write(&format!("own/bot-{number}/bot.c"), own);
        scratch.write(&format!("own/bot-{number}/awale.h"), &rules);
        scratch.write(&format!("own/bot-{number}/bot.toml"), &manifest);
    }
}

fn none_is_accused(count: u32) {
    let scratch = Scratch::new();
    independent(&scratch, count);
    let bots: Vec<_> = (1..=count).map(|number| format!("own/bot-{number}")).collect();
    let args: Vec<_> = ["twins"].into_iter().chain(bots.iter().map(String::as_str)).collect();
    let began = std::time::Instant::now();
    let ran = scratch.run_with(&args);
    println!("{count} bots in {:?}, builds included", began.elapsed());
    assert_eq!(ran.code, Some(0), "{}", ran.all());
    assert!(ran.stdout.contains("no two are alike"), "{}", ran.all());
}

#[test]
fn independent_bots_are_not_accused() {
    none_is_accused(6);
}

#[test]
#[ignore = "slow: builds fifty bots"]
fn none_of_fifty_independent_bots_is_accused() {
    none_is_accused(50);
}

#[test]
fn a_class_is_exported_for_jplag() {
    let scratch = Scratch::new();
    let class = "key,id,name,email,group,file,hash,handed_in,late,state,why\n\
                 1,1,Ana,,,,,,,ready,\n2,2,Bo,,,,,,,missing,\n";
    scratch.write("class/class.csv", class);
    scratch.write("class/bots/1/bot.py", "# Ana").write("class/bots/1/bot.toml", "name = 'Ana'");
    let told = scratch.run("export class --for jplag --into jplag").done().stdout;
    insta::assert_snapshot!(told, @"
    2: no sources
    python3, 1 person:
      java -jar jplag.jar -l python3 -bc jplag/base --csv-export -r python3 jplag/submissions
    ");
    assert!(scratch.path("jplag/submissions/1/bot.py").is_file());
    assert!(scratch.path("jplag/base/python/wire.py").is_file());
    assert!(!scratch.path("jplag/submissions/1/bot.toml").exists());
    assert_eq!(scratch.run("export class --for jplag --into jplag").code, Some(2));
}
