"""python -m conformance.fuzz_parser: parse odd texts with rhaipy and with the real engine, and show where they disagree.

Only the verdict of the parser is compared: does it parse, and if not the kind, the text and the position of the error. Programs
do not run further than their first operation.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from random import Random

from conformance import fuzz_programs
from conformance.cases import load
from conformance.oracle_client import Answer, NoOracle, Peer, open_oracle
from conformance.subject import answer

FIELDS = ("kind", "parse_kind", "lex_kind", "message", "line", "pos")
Request = dict[str, object]


def verdict(given: Answer) -> dict[str, object] | None:
    """What the parser said: None where the text is a program, whatever became of it when it ran."""
    return None if given["ok"] or given["stage"] == "run" else {field: given.get(field) for field in FIELDS}


def requests(kind: str, random: Random, programs: Sequence[str]) -> Iterator[Request]:
    """Requests of one kind, without end except for `sequences`."""
    if kind == "sequences":
        contexts = fuzz_programs.CONTEXTS
        yield from (request(text) for text in fuzz_programs.sequences(random.sample(contexts, len(contexts))))
        return
    shapes = fuzz_programs.Shapes(random)
    mutated = fuzz_programs.mutations(random, programs)
    soups, literals, nests = fuzz_programs.soups(random), fuzz_programs.literals(random), fuzz_programs.nests(random, 75)
    while True:
        match kind:
            case "mutations":
                yield request(next(mutated))
            case "soups":
                yield request(next(soups))
            case "shapes":
                yield request(shapes.program())
            case "literals":
                yield request(next(literals))
            case "nests":
                yield request(next(nests), limits=random.choice(({}, {"max_expr_depth": 0, "max_function_expr_depth": 0})))
            case "limits":
                yield request(
                    random.choice((next(mutated), shapes.program(), next(nests), next(literals))), limits=tiny_limits(random)
                )
            case _:
                text = random.choice((next(mutated), next(soups), shapes.program(), shapes.program()))
                yield with_names(random, request(text, options=odd_options(random), expression=random.randrange(3) == 0))


KINDS = ("mutations", "soups", "shapes", "literals", "nests", "limits", "options", "sequences")


def request(
    text: str, limits: Mapping[str, int] | None = None, options: Mapping[str, object] | None = None, expression: bool = False
) -> Request:
    """A request of the verdict protocol that runs nothing but the parser."""
    asked: Request = {"src": text, "opt": "none", "limits": {"max_operations": 1, **(limits or {})}}
    if options:
        asked["options"] = dict(options)
    if expression:
        asked["expression"] = True
    return asked


def with_names(random: Random, asked: Request) -> Request:
    """The same with variables and constants that are known from outside."""
    return asked | {"scope": {"x": 1, "y": [2]}, "consts": {"K": 3}} if random.randrange(2) else asked


def tiny_limits(random: Random) -> dict[str, int]:
    """A few limits that nearly every program passes."""
    limits = {"max_expr_depth": random.randrange(1, 12), "max_function_expr_depth": random.randrange(1, 9)}
    if random.randrange(2):
        limits |= {
            name: random.randrange(1, 5) for name in ("max_string_size", "max_array_size", "max_map_size", "max_functions")
        }
    return limits


def odd_options(random: Random) -> dict[str, object]:
    """Language options other than usual."""
    names = (
        "allow_shadowing", "allow_looping", "allow_if_expression", "allow_switch_expression", "allow_loop_expressions",
        "allow_statement_expression", "allow_anonymous_fn",
    )  # fmt: skip
    options: dict[str, object] = dict.fromkeys(random.sample(names, random.randrange(3)), False)
    if random.randrange(3) == 0:
        options["strict_variables"] = True
    if random.randrange(4) == 0:
        options["disable_symbols"] = random.sample(fuzz_programs.VOCABULARY, random.randrange(1, 4))
    return options


def differences(asked: Iterator[Request], oracle: Peer) -> Iterator[tuple[Request, object, object]]:
    """The requests that rhaipy and the oracle disagree about, with both verdicts."""
    for one in asked:
        ours, theirs = verdict(answer(one)), verdict(oracle.ask(one))
        if ours != theirs:
            yield one, ours, theirs


def read_programs(path: str | None) -> list[str]:
    """Programs to mutate: from a file of JSON lines with a `request` in each, or the conformance cases."""
    if path is None:
        return [str(case.request["src"]) for case in load()]
    lines = Path(path).read_text(encoding="utf-8").splitlines()
    return [json.loads(line)["request"]["src"] for line in lines]


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0: no difference; 1: some; 2: no oracle."""
    parser = argparse.ArgumentParser(prog="python -m conformance.fuzz_parser", description=__doc__)
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=f"any of {', '.join(KINDS)} (all)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=2000, help="texts of each kind; 0: all there are (of `sequences` only)")
    parser.add_argument("--programs", help="JSON lines with programs to mutate")
    options = parser.parse_args(arguments)
    programs = read_programs(options.programs)
    found = 0
    try:
        with open_oracle() as oracle:
            for kind in options.kinds or KINDS:
                asked = requests(kind, Random(f"{kind} {options.seed}"), programs)
                for one, ours, theirs in differences(islice(asked, options.count or None), oracle):
                    found += 1
                    print(json.dumps({"kind": kind, "request": one, "ours": ours, "theirs": theirs}, ensure_ascii=False))
    except NoOracle as reason:
        print(reason, file=sys.stderr)
        return 2
    print(f"{found} differences", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
