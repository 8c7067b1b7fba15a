//! Conversion between parameters and options of a game name: `two-row,holes=6,crosscapt=ONE_ZEROS`.

use pitmaster_core::diagnostics::did_you_mean;

use super::{Parameter, Params, Value};

/// Error in an option.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    /// Unknown parameter.
    #[error("there is no parameter {option}{}", or_meant(*.meant))]
    Unknown {
        /// Option as given.
        option: String,
        /// Option that was probably meant.
        meant: Option<&'static str>,
    },
    /// Invalid value of the parameter.
    #[error("{option}: {message}")]
    Value {
        /// The parameter.
        option: &'static str,
        /// Problem and allowed values.
        message: String,
    },
}

/// Parameters that differ from their defaults, in table order.
pub fn options(params: &Params) -> Vec<(&'static str, String)> {
    changes(&Params::default(), params)
}

/// Options that turn the first parameters into the second, in the order of the table.
pub fn changes(from: &Params, to: &Params) -> Vec<(&'static str, String)> {
    let changed = Params::ALL.iter().filter(|parameter| parameter.get(from) != parameter.get(to));
    changed.map(|parameter| (parameter.name, parameter.get(to).to_string())).collect()
}

/// Sets options. Returns an error for each option that cannot be set; the others are set.
pub fn apply<'o>(
    params: &mut Params,
    options: impl IntoIterator<Item = (&'o str, &'o str)>,
) -> Vec<OptionError> {
    options.into_iter().filter_map(|(option, text)| apply_one(params, option, text).err()).collect()
}

fn apply_one(params: &mut Params, option: &str, text: &str) -> Result<(), OptionError> {
    let Some(parameter) = Parameter::find(option) else {
        return Err(OptionError::Unknown { option: option.to_owned(), meant: near(option) });
    };
    let value = Value::Text(text.to_owned());
    if parameter.set(params, &value) {
        return Ok(());
    }
    Err(OptionError::Value { option: parameter.name, message: refusal(parameter, &value) })
}

/// Parameter that was probably meant.
pub fn near(name: &str) -> Option<&'static str> {
    did_you_mean(name, Params::ALL.iter().map(|parameter| parameter.name))
}

/// Message about an invalid value: the allowed values, and the one that was probably meant.
pub fn refusal(parameter: &Parameter, value: &Value) -> String {
    let allowed = (parameter.allowed)();
    let names = allowed.split(", ").filter_map(|one| one.split(' ').next());
    let meant = match value {
        Value::Text(text) if allowed.contains(", ") => did_you_mean(text, names),
        _ => None,
    };
    let meant = meant.map(|meant| format!(" (did you mean {meant}?)")).unwrap_or_default();
    format!("{} cannot stand here{meant}; it is {allowed}", shown(value))
}

fn or_meant(meant: Option<&str>) -> String {
    meant.map(|meant| format!("; did you mean {meant}?")).unwrap_or_default()
}

fn shown(value: &Value) -> String {
    match value {
        Value::Text(text) if text.chars().count() <= 60 => format!("{text:?}"),
        Value::Text(_) => "this long text".into(),
        Value::List(list) if list.len() <= 20 => format!("{list:?}"),
        Value::List(_) => "this long list".into(),
        Value::Bool(_) | Value::Number(_) => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::two_row::params::{CrossCapt, SowDirect};

    #[test]
    fn options_go_there_and_back() {
        let mut params = Params { holes: 6, nbr_start: 4, ..Params::default() };
        params.crosscapt = CrossCapt::OneZeros;
        params.sow_direct = SowDirect::Cw;
        params.capt_on = vec![2, 3];
        params.stores = true;
        let options = options(&params);
        let text: Vec<_> = options.iter().map(|(name, value)| format!("{name}={value}")).collect();
        assert_eq!(
            text.join(","),
            "holes=6,nbr_start=4,stores=true,sow_direct=CW,capt_on=2+3,crosscapt=ONE_ZEROS"
        );
        let mut read = Params::default();
        let given = options.iter().map(|(name, value)| (*name, value.as_str()));
        assert_eq!(apply(&mut read, given), []);
        assert_eq!(read, params);
    }

    #[test]
    fn an_empty_list_can_be_set() {
        let mut params = Params { capt_on: vec![4], ..Params::default() };
        let back = changes(&params, &Params::default());
        assert_eq!(back, [("capt_on", String::new())]);
        assert_eq!(apply(&mut params, [("capt_on", "")]), []);
        assert_eq!(params, Params::default());
    }

    #[test]
    fn what_cannot_be_set_is_said() {
        let mut params = Params::default();
        let options =
            [("hols", "6"), ("crosscapt", "ONE_ZERO"), ("nbr_start", "x"), ("holes", "5")];
        let faults = apply(&mut params, options);
        let faults: Vec<_> = faults.iter().map(ToString::to_string).collect();
        assert_eq!(
            faults,
            [
                "there is no parameter hols; did you mean holes?",
                "crosscapt: \"ONE_ZERO\" cannot stand here (did you mean ONE_ZEROS?); \
                 it is NONE 0, ONE_ZEROS 1, ANY 2, ONE_ANY 3",
                "nbr_start: \"x\" cannot stand here; it is a whole number",
            ]
        );
        assert_eq!(params.holes, 5);
    }
}
