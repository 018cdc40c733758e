"""What the final output is to be, as whoever starts a run says it: it goes before what the agent file says, field by field."""

from dataclasses import replace
from pathlib import Path

from stagehooks.agent.document import MAX_BYTES, Document
from stagehooks.agent.files import Unreadable, read_bounded, real_path
from stagehooks.agent.output import ANY_OUTPUT, OutputSpec, read_spec
from stagehooks.agent.spawn import Agent
from stagehooks.agent.validators import compile_output_validator
from stagehooks.errors import BlueprintError, SpawnError, UsageError
from stagehooks.schema import SchemaError, check_schema


def with_output(agent: Agent, asked: OutputSpec | None) -> Agent:
    """`agent`, whose stages ask for the output that is `asked` for; SpawnError where its schema or validator cannot be used."""
    if asked is None:
        return agent
    if asked.schema is not None:
        try:
            check_schema(asked.schema)
        except SchemaError as error:
            raise SpawnError(f"the output asked for: 'schema' is no JSON Schema that can be used: {error}") from None
    stages = tuple([replace(stage, output=instead_of(stage.output, asked)) for stage in agent.blueprint.stages])
    validators = agent.validators
    if asked.validator and asked.validator not in [entry.path for entry in validators]:
        validators += (compile_output_validator(agent.directory, asked.validator),)
    return replace(agent, blueprint=replace(agent.blueprint, stages=stages), validators=validators)


def instead_of(declared: OutputSpec, asked: OutputSpec) -> OutputSpec:
    """`asked`, with what it leaves out from `declared`; of another format the schema and the validator say nothing."""
    if asked.format and declared.format and asked.format != declared.format:
        declared = replace(declared, schema=None, validator="")
    return OutputSpec(
        format=asked.format or declared.format,
        instructions=asked.instructions or declared.instructions,
        example=asked.example or declared.example,
        schema=asked.schema if asked.schema is not None else declared.schema,
        validator=asked.validator or declared.validator,
        line=declared.line,
    )


def read_output_file(path: Path) -> OutputSpec:
    """The specification in the TOML file `path`, with the keys of [agent.output]; UsageError or BlueprintError if it is none."""
    try:
        document = Document(str(path), read_bounded(real_path(path), MAX_BYTES), "the output specification")
    except Unreadable as error:
        raise UsageError(f"cannot read '{path}': {error}") from None
    spec = read_spec(document.root, ANY_OUTPUT)
    for finding in document.findings:
        raise BlueprintError(finding.file, finding.line, finding.text, finding.fix)
    return spec
