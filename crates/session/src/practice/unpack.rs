//! Upload as a folder of files: an archive is unpacked within limits, a single source file is kept
//! as it is.

use std::fs::File;
use std::path::Path;

use pitmaster_bots::submission::archive::{
    Archive, ArchiveError, Entry, EntryKind, Limits, Unpacked, remove_folder, unpack_nested,
};
use pitmaster_core::i18n::{Fill, Message, said};

use crate::Error;

/// Limits of an upload.
const LIMITS: Limits =
    Limits { bytes: 64 << 20, entries: 2_000, ratio: 100, nesting: 1, portable_names: true };

/// Endings of source files that can be a bot on their own.
const SOURCES: [&str; 9] = ["py", "c", "cpp", "cc", "rs", "java", "go", "js", "jar"];

/// Unpacks an upload into a folder that does not exist yet. `name` is what its sender called it,
/// which matters for a single source file. The inner error is the reason why the upload is refused,
/// for its author.
///
/// # Errors
/// The upload cannot be read, or the folder cannot be written.
pub fn unpack(upload: &Path, name: &str, to: &Path) -> Result<Result<(), Message>, Error> {
    let cannot = |error| Error::stopped(format!("cannot read {}: {error}", upload.display()));
    let mut unpacked = Unpacked::create(to, LIMITS).map_err(Error::stopped)?;
    let archive = File::open(upload).and_then(Archive::recognize).map_err(cannot)?;
    let done = match archive {
        Some(mut archive) => archive.for_each(LIMITS.entries, &mut |entry| {
            let path = entry.path.clone();
            unpacked.put(&path, entry)
        }),
        None => {
            let Some(name) = source_name(name) else { return Ok(Err(not_a_bot(name))) };
            let mut content = File::open(upload).map_err(cannot)?;
            let kind = EntryKind::File { executable: false };
            let (path, packed, declared) = (name.to_owned(), None, None);
            let content = &mut content;
            let entry = Entry { path, kind, packed, declared, unreadable: None, content };
            unpacked.put(name, entry)
        }
    };
    match done.and_then(|()| unpack_nested(unpacked)) {
        Ok(contents) if contents.files.is_empty() => {
            Ok(Err(said!("the archive is empty; pack the folder of your bot, and hand in again")))
        }
        Ok(_) => Ok(Ok(())),
        // Its author is not asked for anything, but told what to do.
        Err(ArchiveError::Refused(refusal)) => Ok(Err(said!(
            "{}; correct it, pack the folder of your bot as a zip, and hand in again",
            refusal.why
        ))),
        Err(ArchiveError::Store(fault)) => Err(Error::stopped(fault)),
    }
}

/// Removes a folder in which an upload was unpacked, whatever its author put there.
///
/// # Errors
/// It cannot be removed.
pub fn remove_unpacked(staging: &Path, name: &str) -> Result<(), Error> {
    remove_folder(staging, name).map_err(Error::stopped)
}

/// The name, if it is that of a source file in a known language.
fn source_name(name: &str) -> Option<&str> {
    let ending = Path::new(name).extension()?.to_str()?;
    SOURCES.contains(&&*ending.to_lowercase()).then_some(name)
}

fn not_a_bot(name: &str) -> Message {
    let name = pitmaster_core::Untrusted::new(name).shown(80);
    let endings = SOURCES.map(|ending| format!(".{ending}")).join(", ");
    let what = if name.is_empty() { Fill::from(said!("the file")) } else { name.into() };
    said!(
        "{} is neither a zip nor a tar.gz archive, nor a source file of a known language ({}); pack \
         the folder of your bot as a zip, and hand in again",
        what,
        endings
    )
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write as _;

    use super::*;

    fn unpacked(bytes: &[u8], name: &str) -> (tempfile::TempDir, Result<(), Message>) {
        let folder = tempfile::tempdir().unwrap();
        let upload = folder.path().join("upload");
        fs::write(&upload, bytes).unwrap();
        let done = unpack(&upload, name, &folder.path().join("to")).unwrap();
        (folder, done)
    }

    fn zipped(files: &[(&str, &str)]) -> Vec<u8> {
        let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
        for (name, text) in files {
            writer.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
            writer.write_all(text.as_bytes()).unwrap();
        }
        writer.finish().unwrap().into_inner()
    }

    #[test]
    fn a_source_file_keeps_its_name() {
        let (folder, done) = unpacked(b"print(1)\n", "Bot.py");
        assert_eq!(done, Ok(()));
        assert_eq!(fs::read(folder.path().join("to/Bot.py")).unwrap(), b"print(1)\n");
    }

    #[test]
    fn an_archive_is_known_by_its_bytes() {
        let bytes = zipped(&[("bot.toml", "run = [\"a\"]\n"), ("a", "#!/bin/sh\n")]);
        let (folder, done) = unpacked(&bytes, "bot.py");
        assert_eq!(done, Ok(()));
        assert_eq!(fs::read(folder.path().join("to/a")).unwrap(), b"#!/bin/sh\n");
    }

    #[test]
    fn refusals_say_what_to_do() {
        let (_, done) = unpacked(b"%PDF", "report.pdf");
        insta::assert_snapshot!(done.unwrap_err(), @"report.pdf is neither a zip nor a tar.gz archive, nor a source file of a known language (.py, .c, .cpp, .cc, .rs, .java, .go, .js, .jar); pack the folder of your bot as a zip, and hand in again");
        let (_, done) = unpacked(&zipped(&[]), "bot.zip");
        insta::assert_snapshot!(done.unwrap_err(), @"the archive is empty; pack the folder of your bot, and hand in again");
        let (folder, done) = unpacked(&zipped(&[("../out.py", "x")]), "bot.zip");
        insta::assert_snapshot!(done.unwrap_err(), @r#"the path "../out.py" leads outside of the archive; correct it, pack the folder of your bot as a zip, and hand in again"#);
        assert!(!folder.path().join("out.py").exists());
        let (_, done) = unpacked(b"Rar!\x1a\x07\x01\0rest", "bot.rar");
        insta::assert_snapshot!(done.unwrap_err(), @"it is a RAR archive, which cannot be read here; correct it, pack the folder of your bot as a zip, and hand in again");
    }
}
