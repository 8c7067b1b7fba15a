//! Style sheet of all pictures.

/// The style that every picture brings. It is the same text in all of them, and speaks of
/// nothing outside of `svg.pic`, so a page may have it once for pictures that bring none
/// ([`wdl_bar`](super::super::wdl_bar)). Colors are variables with the usual colors as fallbacks:
/// a page that sets `--win` or `--ink` on its root changes them, in either scheme.
pub const STYLE: &str = include_str!("style.css");
