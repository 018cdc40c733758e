"""What a final output is measured by, in this order: its format, its schema, its validator."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from stagehooks.agent.output import ANY_OUTPUT, OutputSpec
from stagehooks.errors import HookError
from stagehooks.schema import violations
from stagehooks.scripts import json_text
from stagehooks.scripts.validator import OutputValidator, rejection
from stagehooks.tools.formats import malformed


def _nobody(text: str) -> None:
    """Nobody is told."""


@dataclass(frozen=True, slots=True)
class OutputCheck:
    """`warn` is told of a validator that failed. It rejects what it failed on: nothing is accepted by making its check fail."""

    spec: OutputSpec = ANY_OUTPUT
    validator: OutputValidator | None = None
    warn: Callable[[str], None] = _nobody

    def problem(self, content: str) -> str | None:
        """Why `content` is rejected, as the model is told; None where it is accepted."""
        wrong = malformed(self.spec.format, content)
        if wrong is not None:
            return f"the final output is not valid {self.spec.format}: {wrong}"
        return self._against_schema(content) or self._against_validator(content)

    def _against_schema(self, content: str) -> str | None:
        if self.spec.schema is None:
            return None
        try:
            found = violations(self.spec.schema, json_text.parse(content))
        except ValueError as error:
            return f"the final output has a schema, but is not valid json: {error}"
        return f"the final output does not match its schema: {'; '.join(found)}" if found else None

    def _against_validator(self, content: str) -> str | None:
        if self.validator is None:
            return None
        try:
            reason = rejection(self.validator, content)
        except HookError as error:
            self.warn(f"the output validator failed, so the output does not count: {error.message}")
            return f"the final output could not be checked, so it does not count: {error.message}"
        return None if reason is None else f"the final output was rejected: {reason}"


NO_CHECK: Final = OutputCheck()
