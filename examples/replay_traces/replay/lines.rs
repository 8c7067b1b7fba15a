//! Files of JSON lines, compressed with gzip or not.

use std::io::{self, BufRead, BufReader, Read};

use flate2::read::MultiGzDecoder;

/// The lines of such a file.
pub(crate) fn lines(file: impl Read + 'static) -> io::Result<Vec<String>> {
    let mut file = BufReader::new(file);
    let packed = file.fill_buf()?.starts_with(&[0x1f, 0x8b]);
    let text: Box<dyn BufRead> =
        if packed { Box::new(BufReader::new(MultiGzDecoder::new(file))) } else { Box::new(file) };
    text.lines().collect()
}
