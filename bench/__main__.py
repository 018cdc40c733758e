"""Times rhaipy beside the real engine, plain Python and other engines: `python -m bench [--quick] [--json] [--write]`.

Quote the ratios, not the times: see `measuring` for how they are made, `docs/performance.md` for what they were.
"""

import argparse
import json
import sys
from dataclasses import asdict

from bench import page, peer_rows, results, rhai, runtime, table
from bench.results import Results
from bench.targets import targets


def main(arguments: list[str]) -> int:
    """Measure and tell; the exit code."""
    options = _parser().parse_args(arguments)
    if options.runtime:
        return runtime.main()
    if options.write:
        trouble = rhai.build()
        if trouble:
            print(f"the real engine is not built: {trouble}", file=sys.stderr)
        peer_rows.install()
    only = tuple(options.only.split(",")) if options.only else ()
    found = results.run(options.quick, only, (lambda text: None) if options.json else _say)
    print(json.dumps(_data(found)) if options.json else _shown(found))
    if options.write:
        page.write(found)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="bench", description="Times rhaipy beside other engines.")
    parser.add_argument("--quick", action="store_true", help="the same, coarser, in less than a minute")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of tables")
    parser.add_argument("--only", default="", metavar="KEYS", help="some of the workloads, for example W4,W5")
    parser.add_argument("--write", action="store_true", help="build and install what is missing, write docs/performance.md")
    parser.add_argument("--runtime", action="store_true", help="a long run of an agent instead: its time and its memory")
    return parser


def _say(text: str) -> None:
    print(text, file=sys.stderr)


def _shown(found: Results) -> str:
    tables = [table.ratios(found), table.times(found)]
    if found.starts:
        tables += [
            table.targets(targets(found)),
            table.starts(found),
            table.limits(found),
            table.hook(found),
            table.growths(found),
            table.memory(found),
        ]
    return "\n\n".join(tables)


def _data(found: Results) -> dict[str, object]:
    """The ratios, and everything else that was measured."""
    ratios = {
        key: {name: {"ratio": cell.ratio, "spread": cell.spread} if cell.seconds else cell.why_not for name, cell in row.items()}
        for key, row in found.cells.items()
    }
    reached = [{**asdict(target), "met": target.met} for target in targets(found)] if found.starts else []
    whole = found.as_data()
    return {"base": found.base, "ratios": ratios, "targets": reached, **{key: whole[key] for key in whole if key != "cells"}}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
