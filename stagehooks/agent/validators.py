"""The output validators that an agent file names, read and compiled before anything runs."""

from dataclasses import dataclass
from pathlib import Path

from stagehooks.agent.blueprint import Blueprint
from stagehooks.agent.output import OutputSpec
from stagehooks.agent.scripts import read_script
from stagehooks.errors import HookError, SpawnError
from stagehooks.scripts.validator import OutputValidator, compile_validator


@dataclass(frozen=True, slots=True)
class CompiledValidator:
    """A validator under its path as written in the agent file. `sha256` is of the bytes that were compiled."""

    path: str
    sha256: str
    script: OutputValidator


def wanted_validators(blueprint: Blueprint) -> list[OutputSpec]:
    """The specifications of `blueprint` that name a validator, each path once."""
    named = [stage.output for stage in blueprint.stages if stage.output.validator]
    return [*{spec.validator: spec for spec in reversed(named)}.values()][::-1]


def compile_output_validator(directory: Path, declared: str) -> CompiledValidator:
    """The validator `declared` below `directory`, read and compiled; SpawnError says what is wrong with it."""
    source = read_script(directory, declared, "output validator")
    try:
        script = compile_validator(declared, source.text)
    except HookError as error:
        message = f"output validator failed to compile: {error.message}"
        raise SpawnError(message, inner=error.inner, file=source.file) from None
    return CompiledValidator(declared, source.sha256, script)
