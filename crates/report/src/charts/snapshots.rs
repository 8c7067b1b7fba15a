//! Snapshot tests: every chart once, complete.

use super::fixtures::{Example, KNOCKOUT, LADDER, SWISS, names};
use super::*;

#[test]
fn what_there_is_of_a_small_tournament() {
    let shown = |lang| {
        let charts = Example::small().draw(lang);
        let line = |chart: &Chart| format!("{}: {}\n", chart.name, chart.title);
        charts.iter().map(line).collect::<String>()
    };
    insta::assert_snapshot!(shown(Lang::English), @"
        elo: Elo with 95 % intervals
        results: Wins, draws, losses
        crosstable: Cross table
        rating-over-time: Rating over time
        move-times: Time per move
        game-length: Game length
        score-difference: Score difference
        first-move: First-move advantage
        endings: Endings
        ");
    insta::assert_snapshot!(shown(Lang::French), @"
        elo: Elo avec intervalles à 95 %
        results: Victoires, nulles, défaites
        crosstable: Tableau croisé
        rating-over-time: Elo au fil des parties
        move-times: Temps par coup
        game-length: Longueur des parties
        score-difference: Écart de score
        first-move: Avantage du joueur 1
        endings: Fins de partie
        ");
}

#[test]
fn without_games_there_is_nothing_to_draw() {
    let none = Example::of(GameSample::default(), names(3), FormatPlan::default());
    assert_eq!(none.draw(Lang::English), []);
}

#[test]
fn elo() {
    insta::assert_snapshot!(Example::small().svg("elo"), @r#"
    <svg xmlns="http://www.w3.org/2000/svg" class="pic" viewBox="0 0 480 106" width="576" height="127.2" role="img" aria-labelledby="t1-elo-title t1-elo-about"><title id="t1-elo-title">Elo with 95 % intervals</title><desc id="t1-elo-about">Dot: rating. Line: 95 % interval, with an arrow if the games set no bound on that side. Hollow dot: only a bound. Diamond: anchor, whose rating is given.</desc><style>…</style>
    <line x1="144.2" y1="6" x2="144.2" y2="70" class="rule"/>
    <text x="144.2" y="82" class="mid muted">1000</text>
    <line x1="287.13" y1="6" x2="287.13" y2="70" class="rule"/>
    <text x="287.13" y="82" class="mid muted">1500</text>
    <text x="214.15" y="99" class="mid muted">Elo</text>
    <text x="40.3" y="20.55" class="end">beta</text>
    <text x="478" y="20.55" class="end">1523 ±252</text>
    <line x1="293.8" y1="16" x2="234.73" y2="16" class="bar-line"/>
    <line x1="234.73" y1="13" x2="234.73" y2="19" class="bar-line"/>
    <line x1="293.8" y1="16" x2="365.86" y2="16" class="bar-line"/>
    <line x1="365.86" y1="13" x2="365.86" y2="19" class="bar-line"/>
    <circle cx="293.8" cy="16" r="4" class="bar"/>
    <rect x="50.3" y="6" width="327.7" height="20" fill-opacity="0"><title>beta: 1523 ±252</title></rect>
    <text x="40.3" y="40.55" class="end">alpha</text>
    <text x="478" y="40.55" class="end">1477 ±246</text>
    <line x1="280.46" y1="36" x2="210.01" y2="36" class="bar-line"/>
    <line x1="210.01" y1="33" x2="210.01" y2="39" class="bar-line"/>
    <line x1="280.46" y1="36" x2="339.9" y2="36" class="bar-line"/>
    <line x1="339.9" y1="33" x2="339.9" y2="39" class="bar-line"/>
    <circle cx="280.46" cy="36" r="4" class="bar"/>
    <rect x="50.3" y="26" width="327.7" height="20" fill-opacity="0"><title>alpha: 1477 ±246</title></rect>
    <text x="40.3" y="60.55" class="end">evil</text>
    <text x="478" y="60.55" class="end">&lt;984 ±1313</text>
    <line x1="139.56" y1="56" x2="50.3" y2="56" class="bar-line"/>
    <polygon points="50.3,56 56.3,52 56.3,60" class="bar"/>
    <line x1="139.56" y1="56" x2="308.89" y2="56" class="bar-line"/>
    <line x1="308.89" y1="53" x2="308.89" y2="59" class="bar-line"/>
    <circle cx="139.56" cy="56" r="4" class="open"/>
    <rect x="50.3" y="46" width="327.7" height="20" fill-opacity="0"><title>evil: &lt;984 ±1313</title></rect>
    </svg>
    "#);
}

#[test]
fn results() {
    insta::assert_snapshot!(Example::small().svg("results"), @r#"
        <svg xmlns="http://www.w3.org/2000/svg" class="pic" viewBox="0 0 480 106" width="576" height="127.2" role="img" aria-labelledby="t1-results-title t1-results-about"><title id="t1-results-title">Wins, draws, losses</title><desc id="t1-results-about">Shares of each bot&#39;s games: wins at full height, draws at half height, losses as a low line. At the right: numbers of wins, draws and losses.</desc><style>…</style>
        <line x1="50.3" y1="6" x2="50.3" y2="70" class="rule"/>
        <text x="50.3" y="82" class="mid muted">0 %</text>
        <line x1="140.22" y1="6" x2="140.22" y2="70" class="rule"/>
        <text x="140.22" y="82" class="mid muted">25 %</text>
        <line x1="230.15" y1="6" x2="230.15" y2="70" class="rule"/>
        <text x="230.15" y="82" class="mid muted">50 %</text>
        <line x1="320.07" y1="6" x2="320.07" y2="70" class="rule"/>
        <text x="320.07" y="82" class="mid muted">75 %</text>
        <line x1="410" y1="6" x2="410" y2="70" class="rule"/>
        <text x="410" y="82" class="mid muted">100 %</text>
        <text x="230.15" y="99" class="mid muted">share of games</text>
        <text x="40.3" y="20.55" class="end">beta</text>
        <text x="478" y="20.55" class="end">4–1–3</text>
        <rect x="50.3" y="9" width="179.85" height="14" class="win"/>
        <rect x="230.15" y="11.8" width="44.96" height="8.4" class="draw"/>
        <rect x="275.11" y="13.9" width="134.89" height="4.2" class="loss"/>
        <rect x="50.3" y="6" width="359.7" height="20" fill-opacity="0"><title>beta: 4 won, 1 drawn, 3 lost</title></rect>
        <text x="40.3" y="40.55" class="end">alpha</text>
        <text x="478" y="40.55" class="end">3–1–2</text>
        <rect x="50.3" y="29" width="179.85" height="14" class="win"/>
        <rect x="230.15" y="31.8" width="59.95" height="8.4" class="draw"/>
        <rect x="290.1" y="33.9" width="119.9" height="4.2" class="loss"/>
        <rect x="50.3" y="26" width="359.7" height="20" fill-opacity="0"><title>alpha: 3 won, 1 drawn, 2 lost</title></rect>
        <text x="40.3" y="60.55" class="end">evil</text>
        <text x="478" y="60.55" class="end">0–0–4</text>
        <rect x="50.3" y="53.9" width="359.7" height="4.2" class="loss"/>
        <rect x="50.3" y="46" width="359.7" height="20" fill-opacity="0"><title>evil: 0 won, 0 drawn, 4 lost</title></rect>
        </svg>
        "#);
    insta::assert_snapshot!(wdl_bar(3, 1, 0, Lang::French), @r#"<svg class="pic wdl" viewBox="0 0 96 12" width="96" height="12" role="img" aria-label="3 gagnées, 1 nulles, 0 perdues"><title>3 gagnées, 1 nulles, 0 perdues</title><rect x="0" y="0" width="72" height="12" class="win"/><rect x="72" y="2.4" width="24" height="7.2" class="draw"/></svg>"#);
    insta::assert_snapshot!(wdl_bar(0, 0, 0, Lang::English), @r#"<svg class="pic wdl" viewBox="0 0 96 12" width="96" height="12" role="img" aria-label="0 won, 0 drawn, 0 lost"><title>0 won, 0 drawn, 0 lost</title><rect x="0" y="4.8" width="96" height="2.4" class="none"/></svg>"#);
}

#[test]
fn crosstable() {
    insta::assert_snapshot!(Example::small().svg("crosstable"), @r##"
        <svg xmlns="http://www.w3.org/2000/svg" class="pic" viewBox="0 0 404 138" width="484.8" height="165.6" role="group" aria-labelledby="t1-crosstable-title t1-crosstable-about"><title id="t1-crosstable-title">Cross table</title><desc id="t1-crosstable-about">Each cell is the share of the points that the bot of its row took from the bot of its column, in the order of the standings. Darker cells (brighter ones on a dark page) are higher. Numbers: games won–drawn–lost.</desc><style>…</style>
        <text x="44.3" y="38.55" class="end">beta</text>
        <text x="56.36" y="38.55" class="end muted">1</text>
        <text x="83.41" y="15" class="mid muted"><title>beta</title>1</text>
        <text x="44.3" y="62.55" class="end">alpha</text>
        <text x="56.36" y="62.55" class="end muted">2</text>
        <text x="125.51" y="15" class="mid muted"><title>alpha</title>2</text>
        <text x="44.3" y="86.55" class="end">evil</text>
        <text x="56.36" y="86.55" class="end muted">3</text>
        <text x="167.61" y="15" class="mid muted"><title>evil</title>3</text>
        <path d="M62.36 22h42.1v24h-42.1z" class="void"/>
        <a class="cell h5" href="#games=t1&amp;one=0&amp;two=1"><title>beta against alpha: 2–1–2 (50 %)</title><path d="M104.46 22h42.1v24h-42.1z"/><text x="125.51" y="37.85" class="mid small">2–1–2</text></a>
        <a class="cell h7" href="#games=t1&amp;one=0&amp;two=2"><title>beta against evil: 2–0–1 (67 %)</title><path d="M146.56 22h42.1v24h-42.1z"/><text x="167.61" y="37.85" class="mid small">2–0–1</text></a>
        <a class="cell h5" href="#games=t1&amp;one=1&amp;two=0"><title>alpha against beta: 2–1–2 (50 %)</title><path d="M62.36 46h42.1v24h-42.1z"/><text x="83.41" y="61.85" class="mid small">2–1–2</text></a>
        <path d="M104.46 46h42.1v24h-42.1z" class="void"/>
        <a class="cell h9" href="#games=t1&amp;one=1&amp;two=2"><title>alpha against evil: 1–0–0 (100 %)</title><path d="M146.56 46h42.1v24h-42.1z"/><text x="167.61" y="61.85" class="mid small">1–0–0</text></a>
        <a class="cell h1" href="#games=t1&amp;one=2&amp;two=0"><title>evil against beta: 0–0–3 (0 %)</title><path d="M62.36 70h42.1v24h-42.1z"/><text x="83.41" y="85.85" class="mid small">0–0–3</text></a>
        <a class="cell h1" href="#games=t1&amp;one=2&amp;two=1"><title>evil against alpha: 0–0–1 (0 %)</title><path d="M104.46 70h42.1v24h-42.1z"/><text x="125.51" y="85.85" class="mid small">0–0–1</text></a>
        <path d="M146.56 70h42.1v24h-42.1z" class="void"/>
        <rect x="4" y="106" width="24" height="12" class="h1"/>
        <rect x="28" y="106" width="24" height="12" class="h2"/>
        <rect x="52" y="106" width="24" height="12" class="h3"/>
        <rect x="76" y="106" width="24" height="12" class="h4"/>
        <rect x="100" y="106" width="24" height="12" class="h5"/>
        <rect x="124" y="106" width="24" height="12" class="h6"/>
        <rect x="148" y="106" width="24" height="12" class="h7"/>
        <rect x="172" y="106" width="24" height="12" class="h8"/>
        <rect x="196" y="106" width="24" height="12" class="h9"/>
        <text x="4" y="131" class="muted">0 %</text>
        <text x="112" y="131" class="mid muted">50 %</text>
        <text x="220" y="131" class="end muted">100 %</text>
        <text x="228" y="116" class="muted">share of the points</text>
        </svg>
        "##);
}

#[test]
fn rating_over_time() {
    insta::assert_snapshot!(Example::of_format("", 3, 12).svg("rating-over-time"), @r#"
    <svg xmlns="http://www.w3.org/2000/svg" class="pic" viewBox="0 0 480 318" width="576" height="381.6" role="img" aria-labelledby="t1-rating-over-time-title t1-rating-over-time-about"><title id="t1-rating-over-time-title">Rating over time</title><desc id="t1-rating-over-time-about">Elo, refitted after growing parts of the games in the order of the plan. Band: 95 % interval, on the sides where the games bound it. The first 3 of the standings are named; thin lines are the others.</desc><style>…</style>
    <line x1="40" y1="263.47" x2="417.64" y2="263.47" class="rule"/>
    <text x="35" y="267.47" class="end muted">1000</text>
    <line x1="40" y1="216.08" x2="417.64" y2="216.08" class="rule"/>
    <text x="35" y="220.08" class="end muted">1200</text>
    <line x1="40" y1="168.69" x2="417.64" y2="168.69" class="rule"/>
    <text x="35" y="172.69" class="end muted">1400</text>
    <line x1="40" y1="121.31" x2="417.64" y2="121.31" class="rule"/>
    <text x="35" y="125.31" class="end muted">1600</text>
    <line x1="40" y1="73.92" x2="417.64" y2="73.92" class="rule"/>
    <text x="35" y="77.92" class="end muted">1800</text>
    <line x1="40" y1="26.53" x2="417.64" y2="26.53" class="rule"/>
    <text x="35" y="30.53" class="end muted">2000</text>
    <line x1="153.29" y1="280" x2="153.29" y2="284" class="axis"/>
    <text x="153.29" y="296" class="mid muted">5</text>
    <line x1="342.11" y1="280" x2="342.11" y2="284" class="axis"/>
    <text x="342.11" y="296" class="mid muted">10</text>
    <line x1="40" y1="280" x2="417.64" y2="280" class="axis"/>
    <text x="228.82" y="312" class="mid muted">games played</text>
    <polygon points="115.53,194.83 191.06,137.39 266.58,130.38 342.11,120.47 417.64,102.71 417.64,10 342.11,10 266.58,10 191.06,10 115.53,10" class="band f1"/>
    <polygon points="40,158.68 115.53,194.83 191.06,227.61 266.58,214.09 342.11,216.51 417.64,228.85 417.64,61.15 342.11,55.39 266.58,57.69 191.06,62.39 115.53,10 40,10" class="band f2"/>
    <polygon points="40,280 115.53,280 191.06,280 266.58,280 342.11,280 417.64,280 417.64,187.29 342.11,181.98 266.58,172.96 191.06,152.61 115.53,152.14 40,131.32" class="band f3"/>
    <polyline points="115.53,108.6 191.06,64.71 266.58,52.66 342.11,46.97 417.64,28.62" class="line s1"><title>bot-01</title></polyline>
    <polyline points="40,100.9 115.53,108.6 191.06,145 266.58,136.06 342.11,136.14 417.64,145" class="line s2"><title>bot-02</title></polyline>
    <polyline points="40,189.1 115.53,217.81 191.06,225.29 266.58,246.27 342.11,251.89 417.64,261.38" class="line s3"><title>bot-03</title></polyline>
    <circle cx="417.64" cy="28.62" r="3" class="f1"/>
    <text x="427.64" y="33.17"><title>bot-01</title>bot-01</text>
    <line x1="417.64" y1="28.62" x2="425.64" y2="28.62" class="line s1"/>
    <circle cx="417.64" cy="145" r="3" class="f2"/>
    <text x="427.64" y="149.55"><title>bot-02</title>bot-02</text>
    <line x1="417.64" y1="145" x2="425.64" y2="145" class="line s2"/>
    <circle cx="417.64" cy="261.38" r="3" class="f3"/>
    <text x="427.64" y="265.93"><title>bot-03</title>bot-03</text>
    <line x1="417.64" y1="261.38" x2="425.64" y2="261.38" class="line s3"/>
    </svg>
    "#);
}

#[test]
fn move_times() {
    insta::assert_snapshot!(Example::small().svg("move-times"), @r#"
        <svg xmlns="http://www.w3.org/2000/svg" class="pic" viewBox="0 0 480 106" width="576" height="127.2" role="img" aria-labelledby="t1-move-times-title t1-move-times-about"><title id="t1-move-times-title">Time per move</title><desc id="t1-move-times-about">Distribution of each bot&#39;s times per move, on a logarithmic scale. Tall mark: median, also printed at the right. Dot: 95 % of the moves took at most this time. The dashed line is the limit of 1 s.</desc><style>…</style>
        <line x1="50.3" y1="6" x2="50.3" y2="70" class="rule"/>
        <text x="50.3" y="82" class="mid muted">1 ms</text>
        <line x1="165.04" y1="6" x2="165.04" y2="70" class="rule"/>
        <text x="165.04" y="82" class="mid muted">10 ms</text>
        <line x1="279.78" y1="6" x2="279.78" y2="70" class="rule"/>
        <text x="279.78" y="82" class="mid muted">100 ms</text>
        <line x1="394.53" y1="6" x2="394.53" y2="70" class="rule"/>
        <text x="394.53" y="82" class="mid muted">1 s</text>
        <text x="228.15" y="99" class="mid muted">time for a move</text>
        <path d="M66.97 25V13H72.53V25zM89.2 25V7H94.76V25z" class="bar"/>
        <line x1="89.59" y1="7" x2="89.59" y2="25" class="ink-line"/>
        <circle cx="89.59" cy="22" r="2.5" class="ink"/>
        <text x="40.3" y="20.55" class="end">beta</text>
        <text x="478" y="20.55" class="end">2.2 ms</text>
        <rect x="50.3" y="6" width="355.7" height="20" fill-opacity="0"><title>beta: median 2.2 ms, 95 % within 2.2 ms</title></rect>
        <path d="M66.97 45V27H72.53V45zM89.2 45V27H94.76V45zM100.32 45V33H105.88V45z" class="bar"/>
        <line x1="89.67" y1="27" x2="89.67" y2="45" class="ink-line"/>
        <circle cx="103.36" cy="42" r="2.5" class="ink"/>
        <text x="40.3" y="40.55" class="end">alpha</text>
        <text x="478" y="40.55" class="end">2.2 ms</text>
        <rect x="50.3" y="26" width="355.7" height="20" fill-opacity="0"><title>alpha: median 2.2 ms, 95 % within 2.9 ms</title></rect>
        <path d="M66.97 65V47H72.53V65z" class="bar"/>
        <line x1="70.51" y1="47" x2="70.51" y2="65" class="ink-line"/>
        <circle cx="70.51" cy="62" r="2.5" class="ink"/>
        <text x="40.3" y="60.55" class="end">evil</text>
        <text x="478" y="60.55" class="end">1.5 ms</text>
        <rect x="50.3" y="46" width="355.7" height="20" fill-opacity="0"><title>evil: median 1.5 ms, 95 % within 1.5 ms</title></rect>
        <line x1="394.53" y1="2" x2="394.53" y2="70" class="limit"/>
        </svg>
        "#);
}

#[test]
fn game_length() {
    insta::assert_snapshot!(Example::small().svg("game-length"), @r#"
        <svg xmlns="http://www.w3.org/2000/svg" class="pic" viewBox="0 0 480 232" width="576" height="278.4" role="img" aria-labelledby="t1-game-length-title t1-game-length-about"><title id="t1-game-length-title">Game length</title><desc id="t1-game-length-about">Number of games by number of plies (moves of both sides, including the opening). Hollow: games that ended by a forfeit.</desc><style>…</style>
        <rect x="100" y="3" width="10" height="10" class="bar"/>
        <text x="115" y="12" class="muted">played out</text>
        <rect x="207.6" y="3" width="10" height="10" class="hollow"/>
        <text x="222.6" y="12" class="muted">forfeited</text>
        <line x1="46" y1="190" x2="472" y2="190" class="rule"/>
        <text x="41" y="194" class="end muted">0</text>
        <line x1="46" y1="148" x2="472" y2="148" class="rule"/>
        <text x="41" y="152" class="end muted">1</text>
        <line x1="46" y1="106" x2="472" y2="106" class="rule"/>
        <text x="41" y="110" class="end muted">2</text>
        <line x1="46" y1="64" x2="472" y2="64" class="rule"/>
        <text x="41" y="68" class="end muted">3</text>
        <line x1="46" y1="22" x2="472" y2="22" class="rule"/>
        <text x="41" y="26" class="end muted">4</text>
        <rect x="52.39" y="148" width="93.72" height="42" class="hollow"><title>0: 1</title></rect>
        <rect x="158.89" y="148" width="93.72" height="42" class="bar"><title>1: 2</title></rect>
        <rect x="158.89" y="106" width="93.72" height="42" class="hollow"><title>1: 2</title></rect>
        <rect x="265.39" y="106" width="93.72" height="84" class="bar"><title>2: 4</title></rect>
        <rect x="265.39" y="22" width="93.72" height="84" class="hollow"><title>2: 4</title></rect>
        <rect x="371.89" y="106" width="93.72" height="84" class="bar"><title>3: 2</title></rect>
        <line x1="46" y1="190" x2="472" y2="190" class="axis"/>
        <text x="99.25" y="206" class="mid muted">0</text>
        <text x="205.75" y="206" class="mid muted">1</text>
        <text x="312.25" y="206" class="mid muted">2</text>
        <text x="418.75" y="206" class="mid muted">3</text>
        <text x="259" y="224" class="mid muted">plies</text>
        <text x="4" y="12" class="muted">games</text>
        </svg>
        "#);
}

#[test]
fn score_difference() {
    insta::assert_snapshot!(Example::small().svg("score-difference"), @r#"
        <svg xmlns="http://www.w3.org/2000/svg" class="pic" viewBox="0 0 480 232" width="576" height="278.4" role="img" aria-labelledby="t1-score-difference-title t1-score-difference-about"><title id="t1-score-difference-title">Score difference</title><desc id="t1-score-difference-about">Player 1&#39;s final score minus player 2&#39;s, for games that were played out: right of 0 player 1 had more, left of 0 player 2.</desc><style>…</style>
        <rect x="60" y="3" width="10" height="10" class="loss"/>
        <text x="75" y="12" class="muted">player 2 has more</text>
        <rect x="224.02" y="3" width="10" height="10" class="win"/>
        <text x="239.02" y="12" class="muted">player 1 has more</text>
        <line x1="46" y1="190" x2="472" y2="190" class="rule"/>
        <text x="41" y="194" class="end muted">0</text>
        <line x1="46" y1="106" x2="472" y2="106" class="rule"/>
        <text x="41" y="110" class="end muted">1</text>
        <line x1="46" y1="22" x2="472" y2="22" class="rule"/>
        <text x="41" y="26" class="end muted">2</text>
        <rect x="46.85" y="106" width="12.5" height="84" class="draw"><title>0: 1</title></rect>
        <rect x="330.85" y="22" width="12.5" height="168" class="win"><title>20: 2</title></rect>
        <rect x="458.65" y="22" width="12.5" height="168" class="win"><title>29: 2</title></rect>
        <line x1="46" y1="190" x2="472" y2="190" class="axis"/>
        <text x="53.1" y="206" class="mid muted">0</text>
        <text x="124.1" y="206" class="mid muted">5</text>
        <text x="195.1" y="206" class="mid muted">10</text>
        <text x="266.1" y="206" class="mid muted">15</text>
        <text x="337.1" y="206" class="mid muted">20</text>
        <text x="408.1" y="206" class="mid muted">25</text>
        <text x="259" y="224" class="mid muted">score of player 1 minus score of player 2</text>
        <text x="4" y="12" class="muted">games</text>
        </svg>
        "#);
}

#[test]
fn first_move() {
    insta::assert_snapshot!(Example::small().svg("first-move"), @r#"
    <svg xmlns="http://www.w3.org/2000/svg" class="pic" viewBox="0 0 480 186" width="576" height="223.2" role="img" aria-labelledby="t1-first-move-title t1-first-move-about"><title id="t1-first-move-title">First-move advantage</title><desc id="t1-first-move-about">Above: player 1&#39;s wins, draws and losses in all games. Below: the share of the points that each bot took as player 1 (filled dot) and as player 2 (hollow dot).</desc><style>…</style>
    <text x="2" y="14" class="start">player 1 won 4 (50 %)</text>
    <text x="240" y="14" class="mid">1 draws (12 %)</text>
    <text x="478" y="14" class="end">player 2 won 3 (38 %)</text>
    <rect x="2" y="22" width="238" height="20" class="win"/>
    <rect x="240" y="26" width="59.5" height="12" class="draw"/>
    <rect x="299.5" y="29" width="178.5" height="6" class="loss"/>
    <text x="2" y="60">Player 1 took 56.2 % of the points (95 %: 20.7 to 86.3).</text>
    <text x="2" y="76">Being player 1 is worth 166 ±432 Elo.</text>
    <line x1="52.3" y1="88" x2="52.3" y2="150" class="rule"/>
    <text x="52.3" y="162" class="mid muted">0 %</text>
    <line x1="153.72" y1="88" x2="153.72" y2="150" class="rule"/>
    <text x="153.72" y="162" class="mid muted">25 %</text>
    <line x1="255.15" y1="88" x2="255.15" y2="150" class="rule"/>
    <text x="255.15" y="162" class="mid muted">50 %</text>
    <line x1="356.57" y1="88" x2="356.57" y2="150" class="rule"/>
    <text x="356.57" y="162" class="mid muted">75 %</text>
    <line x1="458" y1="88" x2="458" y2="150" class="rule"/>
    <text x="458" y="162" class="mid muted">100 %</text>
    <text x="255.15" y="179" class="mid muted">share of the points</text>
    <text x="42.3" y="105.55" class="end">beta</text>
    <line x1="458" y1="101" x2="255.15" y2="101" class="bar-line"/>
    <circle cx="255.15" cy="101" r="4" class="open"><title>beta as player 2: 50 %</title></circle>
    <circle cx="458" cy="101" r="4" class="bar"><title>beta as player 1: 100 %</title></circle>
    <text x="42.3" y="123.55" class="end">alpha</text>
    <line x1="390.38" y1="119" x2="187.53" y2="119" class="bar-line"/>
    <circle cx="187.53" cy="119" r="4" class="open"><title>alpha as player 2: 33 %</title></circle>
    <circle cx="390.38" cy="119" r="4" class="bar"><title>alpha as player 1: 83 %</title></circle>
    <text x="42.3" y="141.55" class="end">evil</text>
    <circle cx="52.3" cy="137" r="4" class="bar"><title>evil as player 1: 0 %</title></circle>
    </svg>
    "#);
}

#[test]
fn endings() {
    insta::assert_snapshot!(Example::small().svg("endings"), @r#"
        <svg xmlns="http://www.w3.org/2000/svg" class="pic" viewBox="0 0 480 146" width="576" height="175.2" role="img" aria-labelledby="t1-endings-title t1-endings-about"><title id="t1-endings-title">Endings</title><desc id="t1-endings-about">Number of games by ending. Hollow bars are forfeits: lost by misbehavior, not by play.</desc><style>…</style>
        <line x1="130.9" y1="6" x2="130.9" y2="110" class="rule"/>
        <text x="130.9" y="122" class="mid muted">0</text>
        <line x1="234.3" y1="6" x2="234.3" y2="110" class="rule"/>
        <text x="234.3" y="122" class="mid muted">2</text>
        <line x1="337.7" y1="6" x2="337.7" y2="110" class="rule"/>
        <text x="337.7" y="122" class="mid muted">4</text>
        <text x="260.15" y="139" class="mid muted">games</text>
        <text x="120.9" y="20.55" class="end">rules (49+)</text>
        <text x="478" y="20.55" class="end">5 (55.6 %)</text>
        <rect x="130.9" y="9" width="258.5" height="14" class="bar"><title>rules:49+: 5</title></rect>
        <text x="120.9" y="40.55" class="end">both forfeited</text>
        <text x="478" y="40.55" class="end">1 (11.1 %)</text>
        <rect x="130.9" y="29" width="51.7" height="14" class="hollow"><title>both-forfeited: 1</title></rect>
        <text x="120.9" y="60.55" class="end">illegal move</text>
        <text x="478" y="60.55" class="end">1 (11.1 %)</text>
        <rect x="130.9" y="49" width="51.7" height="14" class="hollow"><title>illegal-move: 1</title></rect>
        <text x="120.9" y="80.55" class="end">move too late</text>
        <text x="478" y="80.55" class="end">1 (11.1 %)</text>
        <rect x="130.9" y="69" width="51.7" height="14" class="hollow"><title>move-late: 1</title></rect>
        <text x="120.9" y="100.55" class="end">would not start</text>
        <text x="478" y="100.55" class="end">1 (11.1 %)</text>
        <rect x="130.9" y="89" width="51.7" height="14" class="hollow"><title>would-not-start: 1</title></rect>
        </svg>
        "#);
}

#[test]
fn a_bracket() {
    insta::assert_snapshot!(Example::of_format(KNOCKOUT, 5, 99).svg("course-1"), @r##"
        <svg xmlns="http://www.w3.org/2000/svg" class="pic wide" viewBox="0 0 534 187.75" width="534" height="187.75" role="group" aria-labelledby="t1-course-1-title t1-course-1-about"><title id="t1-course-1-title">Knockout</title><desc id="t1-course-1-about">Each box is a match with the points of both bots; the winner is in bold and advances to the right. A bot without a box in a round had a bye.</desc><style>…</style>
        <text x="83" y="15" class="mid muted">Quarterfinals</text>
        <a class="cell" href="#games=t1&amp;one=1&amp;two=4"><title>bot-04 3 – 1 bot-05</title><rect x="4" y="57" width="158" height="38" class="box" rx="3"/><text x="10" y="71.05" class="strong">bot-04</text><text x="156" y="71.05" class="end strong">3</text><text x="10" y="90.05">bot-05</text><text x="156" y="90.05" class="end">1</text></a>
        <text x="267" y="15" class="mid muted">Semifinals</text>
        <path d="M162 76H175V67H188" class="axis"/>
        <a class="cell" href="#games=t1&amp;one=0&amp;two=1"><title>bot-01 3 – 1 bot-04</title><rect x="188" y="38.5" width="158" height="38" class="box" rx="3"/><text x="194" y="52.55" class="strong">bot-01</text><text x="340" y="52.55" class="end strong">3</text><text x="194" y="71.55">bot-04</text><text x="340" y="71.55" class="end">1</text></a>
        <a class="cell" href="#games=t1&amp;one=2&amp;two=3"><title>bot-02 2 – 0 bot-03</title><rect x="188" y="107" width="158" height="38" class="box" rx="3"/><text x="194" y="121.05" class="strong">bot-02</text><text x="340" y="121.05" class="end strong">2</text><text x="194" y="140.05">bot-03</text><text x="340" y="140.05" class="end">0</text></a>
        <text x="451" y="15" class="mid muted">Final</text>
        <path d="M346 57.5H359V82.25H372" class="axis"/>
        <path d="M346 126H359V101.25H372" class="axis"/>
        <a class="cell" href="#games=t1&amp;one=0&amp;two=2"><title>bot-01 2 – 0 bot-02</title><rect x="372" y="72.75" width="158" height="38" class="box" rx="3"/><text x="378" y="86.8" class="strong">bot-01</text><text x="524" y="86.8" class="end strong">2</text><text x="378" y="105.8">bot-02</text><text x="524" y="105.8" class="end">0</text></a>
        <a class="cell" href="#games=t1&amp;one=3&amp;two=1"><title>bot-03 1.5 – 0.5 bot-04</title><rect x="372" y="138.75" width="158" height="38" class="box" rx="3"/><text x="378" y="152.8" class="strong">bot-03</text><text x="524" y="152.8" class="end strong">1.5</text><text x="378" y="171.8">bot-04</text><text x="524" y="171.8" class="end">0.5</text></a>
        <text x="451" y="132.75" class="mid muted">Third place</text>
        </svg>
        "##);
}

#[test]
fn swiss_rounds() {
    insta::assert_snapshot!(Example::of_format(SWISS, 5, 99).svg("course-1"), @r##"
        <svg xmlns="http://www.w3.org/2000/svg" class="pic" viewBox="0 0 480 188" width="576" height="225.6" role="group" aria-labelledby="t1-course-1-title t1-course-1-about"><title id="t1-course-1-title">Rounds</title><desc id="t1-course-1-about">Each cell shows the opponent&#39;s number in this table and the points of both; below them, the bot&#39;s points so far. The bar at the left is high for a win, medium for a draw, low for a loss.</desc><style>…</style>
        <text x="123.36" y="14" class="mid muted">Round 1</text>
        <text x="197.36" y="14" class="mid muted">Round 2</text>
        <text x="271.36" y="14" class="mid muted">Round 3</text>
        <text x="345.36" y="14" class="mid muted">Round 4</text>
        <text x="22" y="42.55" class="end muted">1</text>
        <text x="29" y="42.55">bot-01</text>
        <a class="cell" href="#games=t1&amp;one=2&amp;two=0"><title>bot-01 2–0 bot-03</title><g><rect x="87.36" y="23" width="72" height="30" class="box"/><rect x="87.36" y="23" width="4" height="30" class="win"/><text x="125.36" y="36" class="mid small">3: 2–0</text><text x="125.36" y="49" class="mid small muted">2</text></g></a>
        <a class="cell" href="#games=t1&amp;one=0&amp;two=1"><title>bot-01 2–0 bot-02</title><g><rect x="161.36" y="23" width="72" height="30" class="box"/><rect x="161.36" y="23" width="4" height="30" class="win"/><text x="199.36" y="36" class="mid small">2: 2–0</text><text x="199.36" y="49" class="mid small muted">4</text></g></a>
        <a class="cell" href="#games=t1&amp;one=3&amp;two=0"><title>bot-01 1.5–0.5 bot-04</title><g><rect x="235.36" y="23" width="72" height="30" class="box"/><rect x="235.36" y="23" width="4" height="30" class="win"/><text x="273.36" y="36" class="mid small">4: 1.5–0.5</text><text x="273.36" y="49" class="mid small muted">5.5</text></g></a>
        <a class="cell" href="#games=t1&amp;one=0&amp;two=4"><title>bot-01 1–1 bot-05</title><g><rect x="309.36" y="23" width="72" height="30" class="box"/><rect x="309.36" y="35" width="4" height="18" class="draw"/><text x="347.36" y="36" class="mid small">5: 1–1</text><text x="347.36" y="49" class="mid small muted">6.5</text></g></a>
        <text x="22" y="74.55" class="end muted">2</text>
        <text x="29" y="74.55">bot-02</text>
        <a class="cell" href="#games=t1&amp;one=1&amp;two=3"><title>bot-02 2–0 bot-04</title><g><rect x="87.36" y="55" width="72" height="30" class="box"/><rect x="87.36" y="55" width="4" height="30" class="win"/><text x="125.36" y="68" class="mid small">4: 2–0</text><text x="125.36" y="81" class="mid small muted">2</text></g></a>
        <a class="cell" href="#games=t1&amp;one=0&amp;two=1"><title>bot-02 0–2 bot-01</title><g><rect x="161.36" y="55" width="72" height="30" class="box"/><rect x="161.36" y="76" width="4" height="9" class="loss"/><text x="199.36" y="68" class="mid small">1: 0–2</text><text x="199.36" y="81" class="mid small muted">2</text></g></a>
        <a class="cell" href="#games=t1&amp;one=1&amp;two=4"><title>bot-02 2–0 bot-05</title><g><rect x="235.36" y="55" width="72" height="30" class="box"/><rect x="235.36" y="55" width="4" height="30" class="win"/><text x="273.36" y="68" class="mid small">5: 2–0</text><text x="273.36" y="81" class="mid small muted">4</text></g></a>
        <g><rect x="309.36" y="55" width="72" height="30" class="box"/><rect x="309.36" y="85" width="4" height="0" class="none"/><text x="347.36" y="68" class="mid small">bye</text><text x="347.36" y="81" class="mid small muted">6</text></g>
        <text x="22" y="106.55" class="end muted">3</text>
        <text x="29" y="106.55">bot-03</text>
        <a class="cell" href="#games=t1&amp;one=2&amp;two=0"><title>bot-03 0–2 bot-01</title><g><rect x="87.36" y="87" width="72" height="30" class="box"/><rect x="87.36" y="108" width="4" height="9" class="loss"/><text x="125.36" y="100" class="mid small">1: 0–2</text><text x="125.36" y="113" class="mid small muted">0</text></g></a>
        <a class="cell" href="#games=t1&amp;one=4&amp;two=2"><title>bot-03 2–0 bot-05</title><g><rect x="161.36" y="87" width="72" height="30" class="box"/><rect x="161.36" y="87" width="4" height="30" class="win"/><text x="199.36" y="100" class="mid small">5: 2–0</text><text x="199.36" y="113" class="mid small muted">2</text></g></a>
        <g><rect x="235.36" y="87" width="72" height="30" class="box"/><rect x="235.36" y="117" width="4" height="0" class="none"/><text x="273.36" y="100" class="mid small">bye</text><text x="273.36" y="113" class="mid small muted">4</text></g>
        <a class="cell" href="#games=t1&amp;one=3&amp;two=2"><title>bot-03 1–1 bot-04</title><g><rect x="309.36" y="87" width="72" height="30" class="box"/><rect x="309.36" y="99" width="4" height="18" class="draw"/><text x="347.36" y="100" class="mid small">4: 1–1</text><text x="347.36" y="113" class="mid small muted">5</text></g></a>
        <text x="22" y="138.55" class="end muted">4</text>
        <text x="29" y="138.55">bot-04</text>
        <a class="cell" href="#games=t1&amp;one=1&amp;two=3"><title>bot-04 0–2 bot-02</title><g><rect x="87.36" y="119" width="72" height="30" class="box"/><rect x="87.36" y="140" width="4" height="9" class="loss"/><text x="125.36" y="132" class="mid small">2: 0–2</text><text x="125.36" y="145" class="mid small muted">0</text></g></a>
        <g><rect x="161.36" y="119" width="72" height="30" class="box"/><rect x="161.36" y="149" width="4" height="0" class="none"/><text x="199.36" y="132" class="mid small">bye</text><text x="199.36" y="145" class="mid small muted">2</text></g>
        <a class="cell" href="#games=t1&amp;one=3&amp;two=0"><title>bot-04 0.5–1.5 bot-01</title><g><rect x="235.36" y="119" width="72" height="30" class="box"/><rect x="235.36" y="140" width="4" height="9" class="loss"/><text x="273.36" y="132" class="mid small">1: 0.5–1.5</text><text x="273.36" y="145" class="mid small muted">2.5</text></g></a>
        <a class="cell" href="#games=t1&amp;one=3&amp;two=2"><title>bot-04 1–1 bot-03</title><g><rect x="309.36" y="119" width="72" height="30" class="box"/><rect x="309.36" y="131" width="4" height="18" class="draw"/><text x="347.36" y="132" class="mid small">3: 1–1</text><text x="347.36" y="145" class="mid small muted">3.5</text></g></a>
        <text x="22" y="170.55" class="end muted">5</text>
        <text x="29" y="170.55">bot-05</text>
        <g><rect x="87.36" y="151" width="72" height="30" class="box"/><rect x="87.36" y="181" width="4" height="0" class="none"/><text x="125.36" y="164" class="mid small">bye</text><text x="125.36" y="177" class="mid small muted">2</text></g>
        <a class="cell" href="#games=t1&amp;one=4&amp;two=2"><title>bot-05 0–2 bot-03</title><g><rect x="161.36" y="151" width="72" height="30" class="box"/><rect x="161.36" y="172" width="4" height="9" class="loss"/><text x="199.36" y="164" class="mid small">3: 0–2</text><text x="199.36" y="177" class="mid small muted">2</text></g></a>
        <a class="cell" href="#games=t1&amp;one=1&amp;two=4"><title>bot-05 0–2 bot-02</title><g><rect x="235.36" y="151" width="72" height="30" class="box"/><rect x="235.36" y="172" width="4" height="9" class="loss"/><text x="273.36" y="164" class="mid small">2: 0–2</text><text x="273.36" y="177" class="mid small muted">2</text></g></a>
        <a class="cell" href="#games=t1&amp;one=0&amp;two=4"><title>bot-05 1–1 bot-01</title><g><rect x="309.36" y="151" width="72" height="30" class="box"/><rect x="309.36" y="163" width="4" height="18" class="draw"/><text x="347.36" y="164" class="mid small">1: 1–1</text><text x="347.36" y="177" class="mid small muted">3</text></g></a>
        </svg>
        "##);
}

#[test]
fn a_ladder() {
    insta::assert_snapshot!(Example::of_format(LADDER, 3, 60).svg("course-1"), @r#"
    <svg xmlns="http://www.w3.org/2000/svg" class="pic" viewBox="0 0 480 110" width="576" height="132" role="img" aria-labelledby="t1-course-1-title t1-course-1-about"><title id="t1-course-1-title">Ladder</title><desc id="t1-course-1-about">Order by Elo after growing parts of the games: a line falls where other bots overtook its bot. A line begins where the bot first had a rating.</desc><style>…</style>
    <text x="61.6" y="86" class="mid small muted">10</text>
    <text x="132.81" y="86" class="mid small muted">20</text>
    <text x="204.02" y="86" class="mid small muted">30</text>
    <text x="275.23" y="86" class="mid small muted">40</text>
    <text x="346.43" y="86" class="mid small muted">50</text>
    <text x="417.64" y="86" class="mid small muted">60</text>
    <text x="221.82" y="103" class="mid muted">games played</text>
    <polyline points="26,60 61.6,60 97.21,60 132.81,60 168.41,60 204.02,60 239.62,60 275.23,60 310.83,60 346.43,60 382.04,60 417.64,60" class="line s3"/>
    <circle cx="26" cy="60" r="2.5" class="f3"/>
    <circle cx="61.6" cy="60" r="2.5" class="f3"/>
    <circle cx="97.21" cy="60" r="2.5" class="f3"/>
    <circle cx="132.81" cy="60" r="2.5" class="f3"/>
    <circle cx="168.41" cy="60" r="2.5" class="f3"/>
    <circle cx="204.02" cy="60" r="2.5" class="f3"/>
    <circle cx="239.62" cy="60" r="2.5" class="f3"/>
    <circle cx="275.23" cy="60" r="2.5" class="f3"/>
    <circle cx="310.83" cy="60" r="2.5" class="f3"/>
    <circle cx="346.43" cy="60" r="2.5" class="f3"/>
    <circle cx="382.04" cy="60" r="2.5" class="f3"/>
    <circle cx="417.64" cy="60" r="2.5" class="f3"/>
    <text x="18" y="64" class="end muted">3</text>
    <text x="427.64" y="64"><title>bot-03</title>bot-03</text>
    <polyline points="26,40 61.6,40 97.21,20 132.81,20 168.41,20 204.02,40 239.62,40 275.23,40 310.83,40 346.43,40 382.04,40 417.64,40" class="line s2"/>
    <circle cx="26" cy="40" r="2.5" class="f2"/>
    <circle cx="61.6" cy="40" r="2.5" class="f2"/>
    <circle cx="97.21" cy="20" r="2.5" class="f2"/>
    <circle cx="132.81" cy="20" r="2.5" class="f2"/>
    <circle cx="168.41" cy="20" r="2.5" class="f2"/>
    <circle cx="204.02" cy="40" r="2.5" class="f2"/>
    <circle cx="239.62" cy="40" r="2.5" class="f2"/>
    <circle cx="275.23" cy="40" r="2.5" class="f2"/>
    <circle cx="310.83" cy="40" r="2.5" class="f2"/>
    <circle cx="346.43" cy="40" r="2.5" class="f2"/>
    <circle cx="382.04" cy="40" r="2.5" class="f2"/>
    <circle cx="417.64" cy="40" r="2.5" class="f2"/>
    <text x="18" y="44" class="end muted">2</text>
    <text x="427.64" y="44"><title>bot-02</title>bot-02</text>
    <polyline points="26,20 61.6,20 97.21,40 132.81,40 168.41,40 204.02,20 239.62,20 275.23,20 310.83,20 346.43,20 382.04,20 417.64,20" class="line s1"/>
    <circle cx="26" cy="20" r="2.5" class="f1"/>
    <circle cx="61.6" cy="20" r="2.5" class="f1"/>
    <circle cx="97.21" cy="40" r="2.5" class="f1"/>
    <circle cx="132.81" cy="40" r="2.5" class="f1"/>
    <circle cx="168.41" cy="40" r="2.5" class="f1"/>
    <circle cx="204.02" cy="20" r="2.5" class="f1"/>
    <circle cx="239.62" cy="20" r="2.5" class="f1"/>
    <circle cx="275.23" cy="20" r="2.5" class="f1"/>
    <circle cx="310.83" cy="20" r="2.5" class="f1"/>
    <circle cx="346.43" cy="20" r="2.5" class="f1"/>
    <circle cx="382.04" cy="20" r="2.5" class="f1"/>
    <circle cx="417.64" cy="20" r="2.5" class="f1"/>
    <text x="18" y="24" class="end muted">1</text>
    <text x="427.64" y="24"><title>bot-01</title>bot-01</text>
    </svg>
    "#);
}
