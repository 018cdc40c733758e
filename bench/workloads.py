"""The work that is timed: each piece in Rhai and in plain Python, with the same answer."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Workload:
    """One piece of work: its name, the Rhai program and the Python function that gives the same value."""

    name: str
    rhai: str
    python: Callable[[], int]


def fib(n: int) -> int:
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def count() -> int:
    i = 0
    while i < 20_000:
        i += 1
    return i


def sieve() -> int:
    flags = [True] * 2001
    found = 0
    for i in range(2, 2001):
        if flags[i]:
            found += 1
            for j in range(i * i, 2001, i):
                flags[j] = False
    return found


def words() -> int:
    text = ""
    for i in range(500):
        text += f"line {i}\n"
    return sum(len(line.strip()) for line in text.split("\n"))


def closures() -> int:
    rows = [{"id": i, "value": i * 3} for i in range(1000)]
    return sum([row["value"] for row in rows if row["id"] % 2 == 0])


WORKLOADS = [
    Workload("calls: fib(15)", "fn fib(n) { if n < 2 { n } else { fib(n - 1) + fib(n - 2) } } fib(15)", lambda: fib(15)),
    Workload("loop: 20,000 turns", "let i = 0; while i < 20000 { i += 1; } i", count),
    Workload(
        "arrays: sieve to 2,000",
        """
        let flags = []; flags.pad(2001, true); let found = 0;
        for i in 2..2001 { if flags[i] { found += 1; let j = i * i; while j < 2001 { flags[j] = false; j += i; } } }
        found
        """,
        sieve,
    ),
    Workload(
        "text: 500 lines",
        """
        let text = ""; for i in 0..500 { text += `line ${i}\n`; }
        let total = 0; for line in text.split("\\n") { let l = line; l.trim(); total += l.len(); } total
        """,
        words,
    ),
    Workload(
        "closures: filter, map, reduce over 1,000 maps",
        """
        let rows = []; for i in 0..1000 { rows.push(#{ id: i, value: i * 3 }); }
        rows.filter(|row| row.id % 2 == 0).map(|row| row.value).reduce(|sum, x| sum + x, 0)
        """,
        closures,
    ),
]
