//! Configuration in a trace.

use pitmaster::games::two_row::params::{Parameter, Params, SwapRule, Value as Setting};
use serde_json::Value;

use super::trace::Fields;

/// The parameters of a flat configuration.
pub(crate) fn params(fields: &Fields) -> Result<Params, String> {
    // Traces know no pie rule.
    let mut params = Params { swap: SwapRule::Never, ..Params::default() };
    for (name, value) in fields {
        let name = match name.as_str() {
            "class" => "game_class",
            "name" | "about" | "help_file" => continue,
            name => name,
        };
        let parameter = Parameter::find(name).ok_or_else(|| format!("no parameter {name}"))?;
        let is_set = setting(value).is_some_and(|value| parameter.set(&mut params, &value));
        is_set.then_some(()).ok_or_else(|| format!("{name} cannot be {value}"))?;
    }
    Ok(params)
}

fn setting(value: &Value) -> Option<Setting> {
    match value {
        Value::Bool(is) => Some(Setting::Bool(*is)),
        Value::Number(number) => number.as_i64().map(Setting::Number),
        Value::String(text) => Some(Setting::Text(text.clone())),
        Value::Array(list) => {
            list.iter().map(Value::as_i64).collect::<Option<_>>().map(Setting::List)
        }
        Value::Null | Value::Object(_) => None,
    }
}
