//! Conversion of parameters with older names and numbers to the present ones.
//!
//! A file does not state its version, but its names indicate it. Numbers whose meaning has changed
//! are read as present ones unless the version is known.

use std::collections::BTreeMap;

use pitmaster_core::diagnostics::Diagnostics;

use crate::two_row::params::{CaptSide, ChildType, Mlaps, Parameter, Params, Setting, Value};

/// Version of the program that a file was written for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum FileVersion {
    /// `2024-11`
    Nov2024,
    /// `2025-09`
    Sep2025,
    /// `present`
    Present,
}

impl FileVersion {
    /// All, the oldest first.
    pub const ALL: &[Self] = &[Self::Nov2024, Self::Sep2025, Self::Present];

    /// Name, as in files and options.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Nov2024 => "2024-11",
            Self::Sep2025 => "2025-09",
            Self::Present => "present",
        }
    }

    /// Version with that name.
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|age| age.name() == name).copied()
    }
}

/// Possible versions of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Ages {
    may: [bool; 3],
}

const OLDEST: Ages = Ages { may: [true, false, false] };
const OLDER: Ages = Ages { may: [true, true, false] };
const LATER: Ages = Ages { may: [false, true, true] };
const NEWEST: Ages = Ages { may: [false, false, true] };

impl Ages {
    pub(super) const ANY: Self = Self { may: [true; 3] };

    pub(super) fn only(age: FileVersion) -> Self {
        let mut may = [false; 3];
        may[age as usize] = true;
        Self { may }
    }

    pub(super) fn and(self, other: Self) -> Self {
        Self { may: std::array::from_fn(|age| self.may[age] && other.may[age]) }
    }

    fn has(self, age: FileVersion) -> bool {
        self.may[age as usize]
    }

    /// The latest possible version. If the versions conflict, the present one.
    fn age(self) -> FileVersion {
        FileVersion::ALL
            .iter()
            .rev()
            .find(|age| self.has(**age))
            .copied()
            .unwrap_or(FileVersion::Present)
    }
}

/// Parameters of 2024-11 that were merged later, with their present value when true.
const FLAGS: &[(&str, &str, &str)] = &[
    ("capttwoout", "capt_type", "TWO_OUT"),
    ("capt_next", "capt_type", "NEXT"),
    ("capsamedir", "capt_dir", "SOW"),
    ("sow_own_store", "sow_stores", "OWN"),
    ("visit_opp", "mlap_cont", "VISIT_OPP"),
    ("oppsidecapt", "capt_side", "OPP_SIDE"),
];

/// Renamed values with the same meaning.
const RENAMED: &[(&str, &str, &str)] =
    &[("goal", "RND_WIN_COUNT", "RND_WIN_COUNT_MAX"), ("child_rule", "OPP_ONLY", "OPP_SIDE_ONLY")];

/// Names of values that only some versions have.
const NAMES: &[(&str, &str, Ages)] = &[
    ("child_rule", "OPP_ONLY", OLDEST),
    ("game_class", "EWGratuitous", NEWEST),
    ("game_class", "NSGratuitous", NEWEST),
    ("game_class", "Ohojichi", OLDER),
    ("game_class", "SameSide", OLDER),
    ("goal", "RND_WIN_COUNT", OLDEST),
    ("pickextra", "PICKTWOS", OLDEST),
    ("sow_rule", "ENPAS_ALL_OWNER_OWN", NEWEST),
    ("sow_rule", "ENPAS_ALL_OWNER_SOW", NEWEST),
    ("sow_rule", "ENPAS_ALL_SOWER", NEWEST),
    ("sow_rule", "ENPAS_OPP_SOWER", NEWEST),
    ("sow_rule", "ENPAS_SOW_SOWER", NEWEST),
    ("sow_rule", "NO_SOW_OPP_2S", OLDEST),
    ("sow_rule", "OWN_SOW_CAPT_ALL", OLDER),
    ("sow_rule", "SOW_CAPT_ALL", OLDER),
    ("sow_rule", "SOW_SOW_CAPT_ALL", OLDEST),
];

/// Smallest number of a parameter that only the present version writes.
const NEW_NUMBERS: &[(&str, i64)] = &[
    ("capt_type", 8),
    ("crosscapt", 2),
    ("mlap_cont", 6),
    ("round_fill", 11),
    ("sow_rule", 14),
    ("sow_stores", 3),
    ("start_pattern", 13),
];

/// Parameters that 2024-11 did not have.
const LATER_NAMES: &[&str] = &[
    "capt_dir",
    "capt_type",
    "end_cond",
    "end_param",
    "mlap_cont",
    "mlap_param",
    "quitter",
    "sow_stores",
];

/// Whether that is a parameter name of older files.
pub(super) fn is_old_flag(name: &str) -> bool {
    FLAGS.iter().any(|(flag, ..)| *flag == name)
}

/// Old parameter names, for suggestions.
pub(super) fn old_names() -> impl Iterator<Item = &'static str> {
    FLAGS.iter().map(|(flag, ..)| *flag)
}

