//! The oracle: the published Rhai engine as a long-lived JSON-lines server.
//!
//! One binary, two roles. Started plainly it is the supervisor, which owns standard input and output and
//! knows nothing of Rhai. Started with `--worker` it is the process that runs the scripts, and that a
//! script may take down with it.

mod answer;
mod engine;
mod errors;
mod hook_profile;
mod memory;
mod request;
mod run;
mod supervisor;
mod values;
mod worker;

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: memory::Capped = memory::Capped;

fn main() -> ExitCode {
    let outcome = match std::env::args().nth(1).as_deref() {
        None => supervisor::serve(),
        Some("--worker") => worker::serve(),
        Some(other) => {
            eprintln!(
                "oracle: unknown argument {other}; requests are JSON lines on standard input"
            );
            return ExitCode::from(2);
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("oracle: {error}");
            ExitCode::FAILURE
        }
    }
}
