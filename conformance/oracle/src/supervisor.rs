//! Passes lines to a worker process and its answers back; replaces a worker that dies.
//!
//! Some scripts cannot be survived inside a process: a value that contains itself overflows the stack when
//! it is printed, and Rust aborts. The supervisor turns that death into an answer.

use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};

use serde_json::Value;

use crate::answer;
use crate::worker::EXIT_TIMEOUT;

struct Worker {
    process: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Worker {
    fn start() -> io::Result<Self> {
        let mut process = Command::new(std::env::current_exe()?)
            .arg("--worker")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            // An abort announces itself there; the answer says it already.
            .stderr(Stdio::null())
            .spawn()?;
        let requests = process.stdin.take().expect("stdin is piped");
        let answers = BufReader::new(process.stdout.take().expect("stdout is piped"));
        Ok(Self {
            process,
            requests,
            answers,
        })
    }

    /// The answer line, or the exit status of a worker that died over the request.
    fn ask(&mut self, line: &[u8]) -> io::Result<Result<Vec<u8>, ExitStatus>> {
        let mut answer = Vec::new();
        let sent = self
            .requests
            .write_all(line)
            .and_then(|()| self.requests.flush());
        if sent.is_ok() {
            self.answers.read_until(b'\n', &mut answer)?;
        }
        if answer.ends_with(b"\n") {
            return Ok(Ok(answer));
        }
        // No whole line means that the worker is gone or going; kill only makes sure that wait returns.
        let _ = self.process.kill();
        Ok(Err(self.process.wait()?))
    }

    /// Idle by now, it ends at the end of its input.
    fn dismiss(mut self) -> io::Result<()> {
        drop(self.requests);
        self.process.wait().map(|_| ())
    }
}

pub fn serve() -> io::Result<()> {
    let mut input = io::stdin().lock();
    let mut output = io::stdout().lock();
    let mut worker = Worker::start()?;
    let mut line = Vec::new();
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            return worker.dismiss();
        }
        if !line.ends_with(b"\n") {
            line.push(b'\n');
        }
        match worker.ask(&line)? {
            Ok(answer) => output.write_all(&answer)?,
            Err(status) => {
                worker = Worker::start()?;
                writeln!(output, "{}", obituary(&line, status))?;
            }
        }
        output.flush()?;
    }
}

fn obituary(line: &[u8], status: ExitStatus) -> Value {
    let id = serde_json::from_slice(line)
        .map(|request: Value| request["id"].clone())
        .unwrap_or_default();
    let (kind, message) = match status.code() {
        Some(EXIT_TIMEOUT) => ("Timeout", "no answer within the time limit".to_string()),
        _ => ("Crash", format!("process aborted ({status})")),
    };
    answer::trouble(id, "panic", kind, message, &Default::default())
}