/// Versions indicated by a parameter and its value.
pub(super) fn ages_of(name: &str, value: &Value) -> Ages {
    if is_old_flag(name) {
        return OLDEST;
    }
    if name == "play_locs" {
        return NEWEST;
    }
    let mut ages = if LATER_NAMES.contains(&name) { LATER } else { Ages::ANY };
    if let Value::Text(text) = value {
        let named = NAMES.iter().filter(|one| one.0 == name && one.1.eq_ignore_ascii_case(text));
        ages = named.fold(ages, |ages, one| ages.and(one.2));
    }
    if let Value::Number(number) = value {
        let new = NEW_NUMBERS.iter().any(|(param, from)| *param == name && number >= from);
        ages = if new { NEWEST } else { ages };
    }
    ages
}

/// File versions that a name of a player's score indicates.
pub(super) fn ages_of_score(name: &str, is_old: bool) -> Ages {
    match (is_old, name.starts_with("mx_")) {
        (true, _) => OLDEST,
        (false, true) => LATER,
        (false, false) => Ages::ANY,
    }
}

/// Parameter as written in a file.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Item {
    pub(super) value: Value,
    /// Byte offset.
    pub(super) at: usize,
    /// Name of the key, preceded by its table.
    pub(super) key: String,
}

/// Parameters as written in a file, by name.
pub(super) type Layer = BTreeMap<String, Item>;

/// Translates parameters to present names and numbers.
pub(super) fn translate(layer: Layer, ages: Ages, findings: &mut Diagnostics<'_>) -> Layer {
    let mut old = Translator { layer, ages, age: ages.age(), findings };
    old.flags();
    old.renamed();
    old.class();
    old.child_rule();
    old.one_child();
    old.picktwos();
    old.sow_rule();
    old.layer
}

struct Translator<'a, 't> {
    layer: Layer,
    ages: Ages,
    age: FileVersion,
    findings: &'a mut Diagnostics<'t>,
}

impl Translator<'_, '_> {
    /// Value of a key, or its default if the file omits it.
    fn read<T: Setting>(&self, name: &str) -> T {
        let said = self.layer.get(name).and_then(|item| T::read(&item.value));
        let left_out = || T::read(&Parameter::find(name)?.get(&Params::default()));
        said.or_else(left_out).expect("a parameter of that type")
    }

    fn is_named(&self, param: &str, name: &str) -> bool {
        let value = self.layer.get(param).map(|item| &item.value);
        matches!(value, Some(Value::Text(text)) if text.trim().eq_ignore_ascii_case(name))
    }

    fn is_number(&self, param: &str, number: i64) -> bool {
        self.layer.get(param).is_some_and(|item| item.value == Value::Number(number))
    }

    /// Whether a parameter has an old value: by its name in any file, by its number only in a file
    /// of such a version. Adds a note about an ambiguous number.
    fn is_old(&mut self, param: &str, number: i64, name: &str, until: FileVersion) -> bool {
        if self.is_named(param, name) {
            return true;
        }
        if !self.is_number(param, number) {
            return false;
        }
        let last = FileVersion::ALL.iter().rev().find(|age| **age <= until && self.ages.has(**age));
        if let (Some(last), true) = (last, self.age > until) {
            let (param, old) = (&self.layer[param].key, last.name());
            self.findings.note(format!(
                "{param} {number} is read as of today; in files of {old} it is {name}, \
                 and age = \"{old}\" reads it so"
            ));
        }
        self.age <= until
    }

    fn put(&mut self, beside: &str, name: &str, value: Value) {
        let Some(item) = self.layer.get(beside) else { return };
        let item = Item { value, at: item.at, key: item.key.clone() };
        self.layer.insert(name.to_owned(), item);
    }

    /// Sets a parameter to its present value and adds a note.
    fn renew(&mut self, param: &str, old: &str, new: &str) {
        let Some(item) = self.layer.get_mut(param) else { return };
        let was = match &item.value {
            Value::Number(number) if self.age == FileVersion::Present => {
                format!("{number} ({old})")
            }
            Value::Number(number) => format!("{number} ({old} of {})", self.age.name()),
            _ => old.to_owned(),
        };
        self.findings.note(format!("{} {was} read as {new}", item.key));
        item.value = Value::Text(new.to_owned());
    }

    /// Reports an error and drops the key, which is then not examined again.
    fn fault(&mut self, param: &str, message: &str) {
        if let Some(item) = self.layer.remove(param) {
            self.findings.fault_at(item.at, &item.key, message);
        }
    }

    fn flags(&mut self) {
        for &(flag, param, value) in FLAGS {
            let Some(item) = self.layer.remove(flag) else { continue };
            if !bool::read(&item.value).unwrap_or(false) {
                continue;
            }
            let new = Value::Text(value.to_owned());
            if self.layer.get(param).is_some_and(|other| other.value != new) {
                let message = format!("stands for {param} {value}, which is given otherwise");
                self.findings.fault_at(item.at, &item.key, message);
                continue;
            }
            self.findings.note(format!("{} read as {param} {value}", item.key));
            self.layer.insert(param.to_owned(), Item { value: new, ..item });
        }
    }

