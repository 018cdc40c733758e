"""Which models a stage uses: those of its candidates that are available here, the first of them first."""

import asyncio
import os
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from stagehooks.agent.blueprint import Candidate, Stage
from stagehooks.agent.blueprint import Model as ModelTable
from stagehooks.agent.document import did_you_mean
from stagehooks.agent.spawn import Agent
from stagehooks.errors import ModelError, SpawnError
from stagehooks.models.fallbacks import Fallbacks
from stagehooks.models.protocol import Model, Reply, Request
from stagehooks.models.retry import Sleep, Tell, untold
from stagehooks.models.scripted import read_replies

SCRIPTED: Final = "scripted"
REPLIES: Final = "replies.toml"
PROVIDERS: Final = ("openai", "openai-compatible", "anthropic", SCRIPTED)


def models_of(
    agent: Agent,
    given: Model | None = None,
    environment: Mapping[str, str] = os.environ,
    sleep: Sleep = asyncio.sleep,
    tell: Tell = untold,
) -> dict[str, Model]:
    """The model of each stage by the stage's name: `given` for all, or what the agent file asks for.

    A stage that names no model gets the offline one, with the replies in `replies.toml`. Keys and base URLs are taken from
    `environment`, waits are made with `sleep`, and `tell` hears of each model that does not answer. SpawnError where a stage has
    no model that is available.
    """
    stages = agent.blueprint.stages
    if given is not None:
        return {stage.name: _in_time(given, stage) for stage in stages}
    choice = _Choice(agent, environment, sleep, tell)
    return {stage.name: choice.model_of(stage) for stage in stages}


def passed_over(agent: Agent, environment: Mapping[str, str] = os.environ) -> list[tuple[int, str]]:
    """Each candidate that is not available here: its line in the agent file, and in words that it is not used and why."""
    choice = _Choice(agent, environment, asyncio.sleep)
    found = [(stage, reason) for stage in agent.blueprint.stages for reason in choice.candidates(stage)[1]]
    said = [(stage.line, f"stage '{stage.name}' does without {reason}") for stage, reason in found]
    compaction = agent.blueprint.compaction
    if compaction is None or compaction.candidate is None:
        return said
    reasons = choice.candidates(_summarising(agent.blueprint.entry, compaction.candidate))[1]
    return said + [(compaction.line, f"[compaction] does without {reason}") for reason in reasons]


class WithSummaries:
    """`model`, but what makes its summaries is `summaries`. Parameters of the stage are for the stage's own model."""

    def __init__(self, model: Model, summaries: Model) -> None:
        self._model = model
        self._summaries = summaries

    async def complete(self, request: Request) -> Reply:
        """The reply of the one or the other."""
        if request.purpose == "summary":
            return await self._summaries.complete(replace(request, extra=()))
        return await self._model.complete(request)


class TimedModel:
    """`model`, given `seconds` for each reply."""

    def __init__(self, model: Model, seconds: float) -> None:
        self._model = model
        self._seconds = seconds

    async def complete(self, request: Request) -> Reply:
        """The reply, if it comes in time."""
        deadline = asyncio.timeout(self._seconds)
        try:
            async with deadline:
                return await self._model.complete(request)
        except TimeoutError:
            if not deadline.expired():
                raise
            raise ModelError(f"the model did not answer within {self._seconds:g} seconds") from None


def _in_time(model: Model, stage: Stage) -> Model:
    seconds = stage.model.request_timeout_seconds
    return TimedModel(model, seconds) if seconds else model


def _summarising(stage: Stage, candidate: Candidate) -> Stage:
    """`stage`, as it would be with `candidate` for its only model."""
    return replace(stage, model=ModelTable((candidate,), request_timeout_seconds=stage.model.request_timeout_seconds))


class _Choice:
    """Makes the models of one agent. A file of replies is read once."""

    def __init__(self, agent: Agent, environment: Mapping[str, str], sleep: Sleep, tell: Tell = untold) -> None:
        self._agent = agent
        self._environment = environment
        self._sleep = sleep
        self._tell = tell
        self._read: dict[str, Model] = {}

    def model_of(self, stage: Stage) -> Model:
        """The model of `stage`, with its fallbacks."""
        usable, reasons = self.candidates(stage)
        if not usable:
            tried = ", ".join(f"{candidate.provider}/{candidate.model}" for candidate in stage.model.candidates)
            raise SpawnError(f"stage '{stage.name}' has no usable provider (tried: {tried}). {'; '.join(reasons)}")
        own = usable[0] if len(usable) == 1 else Fallbacks(tuple(usable), self._tell)
        compaction = self._agent.blueprint.compaction
        if compaction is None or compaction.candidate is None:
            return own
        others = self.candidates(_summarising(stage, compaction.candidate))[0]
        return WithSummaries(own, Fallbacks((*others, own), self._tell)) if others else own

    def candidates(self, stage: Stage) -> tuple[list[Model], list[str]]:
        """The candidates of `stage` that are available here, and of each other one why it is not."""
        usable: list[Model] = []
        reasons: list[str] = []
        for candidate in stage.model.candidates or (Candidate(SCRIPTED, REPLIES),):
            made = self._make(candidate, stage)
            if isinstance(made, str):
                reasons.append(f"{candidate.provider}/{candidate.model}: {made}")
            else:
                usable.append(made)
        return usable, reasons

    def _make(self, candidate: Candidate, stage: Stage) -> Model | str:
        if candidate.provider == SCRIPTED:
            return self._scripted(candidate.model or REPLIES)
        if candidate.provider not in PROVIDERS:
            hint = did_you_mean(candidate.provider, PROVIDERS)
            return f"there is no such provider ({hint or 'there are: ' + ', '.join(PROVIDERS)})"
        from stagehooks.models.providers import Unusable, remote_model  # opens sockets: only where a stage wants it

        try:
            return remote_model(candidate, stage, self._environment, self._sleep, self._tell)
        except Unusable as error:
            return str(error)

    def _scripted(self, file: str) -> Model:
        if file not in self._read:
            self._read[file] = read_replies(self._agent.directory, file)
        return self._read[file]
