//! Times the published Rhai engine: a JSON line in (`request.rs`), a JSON line out, until the input ends.
//!
//! A job is prepared once, which gives its value, and then done so many times against this process's own CPU clock.

mod clock;
#[path = "../../../conformance/oracle/src/hook_profile.rs"]
mod hook_profile;
mod job;
mod request;

use std::collections::HashMap;
use std::io::{self, BufRead, Write};

use serde_json::{json, Value};

use crate::job::Job;
use crate::request::Request;

fn main() -> io::Result<()> {
    let mut jobs = HashMap::new();
    let mut output = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let answer = answer(&mut jobs, &line?).unwrap_or_else(|error| json!({ "error": error }));
        writeln!(output, "{answer}")?;
        output.flush()?;
    }
    Ok(())
}

fn answer(jobs: &mut HashMap<String, Job>, line: &str) -> Result<Value, String> {
    match serde_json::from_str(line).map_err(|error| error.to_string())? {
        Request::Prepare { id, task } => {
            let job = Job::new(task)?;
            let start = clock::cpu_seconds();
            let value = job.once()?;
            let seconds = clock::cpu_seconds() - start;
            jobs.insert(id, job);
            Ok(json!({ "value": value, "seconds": seconds }))
        }
        Request::Time { id, repeat } => {
            let job = jobs.get(&id).ok_or("no such job")?;
            let start = clock::cpu_seconds();
            for _ in 0..repeat {
                job.once()?;
            }
            Ok(json!({ "seconds": clock::cpu_seconds() - start }))
        }
    }
}
