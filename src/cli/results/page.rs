//! A page of results, from their folders to its file.

use std::fs::File;
use std::path::{Path, PathBuf};

use pitmaster_core::i18n::Lang;
use pitmaster_report::{Audience, Chapter, Page};

use super::file::NewFile;
use super::{Results, Summary};
use crate::cli::Failure;
use crate::cli::progress::bar;

/// A page of results that takes its name when it is whole.
pub(in crate::cli) struct NewPage {
    page: Page,
    path: PathBuf,
    for_whom: Audience,
    quiet: bool,
}

impl NewPage {
    /// An empty page of that title, in that language, for those readers.
    pub(in crate::cli) fn new(
        path: &Path,
        title: String,
        lang: Lang,
        for_whom: Audience,
        quiet: bool,
    ) -> Self {
        let page = Page::new(path, title, lang, for_whom.clone());
        Self { page, path: path.to_owned(), for_whom, quiet }
    }

    /// Adds a tournament. Its games are read once more, those that the page has.
    pub(in crate::cli) fn add(
        &mut self,
        results: &Results,
        chapter: Chapter,
        summary: &Summary,
    ) -> Result<(), Failure> {
        let page = &mut self.page;
        let bar = bar(self.quiet, chapter.games() as u64, "{bar:30} {pos}/{len} games on the page");
        let key = chapter.key().to_owned();
        let added = results.tell(&key, summary, &self.for_whom, |told| {
            page.add(chapter, told, |id| {
                bar.inc(1);
                Ok(results.reader.load(id)?)
            })
        });
        bar.finish_and_clear();
        added
    }

    /// Writes it.
    pub(in crate::cli) fn finish(self) -> Result<(), Failure> {
        let folder = self.path.parent().unwrap_or(Path::new(""));
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        // Wherever it lies: it is made to be given to others.
        let file = NewFile::create_by(|path| File::create(path), folder, &name, Ok)?;
        file.finish(|mut out| self.page.write(&mut out))
    }
}
