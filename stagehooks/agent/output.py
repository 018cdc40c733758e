"""What the final output of a run is to be: [agent.output] and [stages.NAME.output]."""

from dataclasses import dataclass, field
from typing import Final

from stagehooks.agent.document import Table
from stagehooks.schema import SchemaError, check_schema
from stagehooks.scripts import json_text
from stagehooks.scripts.json_text import Json

OUTPUT: Final = ("format", "instructions", "example", "schema", "validator")
FORMATS: Final = ("json", "xml", "yaml", "csv", "toml")
"""Formats that are more than a label: all but `yaml` are checked."""


@dataclass(frozen=True, slots=True)
class OutputSpec:
    """`format` is a label; `schema` a JSON Schema, None where there is none; `validator` the path of a script, as written.

    `line` is where the validator is named in the agent file, from 1.
    """

    format: str = ""
    instructions: str = ""
    example: str = ""
    schema: Json = None
    validator: str = ""
    line: int = field(default=0, compare=False)

    @property
    def description(self) -> str:
        """All of it as text for the model; empty where nothing is asked for."""
        parts = [
            f"Format: {self.format}." if self.format else "",
            self.instructions,
            f"Example:\n{self.example}" if self.example else "",
            f"It must match this JSON Schema:\n{json_text.dump(self.schema)}" if self.schema is not None else "",
        ]
        return "\n".join(part for part in parts if part)


ANY_OUTPUT: Final = OutputSpec()


def read_output(owner: Table, outer: OutputSpec) -> OutputSpec:
    """The `output` table of a stage or of the agent; what it leaves out is as in `outer`."""
    return read_spec(owner.table("output", f"{owner.subject}: output"), outer)


def read_spec(table: Table, outer: OutputSpec) -> OutputSpec:
    """The specification in `table`; what it leaves out is as in `outer`."""
    table.allow(OUTPUT)
    return OutputSpec(
        format=table.text("format").strip() or outer.format,
        instructions=table.text("instructions").strip() or outer.instructions,
        example=_example(table) or outer.example,
        schema=_schema(table) if "schema" in table else outer.schema,
        validator=table.text("validator") or outer.validator,
        line=table.line("validator") if "validator" in table else outer.line,
    )


def _example(table: Table) -> str:
    if "example" not in table or table.holds("example", str):
        return table.text("example").strip()
    return json_text.dump(table.plain("example"))


def _schema(table: Table) -> Json:
    """A table, or the text of one in JSON."""
    try:
        schema = json_text.parse(table.text("schema")) if table.holds("schema", str) else table.plain("schema")
        check_schema(schema)
    except (SchemaError, ValueError) as error:
        table.error("schema", f"{table.subject}: 'schema' is no JSON Schema that can be used: {error}")
        return None
    return schema
