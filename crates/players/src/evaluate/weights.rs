//! Evaluation weights by name, so that a tuner can set them.

/// Defines the weights of a judge: a struct of numbers with defaults, whose fields can be set
/// by name.
macro_rules! weights {
    ($(#[$doc:meta])* $name:ident { $($(#[$about:meta])* $weight:ident = $default:expr,)+ }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub struct $name { $($(#[$about])* pub $weight: i32,)+ }

        impl Default for $name {
            fn default() -> Self {
                Self { $($weight: $default,)+ }
            }
        }

        impl $crate::evaluate::Weights for $name {
            const NAMES: &'static [&'static str] = &[$(stringify!($weight)),+];

            fn weight(&mut self, name: &str) -> Option<&mut i32> {
                match name {
                    $(stringify!($weight) => Some(&mut self.$weight),)+
                    _ => None,
                }
            }
        }
    };
}

pub(super) use weights;
