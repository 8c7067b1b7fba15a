//! `pitmaster sprt` from outside.

use crate::scratch::Scratch;

fn shown(args: &str) -> String {
    Scratch::new().run(&format!("sprt {args}")).done().stdout
}

#[test]
fn games_say_how_much_stronger_a_bot_is() {
    insta::assert_snapshot!(shown("--wdl 136/111/96"), @"");
}

#[test]
fn a_test_that_goes_on() {
    insta::assert_snapshot!(shown("--penta 1/2/7/5/6 --bounds 0,5 --model normalised"), @"");
}

#[test]
fn a_test_that_is_decided() {
    insta::assert_snapshot!(shown("--penta 5/20/40/45/30 --bounds 0,30"), @"");
    let lost = shown("--wdl 40/100/60 --bounds -10,30 --alpha 0.1 --beta 0.1");
    assert!(lost.contains("\nH0 accepted: A is not stronger by 30.\n"), "{lost}");
}

#[test]
fn what_is_wrong_is_told() {
    let wrong = |args: &str| {
        let ran = Scratch::new().run(&format!("sprt {args}"));
        assert_eq!(ran.code, Some(2), "{}", ran.all());
        ran.stderr.lines().next().unwrap_or_default().to_owned() + "\n"
    };
    let told: String = [
        "--wdl 1/2",
        "--wdl 0/0/0",
        "--penta 1/2/3",
        "--wdl 1/2/3 --bounds 5",
        "--wdl 1/2/3 --bounds 5,0",
        "--wdl 1/2/3 --bounds 0,nan",
        "--wdl 1/2/3 --bounds 0,5 --alpha 0.5",
        "--wdl 1/2/3 --bounds 0,5 --beta -0.1",
        "--wdl 1/2/3 --bounds 0,5 --model bayesian",
        "--wdl 1/2/3 --bounds 0,300 --model normalised",
        "--wdl 1/2/3 --penta 1/2/3/4/5",
        "",
    ]
    .map(wrong)
    .concat();
    insta::assert_snapshot!(told, @"");
}
