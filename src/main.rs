//! Entry point of the binary; everything else is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    pitmaster::cli::main()
}
