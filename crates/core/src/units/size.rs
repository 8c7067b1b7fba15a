//! Size notation: `512MiB`, `64KiB`, `0`.

/// The units, largest first, in bytes.
const UNITS: [(&str, u64); 5] =
    [("TiB", 1 << 40), ("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10), ("B", 1)];

/// Reads a whole number with its unit (`TiB GiB MiB KiB B`). Only `0` needs no unit.
pub fn parse_size(text: &str) -> Option<u64> {
    if text == "0" {
        return Some(0);
    }
    let (number, unit) = text.split_at(text.find(|c: char| !c.is_ascii_digit())?);
    let (_, bytes) = UNITS.iter().find(|(name, _)| *name == unit)?;
    number.parse::<u64>().ok()?.checked_mul(*bytes)
}

/// Writes a size so that [`parse_size`] reads the same one, in the largest unit that divides
/// it.
pub fn show_size(size: u64) -> String {
    let fits = UNITS.iter().find(|(_, bytes)| size != 0 && size.is_multiple_of(*bytes));
    fits.map_or_else(|| "0".into(), |(unit, bytes)| format!("{}{unit}", size / bytes))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn sizes_are_read_as_written() {
        for (text, size) in
            [("0", 0), ("0KiB", 0), ("7B", 7), ("64KiB", 65_536), ("512MiB", 1 << 29)]
        {
            assert_eq!(parse_size(text), Some(size), "{text}");
        }
        for text in ["", "1", "KiB", "1K", "1MB", "1 MiB", "1.5GiB", "-1B", "99999999TiB", "1kib"] {
            assert_eq!(parse_size(text), None, "{text}");
        }
    }

    #[test]
    fn sizes_are_written_as_people_would() {
        for text in ["0", "1B", "1023B", "64KiB", "1536KiB", "16MiB", "1GiB", "2TiB"] {
            assert_eq!(show_size(parse_size(text).expect(text)), text);
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(size: u64) {
            prop_assert_eq!(parse_size(&show_size(size)), Some(size));
        }
    }
}
