//! Style sheet of all pictures.

/// Style contained in every picture. It is identical in all of them and limited to `svg.pic`, so a
/// page may include it once for pictures without a style ([`wdl_bar`](super::super::wdl_bar)).
/// Colors are variables with the usual colors as fallbacks: a page that sets `--win` or `--ink` on
/// its root changes them, in either scheme.
pub const STYLE: &str = include_str!("style.css");
