"""docs/performance.md and its picture, written from one run of the benchmarks."""

from typing import Final

from bench import picture, table
from bench.contestant import ROOT
from bench.results import Results
from bench.targets import targets

PAGE: Final = ROOT / "docs" / "performance.md"
PICTURE: Final = ROOT / "docs" / "performance.svg"

TEXT: Final = """\
# Performance

Written by `make bench`; do not edit. Measured on {processor} ({system}) with {Python}, rhaipy {rhaipy} and Rhai {rhai}.

All sides run in turn, round by round, and are timed by the CPU clock of the process that does the work. Before anything is
timed, all have to give the same value. Numbers are medians over the rounds of the ratios within a round, with half the distance
between the quartiles; quote the ratios, the times belong to the machine. Less is faster.

![Time of each side as a multiple of the real engine's](performance.svg)

## Where it must stand

{targets}

What a missed target is made of, by profiles of the same work:

- *A hook call.* See below. An empty call and the script without any limit take half of it by themselves, which is more than the
  target: that comes from a trial evaluator which neither judged what it was given, nor measured what is built, nor paid for it.
- *Starting.* See below.
- *Compiling.* A fifth of it is reading, a quarter the optimiser's passes; the rest is some eighteen steps of the parser for each
  line, and the nodes they make, half a microsecond a step. CPython's own parser is written in C.

## The ratios

The real engine runs in a process of its own, a small Rust program (`bench/rust`): its tree walker, its `grain` VM, and its tree
walker hardened as stage hooks are. Plain rows have a limit on operations and no other; the hook profile has all limits on, fuel
and memory too, with sizes and budgets wide enough for the work. `stagehooks.run` is a whole hook call as an agent makes it: a
fresh engine, the data judged and lent to the script, the decision read.

{ratios}

{times}

The peers are bounded where they can be, which most of them cannot. `pydantic-monty` works in a process of its own and is timed
by the wall clock. A dash means that there is no number:

{reasons}

Peers: {peers}.

## What limits cost

{limits}

## What a hook call is made of

The data of W1, twenty tool calls in 43 containers, crosses without a copy, since the script provably changes nothing in it
(`rhaipy/sharing.py`); the same holds for what the script reads, loops over, and puts into what it returns. What is left is a
walk through the data that judges and weighs each part by its exact type, the script with its limits, and a walk through the
answer that makes it the host's own. Plain Python copies in half of the time that judging takes, and looks at nothing. The parts
are measured one by one, so they need not add up.

{hook}

## Starting

Whole processes, compiled to bytecode before, less a Python that does nothing. The last two lines are what the standard library
takes of that; to read JSON loads the module of patterns, which the lexer needs too. The rest is the engine, some 120 small
modules that every script needs: lexer, tables, tree, optimiser, evaluator, library. All of it is there before a script runs,
since while one runs, nothing is imported and no file is opened. It loads neither typing, dataclasses nor pathlib, nothing of the
runtime of agents, no compiler before that pays, and argparse only where a command is not written as its help shows it. Of what
the engine's modules take, a third is finding and reading them as bytecode; the rest is what stands in them: patterns, some 80
records, 350 functions of the library with the types that they are found by.

{starts}

## Growth

The cost of one more item must not depend on how many there are: here 100 and 100,000. Sorting and maps take the logarithm that
the real engine takes too.

{growths}

## Memory

Without what is loaded before the work starts.

{memory}

## Measuring yourself

`make bench` builds the Rust program where there is cargo, installs the peers (the dependency group `peers`) each into a directory
of its own, measures everything and writes this page. `python -m bench --quick` takes a minute, and writes nothing;
`--json` prints one JSON object; `--only W4,W5` measures some of the workloads; `--runtime` drives a long run of an agent
instead.
"""


def text(results: Results) -> str:
    """The page."""
    about = results.machine
    return TEXT.format(
        processor=about["processor"],
        system=about["system"],
        Python=about["Python"],
        rhaipy=about["rhaipy"],
        rhai=about["Rhai"],
        peers=about["peers"],
        targets=table.targets(targets(results)),
        ratios=table.ratios(results),
        times=table.times(results),
        reasons="\n".join([f"- {reason}" for reason in table.reasons(results)]),
        limits=table.limits(results),
        hook=table.hook(results),
        starts=table.starts(results),
        growths=table.growths(results),
        memory=table.memory(results),
    )


def write(results: Results) -> None:
    """Write both."""
    PAGE.write_text(text(results), encoding="utf-8")
    PICTURE.write_text(picture.svg(results), encoding="utf-8")
