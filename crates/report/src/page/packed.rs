//! Packed data of a page: JSON, deflated, encoded in characters that HTML and JavaScript leave
//! unchanged.

use std::io::{self, Write as _};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use serde::Serialize;

/// Packs a value; browsers unpack it with `DecompressionStream("deflate-raw")`.
pub(super) fn pack(value: &impl Serialize) -> io::Result<String> {
    let json = serde_json::to_vec(value)?;
    let mut deflated = DeflateEncoder::new(Vec::new(), Compression::new(6));
    deflated.write_all(&json)?;
    Ok(STANDARD.encode(deflated.finish()?))
}

#[cfg(test)]
pub(super) fn unpack(packed: &str) -> serde_json::Value {
    let deflated = STANDARD.decode(packed).unwrap();
    serde_json::from_reader(flate2::read::DeflateDecoder::new(&*deflated)).unwrap()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_is_unpacked() {
        let value = serde_json::json!({"id": ["</script>", "é"], "n": [1, -2.5]});
        let packed = pack(&value).unwrap();
        assert!(packed.bytes().all(|b| b.is_ascii_alphanumeric() || b"+/=".contains(&b)));
        assert_eq!(unpack(&packed), value);
    }
}
