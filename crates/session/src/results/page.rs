//! HTML pages of results.

use std::path::{Path, PathBuf};

use pitmaster_core::GameId;
use pitmaster_core::i18n::Lang;
use pitmaster_report::{Audience, Chapter, Page};

use super::new_file::NewFile;
use super::{Results, Summary};
use crate::observer::Steps;
use crate::{Analyses, Error, Observer, Task, pseudonym_key};

/// An HTML page of results; its file appears when the page is complete.
#[expect(missing_debug_implementations, reason = "observers need not be shown")]
pub struct NewPage<'a> {
    page: Page,
    path: PathBuf,
    for_whom: Audience,
    observer: &'a dyn Observer,
}

impl<'a> NewPage<'a> {
    /// Begins a page.
    pub fn new(
        path: &Path,
        title: String,
        lang: Lang,
        for_whom: Audience,
        observer: &'a dyn Observer,
    ) -> Self {
        let page = Page::new(path, title, lang, for_whom.clone());
        Self { page, path: path.to_owned(), for_whom, observer }
    }

    /// Adds a tournament with the analyses of its games. Reads the games that the page shows a
    /// second time.
    ///
    /// # Errors
    /// The results cannot be read, or packed games cannot be written.
    pub fn add(
        &mut self,
        results: &Results,
        chapter: Chapter,
        summary: &Summary,
        analyses: &Analyses,
    ) -> Result<(), Error> {
        let page = &mut self.page;
        let steps = Steps::new(self.observer, Task::WritePage, chapter.games() as u64);
        let key = chapter.key().to_owned();
        results.with_view(&key, summary, &self.for_whom, |view| {
            let load = |id: &GameId| {
                steps.step("");
                Ok::<_, Error>(results.reader.load(id)?)
            };
            page.add(chapter, view, load, |id| analyses.of(id))
        })
    }

    /// Writes the page.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn finish(self) -> Result<(), Error> {
        let folder = self.path.parent().unwrap_or(Path::new(""));
        let name = self.path.file_name().unwrap_or_default();
        let file = NewFile::create(folder, name, Ok)?;
        file.finish(|mut out| self.page.write(&mut out))
    }
}

/// File name of the public page.
pub const PUBLIC_PAGE: &str = "report-public.html";

impl Results {
    /// Writes the public page into the results folder, with pseudonyms and without authors, paths
    /// and bot output. Sibling results folders share their pseudonyms.
    ///
    /// # Errors
    /// The results cannot be read, or the page cannot be written.
    pub fn publish(&self, lang: Lang, observer: &dyn Observer) -> Result<PathBuf, Error> {
        let folder = self.folder.canonicalize().map_err(Error::stopped)?;
        let key = folder.parent().unwrap_or(&folder).join(pseudonym_key::FILE);
        let everybody = Some(pseudonym_key::read_or_make(&key)?);
        let known = self.house().to_vec();
        let for_whom = Audience { everybody, author_of: None, known };
        let path = self.folder.join(PUBLIC_PAGE);
        let mut page = NewPage::new(&path, self.title(&for_whom), lang, for_whom.clone(), observer);
        let (summary, chapter) = self.read_for(1, &for_whom)?;
        page.add(self, chapter, &summary, &Analyses::default())?;
        page.finish()?;
        Ok(path)
    }
}
