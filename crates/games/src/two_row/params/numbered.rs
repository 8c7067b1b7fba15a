//! Parameter values: conversion from and to files.

use super::Value;

/// Type of a parameter value.
pub trait Setting: Sized + Clone + PartialEq {
    /// Allowed values in a file, for people.
    fn allowed() -> String;

    /// Parses a value. `None` if it is not allowed.
    fn read(value: &Value) -> Option<Self>;

    /// Serialized value, with enums by name.
    fn write(&self) -> Value;

    /// Meaning of this value, if values have names.
    fn about(&self) -> Option<&'static str> {
        None
    }

    /// The values that have names, by number.
    fn choices() -> &'static [NamedValue] {
        &[]
    }
}

/// A value with a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NamedValue {
    /// The name in parameter files.
    pub name: &'static str,
    /// The number in parameter files.
    pub number: i64,
    /// Meaning, in a sentence.
    pub about: &'static str,
}

impl Setting for bool {
    fn allowed() -> String {
        "true or false".into()
    }

    fn read(value: &Value) -> Option<Self> {
        match value {
            Value::Bool(is) => Some(*is),
            Value::Number(number) => Some(*number != 0),
            Value::Text(text) => match text.to_ascii_lowercase().as_str() {
                "true" | "yes" | "on" | "1" => Some(true),
                "false" | "no" | "off" | "0" | "" => Some(false),
                _ => None,
            },
            Value::List(list) => Some(!list.is_empty()),
        }
    }

    fn write(&self) -> Value {
        Value::Bool(*self)
    }
}

impl Setting for i32 {
    fn allowed() -> String {
        "a whole number".into()
    }

    fn read(value: &Value) -> Option<Self> {
        match value {
            Value::Number(number) => Self::try_from(*number).ok(),
            Value::Bool(is) => Some(Self::from(*is)),
            Value::Text(text) => text.trim().parse().ok(),
            Value::List(_) => None,
        }
    }

    fn write(&self) -> Value {
        Value::Number(i64::from(*self))
    }
}

impl Setting for Vec<i32> {
    fn allowed() -> String {
        "a list of whole numbers".into()
    }

    /// Reads a list; in a text, the numbers are joined by `+`.
    fn read(value: &Value) -> Option<Self> {
        match value {
            Value::List(list) => list.iter().map(|number| i32::try_from(*number).ok()).collect(),
            Value::Number(number) => Some(vec![i32::try_from(*number).ok()?]),
            Value::Text(text) if text.is_empty() => Some(Self::new()),
            Value::Text(text) => text.split('+').map(|number| number.trim().parse().ok()).collect(),
            Value::Bool(_) => None,
        }
    }

    fn write(&self) -> Value {
        Value::List(self.iter().map(|number| i64::from(*number)).collect())
    }
}

/// An enum whose values have numbers and names in parameter files. The doc comment of a value
/// is also its text at run time; the value behind the type's name is the default.
macro_rules! numbered {
    ($(#[$doc:meta])* $type:ident: $default:ident {
        $($(#[doc = $about:literal])+ $variant:ident $name:literal = $number:literal,)+
    }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $type {
            $($(#[doc = $about])+ $variant = $number,)+
        }

        impl Default for $type {
            fn default() -> Self {
                Self::$default
            }
        }

        impl $type {
            /// All values, by number.
            pub const ALL: &[Self] = &[$(Self::$variant,)+];

            /// The name in parameter files.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)+ }
            }

            /// The number in parameter files.
            pub const fn number(self) -> i64 {
                self as i64
            }

            /// Meaning of the value, in a sentence.
            pub const fn about(self) -> &'static str {
                match self { $(Self::$variant => concat!($($about),+).trim_ascii(),)+ }
            }
        }

        impl $crate::two_row::params::Setting for $type {
            fn allowed() -> String {
                let all: Vec<_> =
                    Self::ALL.iter().map(|one| format!("{} {}", one.name(), one.number())).collect();
                all.join(", ")
            }

            fn read(value: &$crate::two_row::params::Value) -> Option<Self> {
                use $crate::two_row::params::Value;
                let number = match value {
                    Value::Number(number) => *number,
                    Value::Bool(is) => i64::from(*is),
                    Value::Text(text) => match text.trim().parse() {
                        Ok(number) => number,
                        Err(_) => {
                            let named = |one: &&Self| one.name().eq_ignore_ascii_case(text.trim());
                            return Self::ALL.iter().find(named).copied();
                        }
                    },
                    Value::List(_) => return None,
                };
                Self::ALL.iter().find(|one| one.number() == number).copied()
            }

            fn write(&self) -> $crate::two_row::params::Value {
                $crate::two_row::params::Value::Text(self.name().into())
            }

            fn about(&self) -> Option<&'static str> {
                Some((*self).about())
            }

            fn choices() -> &'static [$crate::two_row::params::NamedValue] {
                const { &[$($crate::two_row::params::NamedValue {
                    name: $name,
                    number: $number,
                    about: concat!($($about),+).trim_ascii(),
                },)+] }
            }
        }
    };
}
pub(super) use numbered;
