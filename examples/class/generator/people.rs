//! People with names as they are: accents, apostrophes, scripts, and two of one name.

use pitmaster::core::Seed;
use rand::Rng as _;

/// A student.
#[derive(Debug, Clone)]
pub(crate) struct Person {
    /// Position in the class.
    pub(crate) number: usize,
    pub(crate) first: String,
    pub(crate) last: String,
}

/// Names that everybody gets wrong, in the order of the first people of every class.
const FIRST: [(&str, &str); 12] = [
    ("Élodie", "Lefèvre"),
    ("Jean-François", "D'Hôpital"),
    ("Zoë", "Müller"),
    ("Văn An", "Nguyễn"),
    ("Marie", "Curie"),
    ("Paul", "Dupont"),
    ("Paul", "Dupont"),
    ("Ana", "García López"),
    ("Ömer", "Şahin"),
    ("小龙", "李"),
    ("Seán", "O'Brien"),
    ("Lucie", "Martin"),
];

const GIVEN: [&str; 20] = [
    "Anaïs",
    "Bjørn",
    "Chloé",
    "Dimitri",
    "Eszter",
    "François",
    "Gülşen",
    "Håkan",
    "Inès",
    "Jürgen",
    "Karim",
    "Łukasz",
    "Małgorzata",
    "Noël",
    "Øystein",
    "Renée",
    "Siobhán",
    "Tomáš",
    "雪",
    "Мария",
];
const FAMILY: [&str; 20] = [
    "Ångström",
    "Bélanger",
    "Çelik",
    "D'Angelo",
    "Estévez",
    "Fernández-Díaz",
    "Großmann",
    "Hōjō",
    "Ibáñez",
    "Jørgensen",
    "Kowalczyk",
    "L'Écuyer",
    "Mc Donagh",
    "Núñez",
    "O'Neill",
    "Präkelt",
    "van der Berg",
    "Świątek",
    "王",
    "Иванова",
];

/// The people of a class.
pub(crate) fn people(count: usize, seed: u64) -> Vec<Person> {
    let mut rng = Seed(seed).stream("people");
    let mut pick = |names: &[&str]| names[rng.next_u64() as usize % names.len()].to_owned();
    let person = |number| match FIRST.get(number) {
        Some((first, last)) => Person { number, first: (*first).into(), last: (*last).into() },
        None => Person { number, first: pick(&GIVEN), last: pick(&FAMILY) },
    };
    (0..count).map(person).collect()
}

impl Person {
    /// Full name.
    pub(crate) fn full(&self) -> String {
        format!("{} {}", self.first, self.last)
    }

    /// The number that platforms give.
    pub(crate) fn id(&self) -> String {
        (4_200_101 + self.number).to_string()
    }

    /// User name.
    pub(crate) fn login(&self) -> String {
        format!("etu{:03}", self.number + 1)
    }

    /// Email address.
    pub(crate) fn email(&self) -> String {
        format!("{}@univ.example", self.login())
    }
}
