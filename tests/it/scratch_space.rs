//! The scratch space of a bot has a total limit and is removed afterwards.

use crate::contest::{PATIENT, tournament};
use crate::hostile::tiers::{Around, tiers};

/// Writes files of 1 MiB until that fails, and reports their number.
const FILLER: &str = r"
import os, sys
told, moves = '', []
for line in sys.stdin:
    word, *rest = line.split()
    if word in ('pitmaster', 'newgame'):
        print('ready', flush=True)
    elif word == 'moves':
        moves = rest
    elif word == 'go':
        if not told:
            count = 0
            try:
                while count < 32:
                    with open(f'{os.environ[`HOME`]}/{count}', 'wb') as file:
                        file.write(bytes(1 << 20))
                    count += 1
            except OSError:
                pass
            told = f'info it wrote {count} files'
            print(told)
        print('move', moves[-1], flush=True)
    elif word == 'quit':
        break
";

#[test]
fn a_scratch_space_is_bounded_as_a_whole() {
    for as_nobody in [false, true] {
        let around = Around { as_nobody, in_container: false };
        if let Some(why) = around.lacks() {
            eprintln!("skipped: {around:?}: {why}");
            continue;
        }
        let tiers = tiers(around).0;
        if !tiers.iter().any(|tier| tier.name == "full") {
            eprintln!("skipped: there are no namespaces under {around:?}");
            continue;
        }
        for tier in tiers.iter().filter(|tier| tier.name != "bare") {
            let place = format!("{} under {around:?}", tier.name);
            let scratch = around.scratch();
            scratch.bot("filler", "pitmaster", &FILLER.replace('`', "\""));
            scratch.fast("good", "random");
            let bots = "include = ['own/*']\n[sandbox]\nscratch = '4MiB'";
            scratch.write("cup.toml", tournament(PATIENT, 1, bots));
            let temp = scratch.path("temp");
            std::fs::create_dir(&temp).expect("a folder");
            around.hand_over(&scratch);
            let args = format!("run cup.toml --lanes 1 -q {} --require disk", tier.args());
            let args = args.replace("--require friendly ", "");
            let mut command = around.command(&scratch, &args);
            let output = command.env("TMPDIR", &temp).output().expect("the binary starts");
            let ran = scratch.ran(output).done();
            let games = scratch.run("export results/cup --format jsonl").done().stdout;
            let (_, told) = games.split_once("it wrote ").expect("it tells");
            let count = told.split(' ').next().and_then(|word| word.parse::<u32>().ok());
            assert!(count.is_some_and(|count| (2..=4).contains(&count)), "{place}: {count:?}");
            let left = std::fs::read_dir(&temp).expect("reads").flatten().next();
            assert!(left.is_none(), "{place}: {left:?} {}", ran.all());
        }
    }
}
