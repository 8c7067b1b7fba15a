//! A class as a learning platform exports it: people, submissions as students make them, and the
//! platform's list of people. With `--hostile`, archives that attack whoever unpacks them.
//!
//! ```sh
//! cargo run --example class -- --people 300 --platform moodle --into FOLDER
//! pitmaster intake FOLDER/export.zip --into class --worksheet FOLDER/people.csv
//! ```
//!
//! The same seed gives the same bytes. `FOLDER/expected.csv` says what intake should make of each
//! person.

mod generator;

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use clap::Parser;
use generator::{
    ClassOptions, Form, Generated, Hostile, Language, archive_of, generate, hostile,
    hostile_to_servers,
};

#[derive(Debug, Parser)]
struct Args {
    /// Number of people.
    #[arg(long, default_value_t = 12)]
    people: usize,
    /// Form of the export.
    #[arg(long, default_value = "moodle", value_parser = |text: &str| Form::named(text))]
    platform: Form,
    /// Seed of all random choices.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Language of Moodle's worksheet: english, french or german.
    #[arg(long, default_value = "french", value_parser = |text: &str| Language::named(text))]
    language: Language,
    /// Write the export as a folder, as if it had been unpacked.
    #[arg(long)]
    unpacked: bool,
    /// Write the hostile archives instead of a class.
    #[arg(long)]
    hostile: bool,
    /// Folder to write to.
    #[arg(long)]
    into: PathBuf,
}

fn main() -> Result<(), Box<dyn Error>> {
    let args = Args::parse();
    fs::create_dir_all(&args.into)?;
    if args.hostile {
        return write_hostile(&[hostile(true), hostile_to_servers()].concat(), &args.into);
    }
    let Args { people, platform: form, seed, language, .. } = args;
    let class = generate(&ClassOptions { people, form, seed, language });
    write_class(&class, &args.into, args.unpacked)
}

fn write_hostile(archives: &[Hostile], folder: &Path) -> Result<(), Box<dyn Error>> {
    let mut expected = csv::Writer::from_path(folder.join("expected.csv"))?;
    expected.write_record(["file", "refused", "name"])?;
    for archive in archives {
        let file = format!("{}.{}", archive.what.replace(' ', "-"), archive.ending);
        expected.write_record([&file, archive.refused.unwrap_or_default(), archive.name])?;
        fs::write(folder.join(file), &archive.bytes)?;
    }
    Ok(expected.flush()?)
}

fn write_class(class: &Generated, folder: &Path, unpacked: bool) -> Result<(), Box<dyn Error>> {
    if unpacked {
        for (path, content) in &class.files {
            let path = folder.join("export").join(path);
            fs::create_dir_all(path.parent().unwrap_or(folder))?;
            fs::write(path, content)?;
        }
    } else {
        fs::write(folder.join("export.zip"), archive_of(&class.files))?;
    }
    fs::write(folder.join("people.csv"), &class.people_csv)?;
    let mut expected = csv::Writer::from_path(folder.join("expected.csv"))?;
    expected.write_record(["id", "name", "shape", "state", "why"])?;
    for person in &class.expected {
        expected.write_record([
            &person.id,
            &person.name,
            person.shape,
            person.state,
            person.why,
        ])?;
    }
    Ok(expected.flush()?)
}
