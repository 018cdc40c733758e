"""Writes the parser's tables from rhai.lark: `python -m grammar.build`.

The build fails where the grammar has a conflict, where a state has nothing to say about a token that does not fit, where two
messages or two numbers of levels meet, and where an annotation is used nowhere.
"""

from pathlib import Path

from grammar.annotations import annotations
from grammar.automaton import automaton
from grammar.levels import Levels
from grammar.messages import Messages
from grammar.tables import Tables, error_tables_text, tables_text

HERE = Path(__file__).parent
SYNTAX = HERE.parent / "rhaipy" / "syntax"


def build(text: str) -> tuple[str, str]:
    """The texts of tables.py and error_tables.py for the grammar `text`; GrammarError or ValueError if it is faulty."""
    notes = annotations(text)
    machine = automaton(text)
    levels = Levels(machine, notes.levels)
    tables = Tables(machine, levels)
    messages = Messages(tables.states, notes)
    return tables_text(tables), error_tables_text(tables, levels, messages)


def main() -> None:
    """Write both files."""
    text = (HERE / "rhai.lark").read_text(encoding="utf-8")
    for name, content in zip(("tables.py", "error_tables.py"), build(text), strict=True):
        (SYNTAX / name).write_text(content, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
