//! `pitmaster sprt` from outside.

use crate::scratch::Scratch;

fn shown(args: &str) -> String {
    Scratch::new().run(&format!("sprt {args}")).done().stdout
}

#[test]
fn games_say_how_much_stronger_a_bot_is() {
    insta::assert_snapshot!(shown("--wdl 136/111/96"), @"
    343 games
    score        55.8 %
    Elo          +40.7 ±30.4, from +10.6 to +71.4
    normalised   +49.8 ±36.8, from +13.0 to +86.5
    superiority  99.6 %
    draws        32.4 %
    win ratio    1.42
    ");
}

#[test]
fn a_test_that_goes_on() {
    insta::assert_snapshot!(shown("--penta 1/2/7/5/6 --bounds 0,5 --model normalised"), @"
    42 games in 21 pairs
    score        65.5 %
    Elo          +111.2 ±96.2, from +23.4 to +215.7
    normalised   +134.2 ±105.1, from +29.2 to +239.3
    superiority  99.4 %
    even pairs   33.3 %
    pair ratio   3.67

    H0           A is stronger by 0, in normalised Elo; beta 0.05
    H1           A is stronger by 5; alpha 0.05
    ratio        0.199; -2.944 accepts H0, 2.944 accepts H1
                 H0 ├───────────────────┼●──────────────────┤ H1
    Undecided: more games are needed.
    length       about 12795 pairs if H0 holds, 20931 halfway, 12795 if H1 holds
    ");
}

#[test]
fn a_test_that_is_decided() {
    insta::assert_snapshot!(shown("--penta 5/20/40/45/30 --bounds 0,30"), @"
    280 games in 140 pairs
    score        63.4 %
    Elo          +95.4 ±33.8, from +62.5 to +130.0
    normalised   +121.3 ±40.7, from +80.6 to +162.0
    superiority  > 99.9 %
    even pairs   28.6 %
    pair ratio   3.00

    H0           A is stronger by 0, in logistic Elo; beta 0.05
    H1           A is stronger by 30; alpha 0.05
    ratio        7.638; -2.944 accepts H0, 2.944 accepts H1
                 H0 ├───────────────────┼───────────────────● H1
    H1 accepted: A is stronger by more than 0.
    If the test stopped here for the first time, corrected for the bias of stopping:
    Elo          +90.0 ±60.7, from +31.8 to +153.2
    normalised   +114.7 ±73.1, from +41.3 to +187.6
    length       about 210 pairs if H0 holds, 344 halfway, 210 if H1 holds
    ");
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
    insta::assert_snapshot!(told, @r#"
    error: invalid value '1/2' for '--wdl <W/D/L>': expected three counts such as 60/10/40, each at most 1000000000
    error: invalid value '0/0/0' for '--wdl <W/D/L>': all counts are zero
    error: invalid value '1/2/3' for '--penta <LL/LD/EVEN/WD/WW>': expected five counts such as 1/2/7/5/6, each at most 1000000000
    error: invalid value '5' for '--bounds <E0,E1>': expected two numbers such as 0,5
    error: the bounds of a test are two numbers from -1000 to 1000, the lower one first, not 5 and 0
    error: the bounds of a test are two numbers from -1000 to 1000, the lower one first, not 0 and NaN
    error: alpha is above 0 and below 0.5, such as 0.05, not 0.5
    error: beta is above 0 and below 0.5, such as 0.05, not -0.1
    error: invalid value 'bayesian' for '--model <MODEL>': the model of a test is logistic or normalised, not "bayesian"
    error: the bounds of a test are two numbers from -200 to 200, the lower one first, not 0 and 300
    error: the argument '--wdl <W/D/L>' cannot be used with '--penta <LL/LD/EVEN/WD/WW>'
    error: the following required arguments were not provided:
    "#);
}
