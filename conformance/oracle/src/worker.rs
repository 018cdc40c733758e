//! The process that runs scripts: reads requests, catches panics, gives up on itself after a time limit.

use std::io::{self, BufRead, Write};
use std::panic::{self, AssertUnwindSafe};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::answer;
use crate::engine::Recorder;
use crate::request::Request;
use crate::{memory, run};

/// Exit code of a worker whose script ran out of wall-clock time (the convention of `timeout(1)`).
pub const EXIT_TIMEOUT: i32 = 124;

/// Deep but finite recursion (a parser at unlimited expression depth, a function at unlimited call levels)
/// has to end in a verdict. Pages are only touched when used.
const STACK_BYTES: usize = 512 << 20;
const DEFAULT_TIMEOUT_SECONDS: f64 = 20.0;
const DEFAULT_MEMORY_MIB: f64 = 2048.0;
const WATCHDOG_STEP: Duration = Duration::from_millis(50);

/// Milliseconds since the start of the process at which the present request began, plus one; 0 when idle.
static BUSY_SINCE: AtomicU64 = AtomicU64::new(0);
static LAST_PANIC: Mutex<Option<String>> = Mutex::new(None);

pub fn serve() -> io::Result<()> {
    memory::set_cap((setting("ORACLE_MEMORY", DEFAULT_MEMORY_MIB) * f64::from(1 << 20)) as usize);
    remember_panics();
    let started = Instant::now();
    start_watchdog(started);
    // The engine is not Send, so the whole loop moves to the thread with the big stack.
    thread::Builder::new()
        .stack_size(STACK_BYTES)
        .spawn(move || answer_lines(started))?
        .join()
        .unwrap_or_else(|_| Err(io::Error::other("the server loop panicked")))
}

fn answer_lines(started: Instant) -> io::Result<()> {
    let mut input = io::stdin().lock();
    let mut output = io::stdout().lock();
    let mut line = Vec::new();
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        BUSY_SINCE.store(milliseconds(started) + 1, Ordering::SeqCst);
        let answer = answer_line(&line);
        let mut text = serde_json::to_vec(&answer)?;
        BUSY_SINCE.store(0, Ordering::SeqCst);
        text.push(b'\n');
        output.write_all(&text)?;
        output.flush()?;
    }
}

fn answer_line(line: &[u8]) -> Value {
    let recorder = Recorder::default();
    let (id, request) = match read(line) {
        Ok(parts) => parts,
        Err((id, message)) => {
            return answer::trouble(id, "request", "BadRequest", message, &recorder)
        }
    };
    let attempt = panic::catch_unwind(AssertUnwindSafe(|| run::run(&request, &recorder)));
    match attempt {
        Ok(Ok(answer)) => answer::with_id(id, answer),
        Ok(Err(message)) => answer::trouble(id, "request", "BadRequest", message, &recorder),
        Err(_) => {
            let message = LAST_PANIC
                .lock()
                .map(|mut last| last.take())
                .ok()
                .flatten()
                .unwrap_or_default();
            answer::trouble(id, "panic", "Panic", message, &recorder)
        }
    }
}

/// In two steps, so that a request with an unknown key is still answered under its own id.
fn read(line: &[u8]) -> Result<(Value, Request), (Value, String)> {
    let value: Value =
        serde_json::from_slice(line).map_err(|e| (Value::Null, format!("not JSON: {e}")))?;
    if !value.is_object() {
        return Err((Value::Null, "not a JSON object".to_string()));
    }
    let id = value.get("id").cloned().unwrap_or_default();
    match serde_json::from_value(value) {
        Ok(request) => Ok((id, request)),
        Err(error) => Err((id, error.to_string())),
    }
}

fn remember_panics() {
    panic::set_hook(Box::new(|info| {
        let text = shorten(&info.to_string());
        if let Ok(mut last) = LAST_PANIC.lock() {
            *last = Some(text);
        }
    }));
}

/// `panicked at /any/where/rhai-1.27.0/src/x.rs:1:2:` without the part that depends on the machine.
fn shorten(text: &str) -> String {
    let Some((location, rest)) = text.split_once('\n') else {
        return text.to_string();
    };
    let Some(path) = location.strip_prefix("panicked at ") else {
        return text.to_string();
    };
    let start = path.find("/rhai-").map_or(0, |slash| slash + 1);
    format!("panicked at {}\n{rest}", &path[start..])
}

/// In the worker and not in the supervisor, so that an orphaned worker ends too.
fn start_watchdog(started: Instant) {
    let limit = (setting("ORACLE_TIMEOUT", DEFAULT_TIMEOUT_SECONDS) * 1000.0) as u64;
    thread::spawn(move || loop {
        thread::sleep(WATCHDOG_STEP);
        let since = BUSY_SINCE.load(Ordering::SeqCst);
        if since > 0 && milliseconds(started) + 1 > since + limit {
            process::exit(EXIT_TIMEOUT);
        }
    });
}

fn milliseconds(started: Instant) -> u64 {
    started.elapsed().as_millis() as u64
}

fn setting(name: &str, default: f64) -> f64 {
    std::env::var(name)
        .ok()
        .and_then(|text| text.parse().ok())
        .filter(|n| *n > 0.0)
        .unwrap_or(default)
}
