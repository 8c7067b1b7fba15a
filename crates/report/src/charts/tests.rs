//! Tests of properties that all charts share.

use pitmaster_core::ending_label;
use proptest::prelude::*;
use roxmltree::{Document, Node};

use super::fixtures::{Example, KNOCKOUT, LADDER, SWISS};
use super::*;
use crate::svg::{SMALL, TEXT, width_of};

/// Examples of all sizes and formats.
fn examples() -> Vec<(String, Example)> {
    let formats = [("knockout", KNOCKOUT), ("swiss", SWISS), ("ladder", LADDER)];
    let mut examples = vec![("small".to_owned(), Example::small())];
    for bots in [2, 12, 17, 61] {
        examples.push((format!("{bots} bots"), Example::round_robin(bots, 1)));
    }
    for (name, format) in formats {
        for (bots, games) in [(2, 99), (3, 99), (11, 5), (11, 999), (70, 999)] {
            let example = Example::of_format(format, bots, games);
            examples.push((format!("{name} of {bots}, {games} games"), example));
        }
    }
    examples
}

#[test]
fn nothing_lies_outside_of_a_picture() {
    for (name, example) in examples() {
        let charts = example.draw(Lang::French);
        assert!(charts.len() >= 4, "{name}");
        for chart in charts {
            let outside = outside(&chart.svg);
            assert!(outside.is_empty(), "{name}: {}: {outside:?}", chart.name);
        }
    }
}

/// Shapes of a picture that reach beyond its edges.
fn outside(svg: &str) -> Vec<String> {
    let document = Document::parse(svg).expect("well-formed");
    let root = document.root_element();
    let frame: Vec<f64> =
        root.attribute("viewBox").unwrap().split(' ').map(|n| n.parse().unwrap()).collect();
    let reaches = |[x, y]: &[f64; 2]| {
        !(-0.5..=frame[2] + 0.5).contains(x) || !(-0.5..=frame[3] + 0.5).contains(y)
    };
    let all = root.descendants().filter(|node| corners(*node).iter().any(reaches));
    all.map(|node| svg[node.range()].to_owned()).collect()
}

/// Extreme points of a shape. Empty for other nodes.
fn corners(node: Node<'_, '_>) -> Vec<[f64; 2]> {
    let number = |name: &str| node.attribute(name).map_or(0.0, |n| n.parse().expect("a number"));
    match node.tag_name().name() {
        "rect" => {
            let [x, y] = ["x", "y"].map(number);
            vec![[x, y], [x + number("width"), y + number("height")]]
        }
        "line" => vec![[number("x1"), number("y1")], [number("x2"), number("y2")]],
        "circle" => {
            let ([x, y], r) = (["cx", "cy"].map(number), number("r"));
            vec![[x - r, y - r], [x + r, y + r]]
        }
        "polyline" | "polygon" => {
            let points = node.attribute("points").unwrap().split_whitespace();
            points.map(|point| pair(point.split_once(',').unwrap())).collect()
        }
        "path" => path(node.attribute("d").unwrap()),
        "text" => {
            let classes = node.attribute("class").unwrap_or_default();
            let text = node.children().filter(Node::is_text).filter_map(|n| n.text());
            let size = if classes.contains("small") { SMALL } else { TEXT };
            let width = width_of(&text.collect::<String>(), size) * 0.9;
            let [x, y] = ["x", "y"].map(number);
            let left = match classes.split(' ').find(|class| ["end", "mid"].contains(class)) {
                Some("end") => x - width,
                Some(_) => x - width / 2.0,
                None => x,
            };
            vec![[left, y - TEXT * 0.7], [left + width, y + TEXT * 0.2]]
        }
        _ => Vec::new(),
    }
}

fn pair((x, y): (&str, &str)) -> [f64; 2] {
    [x, y].map(|n| n.parse().expect("a number"))
}

/// Points of a path with the commands used by this crate.
fn path(text: &str) -> Vec<[f64; 2]> {
    let (mut points, mut at) = (Vec::new(), [0.0_f64; 2]);
    let begins = text.char_indices().filter(|(_, c)| c.is_ascii_alphabetic());
    let begins: Vec<(usize, char)> = begins.collect();
    for (nth, &(begin, step)) in begins.iter().enumerate() {
        let end = begins.get(nth + 1).map_or(text.len(), |next| next.0);
        let numbers = &text[begin + 1..end];
        let number = || numbers.parse::<f64>().expect("a number");
        match step {
            'M' => at = pair(numbers.split_once(' ').unwrap()),
            'H' => at[0] = number(),
            'h' => at[0] += number(),
            'V' => at[1] = number(),
            'v' => at[1] += number(),
            'z' => {}
            other => panic!("{other} is no step of ours"),
        }
        points.push(at);
    }
    points
}

#[test]
fn a_large_tournament_has_a_small_cross_table() {
    for bots in [60, 100, 101, 300] {
        let example = Example::round_robin(bots, 1);
        let chart = crosstable::draw(&example.drawn(), Lang::English).unwrap();
        assert!(chart.svg.len() < 1_500_000, "{bots}: {}", chart.svg.len());
        let document = Document::parse(&chart.svg).unwrap();
        let links = document.descendants().filter(|node| node.has_tag_name("a")).count() as u32;
        assert_eq!(links, if bots > 100 { 0 } else { bots * (bots - 1) });
    }
}

#[test]
fn every_ending_has_a_label() {
    for name in pitmaster_core::Fault::NAMES.into_iter().chain(["ply-limit", "both-forfeited"]) {
        let [english, french] = Lang::ALL.map(|lang| ending_label(name).to(lang));
        assert!(english != name || name == "suspended", "{name}");
        assert_ne!(english, french, "{name}");
    }
    assert_eq!(ending_label("rules:49+").to(Lang::French), "règles (49+)");
}

#[test]
fn who_lost_in_a_knockout_is_not_bold() {
    let svg = Example::of_format(KNOCKOUT, 8, 999).svg("course-1");
    let document = Document::parse(&svg).unwrap();
    let strong = document.descendants().filter(|node| node.attribute("class") == Some("strong"));
    // Four quarterfinals, two semifinals, the final, the third-place match.
    assert_eq!(strong.count(), 8);
    let titles = ["Quarterfinals", "Semifinals", "Final", "Third place"];
    assert!(titles.iter().all(|title| svg.contains(title)), "{svg}");
}

#[test]
fn only_what_fits_of_a_swiss_tournament_is_drawn() {
    let charts = Example::of_format(SWISS, 70, 9999).draw(Lang::English);
    let rounds = charts.iter().find(|chart| chart.name == "course-1").unwrap();
    assert!(rounds.caption.ends_with("The first 64 of 70 bots are shown."), "{}", rounds.caption);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn any_names_are_drawn(texts in proptest::collection::vec("\\PC{0,60}|[<>&\"'\\]\\x00-\\x1f]{0,9}", 5)) {
        let mut example = Example::of_format(KNOCKOUT, 5, 99);
        let mut names = Names::default();
        for name in &texts {
            names.push(name, "");
        }
        example.names = names;
        for chart in example.draw(Lang::French) {
            let document = Document::parse(&chart.svg).expect("well-formed");
            let is_known = |node: Node<'_, '_>| {
                let known = ["svg", "title", "desc", "style", "g", "a", "text", "rect", "line",
                    "circle", "polyline", "polygon", "path"];
                known.contains(&node.tag_name().name())
            };
            prop_assert!(document.descendants().filter(Node::is_element).all(is_known));
            prop_assert_eq!(outside(&chart.svg), Vec::<String>::new());
        }
    }
}