    fn renamed(&mut self) {
        for &(param, old, new) in RENAMED {
            if self.is_named(param, old) {
                self.renew(param, old, new);
            }
        }
    }

    fn class(&mut self) {
        for (old, new) in [("SameSide", "NSGratuitous"), ("Ohojichi", "EWGratuitous")] {
            if self.is_named("game_class", old) {
                self.renew("game_class", old, &format!("{new} with capt_side OWN_SIDE"));
                self.put("game_class", "capt_side", Value::Text("OWN_SIDE".into()));
                self.put("game_class", "game_class", Value::Text(new.into()));
            }
        }
    }

    fn child_rule(&mut self) {
        if !self.is_named("child_rule", "NOT_1ST_OPP")
            && self.is_old("child_rule", 2, "NOT_1ST_OPP", FileVersion::Nov2024)
        {
            self.renew("child_rule", "NOT_1ST_OPP", "NOT_1ST_OPP");
        }
    }

    fn one_child(&mut self) {
        let is_one = self.read::<ChildType>("child_type") == ChildType::OneChild;
        if self.age == FileVersion::Nov2024 && is_one && !self.layer.contains_key("child_locs") {
            self.findings
                .note("child_type ONE_CHILD of 2024-11 read with child_locs NOT_SYM_OPP".into());
            self.put("child_type", "child_locs", Value::Text("NOT_SYM_OPP".into()));
        }
    }

    fn picktwos(&mut self) {
        if !self.is_old("pickextra", 2, "PICKTWOS", FileVersion::Nov2024) {
            return;
        }
        let captures: Vec<i32> = self.read("capt_on");
        let limits = self.read::<i32>("capt_max") != 0 || self.read::<i32>("capt_min") != 0;
        let others = self.read::<bool>("evens") || limits;
        if others || !(captures.is_empty() || captures == [2]) {
            let message = "PICKTWOS cannot be said beside other numbers to capture on; \
                           PICKOPPBASIC takes what these numbers allow";
            return self.fault("pickextra", message);
        }
        self.renew("pickextra", "PICKTWOS", "PICKOPPBASIC with capt_on [2]");
        self.put("pickextra", "capt_on", Value::List(vec![2]));
        self.put("pickextra", "pickextra", Value::Text("PICKOPPBASIC".into()));
    }

    fn sow_rule(&mut self) {
        let (rule, older) = ("sow_rule", FileVersion::Sep2025);
        if self.is_old(rule, 3, "OWN_SOW_CAPT_ALL", older) {
            let laps = self.read::<Mlaps>("mlaps") == Mlaps::Lapper;
            let new = if laps { "ENPAS_ALL_OWNER_SOW" } else { "ENPAS_ALL_OWNER_OWN" };
            self.renew(rule, "OWN_SOW_CAPT_ALL", new);
        } else if self.is_named(rule, "SOW_SOW_CAPT_ALL")
            || self.is_old(rule, 4, "SOW_CAPT_ALL", older)
        {
            self.sow_capt_all();
        } else if self.is_old(rule, 5, "NO_SOW_OPP_2S", FileVersion::Nov2024) {
            self.renew(rule, "NO_SOW_OPP_2S", "NO_SOW_OPP_NS with sow_param 2");
            self.put(rule, "sow_param", Value::Number(2));
            self.put(rule, rule, Value::Text("NO_SOW_OPP_NS".into()));
        } else {
            self.closing_count();
        }
    }

    fn sow_capt_all(&mut self) {
        let new = match self.read("capt_side") {
            CaptSide::Both => "ENPAS_ALL_SOWER",
            CaptSide::OppSide => "ENPAS_OPP_SOWER",
            CaptSide::OwnSide => "ENPAS_SOW_SOWER",
            _ => {
                let message = "SOW_CAPT_ALL has no meaning of today with this capt_side; \
                               write ENPAS_ALL_SOWER, ENPAS_OPP_SOWER or ENPAS_SOW_SOWER";
                return self.fault("sow_rule", message);
            }
        };
        self.renew("sow_rule", "SOW_CAPT_ALL", new);
    }

    /// Translates `goal_param`, which held the seeds that close a hole in 2024-11.
    fn closing_count(&mut self) {
        let closes = ["SOW_BLKD_DIV", "SOW_BLKD_DIV_NR"];
        let closes = closes.iter().any(|name| self.is_named("sow_rule", name))
            || self.is_number("sow_rule", 1)
            || self.is_number("sow_rule", 2);
        if self.age != FileVersion::Nov2024 || !closes || self.layer.contains_key("sow_param") {
            return;
        }
        if let Some(count) = self.layer.remove("goal_param") {
            self.findings.note(format!("{} of 2024-11 read as sow_param", count.key));
            self.layer.insert("sow_param".into(), count);
        }
    }
}
